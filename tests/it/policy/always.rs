//! Calls that a person at a terminal allows always: for exactly this call, until its text changes, and for nobody else.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

const SETTINGS: &str = "\
version: '1'
plugins:
  scripts:
    config:
      patterns: ['*.sh']
      confirm:
        - other
        - ship*
";

fn project() -> Project {
    let project = Project::empty();
    let lines = (0..60).map(|line| format!("# line {line}")).collect::<Vec<_>>().join("\n");
    project.script("ship.sh", format!("#!/bin/sh\n{lines}\necho SHIP\"\"PED $1\n"));
    project.write("settings.yml", SETTINGS);
    project
}

const RUN: [&str; 2] = ["run", "ship.sh"];

/// Whether a call at a terminal runs at once; it ends with a no where it asks.
fn runs_at_once(project: &Project, words: &[&str]) -> bool {
    let mut terminal = project.terminal(100, words);
    let asks = (0..100).any(|_| {
        terminal.wait_for_silence(std::time::Duration::from_millis(200));
        terminal.screen().contains("[y/N/a/d]") || terminal.screen().contains("SHIPPED")
    }) && terminal.screen().contains("[y/N/a/d]");
    if asks {
        terminal.press("n");
    }
    let shown = terminal.finish();
    assert_eq!(shown.code != 0, asks, "{}", shown.text);
    assert_eq!(shown.text.contains("SHIPPED"), !asks, "{}", shown.text);
    !asks
}

fn always(project: &Project) -> Vec<Value> {
    let all = project.cuff(["approvals", "--always", "--json"]).succeeded().json();
    all["always"].as_array().unwrap().clone()
}

fn allow(project: &Project) {
    let shown = project.answer_at_terminal("a", &RUN);
    assert!(shown.code == 0 && shown.text.contains("SHIPPED"), "{}", shown.text);
}

#[test]
fn the_question_has_the_command_the_reason_with_its_line_and_the_whole_text_on_request() {
    let project = project();
    let steps = [("[y/N/a/d]", "d"), ("[y/N/a/d]", "n")];
    let shown = project.at_terminal(100, &steps, &RUN);
    let text = &shown.text;
    assert!(text.contains("ship.sh requires your confirmation (settings.yml:8  confirm: ship*)\n"), "{text}");
    assert!(
        text.contains("ship.sh`?\ny yes, n no, a always until it changes, d details [y/N/a/d]"),
        "{text}"
    );
    let (before, after) = text.split_once("details\n").unwrap();
    assert!(!before.contains("line 30") && after.contains("  │ # line 30\n"), "{text}");
    assert!(shown.code != 0 && !text.contains("SHIPPED"), "{text}");
    for keys in ["\r", "\u{1b}", "n"] {
        assert_ne!(project.answer_at_terminal(keys, &RUN).code, 0, "{keys:?} is no yes");
    }
    assert!(always(&project).is_empty());
}

#[test]
fn always_holds_for_one_call_until_its_text_changes_or_it_is_taken_back() {
    let project = project();
    allow(&project);
    assert!(runs_at_once(&project, &RUN));
    assert!(!runs_at_once(&project, &["run", "ship.sh", "--", "--force"]), "other words are another call");
    assert!(!runs_at_once(&project, &["run", "ship.sh", "--env", "MODE=x"]));
    let why = project.at_terminal(120, &[], &["why", "ship.sh"]).text;
    assert!(
        why.contains(
            "allowed always: you said so until it changes; else it would ask (settings.yml:8  confirm: ship*)"
        ),
        "{why}"
    );
    let [one] = always(&project).try_into().unwrap();
    let command = format!("/bin/sh {}", project.root().join("ship.sh").display());
    assert_eq!((&one["tool"], &one["command"]), (&json!("scripts.script_ship"), &json!(command)));
    let listed = project.cuff(["approvals", "--always"]).succeeded().stdout;
    assert!(listed.starts_with(&format!("scripts.script_ship: {command}\n  always since ")), "{listed}");

    let text = project.read("ship.sh");
    project.write("ship.sh", format!("{text}# more\n"));
    assert!(!runs_at_once(&project, &RUN), "its text has changed");
    project.write("ship.sh", text);
    assert!(runs_at_once(&project, &RUN), "it is the text that was allowed");

    for (name, code) in [("deploy", 64), ("ship.sh", 0), ("ship.sh", 64)] {
        project.cuff(["approvals", "--revoke", name]).ended_with(code);
    }
    assert!(!runs_at_once(&project, &RUN) && always(&project).is_empty());
    allow(&project);
    let revoked = project.cuff(["approvals", "--revoke", "all", "--json"]).succeeded().json();
    assert_eq!(revoked["revoked"][0]["tool"], "scripts.script_ship");
    assert!(!runs_at_once(&project, &RUN));

    let audit = project.cuff(["audit", "-n", "100", "--json"]).succeeded().stdout;
    for rule in [
        "a person said yes to it, and always until it changes",
        "a person allows it always, until it changes",
        "it is no longer allowed always: /bin/sh ",
    ] {
        assert!(audit.contains(rule), "{rule}: {audit}");
    }
}

