//! Repositories that mean harm: what they say must neither drive a terminal nor hide text, from people and agents alike.

use serde_json::{Map, Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

/// Sets a title, conceals, clears, reorders, and hides tags that models read and people do not see.
const HOSTILE: &str =
    "\u{1b}]0;title\u{7}\u{1b}[8mconcealed\u{1b}[2J\u{202e}gnp\u{200b}\u{9b}31m\u{7f}\u{8}\u{e0041}";

const SCRIPTS: &str = "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*']}}\n";

/// Whether something is left that a person does not see.
fn hides(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{200b}' | '\u{e0041}'))
}

fn hostile() -> Project {
    let project = Project::empty();
    let manifest = json!({
        "packageManager": format!("pn{HOSTILE}pm@9"),
        "scripts": {"a": "node -e 1", "b": format!("echo {HOSTILE}"), HOSTILE: "echo", format!("n{HOSTILE}"): 3},
        "scripts-info": {"a": format!("Tells {HOSTILE}"), HOSTILE: 3},
    });
    project.write("package.json", manifest.to_string());
    project.script("scripts/a.sh", format!("#!/bin/sh\n# Greets {HOSTILE}\necho hi\n"));
    project.write(&format!("scripts/b{HOSTILE}.sh"), "#!/bin/sh\n");
    project.write("scripts/c", HOSTILE);
    project.script("scripts/d.sh", format!("#!/no/{HOSTILE}\n"));
    project
}

/// Settings whose keys and values are hostile, some spelled out and some behind YAML's own escapes.
fn hostile_settings() -> String {
    let spelled = "\\e[8mx";
    format!(
        "version: '1'\nplugins:\n  packagejson:\n    config: {{\"k{spelled}\": 1, \"k\u{202e}\": 2}}\n  scripts:\n    \
         config: {{patterns: ['scripts/*', \"p{spelled}[\"], interpreters: {{'.zz': \"{spelled} 'x\"}}}}\n  \
         \"i{spelled}\": {{type: nope}}\n"
    )
}

#[test]
fn repository_text_neither_drives_a_terminal_nor_hides() {
    let project = hostile();
    let unknown = format!("x{HOSTILE}");
    let calls: &[&[&str]] = &[
        &["init", "--dry-run"],
        &["list"],
        &["list", "--json"],
        &["packagejson", "list", "--json"],
        &["scripts", "list"],
        &["run", "scripts/a.sh", "--dry-run", "--", "\u{202e}"],
        &["packagejson", "run", &unknown],
        &["scripts", "run", "scripts/d.sh"],
        &["run", "b", "--dry-run", "--json"],
    ];
    for settings in [None, Some(hostile_settings()), Some("plugins: {\"\u{202e}\u{85}\": [".into())] {
        for words in calls {
            if let Some(settings) = &settings {
                project.write("settings.yml", settings);
            }
            let run = project.cuff(*words);
            assert!(!hides(&run.stdout) && !hides(&run.stderr), "{words:?}: {run:?}");
            assert!(!(run.stdout.is_empty() && run.stderr.is_empty()), "{words:?} says nothing");
        }
    }
    // Escaped text is still the same value.
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    let listed = project.cuff(["list", "--json"]).json();
    assert!(listed["tools"].to_string().contains(&json!(format!("echo {HOSTILE}")).to_string()), "{listed}");
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"))
}

#[test]
fn agents_read_what_a_repository_says_and_nothing_hidden() {
    let project = hostile();
    project.write("settings.yml", format!("{SCRIPTS}  packagejson: {{}}\n"));
    let mut server = McpSession::begun(&project, &[]);
    let listed = server.ask("tools/list", json!({}))["result"].clone();
    for tool in listed["tools"].as_array().expect("tools") {
        for said in ["name", "title", "description"] {
            assert!(!hides(tool[said].as_str().unwrap_or_default()), "{tool}");
        }
    }
    for (tool, arguments) in [
        ("packagejson.npm_list_scripts", json!({})),
        ("scripts.script_list_scripts", json!({"refresh": true})),
        ("scripts.script_scripts_d", json!({})),
        ("packagejson.npm_b", json!({"dry_run": true})),
        (HOSTILE, json!({})),
        ("packagejson.npm_a", json!({HOSTILE: 1})),
        ("packagejson.npm_a", json!({"env": {HOSTILE: "x"}})),
        ("packagejson.npm_a", json!({"extra_args": HOSTILE})),
    ] {
        let result = server.call(tool, &arguments);
        assert!(!hides(text(&result)), "{tool}: {result}");
    }
    server.leave();
}

#[test]
fn agents_get_output_without_escape_sequences_and_terminals_with_them() {
    let project = Project::empty();
    project.script(
        "scripts/paint.sh",
        "#!/bin/sh\nprintf '\\033[31mred\\033[0m\\t\\303\\251\\n'; printf '\\033]0;never closed\\n' >&2; echo plain >&2\n",
    );
    project.write("settings.yml", SCRIPTS);
    // It lands on the bare terminal, where it belongs.
    let run = project.cuff(["run", "scripts/paint.sh"]).succeeded();
    assert_eq!(run.stdout, "\u{1b}[31mred\u{1b}[0m\té\n");
    assert!(run.stderr.starts_with("\u{1b}]0;never closed"), "{run:?}");
    let mut server = McpSession::begun(&project, &[]);
    let result = server.call("scripts.script_scripts_paint", &json!({}));
    let shape = &result["structuredContent"];
    assert_eq!(shape["data"], json!({"stdout": "red\té\n", "stderr": "\nplain\n"}));
    assert!(!hides(&text(&result).replace('\t', "")), "{result}");
    assert!(text(&result).contains("red\té\n"), "{result}");
    assert_eq!(shape["exit_code"], 0, "{result}");
    server.leave();
}

/// Every text in an answer, those of its structure included.
fn every_text<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| every_text(value, texts)),
        Value::Object(fields) => {
            for (name, value) in fields {
                texts.push(name);
                every_text(value, texts);
            }
        }
        _ => {}
    }
}

