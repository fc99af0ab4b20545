//! Files that other programs run later: a run that changed one says so, wherever its result is read.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::process::Command;

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

const SETTINGS: &str = "version: '1'\nplugins:\n  scripts: {config: {patterns: ['*.sh']}}\n";

/// A repository with a script that does this.
fn project(script: &str) -> Project {
    let project = Project::empty();
    project.write("settings.yml", SETTINGS);
    project.script("plant.sh", format!("#!/bin/sh\n{script}\n"));
    let made = Command::new("git").args(["init", "--quiet"]).current_dir(project.root()).status().unwrap();
    assert!(made.success());
    project
}

/// The result of an agent's call.
fn called(project: &Project) -> Value {
    let mut spoken = McpSession::over_pipes(project, &[]);
    spoken.initialize_with(&json!({}));
    spoken.begin("tools/call", json!({"name": "scripts.script_plant", "arguments": {}}));
    let result = spoken.hear()["result"].clone();
    spoken.leave();
    result
}

/// Each place by which an editor, a shell, an agent, git or a package manager runs something.
const PLANTED: [&str; 24] = [
    ".git/hooks/post-checkout",
    ".git/info/attributes",
    ".husky/pre-commit",
    ".vscode/tasks.json",
    ".vscode/launch.json",
    ".vscode/settings.json",
    ".idea/runConfigurations/x.xml",
    ".envrc",
    ".mcp.json",
    ".toolscript.json",
    ".claude/settings.json",
    ".claude/commands/x.md",
    ".cursor/mcp.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".npmrc",
    ".yarnrc.yml",
    "bunfig.toml",
    ".cargo/config.toml",
    ".cuff/settings.yml",
    ".pre-commit-config.yaml",
    ".gitattributes",
    ".gitmodules",
    ".pnpmfile.cjs",
];

#[test]
fn each_planted_file_is_told_in_the_text_the_structure_and_the_record() {
    for path in PLANTED {
        let project = project(&format!("mkdir -p $(dirname {path}) && echo x > {path}"));
        let result = called(&project);
        assert_eq!(result["isError"], false, "{result}");
        assert_eq!(result["structuredContent"]["changed_later"], json!([path]), "{result}");
        let note = format!("note: this run changed what runs later: {path}\n");
        let text = result["content"][0]["text"].as_str().unwrap().to_owned() + "\n";
        assert!(text.contains(&note), "{path}: {text}");
    }
}

#[test]
fn what_a_run_changes_is_told_and_what_is_there_is_not() {
    for (script, expected) in [
        ("echo '[core]' >> .git/config", json!([".git/config"])),
        (
            "git config core.hooksPath tools && mkdir tools && echo x > tools/pre-push",
            json!([".git/config", "tools/pre-push"]),
        ),
        ("echo '# more' >> settings.yml", json!(["settings.yml"])),
        (
            "mkdir -p node_modules/.bin && for n in 1 2 3; do echo x > node_modules/.bin/$n; done",
            json!(["node_modules/.bin: 3 files"]),
        ),
        ("mkdir -p .venv/bin && echo x > .venv/bin/python", json!([".venv/bin: 1 file"])),
        (
            "git -c user.name=a -c user.email=b commit --allow-empty -qm x; echo x > index.js; mkdir .vscode; touch .editorconfig",
            Value::Null,
        ),
    ] {
        let project = project(script);
        let shape = called(&project)["structuredContent"].clone();
        assert_eq!(shape["changed_later"], expected, "{script}: {shape}");
    }
}

#[test]
fn a_stored_run_says_what_it_changed_and_people_are_not_told() {
    let project = project("echo x > .envrc");
    assert!(called(&project)["structuredContent"]["changed_later"].is_array());
    let shown = project.cuff(["runs", "show", "latest"]).succeeded().stdout;
    assert!(shown.contains("\n  note     this run changed what runs later: .envrc\n"), "{shown}");
    let json = project.cuff(["runs", "show", "latest", "--json"]).succeeded().json();
    assert_eq!(json["changed_later"], json!([".envrc"]));

    project.script("plant.sh", "#!/bin/sh\necho y > .envrc\n");
    let run = project.cuff(["run", "plant.sh", "--json"]).succeeded().json();
    assert!(run.get("changed_later").is_none(), "{run}");
    // The shell of an agent is no person.
    project.script("plant.sh", "#!/bin/sh\necho z > .envrc\n");
    let agents = project.variable("CLAUDECODE", "1");
    let run = agents.cuff(["run", "plant.sh"]);
    assert!(run.stderr.contains("warning: this run changed what runs later: .envrc"), "{run:?}");
}
