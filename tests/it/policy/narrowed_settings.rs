//! Settings that only narrow what agents may do hold for the very next list and call; everything else waits.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

const PACKAGE: &str = r#"{"scripts": {"build": "echo build", "test": "echo test", "mode": "node -p process.env.MODE",
    "slow": "sleep 20"}}"#;

fn settings(plugins: &str) -> String {
    format!("version: '1'\nplugins:\n{plugins}")
}

/// The settings of one npm project, with these keys.
fn npm(config: &str) -> String {
    settings(&format!("  packagejson: {{config: {{package_manager: npm, {config}}}}}\n"))
}

/// A server whose settings were seen, and that goes on while they change.
fn served(project: &Project, before: &str) -> McpSession {
    project.write("package.json", PACKAGE);
    project.write("Makefile", "all: out.o\nout.o: ; @echo object\nclean: ; @echo clean\n.PHONY: all clean\n");
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    project.script("scripts/b.sh", "#!/bin/sh\necho b\n");
    project.write("settings.yml", before);
    project.cuff(["list"]).succeeded();
    McpSession::begun(project, &[])
}

/// The instructions of a running server, which tell the state of its settings.
fn instructions(project: &Project) -> String {
    let mut spoken = McpSession::over_pipes(project, &[]);
    let said = spoken.initialize()["result"]["instructions"].as_str().unwrap().to_owned();
    spoken.leave();
    said
}

fn structure(answer: &Value) -> &Value {
    &answer["structuredContent"]
}

#[test]
fn a_narrower_selection_holds_at_once_in_lists_and_calls() {
    let make = |config: &str| settings(&format!("  makefile: {{config: {{extractor: simple, {config}}}}}\n"));
    let scripts = |config: &str| settings(&format!("  scripts: {{config: {{{config}}}}}\n"));
    for (before, after, gone, stays, reason) in [
        (
            npm(""),
            npm("exclude_scripts: test"),
            "packagejson.npm_test",
            "packagejson.npm_build",
            "Script is excluded: test",
        ),
        (
            npm(""),
            npm("scripts: 'b*'"),
            "packagejson.npm_test",
            "packagejson.npm_build",
            "Script not in allowed patterns",
        ),
        (
            npm("scripts: '*'"),
            npm("scripts: [build]"),
            "packagejson.npm_test",
            "packagejson.npm_build",
            "Script not in",
        ),
        (
            scripts("patterns: ['scripts/*.sh']"),
            scripts("patterns: ['scripts/*.sh'], exclude: ['scripts/b.sh']"),
            "scripts.script_scripts_b",
            "scripts.script_scripts_a",
            "",
        ),
        (
            scripts("patterns: ['scripts/*.sh']"),
            scripts("patterns: ['scripts/a.sh']"),
            "scripts.script_scripts_b",
            "scripts.script_scripts_a",
            "",
        ),
        (make(""), make("exclude_targets: clean"), "makefile.make_clean", "makefile.make_all", ""),
        (make("targets: '*'"), make("targets: 'al*'"), "makefile.make_clean", "makefile.make_all", ""),
    ] {
        let project = Project::empty();
        let mut spoken = served(&project, &before);
        let names = spoken.names();
        assert!(names.contains(&gone.to_owned()) && names.contains(&stays.to_owned()), "{names:?}");
        project.write("settings.yml", &after);
        let names = spoken.names();
        assert!(!names.contains(&gone.to_owned()), "{after}: {names:?}");
        assert!(names.contains(&stays.to_owned()), "{after}: {names:?}");
        let refused = spoken.call(gone, &json!({}));
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(structure(&refused)["error_code"].as_str().unwrap().ends_with("_301"), "{refused}");
        assert!(structure(&refused)["error"].as_str().unwrap().contains(reason), "{refused}");
        assert_eq!(structure(&spoken.call(stays, &json!({})))["success"], true, "{after}");
        spoken.leave();
        assert!(!instructions(&project).contains("is not what a person approved"), "nothing waits: {after}");
    }
}

#[test]
fn agents_are_offered_the_tools_of_both_selections_and_no_others() {
    let project = Project::empty();
    let mut spoken = served(&project, &npm("scripts: 'b*'"));
    project.write(
        "package.json",
        r#"{"scripts": {"build": "echo build", "boot": "echo boot", "test": "echo test"}}"#,
    );
    project.write("settings.yml", npm("scripts: '*t'"));
    assert_eq!(spoken.names(), ["packagejson.npm_list_scripts", "packagejson.npm_boot"]);
    for (name, code) in [("packagejson.npm_test", "CUFF_308"), ("packagejson.npm_build", "CUFF_308")] {
        let refused = spoken.call(name, &json!({}));
        assert_eq!(structure(&refused)["error_code"], code, "{refused}");
    }
    // The list tool lists what can be called.
    let listed = spoken.call("packagejson.npm_list_scripts", &json!({"refresh": true}));
    assert_eq!(structure(&listed)["data"], json!({"scripts": ["boot"]}), "{listed}");
    spoken.leave();
    let said = instructions(&project);
    assert!(said.contains("changed, and offered as far as it was approved: packagejson"), "{said}");
}

