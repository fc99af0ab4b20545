//! The files that a person's yes is bound to: a tool runs as it was when the person was asked.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::process::Command;

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::process::until;
use crate::support::project::Project;

const SETTINGS: &str = "\
version: '1'
plugins:
  packagejson: {config: {confirm: [ship, ship-make]}}
  makefile: {config: {confirm: [deploy]}}
  scripts: {config: {patterns: ['*.sh'], confirm: true}}
";

fn project() -> Project {
    let project = Project::empty();
    let scripts = json!({"ship": "npm run upload", "upload": "echo UPLOADED", "ship-make": "make deploy"});
    project.write("package.json", json!({"scripts": scripts}).to_string());
    project.write("Makefile", "include cmd.mk\nifdef MAKECMDGOALS\n-include more.mk\nendif\n.PHONY: deploy\ndeploy:\n\t@echo deploying $(CMD)\n");
    project.write("cmd.mk", "CMD = well\n");
    project.script("mark.sh", "#!/bin/sh\necho MARKED\n");
    project.write("settings.yml", SETTINGS);
    project
}

fn call(spoken: &mut McpSession, tool: &str) -> Value {
    spoken.begin("tools/call", json!({"name": tool, "arguments": {}}));
    spoken.hear()
}

/// The id of the one question that waits.
fn waiting(project: &Project) -> Value {
    let waits = project.cuff(["approvals", "--json"]).succeeded().json();
    let waits = waits["approvals"].as_array().unwrap().clone();
    let mut waits = waits.into_iter().filter(|one| one["state"] == "waiting");
    let one = waits.next().unwrap();
    assert_eq!(waits.next(), None);
    one
}

#[test]
fn an_approved_call_runs_only_while_its_bound_files_are_unchanged() {
    let manifest = project().read("package.json").replace("UPLOADED", "CHANGED");
    for (tool, file, text, output) in [
        ("packagejson.npm_ship", "package.json", manifest.as_str(), "UPLOADED"),
        ("packagejson.npm_ship", ".npmrc", "script-shell=./sh.sh\n", "UPLOADED"),
        ("makefile.make_deploy", "cmd.mk", "CMD = badly\n", "deploying well"),
        ("makefile.make_deploy", "more.mk", "CMD = worse\n", "deploying well"),
        ("scripts.script_mark", "mark.sh", "#!/bin/sh\necho CHANGED\n", "MARKED"),
    ] {
        let project = project();
        let before = project.root().join(file).exists().then(|| project.read(file));
        let mut spoken = McpSession::over_pipes(&project, &[]);
        spoken.initialize_with(&json!({}));
        assert_eq!(call(&mut spoken, tool)["result"]["isError"], true, "{tool}");
        let id = waiting(&project)["id"].as_str().unwrap().to_owned();
        project.answer_at_terminal("y", &["approve", &id]).succeeded();
        // The file stays the same one: only what it says is another thing.
        project.write(file, text);
        let result = call(&mut spoken, tool)["result"].clone();
        assert_eq!(result["isError"], true, "{tool} after {file} was changed: {result}");
        let asked_again = waiting(&project)["id"].as_str().unwrap().to_owned();
        assert_ne!(asked_again, id);
        match before {
            Some(before) => drop(project.write(file, before)),
            None => std::fs::remove_file(project.root().join(file)).unwrap(),
        }
        let result = call(&mut spoken, tool)["result"].clone();
        assert_eq!(result["isError"], false, "{tool}: {result}");
        assert!(result.to_string().contains(output), "{tool}: {result}");
        spoken.leave();
    }
}

