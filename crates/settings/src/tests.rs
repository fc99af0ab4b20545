use serde_json::json;

use super::compose::compose;
use super::*;
use crate::model::{Default, Field, PluginInfo, Problem, Severity, ValueKind, Values};
use crate::sys::Environment;

const fn field(name: &'static str, kind: ValueKind, default: Default, about: &'static str) -> Field {
    Field { name, kind, default, about }
}

static PACKAGES: [Field; 5] = [
    field(
        "package_manager",
        ValueKind::Choice(&["auto", "npm", "pnpm"]),
        Default::Text("auto"),
        "Which runs scripts.",
    ),
    field("scripts", ValueKind::Patterns, Default::Text("*"), "Which scripts are offered. Patterns."),
    field(
        "default_timeout",
        ValueKind::Integer(1, 3600),
        Default::Integer(300),
        "Seconds a script may take.",
    ),
    field("environment", ValueKind::TextMap, Default::Absent, "Variables that every script gets."),
    field("expose_list_scripts", ValueKind::Flag, Default::Flag(true), "Whether scripts can be listed."),
];

static SCRIPTS: [Field; 2] = [
    field("patterns", ValueKind::TextList, Default::Required, "Globs of the scripts to offer."),
    field("cache_ttl", ValueKind::Integer(0, u64::MAX), Default::Integer(300), "Seconds."),
];

const PACKAGEJSON: PluginInfo = PluginInfo {
    summary: "Scripts of package.json",
    noun: "script",
    config: &PACKAGES,
    ..PluginInfo::new("packagejson", "PKGJSON")
};

const ABOUTS: [PluginInfo; 2] = [
    PACKAGEJSON,
    PluginInfo {
        id: "scripts",
        summary: "Script files",
        code_prefix: "SCRIPT",
        config: &SCRIPTS,
        ..PACKAGEJSON
    },
];

fn place() -> SettingsPlace {
    let file = "/p/settings.yml".into();
    SettingsPlace { file, root: "/p".into(), name: "settings.yml".into(), origin: SettingsOrigin::Found }
}

fn reading(text: &str) -> SettingsReading {
    read(&place(), text.as_bytes(), &ABOUTS, &Environment::default())
}

fn render(problem: &SettingsProblem) -> String {
    let mut text = String::new();
    miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor())
        .with_width(100)
        .render_report(&mut text, problem)
        .unwrap();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// All problems as an editor's or CI's list would show them.
