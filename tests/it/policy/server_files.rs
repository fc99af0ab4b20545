//! `.toolscript.json`: MCP servers beside settings.yml or without one, and approval of those that a project brings.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;

use crate::support::mcp_session::McpSession;
use crate::support::process::until;
use crate::support::project::Project;

const FILE: &str = ".toolscript.json";
const SECRET: &str = "hush-hush-9000";
const SERVER: &str =
    r#"{"mcpServers": {"github": {"command": "no-such-server", "env": {"TOKEN": "${GITHUB_TOKEN}"}}}}"#;

fn project(servers: &str) -> Project {
    let project = Project::empty().variable("GITHUB_TOKEN", SECRET);
    project.write(FILE, servers);
    project
}

/// The servers that the settings and the files name.
fn servers(project: &Project) -> Vec<String> {
    let status = project.cuff(["status", "--json"]).json();
    let servers = status["servers"].as_array().unwrap().iter();
    servers.map(|server| server["name"].as_str().unwrap().to_owned()).collect()
}

/// The line by which an agent learns that something waits for a person.
fn waits(project: &Project) -> Option<String> {
    let mut spoken = McpSession::over_pipes(project, &[]);
    let hello = spoken.initialize();
    let instructions = hello["result"]["instructions"].as_str().unwrap().to_owned();
    spoken.leave();
    assert!(!instructions.contains(SECRET), "{instructions}");
    instructions
        .lines()
        .find(|line| line.contains("is not what a person approved") || line.contains("o person has approved"))
        .map(str::to_owned)
}

#[test]
fn a_project_opens_with_nothing_but_servers() {
    let project = project(SERVER);
    let listed = project.cuff(["list"]);
    assert!(listed.stderr.contains("the MCP server github waits for approval"), "{listed:?}");
    assert_eq!(servers(&project), ["github"]);
    // A plugin's commands work as they do without settings.
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    let named = project.cuff(["packagejson", "list"]).succeeded();
    assert!(named.stdout.contains("hi"), "{named:?}");
}

#[test]
fn a_project_comes_before_its_user_and_settings_before_both() {
    let project = project(r#"{"a": {"command": "x"}, "b": {"command": "x"}}"#);
    fs::write(
        project.outside().join("home").join(FILE),
        r#"{"b": {"command": "${NO_SUCH}"}, "c": {"command": "y"}, "d": {"command": "y"}}"#,
    )
    .unwrap();
    assert_eq!(servers(&project), ["a", "b", "c", "d"]);
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  a: {type: mcp, command: z}\n  d: {type: mcp, enabled: false}\n",
    );
    assert_eq!(servers(&project), ["a", "b", "c"], "one that settings switch off is off");
    let listed = project.cuff(["list"]).stderr;
    assert!(listed.contains("`a` is not used here: settings.yml has an entry of that name"), "{listed}");
}

#[test]
fn a_broken_file_is_reported_with_its_place_and_the_rest_works() {
    let project = project("{\n  \"mcpServers\": {,}\n}");
    project.script("scripts/hi.sh", "#!/bin/sh\necho hi\n");
    project
        .write("settings.yml", "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*.sh']}}\n");
    let listed = project.cuff(["list"]);
    assert!(listed.stdout.contains("hi"), "{listed:?}");
    assert!(
        listed.stderr.contains(".toolscript.json:2:18") && listed.stderr.contains("not valid JSON"),
        "{listed:?}"
    );
    let run = project.cuff(["run", "hi"]).succeeded();
    assert!(run.stdout.contains("hi"), "{run:?}");
}

#[test]
fn a_server_of_a_project_waits_for_a_person_and_one_of_the_user_does_not() {
    let project = project(SERVER);
    fs::write(project.outside().join("home").join(FILE), r#"{"own": {"command": "y"}}"#).unwrap();
    let said = waits(&project).unwrap();
    assert!(said.contains("new and not offered: github") && said.contains(FILE), "{said}");
    assert!(!said.contains("own") && !said.contains("settings.yml"), "{said}");
    let shown = project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded().text;
    assert!(shown.contains(FILE) && shown.contains("${GITHUB_TOKEN}") && !shown.contains(SECRET), "{shown}");
    assert_eq!(waits(&project), None);
    for (servers, said) in [
        (SERVER.replace("no-such-server", "other"), Some("changed and not offered: github")),
        (SERVER.replace("{\"command", "{\"disabled\": true, \"command"), None),
        (
            SERVER.replace("{\"github", "{\"new\": {\"url\": \"http://x\"}, \"github"),
            Some("new and not offered: new"),
        ),
        (SERVER.replace(": ", " :\n"), None),
        ("{}".to_owned(), None),
        (SERVER.to_owned(), None),
    ] {
        project.write(FILE, &servers);
        let found = waits(&project);
        assert_eq!(found.is_some(), said.is_some(), "{servers}: {found:?}");
        assert!(said.is_none_or(|said| found.unwrap().contains(said)), "{servers}");
    }
    for pin in fs::read_dir(project.outside().join("home/state/cuff/pins")).unwrap() {
        let text = fs::read_to_string(pin.unwrap().path()).unwrap();
        assert!(!text.contains(SECRET), "{text}");
    }
}

#[test]
fn both_files_are_shown_and_approved_at_once() {
    let project = project(SERVER).unapproved();
    project.write("settings.yml", "version: '1'\nplugins:\n  docs: {type: mcp, url: 'http://docs'}\n");
    let said = waits(&project).unwrap();
    assert!(said.contains("o person has approved settings.yml with .toolscript.json in "), "{said}");
    let shown = project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded().text;
    assert!(shown.contains("http://docs") && shown.contains("no-such-server"), "{shown}");
    assert_eq!(waits(&project), None);
}

#[test]
fn a_change_of_the_file_reaches_a_served_project() {
    let project = project("{}");
    let log = project.outside().join("log");
    let mut command = project.command(["serve"]);
    command.stderr(fs::File::create(&log).unwrap());
    let mut spoken = McpSession::of(command);
    spoken.initialize();
    spoken.names();
    assert!(!fs::read_to_string(&log).unwrap().contains("github"));
    project.write(FILE, SERVER);
    spoken.names();
    until("the server says what waits", || {
        fs::read_to_string(&log).unwrap().contains("new and not offered: github")
    });
    spoken.leave();
}
