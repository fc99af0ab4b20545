//! Nothing but a person pins settings: no first look, no agent, no other name for the same file.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::mcp_session::{McpSession, newest};
use crate::support::project::{Project, Run};

const SETTINGS: &str = "version: '1'\nplugins:\n  scripts: {config: {patterns: ['*.sh']}}\n";

/// A repository with a script, and settings in this file.
fn project(file: &str) -> Project {
    let project = Project::empty().unapproved();
    fs::create_dir_all(project.root().join(".git/objects")).unwrap();
    for name in ["HEAD", "objects/x", "refs/x"] {
        project.write(&format!(".git/{name}"), "ref: refs/heads/main\n");
    }
    project.script("hi.sh", "#!/bin/sh\necho ran > ran\n");
    project.write(file, SETTINGS);
    project
}

fn agent(project: &Project) -> Project {
    Project::at(project).variable("CLAUDECODE", "1")
}

fn is_refused(run: &Run, project: &Project, what: &str) {
    let told =
        run.stderr.contains("o person has approved") || run.stderr.contains("no settings.yml was found");
    assert!(run.code != 0 && told && run.stderr.contains("[CUFF_"), "{what}: {run:?}");
    assert!(!project.root().join("ran").exists(), "{what} ran");
}

#[test]
fn neither_a_look_nor_an_agent_pins_and_a_person_who_uses_them_is_not_held_up() {
    let project = project("settings.yml");
    let root = project.root().display().to_string();
    project.cuff(["list"]).succeeded();
    let refused = agent(&project).cuff(["run", "hi.sh"]).ended_with(126);
    let said = format!(
        "error: no person has approved settings.yml in {root}, so agents have nothing of it [CUFF_308]\nhelp: a person runs `cuff approve settings` in {root}, in a terminal; then make the same call again\nnote: an agent's rules hold here, since CLAUDECODE is set\n"
    );
    assert_eq!(refused.stderr, said);
    project.at_terminal(80, &[], &["list"]).succeeded();
    project.at_terminal(80, &[], &["run", "hi.sh"]).succeeded();
    fs::remove_file(project.root().join("ran")).unwrap();
    for words in
        [&["approve", "settings", "--yes"][..], &["approve", "settings"], &["init", "--yes", "--force"]]
    {
        agent(&project).cuff(words);
        agent(&project).at_terminal(80, &[], words);
        is_refused(&agent(&project).cuff(["run", "hi.sh"]), &project, &words.join(" "));
    }
    project.write("settings.yml", SETTINGS);
    // Without a terminal nobody has said yes, unless the user's own preferences say so.
    project.cuff(["approve", "settings", "--yes"]).ended_with(126);
    project.write("../home/config/cuff/preferences.yml", "noninteractive_yes: true\n");
    project.cuff(["approve", "settings", "--yes"]).succeeded();
    agent(&project).cuff(["run", "hi.sh"]).succeeded();
}

/// An agent that may start cuff with any words, and write files of the project.
#[test]
fn no_other_name_or_place_opens_settings() {
    let project = project("settings.yml");
    project.approve();
    agent(&project).cuff(["run", "hi.sh"]).succeeded();
    let reset = || fs::remove_file(project.root().join("ran")).unwrap();
    reset();
    // A folder that is made a repository, with settings of its own.
    for (folder, names) in [("inner", &["HEAD", "objects/x", "refs/x"][..]), ("plain", &[])] {
        for name in names {
            project.write(&format!("{folder}/.git/{name}"), "ref: refs/heads/main\n");
        }
        project.script(&format!("{folder}/evil.sh"), "#!/bin/sh\necho ran > ../ran\n");
        project.write(&format!("{folder}/settings.yml"), SETTINGS);
        let run = agent(&project).cuff(["-C", folder, "run", "evil.sh"]);
        assert!(run.code != 0 && run.stderr.contains("cuff approve settings"), "{folder}: {run:?}");
        assert!(!project.root().join("ran").exists(), "{folder}");
    }
    // Another file, by option and by variable; a link to the approved one elsewhere; another home.
    let other = project.write("other/settings.yml", SETTINGS);
    project.script("other/hi.sh", "#!/bin/sh\necho ran > ../ran\n");
    let named = other.display().to_string();
    is_refused(&agent(&project).cuff(["--config", &named, "run", "hi.sh"]), &project, "--config");
    let variable = agent(&project).variable("CUFF_SETTINGS", &other);
    is_refused(&variable.cuff(["run", "hi.sh"]), &project, "CUFF_SETTINGS");
    fs::create_dir(project.root().join("linked")).unwrap();
    symlink(project.root().join("settings.yml"), project.root().join("linked/settings.yml")).unwrap();
    project.script("linked/hi.sh", "#!/bin/sh\necho ran > ../ran\n");
    let link = agent(&project).cuff(["--config", "linked/settings.yml", "run", "hi.sh"]);
    is_refused(&link, &project, "a link");
    let home = project.outside().join("home/fake");
    fs::create_dir_all(home.join("cuff")).unwrap();
    fs::write(home.join("cuff/settings.yml"), SETTINGS).unwrap();
    let empty = project.outside().join("empty");
    fs::create_dir(&empty).unwrap();
    fs::copy(project.root().join("hi.sh"), empty.join("hi.sh")).unwrap();
    for variable in ["XDG_CONFIG_HOME", "HOME"] {
        let fake = agent(&project).variable(variable, &home);
        let run = fake.cuff(["-C", empty.to_str().unwrap(), "run", "hi.sh"]);
        is_refused(&run, &project, variable);
        assert!(!empty.join("ran").exists());
    }
    // The approved folder, moved; and another one in its place has its own text.
    let moved = project.outside().join("moved");
    fs::rename(project.root(), &moved).unwrap();
    let run = Run::of({
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuff"));
        fs::create_dir(project.root()).unwrap();
        command.args(["-C", moved.to_str().unwrap(), "run", "hi.sh"]);
        agent(&project).surround(&mut command);
        command
    });
    assert!(run.code != 0 && !moved.join("ran").exists(), "{run:?}");
}

