use serde_json::{Value, json};

use super::*;
use crate::model::{BadCallKind, BadPattern, Effects, Link, Origin, Role, check};

const BASE: &str = "/project";

/// A readable script of this content at `path` below the base.
fn file(path: &str, content: &str) -> File {
    File { device: 1, inode: 7, ..File::new(Path::new(BASE).join(path), content.as_bytes()) }
}

fn executable(path: &str, content: &str) -> (String, Seen) {
    (path.into(), Seen::File(File { mode: 0o755, executable: true, ..file(path, content) }))
}

fn plain(path: &str, content: &str) -> (String, Seen) {
    (path.into(), Seen::File(file(path, content)))
}

fn link(path: &str, canonical: &str) -> (String, Seen) {
    let file = File { link: Link::Symbolic, canonical: canonical.into(), ..file(path, "#!/bin/sh\n") };
    (path.into(), Seen::File(file))
}

fn matches(found: impl IntoIterator<Item = (String, Seen)>) -> Matches {
    Matches { base: Some(BASE.into()), found: found.into_iter().collect(), ..Matches::default() }
}

fn values(given: &Value) -> Values {
    let fields: Vec<_> = config::FIELDS.iter().collect();
    let (values, mistakes) = check(&fields, given.as_object().unwrap());
    assert_eq!(mistakes, []);
    values
}

fn discover(given: &Value, matches: Matches) -> Discovery {
    let config = values(given);
    let mut files = Files::default();
    files.globs.insert(config::glob(&config), matches.into());
    assert!(Scripts.wants(&config, &files).iter().all(|want| files.answers(want)));
    Scripts.discover(&config, &files)
}

fn any() -> Value {
    json!({"patterns": ["**/*"]})
}

fn command(tool: &Tool) -> &Command {
    match &tool.role {
        Role::Run { command, .. } => command,
        Role::List(_) | Role::Relay(_) => panic!("{} lists", tool.name),
    }
}

/// The command of each script that is offered.
fn lines(found: &Discovery) -> Vec<String> {
    let scripts = found.tools.iter().filter(|tool| tool.name != "script_list_scripts");
    scripts.map(|tool| command(tool).line()).collect()
}