#[test]
fn text_for_agents_has_no_control_or_invisible_characters() {
    const LINES: &str = "10%\r\u{1b}[K55%\r100%\r\n\u{9b}31mred\u{9b}0m \u{9d}0;title\u{9c}end\n\
        src/a\u{202e}.ts(3,4): error TS2345: Arg\u{2066}ument \u{200b}\u{9b}2Jbad\rx\u{feff}\n";
    let project = Project::empty();
    project.write("printed", LINES);
    project.write("package.json", r#"{"scripts": {"build": "tsc; cat printed; cat printed >&2; exit 1"}}"#);
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    let mut server = McpSession::begun(&project, &[]);
    let ran = server.call("packagejson.npm_build", &json!({"timeout": 60}));
    assert_eq!(ran["structuredContent"]["exit_code"], 1, "{ran}");
    let id = ran["structuredContent"]["run_id"].as_str().expect("a run").to_owned();
    let again = server.call("packagejson.npm_build", &json!({"timeout": 60}));
    let of_run = json!({"run": id});
    let mut answers = vec![ran, again];
    for tool in ["log", "raw", "diagnostics", "status", "diff"] {
        answers.push(server.call(&format!("runs.{tool}"), &of_run));
    }
    answers.push(server.call("cuff", &json!({"action": "log", "run": id})));
    answers.push(server.call("runs.list", &json!({})));
    answers.push(server.call(LINES, &json!({LINES: LINES})));
    answers.push(server.call("packagejson.npm_build", &json!({LINES: LINES})));
    for answer in &answers {
        let mut texts = Vec::new();
        every_text(answer, &mut texts);
        for text in texts {
            let is_bad = |c: char| {
                c.is_control() && c != '\n' && c != '\t'
                    || matches!(c, '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{feff}')
            };
            assert!(!text.contains(is_bad), "{text:?} in {answer}");
        }
    }
    let log = answers[2]["structuredContent"]["text"].as_str().expect("lines");
    assert!(log.contains("\n100%\nred end\n"), "the last version of a line, and no sequence: {log}");
    assert!(!log.contains("55%") && !log.contains("31m"), "{log}");
    let shown = project.cuff(["runs", "list", "--json"]).json();
    let whole = shown["runs"].as_array().unwrap().iter().map(|run| run["run_id"].as_str().unwrap());
    let id = whole.clone().find(|whole| whole.ends_with(&id)).unwrap_or(&id).to_owned();
    let raw = std::fs::read(project.outside().join("home/data/cuff/runs").join(&id).join("raw.log"));
    let raw = raw.unwrap_or_else(|_| panic!("no log of {id}"));
    assert_eq!(String::from_utf8_lossy(&raw).matches(LINES).count(), 2, "the log has the bytes as they came");
    server.leave();
}

/// The registry knows a file; what has its name when the call comes is another one.
#[test]
fn a_script_swapped_for_a_link_after_listing_does_not_run() {
    let project = Project::empty();
    let landed = project.outside().join("landed");
    let evil = format!("#!/bin/sh\ntouch '{}'\n", landed.display());
    project.script("scripts/hello.sh", "#!/bin/sh\necho hello\n");
    project.script("../evil/hello.sh", &evil);
    project.write("settings.yml", SCRIPTS);
    let (root, outside) = (project.root(), project.outside());
    let mut server = McpSession::begun(&project, &[]);
    let mut call = || server.call("scripts.script_scripts_hello", &json!({}));
    assert_eq!(call()["structuredContent"]["success"], true);

    std::fs::rename(root.join("scripts"), root.join("kept")).expect("a folder of ours");
    std::os::unix::fs::symlink(outside.join("evil"), root.join("scripts")).expect("a link");
    let result = call();
    assert!(result["isError"] == true && !landed.exists(), "a folder that became a link: {result}");

    std::fs::remove_file(root.join("scripts")).expect("a link of ours");
    std::fs::rename(root.join("kept"), root.join("scripts")).expect("a folder of ours");
    assert_eq!(call()["structuredContent"]["success"], true, "all is as it was");
    std::fs::remove_file(root.join("scripts/hello.sh")).expect("a file of ours");
    std::os::unix::fs::symlink(outside.join("evil/hello.sh"), root.join("scripts/hello.sh")).expect("a link");
    let result = call();
    assert!(result["isError"] == true && !landed.exists(), "a link: {result}");
    server.leave();
}

/// A key that a call has twice counts once, and policy judges the one that counts.
#[test]
fn arguments_of_odd_shapes_are_judged_as_they_are_used() {
    let project = Project::empty();
    project.script("scripts/show.sh", "#!/bin/sh\necho \"$PATH $A\"\n");
    project.write("settings.yml", SCRIPTS);
    let mut server = McpSession::begun(&project, &[]);
    let mut twice = |first: &str, second: &str| {
        server.say_line(&format!(
            r#"{{"jsonrpc": "2.0", "id": "twice", "method": "tools/call", "params": {{"name": "scripts.script_scripts_show", "arguments": {{{first}, {second}}}}}}}"#
        ));
        server.hear()["result"].clone()
    };
    let (evil, fine) = (r#""env": {"PATH": "/evil"}"#, r#""env": {"A": "fine"}"#);
    assert!(text(&twice(fine, evil)).contains("Blocked environment variables: PATH"));
    let result = twice(evil, fine);
    assert!(text(&result).contains(" fine\n") && !text(&result).contains("/evil"), "{result}");
    for (name, value) in [
        ("timeout", json!(0)),
        ("timeout", json!(-1)),
        ("timeout", json!(1e18)),
        ("timeout", json!("5s")),
        ("timeout", json!(1.5)),
        ("env", json!([["PATH", "x"]])),
        ("env", json!("PATH=x")),
        ("env", json!({"A": 1})),
        ("env", json!({"": "x"})),
        ("args", json!("word")),
        ("args", json!([1])),
        ("cwd", json!("/")),
    ] {
        let arguments: Map<String, Value> = [(name.to_owned(), value)].into_iter().collect();
        let result = server.call("scripts.script_scripts_show", &Value::Object(arguments.clone()));
        assert_eq!(result["isError"], true, "{arguments:?}: {result}");
        assert_eq!(result["structuredContent"]["exit_code"], Value::Null, "nothing ran: {result}");
    }
    server.leave();
}
