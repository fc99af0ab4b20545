//! Other MCP servers in the settings: read, checked, and none of an agent's until a person has approved it.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

const WAITS: &str = "the MCP server github waits for approval; it is not started";
const SERVER: &str =
    "  github: {type: mcp, command: no-such-server, args: [server], env: {TOKEN: '${GITHUB_TOKEN}'}}\n";
const SECRET: &str = "hush-hush-9000";

fn settings(server: &str) -> String {
    format!("version: '1'\nplugins:\n  scripts: {{config: {{patterns: ['scripts/*.sh']}}}}\n{server}")
}

fn project(server: &str) -> Project {
    let project = Project::empty().variable("GITHUB_TOKEN", SECRET);
    project.script("scripts/hi.sh", "#!/bin/sh\necho hi\n");
    project.write("settings.yml", settings(server));
    project
}

/// The instructions that an agent's server gives, and its tools.
fn agent(project: &Project) -> (String, Vec<String>) {
    let mut spoken = McpSession::over_pipes(project, &[]);
    let hello = spoken.initialize();
    let instructions = hello["result"]["instructions"].as_str().unwrap().to_owned();
    let names = spoken.names();
    spoken.leave();
    (instructions, names)
}

#[test]
fn each_face_says_that_a_server_waits_for_approval_and_an_entry_that_is_off_is_quiet() {
    let project = project(SERVER).unapproved();
    let listed = project.cuff(["list"]).succeeded();
    assert_eq!(listed.stderr.matches(WAITS).count(), 1, "{listed:?}");
    let json = project.cuff(["list", "--json"]).succeeded().stdout;
    assert!(json.contains(WAITS), "{json}");
    let doctor = project.cuff(["doctor"]).stdout;
    assert!(doctor.contains(WAITS), "{doctor}");
    let status = project.cuff(["status"]).succeeded().stdout;
    assert!(
        status.lines().any(|line| line.starts_with("github") && line.contains("waits for approval")),
        "{status}"
    );
    let status = project.cuff(["status", "--json"]).succeeded().json();
    assert_eq!(status["servers"], serde_json::json!([{"name": "github", "approved": false, "tools": 0}]));
    let served = project.command(["serve"]).stdin(std::process::Stdio::null()).output().unwrap();
    let served = String::from_utf8_lossy(&served.stderr).into_owned();
    assert!(served.contains("no person has approved settings.yml"), "{served}");
    for text in [&listed.stderr, &doctor, &served] {
        assert!(!text.contains(SECRET), "{text}");
    }

    project.write("settings.yml", settings(&SERVER.replace("type", "enabled: false, type")));
    project.approve();
    for command in [&["list"][..], &["status"], &["doctor"]] {
        let run = project.cuff(command);
        assert!(!format!("{}{}", run.stdout, run.stderr).contains("github"), "{run:?}");
    }
    let (instructions, names) = agent(&project);
    assert!(!instructions.contains("github") && !instructions.contains("approved"), "{instructions}");
    assert!(names.iter().any(|name| name == "scripts.script_scripts_hi"), "{names:?}");
}

#[test]
fn a_server_waits_for_a_person_from_the_first_look_on() {
    let project = project(SERVER).unapproved();
    let (instructions, names) = agent(&project);
    assert!(instructions.contains("no person has approved settings.yml"), "{instructions}");
    assert_eq!(names, [""; 0], "so does the rest");

    // All of the file is shown: a difference would have nothing of the server.
    let shown = project.answer_at_terminal("y\r", &["approve", "settings"]);
    let text = shown.succeeded().text;
    assert!(text.contains("new") && text.contains("github") && text.contains("${GITHUB_TOKEN}"), "{text}");
    assert!(!text.contains(SECRET), "{text}");
    let waits = |project: &Project| {
        let (instructions, _) = agent(project);
        let said = instructions.lines().find(|line| line.contains("is not what a person approved"));
        said.map(str::to_owned)
    };
    assert_eq!(waits(&project), None);

    // A guard more waits as well: nothing but switching it off narrows a server.
    for (server, said) in [
        (SERVER.replace("server]", "other]"), Some("changed and not offered: github")),
        (SERVER.replace("}}\n", "}, config: {confirm: true}}\n"), Some("changed and not offered: github")),
        (format!("{SERVER}  docs: {{type: mcp, url: 'http://docs'}}\n"), Some("new and not offered: docs")),
        (SERVER.replace("type", "enabled: false, type"), None),
        (String::new(), None),
        (SERVER.to_owned(), None),
    ] {
        project.write("settings.yml", settings(&server));
        let found = waits(&project);
        let is_said = found.as_deref().map(|line| said.is_some_and(|said| line.contains(said)));
        assert_eq!(is_said, said.map(|_| true), "{server}: {found:?}");
    }

    // `cuff init` adds to the file; what it leaves as it was stays approved.
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    project.at_terminal((100, 30), &[], &["init", "--merge", "--yes"]).succeeded();
    let written = project.read("settings.yml");
    assert!(written.contains(SERVER) && written.contains("packagejson"), "{written}");
    assert_eq!(waits(&project), None);
    for pin in fs::read_dir(project.outside().join("home/state/cuff/pins")).unwrap() {
        let text = fs::read_to_string(pin.unwrap().path()).unwrap();
        assert!(!text.contains(SECRET), "{text}");
    }
}

/// The text that was pinned has the server, and its difference to the file does not.
#[test]
fn a_server_that_nobody_read_is_shown_beside_another_change() {
    let project = project(SERVER);
    agent(&project);
    project.write("settings.yml", settings(&format!("{SERVER}  makefile: {{}}\n")));
    let shown = project.answer_at_terminal("n\r", &["approve", "settings"]).text;
    assert!(shown.contains("no-such-server") && shown.contains("makefile"), "{shown}");
}