#[test]
fn the_users_own_settings_are_approved_for_one_project_at_a_time() {
    let project = project("unused.txt");
    let folder = project.outside().join("home/config/cuff");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("settings.yml"), SETTINGS).unwrap();
    is_refused(&agent(&project).cuff(["run", "hi.sh"]), &project, "the user's own");
    project.approve();
    agent(&project).cuff(["run", "hi.sh"]).succeeded();
    // A clone beside it.
    let clone = project.outside().join("clone");
    fs::create_dir(&clone).unwrap();
    fs::copy(project.root().join("hi.sh"), clone.join("hi.sh")).unwrap();
    let run = agent(&project).cuff(["-C", clone.to_str().unwrap(), "run", "hi.sh"]);
    assert!(run.stderr.contains("no person has approved") && !clone.join("ran").exists(), "{run:?}");
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"yes": true}})
}

/// Answers a question of the server; what was asked.
fn answer(session: &mut McpSession, asked: &Value, answer: &Value) -> String {
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    session.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer}));
    asked["params"]["message"].as_str().unwrap().to_owned()
}

fn pins(project: &Project) -> usize {
    fs::read_dir(project.outside().join("home/state/cuff/pins")).map_or(0, Iterator::count)
}

#[test]
fn a_client_asks_its_person_once_and_a_yes_pins_those_bytes() {
    let project = project("settings.yml");
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize_with(&json!({"elicitation": {}}));
    session.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let id = session.begin("tools/list", json!({}));
    let (first, second) = (session.hear(), session.hear());
    let (asked, listed) = if first["id"] == id { (second, first) } else { (first, second) };
    assert!(
        !listed["result"].to_string().contains("script_hi"),
        "the list does not wait for the person: {listed}"
    );
    let root = project.root().display().to_string();
    let message = answer(&mut session, &asked, &yes());
    assert_eq!(
        message,
        format!(
            "Use the settings of settings.yml in {root}?\nThey open 2 tools to agents: scripts.script_hi, scripts.script_list_scripts"
        )
    );
    session.hear_until(|said| said["method"] == "notifications/tools/list_changed");
    let called = session.ask_hearing("tools/call", json!({"name": "scripts.script_hi", "arguments": {}})).1;
    assert_eq!(called["result"]["structuredContent"]["success"], true, "{called}");
    session.leave();
    assert_eq!(pins(&project), 1);
    let audit = project.cuff(["audit"]).succeeded().stdout;
    assert!(audit.contains("a client says that its person approved settings.yml"), "{audit}");
    // Any other bytes wait for a person who sees the difference.
    project.write("settings.yml", SETTINGS.replace("*.sh", "**/*.sh"));
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize_with(&json!({"elicitation": {}}));
    session.names();
    assert_eq!(session.hear_within(Duration::from_millis(300)), None);
    session.leave();
}

#[test]
fn who_declines_is_not_asked_again_and_a_call_is_refused() {
    let project = project("settings.yml");
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize_with(&json!({"elicitation": {}}));
    let id = session.begin("tools/call", json!({"name": "scripts.script_hi", "arguments": {}}));
    let asked = session.hear();
    answer(&mut session, &asked, &json!({"action": "decline"}));
    let refused = session.hear();
    assert_eq!(
        (&refused["id"], &refused["result"]["structuredContent"]["error_code"]),
        (&json!(id), &json!("CUFF_308"))
    );
    assert!(session.names().is_empty());
    let again = session.call("scripts.script_hi", &json!({}));
    assert_eq!(again["structuredContent"]["error_code"], "CUFF_308");
    session.leave();
    assert_eq!(pins(&project), 0);
}

#[test]
fn nobody_is_asked_in_a_run_or_where_the_user_wants_a_terminal() {
    let inside = Project::at(&project("settings.yml")).inside_a_run();
    let terminal = project("settings.yml");
    terminal.write("../home/config/cuff/preferences.yml", "confirm_over: terminal\n");
    for project in [inside, terminal] {
        let mut session = McpSession::over_pipes(&project, &[]);
        session.initialize_with(&json!({"elicitation": {}}));
        assert!(session.names().is_empty());
        let refused = session.call("scripts.script_hi", &json!({}));
        assert_eq!(refused["structuredContent"]["error_code"], "CUFF_308", "{refused}");
        session.leave();
    }
}

/// The era without sessions: the question is the answer to a call.
#[test]
fn the_newest_protocol_asks_in_answer_to_a_call() {
    let project = project("settings.yml");
    let mut session = McpSession::over_pipes(&project, &[]);
    let mut meta = newest();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    session.meta = Some(meta);
    let call = json!({"name": "scripts.script_hi", "arguments": {}});
    let asked = session.ask("tools/call", call.clone())["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let again = |state: &Value| {
        let mut again = call.clone();
        again["requestState"] = state.clone();
        again["inputResponses"] = json!({"confirm": yes()});
        again
    };
    // The bytes that were asked about are others by now.
    project.write("settings.yml", SETTINGS.replace("*.sh", "**/*.sh"));
    let other = session.ask("tools/call", again(&asked["requestState"]))["result"].clone();
    assert_eq!(other["resultType"], "input_required", "{other}");
    assert_eq!(pins(&project), 0);
    let done = session.ask("tools/call", again(&other["requestState"]))["result"].clone();
    assert_eq!(done["structuredContent"]["success"], true, "{done}");
    assert!(Path::new(&project.root().join("ran")).exists());
    session.leave();
}
