use super::*;
use crate::{EXCLUDE_TOOLS, INCLUDE_TOOLS, OAuth, ServerTransport, SettingsOrigin};

fn at(name: &str, origin: SettingsOrigin) -> SettingsPlace {
    SettingsPlace { file: format!("/p/{name}").into(), root: "/p".into(), name: name.to_owned(), origin }
}

fn read(text: &str) -> ServerFile {
    let environment = Environment::new("/", [("TOKEN", "hush-hush")]);
    read_servers(&at(".toolscript.json", SettingsOrigin::Found), text.as_bytes(), &environment)
}

/// Each problem in a line, without those that say that a server is not connected.
fn brief(file: &ServerFile) -> String {
    let line = |one: &SettingsProblem| {
        let whose = one.instance.as_deref().unwrap_or("-");
        let help = one.help.as_deref().unwrap_or_default();
        format!("{:?} ({whose}) {}: {} | {help}\n", one.severity, one.location, one.message)
    };
    let others = file.problems.iter().filter(|one| !one.message.contains("does not connect"));
    others.map(line).collect()
}

fn names(file: &ServerFile) -> Vec<&str> {
    file.upstreams.iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn a_file_of_claude_code_is_read_as_it_is() {
    let text = r#"{
  "$schema": "x",
  "mcpServers": {
    "github": {"command": "npx", "args": ["-y", "s"], "env": {"T": "${TOKEN}"}, "cwd": "tools", "timeout": 60001,
               "includeTools": ["a*"], "excludeTools": "b, c"},
    "docs": {"type": "http", "url": "https://d/mcp", "headers": {"A": "${NONE:-b}"}},
    "old": {"type": "sse", "url": "http://x"},
    "off": {"disabled": true, "command": "${NONE}"},
    "out": {"enabled": false, "command": "${input:x}"}
  }
}"#;
    let file = read(text);
    assert_eq!(brief(&file), "");
    let [github, docs, old, off, out] = &file.upstreams[..] else { panic!("{file:?}") };
    let owned = |text: &str| text.to_owned();
    assert_eq!(
        github.transport,
        ServerTransport::Stdio {
            command: owned("npx"),
            arguments: ["-y", "s"].map(owned).to_vec(),
            environment: vec![(owned("T"), owned("hush-hush"))],
            directory: Some(owned("tools")),
        }
    );
    assert_eq!(github.config.integer(&crate::model::DEFAULT_TIMEOUT), 61, "milliseconds are rounded up");
    assert_eq!(
        (github.config.texts(&INCLUDE_TOOLS), github.config.texts(&EXCLUDE_TOOLS)),
        (vec!["a*"], vec!["b", "c"])
    );
    assert_eq!(docs.config.texts(&INCLUDE_TOOLS), ["*"]);
    let http = |url: &str, headers, is_legacy| ServerTransport::Http {
        url: owned(url),
        headers,
        is_legacy,
        oauth: OAuth::default(),
    };
    assert_eq!(docs.transport, http("https://d/mcp", vec![(owned("A"), owned("b"))], false));
    assert_eq!(old.transport, http("http://x", Vec::new(), true));
    assert_eq!((off.name.as_str(), off.enabled, out.enabled, github.enabled), ("off", false, false, true));
    assert_eq!((github.origin, github.folder.as_path()), (SettingsOrigin::Found, std::path::Path::new("/p")));
    assert!(file.variables.iter().eq(["TOKEN"]));
    assert!(!format!("{:?}", file.bytes).contains("hush"), "the bytes that are pinned have the variables");
}