#[test]
fn nobody_but_the_person_at_the_terminal_grants_or_uses_it() {
    let project = project();
    let inside = Project::at(&project).inside_a_run();
    let marked = Project::at(&project).variable("CLAUDECODE", "1");
    for governed in [&inside, &marked] {
        // A terminal of its own does not make a run or an agent a person.
        let shown = governed.at_terminal(100, &[], &RUN);
        assert!(shown.code != 0 && !shown.text.contains("[y/N"), "{}", shown.text);
        assert!(governed.at_terminal(100, &[], &["run", "ship.sh", "--yes"]).code != 0);
    }
    // A yes that is typed beforehand is for once.
    assert!(project.at_terminal(100, &[], &["run", "ship.sh", "--yes"]).text.contains("SHIPPED"));
    assert!(always(&project).is_empty());

    allow(&project);
    let stored = project.outside().join("home/state/cuff/always.json");
    assert!(stored.exists() && !stored.starts_with(project.root()));
    for governed in [&inside, &marked] {
        let shown = governed.at_terminal(100, &[], &RUN);
        assert!(shown.code != 0 && !shown.text.contains("SHIPPED"), "{}", shown.text);
        assert_ne!(governed.cuff(RUN).code, 0);
    }
    // A person's script has no terminal: nobody sees that it runs.
    let piped = project.cuff(RUN);
    assert!(piped.code != 0 && !piped.stdout.contains("SHIPPED"), "{piped:?}");
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize_with(&json!({}));
    session.begin("tools/call", json!({"name": "scripts.script_ship", "arguments": {}}));
    let answer = session.hear()["result"].clone();
    assert!(answer["isError"] == true && !answer.to_string().contains("SHIPPED"), "{answer}");
    session.leave();
    // A run that the person started at this terminal is none either.
    project.script("outer.sh", format!("#!/bin/sh\n'{}' run ship.sh\n", env!("CARGO_BIN_EXE_cuff")));
    let shown = project.at_terminal(100, &[], &["run", "outer.sh"]);
    assert!(shown.code != 0 && !shown.text.contains("SHIPPED"), "{}", shown.text);
    assert!(runs_at_once(&project, &RUN), "it still holds for the person");
}

#[test]
fn an_entry_is_worth_nothing_for_another_project_another_tool_or_when_damaged() {
    let project = project();
    allow(&project);
    let stored = project.outside().join("home/state/cuff/always.json");
    let text = std::fs::read_to_string(&stored).unwrap();
    let root = project.root().display().to_string();
    for changed in [
        text.replace(&root, "/elsewhere"),
        text.replace("scripts.script_ship", "scripts.script_other"),
        text.replace("\"format\": 1", "\"format\": 99"),
        "{".to_owned(),
    ] {
        assert_ne!(changed, text);
        std::fs::write(&stored, &changed).unwrap();
        assert!(!runs_at_once(&project, &RUN), "{changed}");
    }
    // A damaged file is set aside by the next `a`.
    allow(&project);
    assert!(runs_at_once(&project, &RUN));
}