/// A workspace with a member and a local dependency, approved for an install by this manager.
fn approved_install(manager: &str) -> (Project, McpSession) {
    let project = Project::empty();
    let root = json!({"workspaces": ["packages/*"], "dependencies": {"lib": "file:lib"}});
    project.write("package.json", root.to_string());
    project.write("packages/a/package.json", r#"{"name": "a", "version": "1.0.0"}"#);
    project.write("lib/package.json", r#"{"name": "lib", "version": "1.0.0"}"#);
    project.write("package-lock.json", "{}");
    project.write("settings.yml", format!("version: '1'\nplugins:\n  {manager}: {{}}\n"));
    let mut spoken = McpSession::over_pipes(&project, &[]);
    spoken.initialize_with(&json!({}));
    assert_eq!(call(&mut spoken, &format!("{manager}.install"))["result"]["isError"], true);
    let id = waiting(&project)["id"].as_str().unwrap().to_owned();
    project.answer_at_terminal("y", &["approve", &id]).succeeded();
    (project, spoken)
}

#[test]
fn an_approved_install_covers_members_local_dependencies_native_builds_and_configuration() {
    let preinstall = r#"{"scripts": {"preinstall": "touch RUN"}}"#;
    for (manager, file, text) in [
        ("npm", "package.json", preinstall),
        ("npm", "package-lock.json", "{\"lockfileVersion\": 3}"),
        ("npm", ".npmrc", "script-shell=./sh.sh\n"),
        ("npm", "packages/a/package.json", preinstall),
        ("npm", "packages/b/package.json", preinstall),
        ("npm", "lib/package.json", preinstall),
        ("npm", "binding.gyp", "{}"),
        ("npm", "lib/binding.gyp", "{}"),
        ("bun", ".env", "PATH=/x\n"),
        ("bun", "bunfig.toml", "[install]\n"),
    ] {
        let (project, mut spoken) = approved_install(manager);
        let before = waiting_ids(&project);
        project.write(file, text);
        let result = call(&mut spoken, &format!("{manager}.install"))["result"].clone();
        assert_eq!(result["isError"], true, "{manager} after {file} was changed: {result}");
        assert_ne!(waiting_ids(&project), before, "{manager}, {file}: the question is a new one");
        assert!(!project.root().join("RUN").exists());
        spoken.leave();
    }
}

/// The ids of the questions that wait.
fn waiting_ids(project: &Project) -> Vec<String> {
    let all = project.cuff(["approvals", "--json"]).succeeded().json();
    let waits = all["approvals"].as_array().unwrap().iter().filter(|one| one["state"] == "waiting");
    waits.map(|one| one["id"].to_string()).collect()
}

/// A tool that waits while a file of its binding changes: instance, tool, file, its text before and after,
/// and whether the run fails for it.
type Change = (&'static str, &'static str, &'static str, String, String, bool);

fn changes() -> Vec<Change> {
    let wait = "touch begun; while [ ! -e go ]; do sleep 0.02; done";
    let shell = format!("#!/bin/sh\n{wait}\necho END\n");
    let scripts = json!({"scripts": {"ship": wait}});
    let more = json!({"scripts": {"ship": wait, "postship": "echo LATER"}});
    let version = json!({"version": "2.0.0", "scripts": {"ship": wait}});
    let makefile = format!("ship:\n\t{wait}\n");
    vec![
        (
            "scripts: {config: {patterns: ['*.sh'], confirm: true}}",
            "scripts.script_ship",
            "ship.sh",
            shell.clone(),
            format!("{shell}echo LATER\n"),
            true,
        ),
        (
            "packagejson: {config: {confirm: [ship]}}",
            "packagejson.npm_ship",
            "package.json",
            scripts.to_string(),
            more.to_string(),
            true,
        ),
        (
            "packagejson: {config: {confirm: [ship]}}",
            "packagejson.npm_ship",
            "package.json",
            scripts.to_string(),
            version.to_string(),
            false,
        ),
        (
            "makefile: {config: {confirm: [ship]}}",
            "makefile.make_ship",
            "Makefile",
            makefile.clone(),
            format!("{makefile}\techo LATER\n"),
            true,
        ),
    ]
}

/// A tool reads its files after cuff has read them: a change in between is found after the end, and fails the run.
#[test]
fn a_run_whose_bound_files_changed_meanwhile_fails_and_names_them() {
    for (instance, tool, file, before, after, is_failed) in changes() {
        let project = Project::empty();
        if instance.starts_with("scripts") {
            project.script(file, &before)
        } else {
            project.write(file, &before)
        };
        project.write("settings.yml", format!("version: '1'\nplugins:\n  {instance}\n"));
        let mut spoken = McpSession::over_pipes(&project, &[]);
        spoken.initialize_with(&json!({"elicitation": {}}));
        let asked = call(&mut spoken, tool);
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        let yes = json!({"action": "accept", "content": {"yes": true}});
        spoken.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
        until("it runs", || project.root().join("begun").exists());
        project.write(file, &after);
        project.write("go", "");
        let result = spoken.hear()["result"].clone();
        assert_eq!(result["isError"], is_failed, "{tool}: {result}");
        if is_failed {
            let shape = &result["structuredContent"];
            let error = format!("Approved files were changed ({file}) while it ran");
            assert!(shape["error"].as_str().is_some_and(|text| text.starts_with(&error)), "{result}");
            assert!(shape["error_code"].as_str().is_some_and(|code| code.ends_with("_306")), "{result}");
        }
        spoken.leave();
    }
}

#[test]
fn a_client_yes_runs_nothing_if_bound_files_changed_meanwhile() {
    let manifest = project().read("package.json").replace("UPLOADED", "CHANGED");
    for (tool, file, text) in [
        ("packagejson.npm_ship", "package.json", manifest.as_str()),
        ("packagejson.npm_ship", ".npmrc", "script-shell=./sh.sh\n"),
        ("makefile.make_deploy", "Makefile", ".PHONY: deploy\ndeploy:\n\t@echo CHANGED\n"),
        ("scripts.script_mark", "mark.sh", "#!/bin/sh\necho CHANGED\n"),
    ] {
        let project = project();
        let mut spoken = McpSession::over_pipes(&project, &[]);
        spoken.initialize_with(&json!({"elicitation": {}}));
        let asked = call(&mut spoken, tool);
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        project.write(file, text);
        let yes = json!({"action": "accept", "content": {"yes": true}});
        spoken.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
        let result = spoken.hear()["result"].clone();
        assert_eq!(result["isError"], true, "{tool}: {result}");
        let error = &result["structuredContent"]["error"];
        assert_eq!(error, "Its text changed while a person was asked", "{tool}: {result}");
        spoken.leave();
    }
}

/// Python that leaves a program one processor, on which four runs go on at once.
const ON_ONE_PROCESSOR: &str = "\
import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execv(sys.argv[1], sys.argv[1:])
";

/// An agent that fills all slots decides how long others wait for theirs.
#[test]
fn a_queued_call_runs_as_approved_or_not_at_all() {
    for (settings, decision, is_changed) in [
        ("packagejson: {config: {confirm: [ship]}}", "granted", true),
        ("packagejson: {config: {confirm: [ship]}}", "granted", false),
        ("packagejson: {config: {trust: pinned}}", "permitted", true),
        ("packagejson: {config: {trust: pinned}}", "permitted", false),
        ("packagejson: {}", "permitted", true),
        ("packagejson: {}", "permitted", false),
    ] {
        let project = Project::empty();
        let manifest = json!({"scripts": {"ship": "echo READ"}}).to_string();
        let changed = json!({"scripts": {"ship": "echo UNREAD; git push"}}).to_string();
        project.write("package.json", &manifest);
        project.script("wait.sh", "#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\n");
        let others = "scripts: {config: {patterns: ['*.sh']}}";
        project.write("settings.yml", format!("version: '1'\nplugins:\n  {settings}\n  {others}\n"));
        let mut command = Command::new("python3");
        command.args(["-c", ON_ONE_PROCESSOR, env!("CARGO_BIN_EXE_cuff"), "serve"]);
        project.surround(&mut command);
        let mut spoken = McpSession::of(command);
        spoken.initialize_with(&json!({"elicitation": {}}));
        let has_decided = |tool: &str, decision: &str, times: usize| {
            let said = project.cuff(["audit", "--json", "-n", "100"]).succeeded().json();
            let decisions = said["decisions"].as_array().unwrap().iter();
            decisions.filter(|one| one["tool"] == tool && one["decision"] == decision).count() == times
        };
        for _ in 0..4 {
            spoken.begin("tools/call", json!({"name": "scripts.script_wait", "arguments": {}}));
        }
        until("four runs go on", || has_decided("scripts.script_wait", "permitted", 4));
        let id = spoken.begin("tools/call", json!({"name": "packagejson.npm_ship", "arguments": {}}));
        if decision == "granted" {
            let asked = spoken.hear();
            assert_eq!(asked["method"], "elicitation/create", "{asked}");
            let yes = json!({"action": "accept", "content": {"yes": true}});
            spoken.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
        }
        until("it is permitted", || has_decided("packagejson.npm_ship", decision, 1));
        if is_changed {
            project.write("package.json", changed);
        }
        project.write("go", "");
        let answers: Vec<Value> = (0..5).map(|_| spoken.hear()).collect();
        let result = &answers.iter().find(|answer| answer["id"] == id).unwrap()["result"];
        let text = result.to_string();
        assert_eq!(result["isError"], is_changed, "{settings}: {text}");
        assert!(text.contains(if is_changed { "(package.json) before the start" } else { "READ" }), "{text}");
        assert!(!text.contains("UNREAD"), "{text}");
        spoken.leave();
    }
}

#[test]
fn a_terminal_yes_runs_nothing_if_bound_files_changed_meanwhile() {
    let project = project();
    let changed = project.read("package.json").replace("UPLOADED", "CHANGED");
    let mut terminal = project.terminal(80, &["run", "npm_ship"]);
    terminal.wait_for("[y/N/a/d]");
    project.write("package.json", changed);
    terminal.press("y");
    let shown = terminal.finish();
    assert!(shown.text.contains("Its text changed while you were asked"), "{}", shown.text);
    assert!(shown.code != 0 && !shown.text.contains("CHANGED"), "{}: {}", shown.code, shown.text);
}

#[test]
fn a_question_about_a_script_shows_its_text() {
    let project = project();
    assert_ne!(project.cuff(["run", "script_mark"]).code, 0);
    assert_eq!(waiting(&project)["text"], "#!/bin/sh\necho MARKED\n");
    let lines = "echo 1234567890\n".repeat(512);
    project.write("mark.sh", format!("{lines}node hidden.js\nnpm publish\n{lines}echo the end\n"));
    let shown = project.answer_at_terminal("n\n", &["run", "script_mark"]).text;
    assert!(shown.contains("  │ npm publish") && shown.contains("  │ echo the end"), "{shown}");
    let notice = "  NOT SHOWN: 1014 of its 1027 lines. `cuff why mark.sh` shows all.";
    assert!(shown.contains(notice) && !shown.contains("hidden.js"), "{shown}");
    let why = project.cuff(["why", "scripts.script_mark"]).succeeded().stdout;
    assert!(why.contains("  │ node hidden.js\n") && why.matches("1234567890").count() == 1024, "{why}");
}

/// A person can see each line of the text that runs, wherever the question is put.
#[test]
fn a_question_with_a_hidden_middle_says_so_and_what_shows_it() {
    let project = project();
    let lines = "echo quiet\n".repeat(40);
    project.write("mark.sh", format!("#!/bin/sh\n{lines}node middle.js\nrm -rf /srv\n{lines}echo the end\n"));
    let mut spoken = McpSession::over_pipes(&project, &[]);
    spoken.initialize_with(&json!({"elicitation": {"form": {}}}));
    spoken.begin("tools/call", json!({"name": "scripts.script_mark", "arguments": {}}));
    let asked = spoken.hear();
    let message = asked["params"]["message"].as_str().unwrap();
    let seen = |text: &str| {
        assert!(text.contains("  │ #!/bin/sh\n") && text.contains("  │ echo the end\n"), "both ends: {text}");
        assert!(text.contains("  │ rm -rf /srv\n") && !text.contains("middle.js"), "{text}");
    };
    seen(message);
    assert!(
        message
            .contains("\n  NOT SHOWN: 71 of its 84 lines. `cuff why scripts.script_mark` shows all.\n  in ")
    );
    spoken.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "cancel"}}));
    spoken.hear();
    spoken.leave();
    let id = waiting(&project)["id"].as_str().unwrap().to_owned();
    let whole = project.answer_at_terminal("n\n", &["approve", &id, "--full"]).text;
    assert!(whole.contains("  │ node middle.js\n") && whole.matches("quiet").count() == 80, "{whole}");
    assert!(!whole.contains("NOT SHOWN"), "{whole}");
    let short = project.answer_at_terminal("n\n", &["approve", &id]).text;
    seen(&short);
    assert!(
        short.contains(&format!("  NOT SHOWN: 71 of its 84 lines. `cuff approve {id} --full` shows all.")),
        "{short}"
    );
}