fn brief(text: impl AsRef<[u8]>) -> String {
    let problems = read(&place(), text.as_ref(), &ABOUTS, &Environment::default()).problems;
    let line = |problem: &SettingsProblem| {
        let of = problem.instance.as_ref().map(|of| format!(" ({of})")).unwrap_or_default();
        let help = problem.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
        let code = problem.code.as_deref().unwrap_or("warning");
        format!("{code}{of} {}{help}", Problem::from(problem))
    };
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn rendered(text: &str) -> String {
    reading(text).problems.iter().map(render).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_of_the_original_reads_unchanged() {
    let text = "\u{feff}plugin_settings:\r\n  anything: [1, {a: b}]\r\nversion: 1\r\nplugins:\r\n  packagejson:\r\n    config:\r\n      scripts: \"*\"\r\n  more:\r\n    enabled: false\r\n    type: in_source\r\n    module: opencuff.plugins.builtin.scripts\r\n    config:\r\n      patterns: [a/*.sh]\r\n      cache_ttl: '0'\r\n";
    let SettingsReading { settings, problems } = reading(text);
    assert!(problems.is_empty(), "{problems:?}");
    let [npm, more] = &settings.instances[..] else { panic!("{:?}", settings.instances) };
    assert_eq!((npm.name.as_str(), npm.plugin, npm.enabled), ("packagejson", "packagejson", true));
    assert_eq!(npm.config.texts(&PACKAGES[1]), ["*"]);
    assert_eq!((more.name.as_str(), more.plugin, more.enabled), ("more", "scripts", false));
    assert_eq!((more.config.texts(&SCRIPTS[0]), more.config.integer(&SCRIPTS[1])), (vec!["a/*.sh"], 0));
    assert_eq!(*settings.bytes, *text.as_bytes());
}

const MANY_MISTAKES: &str = r#"version: "1"
plugns: {}
plugins:
  packagejson:
    enabeld: true
    config:
      default_timout: 5
      scripts: [test, 3]
      environment:
        CI: true
        "OK": "yes"
      package_manager: pmpn
      default_timeout: 0
  scripts:
    config:
      patterns: "scripts/*.sh"
  bad name!: {}
  run: {module: scripts, config: {patterns: []}}
  tools: {enabled: maybe, module: x.y.scripts, config: {patterns: [a]}}
  other: {}
  lint: {module: opencuff.plugins.builtin.packagejsn}
  server: {type: mcp, command: x}
  api: {type: http, url: 'http://x'}
  older: {type: process, enabled: false}
  typo: {type: in_sauce}
  good: {module: scripts, config: {patterns: [a]}}
"#;

#[test]
fn every_mistake_of_a_file_is_reported_at_once() {
    insta::assert_snapshot!(brief(MANY_MISTAKES), @r#"
    warning settings.yml:2:1: `plugns` is not known here | did you mean `plugins`?
    CUFF_201 (packagejson) settings.yml:5:5: `enabeld` is not known here | did you mean `enabled`?
    warning (packagejson) settings.yml:7:7: `default_timout` is not known here | did you mean `default_timeout`?
    PKGJSON_201 (packagejson) settings.yml:8:23: `scripts[1]` must be a string, not the number 3 | write it in quotes: "3"
    PKGJSON_201 (packagejson) settings.yml:10:13: `environment.CI` must be a string, not true | write it in quotes: "true"
    PKGJSON_201 (packagejson) settings.yml:12:24: `package_manager` must be one of auto, npm, pnpm
    PKGJSON_201 (packagejson) settings.yml:13:24: `default_timeout` must be from 1 to 3600
    SCRIPT_201 (scripts) settings.yml:16:17: `patterns` must be a list of strings, not the string "scripts/*.sh" | write it as a list: ["scripts/*.sh"]
    CUFF_201 (bad name!) settings.yml:17:3: `bad name!` cannot be the name of an instance | use letters, digits, `_` and `-`, at most 32, and start with a letter
    CUFF_201 (run) settings.yml:18:3: no instance can be called `run`: it is a command of cuff | choose another name, for example `run_tools`
    CUFF_201 (tools) settings.yml:19:20: `enabled` must be true or false, not a string
    CUFF_201 (other) settings.yml:20:3: no built-in plugin is called `other` | an instance with a name of its own needs `module`; the built-in plugins are packagejson, scripts
    CUFF_201 (lint) settings.yml:21:18: no built-in plugin is called `packagejsn` | did you mean `packagejson`? The built-in plugins are packagejson, scripts
    CUFF_201 (api) settings.yml:23:15: this version of cuff does not start `type: http`, `api` is skipped | set `enabled: false` to keep the entry without this message
    CUFF_201 (typo) settings.yml:25:16: `type` must be one of in_source, mcp, process, http | did you mean `in_source`?
    "#);
    let names: Vec<_> = reading(MANY_MISTAKES).settings.instances.into_iter().map(|i| i.name).collect();
    assert_eq!(names, ["good"]);
}

#[test]
fn a_server_is_started_or_connected_to() {
    let text = "version: '1'\nplugins:\n  github:\n    type: mcp\n    command: npx\n    args: [-y, '@x/server']\n    \
                env: {TOKEN: '${TOKEN}'}\n    cwd: tools\n    \
                config: {confirm: 'delete_*', include_tools: 'a, b', exclude_tools: [c], default_timeout: '60'}\n  \
                docs: {type: mcp, enabled: true, url: 'HTTPS://docs.example.com/mcp', headers: {X-Key: v}}\n  \
                old: {type: mcp, enabled: false, command: x}\n  wrong: {type: mcp, enabled: false, config: {token: 1}}\n";
    let environment = Environment::new("/", [("TOKEN", "hush-hush")]);
    let SettingsReading { settings, problems } = read(&place(), text.as_bytes(), &ABOUTS, &environment);
    let said: Vec<_> =
        problems.iter().map(|problem| (problem.instance.as_deref(), problem.severity)).collect();
    assert_eq!(said, []);
    assert!(settings.instances.is_empty());
    let [github, docs, old] = &settings.upstreams[..] else { panic!("{:?}", settings.upstreams) };
    assert_eq!((github.name.as_str(), github.enabled, old.enabled), ("github", true, false));
    let owned = |text: &str| text.to_owned();
    assert_eq!(
        github.transport,
        ServerTransport::Stdio {
            command: owned("npx"),
            arguments: ["-y", "@x/server"].map(owned).to_vec(),
            environment: vec![(owned("TOKEN"), owned("hush-hush"))],
            directory: Some(owned("tools")),
        }
    );
    let headers = vec![(owned("X-Key"), owned("v"))];
    assert_eq!(
        docs.transport,
        ServerTransport::Http {
            url: owned("HTTPS://docs.example.com/mcp"),
            headers,
            is_legacy: false,
            oauth: OAuth::default()
        }
    );
    assert_eq!(github.config.texts(&INCLUDE_TOOLS), ["a", "b"]);
    assert_eq!(github.config.texts(&EXCLUDE_TOOLS), ["c"]);
    assert_eq!(github.config.texts(&model::CONFIRM), ["delete_*"]);
    assert_eq!(github.config.integer(&model::DEFAULT_TIMEOUT), 60);
    assert_eq!(docs.config.texts(&INCLUDE_TOOLS), ["*"]);
    assert!(settings.variables.iter().eq(["TOKEN"]));
}

#[test]
fn a_runner_that_is_no_entry_is_told_where_it_is_named() {
    let errors = |on: &str, runners: &str| {
        let text = format!(
            "version: '1'\nplugins:\n  scripts:\n    config:\n      on: {on}\n      patterns: ['*.sh']\nrunners: {{{runners}}}\n"
        );
        let SettingsReading { settings, problems } = reading(&text);
        let one = |one: SettingsProblem| {
            format!("{} {} | {}", one.location.line.unwrap_or(0), one.message, one.help.unwrap_or_default())
        };
        (settings.instances.len(), problems.into_iter().map(one).collect::<Vec<_>>())
    };
    let cluster = "cluster: {type: slurm}";
    for (on, runners, expected) in [
        ("cluster", cluster, None),
        ("{'*': cluster, lint: local}", cluster, None),
        ("local", "", None),
        (
            "docker",
            "",
            Some("5 no runner is called `docker` | add it below `runners:`; `local` is this machine"),
        ),
        (
            "{'*': cluster, lint: clusterr}",
            cluster,
            Some("5 no runner is called `clusterr` | did you mean `cluster`?"),
        ),
        ("box", cluster, Some("5 no runner is called `box` | known here are cluster, local")),
    ] {
        let expected = (usize::from(expected.is_none()), Vec::from_iter(expected.map(str::to_owned)));
        assert_eq!(errors(on, runners), expected, "{on}");
    }
    // An entry with a mistake is one: its own problem says enough.
    let (_, problems) = errors("cluster", "cluster: {type: ssh}");
    assert_eq!(problems, ["7 `host` is missing, or begins with a dash | the words of this runner need it"]);
}

#[test]
fn a_server_has_limits_of_its_own_and_defaults_for_each() {
    let server = |keys: &str| {
        let text = format!("version: '1'\nplugins:\n  x: {{type: mcp, {keys}}}\n");
        let SettingsReading { settings, problems } = reading(&text);
        let errors: Vec<_> = problems.iter().filter(|one| one.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{keys}: {errors:?}");
        settings.upstreams.into_iter().next().unwrap()
    };
    let limits = |server: &Upstream| {
        let flags = (server.is_open_to_agents(), server.trusts_annotations(), server.new_tools());
        (server.concurrency(), server.connect_timeout().as_secs(), flags)
    };
    let plain = server("command: x");
    assert_eq!(limits(&plain), (16, 30, (true, false, NewTools::Review)));
    assert_eq!((plain.origin, plain.folder), (place().origin, place().root));
    let other = server(
        "command: x, transport: stdio, config: {concurrency: 2, connect_timeout: '5', open_to_agents: false, \
         trust_annotations: true, new_tools: allow}",
    );
    assert_eq!(limits(&other), (2, 5, (false, true, NewTools::Allow)));
    for (word, expected) in [("http", false), ("streamable-http", false), ("sse", true)] {
        let ServerTransport::Http { is_legacy, .. } =
            server(&format!("url: 'http://x', transport: {word}")).transport
        else {
            panic!("{word}")
        };
        assert_eq!(is_legacy, expected, "{word}");
    }
    insta::assert_snapshot!(brief(
        "version: '1'\nplugins:\n  a: {type: mcp, command: x, transport: sse}\n  b: {type: mcp, url: 'http://x', transport: stdio}\n  \
         c: {type: mcp, url: 'http://x', transport: htp}\n  \
         d: {type: mcp, command: x, config: {concurrency: 0, connect_timeout: 1d, open_to_agent: no, new_tools: maybe}}\n"
    ), @r#"
    UPSTREAM_201 (a) settings.yml:3:41: `transport` must be stdio, since `command` is started
    UPSTREAM_201 (b) settings.yml:4:46: `transport` must be http or sse, since `url` is an address
    UPSTREAM_201 (c) settings.yml:5:46: `transport` must be one of stdio, http, streamable-http, sse | did you mean `http`?
    UPSTREAM_201 (d) settings.yml:6:52: `concurrency` must be from 1 to 1024
    UPSTREAM_201 (d) settings.yml:6:72: `connect_timeout` must be a whole number, not the string "1d" | write the number alone, without a unit and quotes
    UPSTREAM_201 (d) settings.yml:6:76: `open_to_agent` is not known here | did you mean `open_to_agents`?
    UPSTREAM_201 (d) settings.yml:6:106: `new_tools` must be one of review, allow
    "#);
}

#[test]
fn a_server_that_wants_a_login_has_a_client() {
    let text = "version: '1'
plugins:
  a: {type: mcp, url: 'https://x', oauth: {client_id: id, clientSecret: '${V}', scope: 'a b', callbackPort: 8123}}
";
    let environment = Environment::new("/", [("V", "hush")]);
    let read = read(&place(), text.as_bytes(), &ABOUTS, &environment);
    let ServerTransport::Http { oauth, .. } = &read.settings.upstreams[0].transport else { panic!() };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        *oauth,
        OAuth {
            client_id: some("id"),
            client_secret: some("hush"),
            scope: some("a b"),
            redirect_port: Some(8123),
            ..OAuth::default()
        }
    );
    insta::assert_snapshot!(brief(
        "version: '1'\nplugins:\n  b: {type: mcp, url: 'https://x', oauth: {client_metadata_url: 'http://x/y', redirect_port: '0', clientid: x}}\n"
    ), @r"
    UPSTREAM_201 (b) settings.yml:3:65: `oauth.client_metadata_url` must be the address of a document, which begins with https://
    UPSTREAM_201 (b) settings.yml:3:94: `oauth.redirect_port` must be the number of a port, from 1 to 65535
    UPSTREAM_201 (b) settings.yml:3:109: `oauth.clientid` must be one of client_id, client_secret, client_metadata_url, issuer, scope, redirect_port
    ");
}

#[test]
fn every_mistake_of_a_server_is_reported_at_once() {
    let text = r#"version: "1"
plugins:
  none: {type: mcp}
  both: {type: mcp, command: x, url: 'http://x'}
  foreign: {type: mcp, url: 'http://x', args: [a], cwd: b}
  headed: {type: mcp, command: x, headers: {A: b}}
  types: {type: mcp, command: 5, args: --flag, env: {CI: true}, config: {default_timeout: 0}}
  values: {type: mcp, command: ' ', cwd: '', env: {'A=B': c}}
  address: {type: mcp, url: 'localhost:3000', headers: {'a b': c}}
  guards: {type: mcp, command: x, enabeld: false, config: {includeTools: [a], excludes: b, tokn: c}}
  misplaced: {type: mcp, command: x, confirm: true}
  known: {type: mcp, command: x, evn: {A: b}, module: servers.x}
  unset: {type: mcp, command: '${NO_SUCH}'}
  run: {type: mcp, command: x}
"#;
    insta::assert_snapshot!(brief(text), @r#"
    UPSTREAM_201 (none) settings.yml:3:3: the MCP server has neither `command` nor `url` | write `command` for a program to start, or `url` for an address to connect to
    UPSTREAM_201 (both) settings.yml:4:33: the MCP server has both `command` and `url` | remove one of them: a server is started or connected to
    UPSTREAM_201 (foreign) settings.yml:5:41: `args` does not go with `url` | remove it; `args`, `env` and `cwd` belong to `command`
    UPSTREAM_201 (foreign) settings.yml:5:52: `cwd` does not go with `url` | remove it; `args`, `env` and `cwd` belong to `command`
    UPSTREAM_201 (headed) settings.yml:6:35: `headers` does not go with `command` | remove it; `headers` and `oauth` belong to `url`
    UPSTREAM_201 (types) settings.yml:7:31: `command` must be a string, not the number 5 | write it in quotes: "5"
    UPSTREAM_201 (types) settings.yml:7:40: `args` must be a list of strings, not the string "--flag" | write it as a list: ["--flag"]
    UPSTREAM_201 (types) settings.yml:7:58: `env.CI` must be a string, not true | write it in quotes: "true"
    UPSTREAM_201 (types) settings.yml:7:91: `default_timeout` must be from 1 to 2592000
    UPSTREAM_201 (values) settings.yml:8:32: `command` must be the name or path of a program
    UPSTREAM_201 (values) settings.yml:8:42: `cwd` must be the path of a folder
    UPSTREAM_201 (values) settings.yml:8:59: `env.A=B` must be a variable: a name without `=`, and a value without a NUL character
    UPSTREAM_201 (address) settings.yml:9:29: `url` must be an address that begins with http:// or https:// and names a host
    UPSTREAM_201 (address) settings.yml:9:64: `headers.a b` must be a header: a name without spaces or `:`, and a value in one line
    CUFF_201 (guards) settings.yml:10:35: `enabeld` is not known here | did you mean `enabled`?
    UPSTREAM_201 (guards) settings.yml:10:60: `includeTools` is not known here | did you mean `include_tools`?
    UPSTREAM_201 (guards) settings.yml:10:79: `excludes` is not known here | did you mean `exclude_tools`?
    warning (guards) settings.yml:10:92: `tokn` is not known here
    CUFF_201 (misplaced) settings.yml:11:38: `confirm` is not known here | did you mean `confirm`? It belongs below `config`
    warning (known) settings.yml:12:34: `evn` is not known here | did you mean `env`?
    warning (known) settings.yml:12:47: `module` is not known here | known here are enabled, type, command, args, env, cwd, url, headers, oauth, transport, config
    CUFF_201 (unset) settings.yml:13:31: the variable `NO_SUCH` is not set | set it before cuff starts, or write `${NO_SUCH:-default}`
    CUFF_201 (run) settings.yml:14:3: no instance can be called `run`: it is a command of cuff | choose another name, for example `run_tools`
    "#);
    let names: Vec<_> = reading(text).settings.upstreams.into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["known"]);
}

#[test]
fn a_value_of_a_variable_is_not_shown_where_a_server_is_wrong() {
    let environment = Environment::new("/", [("V", "hush\nhush")]);
    for wrong in [
        "command: x, args: '${V}'",
        "command: x, env: '${V}'",
        "url: '${V}'",
        "url: 'http://x', headers: {A: '${V}'}",
        "command: x, config: '${V}'",
        "command: x, config: {default_timeout: '${V}'}",
        "command: x, config: {confirm: '[${V}'}",
        "command: x, cwd: ['${V}']",
    ] {
        let text = format!("version: '1'\nplugins: {{x: {{type: mcp, {wrong}}}}}\n");
        let reading = read(&place(), text.as_bytes(), &ABOUTS, &environment);
        let shown: Vec<String> = reading.problems.iter().map(render).collect();
        assert!(!shown.concat().contains("hush"), "{wrong}: {}", shown.concat());
        let is_pattern = wrong.contains("confirm");
        assert_eq!(reading.settings.upstreams.len(), usize::from(is_pattern), "{wrong}: {}", shown.concat());
    }
}

#[test]
fn a_misspelt_limit_is_no_limit_less() {
    let problems_in = |keys: &str, config: &str| {
        let text = format!(
            "version: '1'\n{keys}plugins:\n  packagejson:\n    config:\n{config}  other: {{module: packagejson}}\n"
        );
        let SettingsReading { settings, problems } = reading(&text);
        let left: Vec<_> = settings.instances.iter().map(|instance| instance.name.as_str()).collect();
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        format!("{} | {} | {}", left.join(" "), problem.message, problem.help.as_deref().unwrap_or_default())
    };
    let of_config = |line: &str| problems_in("", &format!("      {line}\n"));
    for (key, meant) in [
        ("confrim", "confirm"),
        ("Confirm", "confirm"),
        ("CONFIRMATION", "confirm"),
        ("script", "scripts"),
        ("environment-policy", "environment_policy"),
        ("expose-list", "expose_list_scripts"),
    ] {
        let expected = format!("other | `{key}` is not known here | did you mean `{meant}`?");
        assert_eq!(of_config(&format!("{key}: [deploy]")), expected);
    }
    // A misspelled key that holds nothing back costs nothing.
    for key in ["default_timout", "colour", "enviroment"] {
        assert!(of_config(&format!("{key}: 5")).starts_with("packagejson other | "), "{key}");
    }
    // In the wrong place.
    assert_eq!(
        problems_in("", "    confirm: [deploy]\n"),
        "other | `confirm` is not known here | did you mean `confirm`? It belongs below `config`"
    );
    assert_eq!(
        problems_in("confirm: [deploy]\n", ""),
        " | `confirm` is not known here | did you mean `confirm`? It belongs below the `config` of an instance"
    );
    assert_eq!(
        problems_in("colour: red\n", ""),
        "packagejson other | `colour` is not known here | known here are version, plugin_settings, plugins, agent_shell, runners, records"
    );
}

#[test]
fn values_that_do_not_fit_show_their_place() {
    insta::assert_snapshot!(rendered("version: '1'\nplugins:\n  packagejson:\n    config:\n      environment: {CI: true} # é\n"), @r#"
    PKGJSON_201

      × `environment.CI` must be a string, not true
       ╭─[settings.yml:5:25]
     4 │     config:
     5 │       environment: {CI: true} # é
       ·                         ──┬─
       ·                           ╰── a string
       ╰────
      help: write it in quotes: "true"
    "#);
    insta::assert_snapshot!(rendered("version: '2'\nplugins:\n"), @r#"
    CUFF_201

      × settings of version 2 are not understood
       ╭─[settings.yml:1:10]
     1 │ version: '2'
       ·          ─┬─
       ·           ╰── not a version that this cuff reads
     2 │ plugins:
       ╰────
      help: this cuff reads version "1"; newer settings need a newer cuff
    "#);
    insta::assert_snapshot!(rendered("version: '1'\npluginz: {}\nplugins: {}\n"), @"
     ⚠ `pluginz` is not known here
      ╭─[settings.yml:2:1]
    1 │ version: '1'
    2 │ pluginz: {}
      · ───┬───
      ·    ╰── unknown key
    3 │ plugins: {}
      ╰────
     help: did you mean `plugins`?
    ");
    insta::assert_snapshot!(rendered("version: '1'\nplugins:\n  scripts:\n    enabled: true\n"), @"
    SCRIPT_201

      × `patterns` is missing
       ╭─[settings.yml:3:3]
     2 │ plugins:
     3 │   scripts:
       ·   ───┬───
       ·      ╰── missing here
     4 │     enabled: true
       ╰────
      help: add it under `config`: Globs of the scripts to offer.
    ");
}

#[test]
fn invalid_yaml_shows_its_place() {
    insta::assert_snapshot!(rendered("version: '1'\nplugins:\n\tscripts: {}\n"), @"
    CUFF_201

      × the settings are not valid YAML: found character that cannot start any token
       ╭─[settings.yml:3:1]
     2 │ plugins:
     3 │     scripts: {}
       · ─────┬─────
       ·      ╰── here
       ╰────
      help: indent with spaces: YAML does not allow tabs there
    ");
    insta::assert_snapshot!(rendered("version: '1'\nplugins:\n  packagejson:\n    config:\n      scripts: *\n"), @r#"
    CUFF_201

      × the settings are not valid YAML: did not find expected alphabetic or numeric character
       ╭─[settings.yml:5:17]
     4 │     config:
     5 │       scripts: *
       ·                 ▲
       ·                 ╰── here
       ╰────
      help: `*` and `&` have a meaning in YAML: write the value in quotes, as in "*"
    "#);
    insta::assert_snapshot!(rendered("version: '1'\nplugins:\n  packagejson: {}\n  packagejson: {}\n"), @"
    CUFF_201

      × `packagejson` is there twice
       ╭─[settings.yml:4:3]
     3 │   packagejson: {}
     4 │   packagejson: {}
       ·   ─────┬─────
       ·        ╰── the second one
       ╰────
      help: remove one of them; YAML readers differ in which one they take
    ");
}

#[test]
fn files_that_are_no_settings_say_so() {
    let lists: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("comments", b"# nothing\n"),
        ("list", b"- a\n"),
        ("text", b"hello"),
        ("null plugins", b"version: 1\nplugins:\n"),
        ("plugins list", b"version: 1\nplugins: [a]\n"),
        ("instance text", b"version: 1\nplugins: {scripts: yes}\n"),
        ("no version", b"plugins: {}"),
        ("version list", b"version: [1]\nplugins: {}"),
        ("only version", b"version: 1"),
        ("two documents", b"version: 1\n---\nversion: 1\n"),
        ("unclosed", b"version: 1\nplugins: [a\n"),
        ("colon", b"version: 1\nplugins: a: b\n"),
        ("backtick", b"version: `1`"),
        ("unknown anchor", b"version: *one"),
        ("number key", b"version: 1\nplugins: {1: {}}\n"),
        ("tag", b"version: !v 1\nplugins: {}\n"),
        ("merge", b"version: 1\nplugins: {<<: 3}\n"),
        ("duplicate", b"version: 1\nversion: 1\nplugins: {}\n"),
        ("nul", b"version: 1\nplugins: \0\n"),
        ("utf-8", b"version: 1\nplugins: {a\xff: 1}\n"),
        ("utf-16", b"\xff\xfev\0e\0"),
    ];
    let all: Vec<_> = lists.iter().map(|(name, bytes)| format!("{name}: {}", brief(bytes))).collect();
    insta::assert_snapshot!(all.join("\n"), @r#"
    empty: CUFF_201 settings.yml:1:1: the settings are empty | start with `version: "1"` and `plugins:`, or have `cuff init --force` write the file
    comments: CUFF_201 settings.yml:2:1: the settings are empty | start with `version: "1"` and `plugins:`, or have `cuff init --force` write the file
    list: CUFF_201 settings.yml:1:1: the settings must be a mapping, not a list | start with `version: "1"` and `plugins:`, or have `cuff init --force` write the file
    text: CUFF_201 settings.yml:1:1: the settings must be a mapping, not a string | start with `version: "1"` and `plugins:`, or have `cuff init --force` write the file
    null plugins: 
    plugins list: CUFF_201 settings.yml:2:1: `plugins` must be a mapping, not a list | write its keys indented below it, one a line
    instance text: CUFF_201 (scripts) settings.yml:2:11: `scripts` must be a mapping, not a string | write its keys indented below it, one a line
    no version: 
    version list: CUFF_201 settings.yml:1:10: `version` must be a string, not a list | this cuff reads version "1"; newer settings need a newer cuff
    only version: warning settings.yml:1:1: `plugins` is missing, so no tool is offered | `cuff init` finds what the project has
    two documents: CUFF_201 settings.yml: the settings are not valid YAML: there is more than one document | settings are one document: remove the line `---`
    unclosed: CUFF_201 settings.yml:3:1: the settings are not valid YAML: did not find expected ',' or ']' | check the indentation, quotes and brackets of this line and the one above
    colon: CUFF_201 settings.yml:2:11: the settings are not valid YAML: mapping values are not allowed in this context | put a value that contains `: ` in quotes, and check the indentation of this line
    backtick: CUFF_201 settings.yml:1:10: the settings are not valid YAML: found character that cannot start any token | put a value that starts with this character in quotes
    unknown anchor: CUFF_201 settings.yml:1:10: the settings are not valid YAML: unknown anchor | `*` and `&` have a meaning in YAML: write the value in quotes, as in "*"
    number key: CUFF_201 settings.yml:2:11: the key 1 is not a string | write it in quotes: "1"
    tag: CUFF_201 settings.yml:1:10: the tag `!v` has no meaning in settings | remove it, or write the value in quotes if it starts with `!`
    merge: CUFF_201 settings.yml:2:11: `<<` merges mappings, and this is none | name a mapping with an alias, as in `<<: *defaults`
    duplicate: CUFF_201 settings.yml:2:1: `version` is there twice | remove one of them; YAML readers differ in which one they take
    nul: CUFF_201 settings.yml:2:10: YAML does not allow the character U+0000 | remove it, or write it as an escape in double quotes
    utf-8: CUFF_201 settings.yml: the settings are not UTF-8: line 2 has a byte that is not | save the file as UTF-8
    utf-16: CUFF_201 settings.yml: the settings are UTF-16 | save the file as UTF-8
    "#);
}

#[test]
fn a_hostile_file_is_answered_briefly() {
    let long = format!("version: 1\nplugins: {{scripts: {{config: {{{}: 1}}}}}}\n", "k".repeat(100_000));
    let many: Vec<_> = (0..1_000).map(|n| format!("k{n}: 1")).collect();
    let many = many.join("\n");
    let nested = format!("version: 1\nplugins: {}", "[".repeat(100_000));
    let twice = format!("plugins:\n  {}:\n{}", "k".repeat(100_000), "    a: 1\n".repeat(1_000));
    for text in [long, format!("version: 1\nplugins: {{}}\n{many}"), nested, twice] {
        let reading = reading(&text);
        assert!(reading.problems.len() <= 51);
        let shown: usize = reading.problems.iter().map(|problem| render(problem).len()).sum();
        assert!((100..50_000).contains(&shown), "{shown} bytes");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "lays out the files")]
fn a_file_tells_who_may_write_it_and_why_it_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("settings.yml");
    let place = SettingsPlace { file: file.clone(), ..place() };
    let error = |place: &SettingsPlace| {
        load(place, &ABOUTS, &Environment::default())
            .problems
            .iter()
            .map(ToString::to_string)
            .collect::<String>()
    };
    assert_eq!(error(&place), "the settings cannot be read: there is no such file");
    std::fs::write(&file, "version: '1'\nplugins: {}\n").unwrap();
    for (mode, expected) in [(0o644, false), (0o666, true), (0o602, true), (0o660, false)] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(
            load(&place, &ABOUTS, &Environment::default()).settings.world_writable,
            expected,
            "{mode:o}"
        );
    }
    std::fs::write(&file, "#".repeat(300_000)).unwrap();
    assert!(error(&place).contains("larger than 256 KiB"));
    assert!(load(&place, &ABOUTS, &Environment::default()).is_unusable());
    assert!(
        error(&SettingsPlace { file: directory.path().into(), ..place }).contains("a folder, not a file")
    );
}

fn entry(about: &PluginInfo, config: Vec<(&'static Field, serde_json::Value)>) -> NewInstance {
    NewInstance {
        name: about.id.to_owned(),
        about: *about,
        config,
        comment: about.summary.to_owned(),
        stands: false,
    }
}

#[test]
fn a_composed_file_is_a_pleasure_to_read() {
    let npm = entry(
        &ABOUTS[0],
        vec![
            (&PACKAGES[0], json!("auto")),
            (&PACKAGES[1], json!("*")),
            (&PACKAGES[2], json!(300)),
            (&PACKAGES[3], json!({})),
            (&PACKAGES[4], json!(true)),
        ],
    );
    let scripts = entry(&ABOUTS[1], vec![(&SCRIPTS[0], json!(["scripts/*.sh", "**/*.py"]))]);
    insta::assert_snapshot!(compose(&[npm, scripts], SCHEMA_FILE), @r#"
    # yaml-language-server: $schema=.cuff/settings.schema.json
    # Tools for people and coding agents. Keys left out have their defaults;
    # `cuff schema` describes every key. `type` and `module` say which plugin it is.
    version: "1"

    plugins:
      # Scripts of package.json
      packagejson:
        type: in_source
        module: opencuff.plugins.builtin.packagejson
        config:
          # Which runs scripts
          package_manager: auto
          # Which scripts are offered
          scripts: '*'
          # Seconds a script may take
          default_timeout: 300
          # Variables that every script gets
          environment: {}
          # Whether scripts can be listed
          expose_list_scripts: true

      # Script files
      scripts:
        type: in_source
        module: opencuff.plugins.builtin.scripts
        config:
          # Globs of the scripts to offer
          patterns:
          - scripts/*.sh
          - '**/*.py'
    "#);
    assert_eq!(brief(compose(&[], SCHEMA_FILE)), "");
}

/// Strings that YAML takes for something else when they are written as they are.
#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "*", "yes", "1", "- a", "a\nb\n", "\n\n a\n", "  lead\n\nx", "tail \n", "🎉 é", "", " ", "#", "a # b",
    "a: b", "null", "~", "!x", "&a", "%", "@", "`", "'", "\"", "\\", "{", "[a]", "? ", "|", ">", "---",
    "...", "\t", "\r\n", "\u{85}", "\u{2028}", "\u{7f}", "\u{0}", "\u{feff}", "0x1F", "1e3", ".5", ".inf",
    "1:20", "2001-01-01", "0o7", "on", "N", "<<", "=", "a\tb", "\u{1b}[0m", "-", "-1", "x:", ": x",
    "\u{fffe}", "a\r", "\na",
];

#[test]
fn composed_settings_read_back_equal() {
    let (long, words) = ("x".repeat(300), "word ".repeat(60));
    for text in HOSTILE.iter().copied().chain([long.as_str(), &words]) {
        let npm = entry(
            &ABOUTS[0],
            vec![
                (&PACKAGES[1], json!(text)),
                // As a key `<<` merges, quoted or not: the parser does not tell.
                (&PACKAGES[3], json!({text.replace("<<", "< <"): text, "A": "b"})),
            ],
        );
        let scripts = entry(&ABOUTS[1], vec![(&SCRIPTS[0], json!([text, "a", text]))]);
        let entries = [npm, scripts];
        let file = compose(&entries, SCHEMA_FILE);
        let SettingsReading { settings, problems } = reading(&file);
        assert!(problems.is_empty(), "{text:?}\n{file}\n{problems:?}");
        for (instance, entry) in settings.instances.iter().zip(&entries) {
            let expected = Values::of(entry.config.iter().map(|(field, value)| (*field, value.clone())));
            assert_eq!(instance.config, expected, "{file}");
        }
        assert_eq!(settings.instances.len(), 2);
    }
}

#[test]
fn the_schema_has_every_field_where_an_editor_looks_for_it() {
    let schema = schema(&ABOUTS);
    assert_eq!(schema["properties"]["plugins"]["properties"]["scripts"]["description"], "Script files");
    assert_eq!(schema["$defs"]["scripts_config"]["required"], json!(["patterns"]));
    assert_eq!(schema["$defs"]["packagejson_config"]["properties"]["default_timeout"]["maximum"], 3600);
    let text = schema.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(schema.pointer(reference).is_some(), "{reference}");
    }
}

/// The schema as a validator sees it, where Python has one.
#[test]
#[expect(clippy::disallowed_methods, reason = "starts Python")]
fn the_schema_accepts_what_cuff_writes_and_refuses_what_it_would() {
    let npm = entry(&ABOUTS[0], vec![(&PACKAGES[0], json!("auto")), (&PACKAGES[3], json!({"A": "*"}))]);
    let scripts = entry(&ABOUTS[1], vec![(&SCRIPTS[0], json!(["**/*.py"]))]);
    let composed = compose(&[npm, scripts], SCHEMA_FILE);
    let cases = [
        (composed.as_str(), true),
        ("version: 1\nplugins: {scripts: {config: {patterns: [a]}}, packagejson: }", true),
        ("version: '1'\nplugins: {x: {module: a.b.scripts, config: {patterns: [a]}}}", true),
        ("version: '1'\nplugins: {x: {type: mcp, command: c}}", true),
        (
            "version: '1'\nplugins: {x: {type: mcp, command: c, args: [a], env: {A: b}, cwd: d, config: }}",
            true,
        ),
        (
            "version: '1'\nplugins: {x: {type: mcp, url: 'http://h', headers: {A: b}, config: {confirm: true}}}",
            true,
        ),
        ("version: '1'\nplugins: {x: {type: mcp, enabled: false, module: a, config: {token: b}}}", true),
        ("version: '1'\nplugins: {x: {type: mcp, url: 'http://h', transport: sse}}", true),
        (
            "version: '1'\nplugins: {x: {type: mcp, command: c, config: {concurrency: 1, new_tools: allow}}}",
            true,
        ),
        ("version: '1'\nplugins: {x: {type: mcp, command: c, config: {new_tools: never}}}", false),
        ("version: '1'\nplugins: {x: {type: mcp}}", false),
        ("version: '1'\nplugins: {x: {type: mcp, command: c, url: 'http://h'}}", false),
        ("version: '1'\nplugins: {x: {type: mcp, url: 'http://h', args: [a]}}", false),
        ("version: '1'\nplugins: {x: {type: mcp, command: c, arg: [a]}}", false),
        ("version: '1'\nplugins: {x: {type: mcp, command: c, args: a}}", false),
        ("version: '1'\nplugins: {x: {type: mcp, command: c, config: {includeTools: [a]}}}", false),
        ("version: '2'\nplugins: {}", false),
        ("version: '1'\npluginz: {}", false),
        ("version: '1'\nplugins: {scripts: {config: {patterns: a}}}", false),
        ("version: '1'\nplugins: {scripts: {config: {}}}", false),
        ("version: '1'\nplugins: {scripts: {enabeld: true}}", false),
        ("version: '1'\nplugins: {x: {module: a.b.scripts, config: {patern: [a]}}}", false),
        ("version: '1'\nplugins: {x: {module: a.b.skripts}}", false),
        ("version: '1'\nplugins: {packagejson: {config: {default_timeout: 0}}}", false),
        ("version: '1'\nplugins: {run: {module: scripts}}", false),
        ("version: '1'\nplugins: {x: {type: in_sauce}}", false),
    ];
    let instances: Vec<serde_json::Value> =
        cases.iter().map(|(text, _)| serde_yaml::from_str(text).unwrap()).collect();
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("input.json");
    std::fs::write(&input, json!({"schema": schema(&ABOUTS), "instances": instances}).to_string()).unwrap();
    let script = "import json,sys,jsonschema\n\
                  given=json.load(open(sys.argv[1]))\n\
                  kind=jsonschema.Draft202012Validator\n\
                  kind.check_schema(given['schema'])\n\
                  validator=kind(given['schema'])\n\
                  print(json.dumps([validator.is_valid(i) for i in given['instances']]))";
    let python = std::process::Command::new("python3").arg("-c").arg(script).arg(&input).output();
    let Ok(python) = python else { return eprintln!("SKIPPED: python3 is not there") };
    let error = String::from_utf8_lossy(&python.stderr);
    if error.contains("No module named 'jsonschema'") {
        return eprintln!("SKIPPED: python3 has no jsonschema");
    }
    assert!(python.status.success(), "{error}");
    let answers: Vec<bool> = serde_json::from_slice(&python.stdout).unwrap();
    for ((text, expected), answer) in cases.iter().zip(answers) {
        assert_eq!(answer, *expected, "{text}");
    }
}

#[test]
fn an_instance_that_is_switched_off_is_no_error_whatever_its_type_or_module() {
    let text = "version: '1'\nplugins:\n  github:\n    enabled: false\n    type: mcp\n    command: npx\n    \
                config: {token: '${GITHUB_TOKEN}'}\n  \
                odd.name: {enabled: false, type: docker}\n  python: {enabled: false, module: opencuff.plugins.python}\n  \
                http_api: {enabled: false, type: http, module: 5, url: 'http://x'}\n  \
                old: {enabled: false, module: packagejson, config: {default_timeout: soon}}\n  packagejson: {}\n";
    let reading = reading(text);
    let errors: Vec<_> =
        reading.problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let names: Vec<&str> = reading.settings.instances.iter().map(|instance| instance.name.as_str()).collect();
    assert_eq!(names, ["packagejson"]);
    let on = text.replace("enabled: false, type: docker", "enabled: true, type: docker");
    assert!(!self::reading(&on).problems.is_empty(), "one that is on is");
}

#[test]
fn variables_are_expanded_and_one_that_is_not_set_is_an_error_of_its_instance_alone() {
    let environment =
        Environment::new("/", [("GLOB", "tools/*"), ("SECONDS_", "30"), ("ON", "true"), ("PM", "hush-hush")]);
    let read = |text: &str| read(&place(), text.as_bytes(), &ABOUTS, &environment);
    let text = "version: '1'\nplugin_settings: {x: '${NOT_READ}'}\nplugins:\n  scripts:\n    enabled: '${ON}'\n    \
                config: {patterns: ['${GLOB}', 'a/${NONE:-b}/*'], cache_ttl: '${SECONDS_}'}\n  \
                packagejson:\n    config: {environment: {A: '${MISSING}', B: 'x${ALSO_MISSING}'}}\n";
    let SettingsReading { settings, problems } = read(text);
    let [scripts] = &settings.instances[..] else { panic!("{settings:?}") };
    assert_eq!(scripts.config.texts(&SCRIPTS[0]), ["tools/*", "a/b/*"]);
    assert_eq!((scripts.config.integer(&SCRIPTS[1]), scripts.enabled), (30, true));
    assert!(settings.variables.iter().eq(["GLOB", "ON", "SECONDS_"]), "{:?}", settings.variables);
    let said: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
    assert_eq!(said, ["the variable `MISSING` is not set", "the variable `ALSO_MISSING` is not set"]);
    assert!(problems.iter().all(|problem| problem.instance.as_deref() == Some("packagejson")));
    let shown = render(&problems[0]);
    assert!(shown.contains("settings.yml:8:") && shown.contains("write `${MISSING:-default}`"), "{shown}");
    assert_eq!(&*settings.bytes, text.as_bytes(), "the bytes that are pinned have the variables");
    // A value that does not fit is not shown.
    for wrong in [
        "plugins: {packagejson: {config: {environment: '${PM}'}}}",
        "plugins: {packagejson: {config: {default_timeout: '${PM}'}}}",
        "plugins: {packagejson: {config: {package_manager: '${PM}'}}}",
        "plugins: {packagejson: {module: '${PM}'}}",
        "plugins: {packagejson: {type: '${PM}'}}",
        "plugins: {packagejson: {enabled: '${PM}'}}",
        "plugins: {packagejson: '${PM}'}",
        "plugins: {packagejson: {config: '${PM}'}}",
        "plugins: {scripts: {config: {patterns: '${PM}', cache_ttl: ['${PM}']}}}",
    ] {
        let problems = read(&format!("version: '1'\n{wrong}\n")).problems;
        let errors: Vec<String> =
            problems.iter().filter(|problem| problem.severity == Severity::Error).map(render).collect();
        assert!(!errors.is_empty() && !errors.concat().contains("hush"), "{wrong}: {}", errors.concat());
    }
}