#[test]
fn a_shorter_timeout_holds_at_once() {
    let project = Project::empty();
    let mut spoken = served(&project, &npm("default_timeout: 60"));
    project.write("settings.yml", npm("default_timeout: 1"));
    let ended = spoken.call("packagejson.npm_slow", &json!({}));
    assert_eq!(structure(&ended)["error"], "Script timed out after 1 seconds", "{ended}");
    assert_eq!(structure(&ended)["error_code"], "PKGJSON_303");
    // A longer one waits.
    project.write("settings.yml", npm("default_timeout: 600"));
    let planned = spoken.call("packagejson.npm_build", &json!({}));
    assert_eq!(structure(&planned)["success"], true);
    spoken.leave();
    assert!(instructions(&project).contains("is not what a person approved"));
}

#[test]
fn a_new_confirm_holds_at_once() {
    let project = Project::empty();
    let mut spoken = served(&project, &npm(""));
    assert_eq!(structure(&spoken.call("packagejson.npm_build", &json!({})))["success"], true);
    project.write("settings.yml", npm("confirm: build"));
    let asked = spoken.call("packagejson.npm_build", &json!({}));
    assert_eq!(structure(&asked)["confirmation_required"], true, "{asked}");
    assert_eq!(structure(&spoken.call("packagejson.npm_test", &json!({})))["success"], true);
    spoken.leave();
}

#[test]
fn an_instance_that_is_switched_off_is_gone_at_once() {
    let project = Project::empty();
    let both = |off: &str| {
        settings(&format!(
            "  packagejson: {{{off}}}\n  scripts: {{config: {{patterns: ['scripts/*.sh']}}}}\n"
        ))
    };
    let mut spoken = served(&project, &both(""));
    project.write("settings.yml", both("enabled: false"));
    assert!(spoken.names().iter().all(|name| name.starts_with("scripts.")));
    let refused = spoken.call("packagejson.npm_build", &json!({}));
    assert_eq!(structure(&refused)["error_code"], "PKGJSON_301", "{refused}");
    assert!(structure(&refused)["help"].as_str().unwrap().contains("enabled: true"), "{refused}");
    spoken.leave();
}

#[test]
fn narrowing_changes_hold_while_loosening_ones_wait() {
    let project = Project::empty();
    let mut spoken = served(&project, &npm("environment: {MODE: safe}"));
    project
        .write("settings.yml", npm("environment: {MODE: evil}, exclude_scripts: test, default_timeout: 4"));
    let names = spoken.names();
    assert!(!names.contains(&"packagejson.npm_test".to_owned()), "{names:?}");
    let mode = spoken.call("packagejson.npm_mode", &json!({}));
    let printed = structure(&mode)["data"]["stdout"].as_str().unwrap();
    assert!(printed.contains("safe") && !printed.contains("evil"), "{mode}");
    let slow = spoken.call("packagejson.npm_slow", &json!({}));
    assert_eq!(structure(&slow)["timed_out"], true, "{slow}");
    spoken.leave();
    let said = instructions(&project);
    assert!(said.contains("changed, and offered as far as it was approved: packagejson"), "{said}");
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let mut spoken = McpSession::begun(&project, &[]);
    let mode = spoken.call("packagejson.npm_mode", &json!({}));
    assert!(structure(&mode)["data"]["stdout"].as_str().unwrap().contains("evil"), "{mode}");
    spoken.leave();
}

/// The look at the current selection runs no program that nobody approved.
#[test]
fn a_selection_is_judged_without_what_waits() {
    let project = Project::empty();
    project.script("evil.sh", "#!/bin/sh\ntouch evil-ran\nexec make \"$@\"\n");
    let make = |config: &str| settings(&format!("  makefile: {{config: {{{config}}}}}\n"));
    let mut spoken = served(&project, &make("extractor: simple"));
    project.write(
        "settings.yml",
        make("extractor: make_database, make_command: ./evil.sh, exclude_targets: clean"),
    );
    assert_eq!(spoken.names(), ["makefile.make_list_targets", "makefile.make_all"]);
    assert_eq!(structure(&spoken.call("makefile.make_all", &json!({})))["success"], true);
    assert!(!project.root().join("evil-ran").exists());
    spoken.leave();
}