#[test]
fn the_servers_may_stand_at_the_top() {
    let file = read(
        r#"{"a": {"type": "stdio", "command": "x"}, "b": {"type": "streamable-http", "url": "http://x"}}"#,
    );
    assert_eq!((names(&file), brief(&file)), (vec!["a", "b"], String::new()));
    assert!(read("{}").problems.is_empty());
    assert!(read(r#"{"mcpServers": {}}"#).problems.is_empty());
}

#[test]
fn every_mistake_is_reported_at_once_with_its_place_and_the_rest_works() {
    let file = read(
        r#"{
  "mcpServers": {
    "bad name": {"command": "x"},
    "run": {"command": "x"},
    "text": "npx x",
    "none": {"type": "stdio"},
    "both": {"command": "x", "url": "http://x"},
    "type": {"type": "ws", "url": "http://x"},
    "types": {"command": 5, "args": "a", "env": {"A": true}, "timeout": 0},
    "unset": {"command": "${NO_SUCH}"}, "editor": {"command": "x", "env": {"K": "${input:key}"}},
    "guard": {"command": "x", "includeTool": ["a"]},
    "extra": {"command": "x", "comand": "y", "alwaysLoad": true, "timeout": 60},
    "twice": {"command": "x", "command": "y"},
    "again": {"command": "x"},
    "again": {"command": "y"},
    "fine": {"command": "x"}
  },
  "mcpServer": {}
}"#,
    );
    insta::assert_snapshot!(brief(&file), @r#"
    Error (bad name) .toolscript.json:3:5: `bad name` cannot be the name of an instance | use letters, digits, `_` and `-`, at most 32, and start with a letter
    Error (run) .toolscript.json:4:5: no instance can be called `run`: it is a command of cuff | choose another name, for example `run_tools`
    Error (text) .toolscript.json:5:5: `text` must be an object, not a string | write `command` and `args`, or `url`
    Error (none) .toolscript.json:6:5: the MCP server has neither `command` nor `url` | write `command` for a program to start, or `url` for an address to connect to
    Error (both) .toolscript.json:7:30: the MCP server has both `command` and `url` | remove one of them: a server is started or connected to
    Error (type) .toolscript.json:8:22: `type` must be one of stdio, http, streamable-http, sse | 
    Error (types) .toolscript.json:9:26: `command` must be a string, not the number 5 | write it in quotes: "5"
    Error (types) .toolscript.json:9:37: `args` must be a list of strings, not the string "a" | write it as a list: ["a"]
    Error (types) .toolscript.json:9:55: `env.A` must be a string, not true | write it in quotes: "true"
    Error (types) .toolscript.json:9:73: `timeout` must be from 1 to 2592000000 | 
    Error (unset) .toolscript.json:10:26: the variable `NO_SUCH` is not set | set it before cuff starts, or write `${NO_SUCH:-default}`
    Error (editor) .toolscript.json:10:81: `${input:key}` is for editors, and is not expanded here | write `${VAR}`, and set that variable before cuff starts
    Error (guard) .toolscript.json:11:31: `includeTool` is not known here | did you mean `includeTools`?
    Warning (extra) .toolscript.json:12:31: `comand` is not known here | did you mean `command`?
    Warning (extra) .toolscript.json:12:46: `alwaysLoad` is not known here | 
    Warning (extra) .toolscript.json:12:77: `timeout` counts milliseconds, and this is less than a second | for seconds, write three zeros more
    Error (twice) .toolscript.json:13:31: `command` is there twice | remove one of them; JSON readers differ in which one they take
    Error (again) .toolscript.json:15:5: `again` is there twice | remove one of them; JSON readers differ in which one they take
    Warning (-) .toolscript.json:18:3: `mcpServer` is not known here | did you mean `mcpServers`?
    "#);
    assert_eq!(names(&file), ["extra", "fine"]);
}

#[test]
fn a_file_that_is_no_such_file_has_one_problem() {
    for (text, said) in [
        ("", "Error (-) .toolscript.json:1:1: the file is not valid JSON: EOF while parsing a value"),
        (
            "{\n  \"mcpServers\": {,}\n}",
            "Error (-) .toolscript.json:2:18: the file is not valid JSON: key must be a string",
        ),
        ("[]", "Error (-) .toolscript.json:1:1: the file must be an object, not a list"),
        (
            "{\"mcpServers\": []}",
            "Error (-) .toolscript.json:1:16: `mcpServers` must be an object, not a list",
        ),
        (
            "{\"mcpservers\": {\"a\": {\"command\": \"x\"}}}",
            "Error (-) .toolscript.json:1:2: `mcpservers` is not known here",
        ),
        (
            "{\"servers\": {\"a\": {\"command\": \"x\"}}}",
            "Error (-) .toolscript.json:1:2: `servers` is not known here",
        ),
        (
            "{\"mcpServers\": {}, \"mcpServers\": {}}",
            "Error (-) .toolscript.json:1:20: `mcpServers` is there twice",
        ),
    ] {
        let file = read(text);
        assert_eq!((file.problems.len(), file.upstreams.len()), (1, 0), "{text}: {}", brief(&file));
        assert!(brief(&file).starts_with(said), "{text}: {}", brief(&file));
    }
    let utf16 =
        read_servers(&at("x", SettingsOrigin::Found), b"\xFF\xFE{\0", &Environment::new("/", [("A", "b")]));
    assert!(brief(&utf16).contains("UTF-16"));
}

#[test]
fn the_value_of_a_variable_is_not_shown() {
    for wrong in [
        r#"{"a": {"command": "x", "args": "${TOKEN}"}}"#,
        r#"{"a": {"url": "${TOKEN}"}}"#,
        r#"{"a": "${TOKEN}"}"#,
        r#"{"a": {"type": "${TOKEN}", "url": "http://x"}}"#,
        r#"{"a": {"command": "x", "includeTools": "[${TOKEN}"}}"#,
        r#"{"a": {"command": "x", "timeout": "${TOKEN}"}}"#,
    ] {
        let file = read(wrong);
        assert!(wrong.contains("include") || file.upstreams.is_empty(), "{wrong}");
        assert!(!brief(&file).contains("hush"), "{wrong}: {}", brief(&file));
    }
}

#[test]
fn settings_win_over_the_file_and_a_project_over_the_user() {
    let text = r#"{"a": {"command": "x"}, "b": {"command": "${NO_SUCH}"}, "c": {"command": "x"}}"#;
    let mut project = read(text);
    let mut users = read(r#"{"a": {"command": "y"}, "b": {"command": "${NO_SUCH}"}, "d": {"command": "y"}}"#);
    users.replaced_by(&project);
    assert_eq!((names(&users), brief(&users)), (vec!["d"], String::new()));
    project.leave_out(&["b".to_owned(), "other".to_owned()], "settings.yml");
    assert_eq!(names(&project), ["a", "c"]);
    assert_eq!(project.names().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(
        brief(&project),
        "Warning (b) .toolscript.json:1:25: `b` is not used here: settings.yml has an entry of that name | rename or remove one of them\n"
    );
}