fn problems(found: &Discovery) -> String {
    let line = |problem: &Problem| {
        let code = problem.fault.map_or("-".into(), |fault| fault.code("SCRIPT"));
        format!("{code} {problem} ({})", problem.help.as_deref().unwrap_or(""))
    };
    found.problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn names_as_in_the_specification() {
    for (path, name) in [
        ("build.sh", "script_build"),
        ("scripts/build.sh", "script_scripts_build"),
        ("scripts/deploy-prod.sh", "script_scripts_deploy_prod"),
        ("scripts/ci/test.sh", "script_scripts_ci_test"),
        ("tools/db-migrate.py", "script_tools_db_migrate"),
        ("tools/db/migrate.py", "script_tools_db_migrate"),
        ("bin/run_server", "script_bin_run_server"),
        ("scripts/build.prod.sh", "script_scripts_build_prod"),
        ("v1.2/run", "script_v1_2_run"),
        ("scripts/.hidden.sh", "script_scripts__hidden"),
        (".hidden", "script__hidden"),
        ("a.", "script_a_"),
        ("a b$é.sh", "script_a_b__"),
        ("😀.sh", "script__"),
    ] {
        assert_eq!(tool_name(path), name, "{path}");
    }
}

#[test]
fn a_script_becomes_a_tool() {
    let config = json!({
        "patterns": ["scripts/*"], "base_directory": "sub", "environment": {"CI": "true"}, "default_timeout": 9,
    });
    let found = discover(&config, matches([plain("scripts/build.sh", "#!/bin/bash -e\n# Build it\n")]));
    assert_eq!(found.problems, []);
    insta::assert_debug_snapshot!(found.tools[1], @r#"
    Tool {
        name: "script_scripts_build",
        original: "scripts/build.sh",
        aliases: [],
        description: "Build it",
        is_described: true,
        is_declared: false,
        confirms: false,
        input: Fields(
            [
                Field {
                    name: "args",
                    kind: TextList,
                    default: Absent,
                    about: "Arguments to pass to the script",
                },
                Field {
                    name: "timeout",
                    kind: Integer(
                        1,
                        2592000,
                    ),
                    default: Absent,
                    about: "Execution timeout in seconds (overrides default)",
                },
            ],
        ),
        effects: Effects {
            read_only: false,
            destructive: true,
            idempotent: false,
            open_world: true,
        },
        role: Run {
            command: Command {
                program: Word {
                    text: "/bin/bash",
                    origin: Fixed,
                },
                arguments: [
                    Word {
                        text: "-e",
                        origin: Fixed,
                    },
                    Word {
                        text: "/project/scripts/build.sh",
                        origin: Fixed,
                    },
                ],
                directory: "sub",
                environment: [
                    Change {
                        name: "CI",
                        value: "true",
                        origin: Settings,
                    },
                ],
                environment_policy: Inherit,
                timeout: 9s,
                script: Some(
                    Identity {
                        path: "/project/scripts/build.sh",
                        device: 1,
                        inode: 7,
                    },
                ),
                requires_confirmation: false,
                profile: Test,
                runner: None,
                if_missing: Some(
                    "install /bin/bash; or name another interpreter for `.sh` under `interpreters` in the settings",
                ),
            },
            entry: Of(
                [
                    (
                        "path",
                        Original,
                    ),
                    (
                        "description",
                        Description,
                    ),
                    (
                        "interpreter",
                        Fact(
                            "interpreter",
                        ),
                    ),
                ],
            ),
            rehearsal: None,
        },
        source: Location {
            file: "sub/scripts/build.sh",
            line: None,
            column: None,
        },
        text: None,
        written: None,
        along: [],
        starts: [],
        content: None,
        metadata: [
            (
                "script",
                "scripts/build.sh",
            ),
            (
                "interpreter",
                "/bin/bash -e",
            ),
        ],
    }
    "#);
}

#[test]
fn interpreters_in_their_order() {
    let config = json!({
        "patterns": ["*"], "interpreters": {".py": "'/opt/my python' -u", "lua": "lua5.4", "": "tclsh"},
    });
    for (config, script, expected) in [
        (&config, plain("a.py", "#!/usr/bin/python2\n"), "'/opt/my python' -u /project/a.py"),
        (&config, plain("a.lua", ""), "lua5.4 /project/a.lua"),
        (&config, plain("bare", "#!/bin/sh\n"), "tclsh /project/bare"),
        (&any(), plain("a.py", "#!/usr/bin/python2 -E\n"), "/usr/bin/python2 -E /project/a.py"),
        (&any(), plain("a.py", "#!/usr/bin/env -S python3 -u\n"), "python3 -u /project/a.py"),
        (&any(), plain("a.sh", ""), "/bin/sh /project/a.sh"),
        (&any(), plain("a.bash", ""), "/bin/bash /project/a.bash"),
        (&any(), plain("a.zsh", ""), "/bin/zsh /project/a.zsh"),
        (&any(), plain("a.py", ""), "python3 /project/a.py"),
        (&any(), plain("a.rb", ""), "ruby /project/a.rb"),
        (&any(), plain("a.js", ""), "node /project/a.js"),
        (&any(), plain("a.ts", ""), "npx ts-node /project/a.ts"),
        (&any(), plain("a.pl", ""), "perl /project/a.pl"),
        (&any(), plain("a.php", ""), "php /project/a.php"),
        (&any(), executable("a.sh", ""), "/bin/sh /project/a.sh"),
        (&any(), executable("bin/run", "\x7fELF\0"), "/project/bin/run"),
        (&any(), executable("bin/run", "#!/bin/sh\0"), "/project/bin/run"),
        (&any(), executable("a.xyz", "text"), "/project/a.xyz"),
    ] {
        let path = script.0.clone();
        let found = discover(config, matches([script]));
        assert_eq!(lines(&found), [expected], "{path}");
        assert_eq!(found.problems, [], "{path}");
    }
}

#[test]
fn words_of_the_operator_differ_from_words_of_the_project() {
    let config = json!({"patterns": ["*"], "interpreters": {".py": "python3 -u"}});
    let found = discover(&config, matches([plain("a.py", ""), plain("b.sh", "")]));
    let origins = |tool: &Tool| {
        let command = command(tool);
        std::iter::once(&command.program)
            .chain(&command.arguments)
            .map(|word| word.origin)
            .collect::<Vec<_>>()
    };
    assert_eq!(origins(&found.tools[1]), [Origin::Settings, Origin::Settings, Origin::Fixed]);
    assert_eq!(origins(&found.tools[2]), [Origin::Fixed, Origin::Fixed]);
}

#[test]
fn folders_and_advice() {
    for (given, directory, location) in [
        (json!({"patterns": []}), ".", "a.py"),
        (json!({"patterns": [], "base_directory": "./x/"}), "./x/", "x/a.py"),
        (json!({"patterns": [], "base_directory": "x", "working_directory": "y"}), "y", "x/a.py"),
        (json!({"patterns": [], "base_directory": "", "working_directory": ""}), ".", "a.py"),
    ] {
        let found = discover(&given, matches([plain("a.py", "")]));
        assert_eq!(command(&found.tools[1]).directory, Path::new(directory));
        assert_eq!(found.tools[1].source, Location::file(location));
        assert_eq!(
            command(&found.tools[1]).if_missing.as_deref(),
            Some(
                "install Python 3: https://www.python.org/downloads/; or name another interpreter for `.py` \
                  under `interpreters` in the settings"
            )
        );
    }
}

#[test]
fn scripts_that_are_not_offered_have_a_reason() {
    let found = discover(
        &any(),
        matches([
            link("escape.sh", "/etc/passwd"),
            link("inside.sh", "/project/real.sh"),
            link("hidden.sh", "/project/private/p.sh"),
            link("sibling.sh", "/project2/x.sh"),
            plain("real.sh", ""),
            plain("notes.txt", "text"),
            plain("nl\n.sh", ""),
            ("gone.sh".into(), Seen::Missing),
            ("locked.sh".into(), Seen::Unreadable("Permission denied (os error 13)".into())),
        ]),
    );
    assert_eq!(lines(&found), ["/bin/sh /project/real.sh", "/bin/sh /project/real.sh"]);
    insta::assert_snapshot!(problems(&found), @r#"
    SCRIPT_306 Script resolves outside base directory: escape.sh (it is a link to /etc/passwd; link to files below it only)
    SCRIPT_101 Script not found: gone.sh (correct `patterns` in the settings, or add the script)
    SCRIPT_301 Script not in allowed patterns: hidden.sh (it is a link to private/p.sh, which `patterns` and `exclude` in the settings must allow as well)
    SCRIPT_102 Cannot read locked.sh: Permission denied (os error 13) (make it readable, or leave it out with `exclude` in the settings)
    SCRIPT_102 The name of nl\u{a}.sh holds characters that cannot be seen (rename it)
    SCRIPT_103 No interpreter is known for notes.txt (begin it with a line like `#!/bin/sh`, make it executable with `chmod +x`, or name one for its extension under `interpreters` in the settings)
    SCRIPT_306 Script resolves outside base directory: sibling.sh (it is a link to /project2/x.sh; link to files below it only)
    "#);
}

#[test]
fn only_executable_ones_where_settings_require_it() {
    let config = json!({"patterns": ["*"], "require_executable": true});
    let found = discover(&config, matches([plain("a.sh", ""), executable("b.sh", "")]));
    assert_eq!(lines(&found), ["/bin/sh /project/b.sh"]);
    insta::assert_snapshot!(problems(&found), @"SCRIPT_403 Permission denied: a.sh (make it executable with `chmod +x`, or set `require_executable: false`)");
}

#[test]
fn problems_of_the_search() {
    let config =
        json!({"patterns": ["../*"], "exclude": ["{"], "interpreters": {".py": "'open", ".rb": " "}});
    let bad = |pattern: &str| BadPattern { pattern: pattern.into(), reason: "no".into() };
    let searched = Matches {
        refused: vec![bad("../*"), bad("{")],
        notes: vec!["x is left out".into()],
        ..Matches::default()
    };
    let found = discover(&config, searched);
    assert_eq!(found.tools, []);
    insta::assert_snapshot!(problems(&found), @r#"
    SCRIPT_203 pattern `../*`: no (correct it under `patterns` in the settings)
    SCRIPT_203 pattern `{`: no (correct it under `exclude` in the settings; until then no script is offered, since it might hide any)
    SCRIPT_201 base_directory "." is not a folder (correct `base_directory` in the settings; it is relative to the project's root)
    - x is left out ()
    SCRIPT_202 The interpreter for `.py` cannot be understood: "'open" (write a program and its words under `interpreters`, such as `.py: python3 -u`; until then these scripts are not offered)
    SCRIPT_202 The interpreter for `.rb` cannot be understood: " " (write a program and its words under `interpreters`, such as `.py: python3 -u`; until then these scripts are not offered)
    "#);
    insta::assert_snapshot!(problems(&discover(&any(), matches([]))), @"SCRIPT_101 No scripts found (nothing matches `**/*`; change `patterns` in the settings)");
    insta::assert_snapshot!(problems(&discover(&json!({"patterns": []}), matches([]))), @"SCRIPT_101 No scripts found (`patterns` is empty; write where scripts are, such as `scripts/*.sh`)");
}

#[test]
fn an_odd_shebang_is_a_warning_at_its_line() {
    let found = discover(&any(), matches([plain("s/a.py", "#!/usr/bin/env python3\r\n# Do\r\n")]));
    assert_eq!(lines(&found), ["python3 /project/s/a.py"]);
    insta::assert_snapshot!(problems(&found), @"- s/a.py:1: the file has CRLF line endings, which the system and shells take for part of a word (convert it to LF line endings)");
}

#[test]
fn the_list_tool_comes_first_and_only_where_wanted() {
    let found = discover(&any(), matches([plain("a.sh", "")]));
    let list = &found.tools[0];
    assert_eq!(
        (list.name.as_str(), list.description.as_str()),
        ("script_list_scripts", "List all available scripts")
    );
    assert_eq!((&list.role, list.effects), (&Role::List("scripts"), Effects::NONE));
    let config = json!({"patterns": ["*"], "expose_list_scripts": false});
    assert_eq!(discover(&config, matches([plain("a.sh", "")])).tools.len(), 1);
    assert_eq!(Scripts.discover(&values(&any()), &Files::default()), Discovery::default());
}

#[test]
fn a_call_adds_its_arguments_after_the_script() {
    let tool = discover(&any(), matches([plain("a.sh", "")])).tools.remove(1);
    let plan = |config: &Value, args: Value| {
        let (arguments, mistakes) = check(&[&config::ARGS], json!({ "args": args }).as_object().unwrap());
        assert_eq!(mistakes, []);
        Scripts.plan(&values(config), &tool, command(&tool).clone(), &arguments, Governance::Governed)
    };
    let planned = plan(&any(), json!(["--fast", "", "a b"])).unwrap();
    assert_eq!(planned.words(), ["/bin/sh", "/project/a.sh", "--fast", "", "a b"]);
    assert!(planned.arguments[1..].iter().all(|word| word.origin == Origin::Call));
    assert_eq!(plan(&any(), json!(["$x"])).unwrap_err().kind, BadCallKind::Refused);
    let literal = json!({"patterns": ["*"], "arguments": "literal"});
    assert_eq!(plan(&literal, json!(["$x"])).unwrap().words().last(), Some(&"$x"));
}

#[test]
fn suggested_with_every_warning() {
    let seen = |file: File, mode, link| Seen::File(File { mode, link, ..file });
    let answer = |pattern: &str| match pattern {
        "scripts/*.sh" => matches([
            ("scripts/deploy_Secrets.sh".into(), Seen::File(file("", "#!/bin/sh\n"))),
            ("scripts/open.sh".into(), seen(file("", "#!/bin/sh\n"), 0o777, Link::Direct)),
        ]),
        "tools/*.sh" => matches([
            ("tools/backup.sh".into(), Seen::File(file("", "echo\n"))),
            ("tools/elf.sh".into(), seen(file("", "\x7fELF\0"), 0o646, Link::Direct)),
            ("tools/link.sh".into(), seen(file("", "#!/bin/sh\n"), 0o755, Link::Symbolic)),
        ]),
        "*.sh" => matches([("locked.sh".into(), Seen::Unreadable("no".into()))]),
        _ => matches([]),
    };
    let mut files = Files::default();
    for want in Scripts.scout(&files) {
        let Want::Glob(glob) = want else { panic!("{want:?}") };
        let answer = answer(&glob.patterns[0]);
        files.globs.insert(glob, answer.into());
    }
    insta::assert_debug_snapshot!(Scripts.suggest(&files).map(|mut found| {
        // Their names and values suffice; the check that they fit is below.
        let config = std::mem::take(&mut found.config);
        let config: Vec<_> = config.iter().map(|(field, value)| format!("{}: {value}", field.name)).collect();
        let picking = found.picking.take();
        let picks = picking.unwrap().picks;
        assert!(picks.iter().all(|pick| pick.name == pick.pattern));
        (config, found)
    }), @r#"
    Some(
        (
            [
                "patterns: [\"scripts/*.sh\",\"tools/*.sh\",\"*.sh\"]",
                "base_directory: \".\"",
                "exclude: []",
                "default_timeout: 300",
                "expose_list_scripts: true",
                "cache_ttl: 300",
            ],
            Suggestion {
                description: "Found 6 scripts",
                confidence: 0.8,
                config: [],
                items: [
                    "script_list_scripts",
                    "script_locked",
                    "script_scripts_deploy_Secrets",
                    "script_scripts_open",
                    "script_tools_backup",
                    "script_tools_elf",
                    "script_tools_link",
                ],
                asking: [],
                warnings: [
                    "Script 'scripts/deploy_Secrets.sh' may contain sensitive operations - review before enabling",
                    "Script 'tools/elf.sh' appears to be binary - verify this is intentional",
                    "Script 'tools/link.sh' is a symlink - target will be validated at runtime",
                    "Script 'tools/backup.sh' has no shebang line - interpreter will be guessed",
                ],
                notes: [],
                risks: [
                    "Script 'scripts/open.sh' is world-writable - this allows any user to modify the script",
                    "Script 'tools/elf.sh' is world-writable - this allows any user to modify the script",
                ],
                picking: None,
                undecided: [],
                members: [],
            },
        ),
    )
    "#);
    let suggested = Scripts.suggest(&files).unwrap().config;
    values(&Value::Object(suggested.into_iter().map(|(field, value)| (field.name.into(), value)).collect()));
    assert_eq!(Scripts.suggest(&Files::default()), None);
}

#[test]
fn a_warning_about_many_scripts_comes_once() {
    let mut files = Files::default();
    for want in Scripts.scout(&files) {
        let Want::Glob(glob) = want else { panic!("{want:?}") };
        let python = glob.patterns[0] == "scripts/*.py";
        let found = (1..=if python { 7 } else { 0 })
            .map(|at| (format!("scripts/{at}.py"), Seen::File(file("", "pass\n"))));
        files.globs.insert(glob, matches(found).into());
    }
    assert_eq!(
        Scripts.suggest(&files).unwrap().warnings,
        [
            "7 scripts have no shebang line - their interpreter will be guessed: scripts/1.py, scripts/2.py, scripts/3.py, \
          scripts/4.py, scripts/5.py and 2 more"
        ]
    );
}

#[test]
fn under_pinned_trust_a_script_has_all_of_its_text_unless_that_is_too_long() {
    let config = json!({"patterns": ["*"], "trust": "pinned"});
    let text = "#!/bin/sh\necho a\n";
    let content = |seen| discover(&config, matches([("a.sh".into(), seen)])).tools[1].content.clone();
    let (_, whole) = plain("a.sh", text);
    assert_eq!(
        content(whole.clone()).map(|content| content.text.to_string()),
        Some(format!("# a.sh\n{text}"))
    );
    let Seen::File(file) = whole else { panic!("a file") };
    let cut = Seen::File(File { size: file.size + 1, ..file });
    assert_eq!(content(cut), None, "only its beginning was read");
}

/// The patterns and excludes that are suggested for these files of `bin`, then the notes.
fn of_bin(files: &[(String, Seen)]) -> String {
    let mut found = Files::default();
    for want in Scripts.scout(&found) {
        let Want::Glob(glob) = want else { panic!("{want:?}") };
        let is_bin = glob.patterns[0] == "bin/*";
        let of_bin = files.iter().filter(|_| is_bin).cloned().collect();
        found.globs.insert(glob, Matches { found: of_bin, ..Matches::default() }.into());
    }
    let Some(suggestion) = Scripts.suggest(&found) else { return Scripts.remark(&found).unwrap_or_default() };
    let value =
        |name: &str| suggestion.config.iter().find(|(field, _)| field.name == name).unwrap().1.to_string();
    let count = suggestion.picking.unwrap().picks.len();
    format!("{count}: {} without {} | {}", value("patterns"), value("exclude"), suggestion.notes.join("; "))
}

#[test]
fn a_folder_of_many_scripts_is_one_pattern() {
    let script = || Seen::File(File { executable: true, ..file("", "#!/bin/sh\n") });
    let scripts = |count: usize| (0..count).map(|n| (format!("bin/s{n:03}"), script())).collect::<Vec<_>>();
    let readme = ("bin/README.md".to_owned(), Seen::File(file("", "read me")));
    let text = |name: &str| (name.to_owned(), Seen::File(file("", "#!/bin/sh\n")));
    let with = |count, more: &[(String, Seen)]| of_bin(&[scripts(count), more.to_vec()].concat());
    assert_eq!(with(2, std::slice::from_ref(&readme)), r#"2: ["bin/s000","bin/s001"] without [] | "#);
    assert_eq!(
        with(21, &[readme, text("bin/later.sh")]),
        r#"21: ["bin/*"] without ["bin/README.md","bin/later.sh"] | bin/later.sh is not offered; `patterns` in the settings takes what you name there"#
    );
    let many = "bin/s000, bin/s001, bin/s002, bin/s003, bin/s004 and 496 more are not offered; `patterns` in the settings takes what you name there";
    assert_eq!(with(501, &[]), many);
}
