//! An agent's own shell that calls cuff: it is the agent, in any terminal.

use serde_json::{Value, json};

use crate::support::mcp_session::id_in;
use crate::support::project::Project;

const SHELL: &[&str] =
    &["CLAUDECODE", "CURSOR_AGENT", "CODEX_SANDBOX_NETWORK_DISABLED", "GEMINI_CLI", "AI_AGENT"];

fn project() -> Project {
    let project = Project::empty();
    project.write("package.json", r#"{"name": "x", "version": "1.0.0", "scripts": {"say": "echo"}}"#);
    project.write(
        "package-lock.json",
        r#"{"name": "x", "version": "1.0.0", "lockfileVersion": 3, "packages": {}}"#,
    );
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  npm: {config: {}}\n  packagejson: {config: {confirm: say}}\n",
    );
    project.approve();
    project
}

/// The same files, from an agent's shell.
fn shell(project: &Project, marker: &str) -> Project {
    Project::at(project).variable(marker, "1")
}

fn last_caller(project: &Project) -> Value {
    project.cuff(["audit", "--json"]).succeeded().json()["decisions"][0]["caller"].clone()
}

#[test]
fn an_install_from_an_agents_shell_waits_for_a_person() {
    for marker in SHELL {
        let project = project();
        let agent = shell(&project, marker);
        for words in [
            &["run", "npm.install", "--yes"][..],
            &["run", "npm.install"],
            &["npm", "run", "install", "--yes"],
        ] {
            let refused = agent.at_terminal(80, &[], words).ended_with(126).text;
            assert!(!refused.contains("[y/N]"), "{marker}: {refused}");
            let id = id_in(&refused);
            for typed in [&["approve", &id][..], &["approve", &id, "--yes"], &["deny", &id]] {
                let refused = agent.at_terminal(80, &[], typed).ended_with(126).text;
                assert!(refused.contains(&format!("({marker} is set)")), "{refused}");
            }
        }
        assert!(!project.root().join("node_modules").exists());
        assert_eq!(last_caller(&project), "agent", "{marker}");
    }
}

#[test]
fn an_approved_call_runs_in_the_agents_shell_once() {
    let project = project();
    let agent = shell(&project, "CLAUDECODE");
    let id = id_in(&agent.at_terminal(80, &[], &["run", "npm.install"]).ended_with(126).text);
    project.answer_at_terminal("y\n", &["approve", &id[..5]]).succeeded();
    agent.cuff(["run", "npm.install"]).succeeded();
    agent.cuff(["run", "npm.install"]).ended_with(126);
}

/// The preference is for machines without a person, and an agent's shell is none of them.
#[test]
fn an_agents_shell_is_not_ci() {
    let project = project();
    project.write("../home/config/cuff/preferences.yml", "noninteractive_yes: true\n");
    let agent = shell(&project, "CLAUDECODE");
    let id = id_in(&agent.cuff(["run", "say", "--yes"]).ended_with(126).stderr);
    agent.cuff(["approve", &id]).ended_with(126);
    agent.cuff(["approve", "settings", "--yes"]);
    let ci = Project::at(&project).variable("CI", "true");
    ci.cuff(["run", "say", "--yes"]).succeeded();
    assert_eq!(last_caller(&project), "human");
}

#[test]
fn an_agents_shell_has_the_settings_that_were_approved_and_words_are_governed() {
    let project = project();
    let agent = shell(&project, "CLAUDECODE");
    project.cuff(["list"]).succeeded();
    let settings = project.read("settings.yml");
    project.write("settings.yml", settings.replace("{confirm: say}", "{environment: {WORD: b}}"));
    agent.cuff(["run", "say"]).ended_with(126);
    // A person has them as they are.
    project.cuff(["run", "say", "--", "; echo"]).succeeded();
    let refused = agent.cuff(["run", "say", "--", "; echo"]).ended_with(126).stderr;
    assert!(refused.contains("Dangerous character"), "{refused}");
    let refused = agent.cuff(["run", "say", "--env", "NODE_OPTIONS=--require=x"]).ended_with(126).stderr;
    assert!(refused.contains("NODE_OPTIONS"), "{refused}");
    agent.at_terminal(80, &[], &["approve", "settings"]).ended_with(126);
    agent.at_terminal(80, &[], &["init", "--yes", "--force"]);
    assert_eq!(
        project.cuff(["approvals", "--json"]).json()["settings"]["state"],
        "waiting",
        "no init of its own is an approval"
    );
}

/// Its terminal is nobody's: a question there would wait for ever.
#[test]
fn an_agents_shell_is_asked_nothing() {
    let project = project();
    let agent = shell(&project, "GEMINI_CLI");
    let unnamed = agent.at_terminal(80, &[], &["run"]).text;
    assert!(unnamed.contains("no tool was named"), "{unnamed}");
    std::fs::remove_file(project.root().join("settings.yml")).unwrap();
    agent.at_terminal(80, &[], &["init"]).succeeded();
    assert!(project.root().join("settings.yml").exists());
}

/// Nobody wrote settings, so nothing is offered to agents.
#[test]
fn an_agents_shell_needs_settings_for_the_commands_of_plugins_too() {
    let project = project();
    std::fs::remove_file(project.root().join("settings.yml")).unwrap();
    project.cuff(["packagejson", "run", "say"]).succeeded();
    let agent = shell(&project, "CLAUDECODE");
    let refused = agent.cuff(["packagejson", "run", "say"]);
    assert!(refused.code != 0 && refused.stderr.contains("no settings.yml was found"), "{refused:?}");
    let json = agent.cuff(["packagejson", "list", "--json"]);
    assert!(json.json()["error"].as_str().is_some_and(|error| error.contains("no settings.yml")), "{json:?}");
    assert_eq!(json!(json.code), json!(1));
}
