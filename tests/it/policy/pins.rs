//! An agent that edits what the repository says it may call gains nothing until a person approves.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run};
use crate::support::terminal::Shown;
use crate::support::tools::require;

/// One session of an agent: what the instructions say, the names of the tools, and the answer to each call.
fn agent(project: &Project, options: &[&str], calls: &[(&str, Value)]) -> (String, Vec<String>, Vec<Value>) {
    let mut spoken = McpSession::over_pipes(project, options);
    let hello = spoken.initialize();
    let instructions = hello["result"]["instructions"].as_str().unwrap().to_owned();
    let names = spoken.names();
    let answers = calls.iter().map(|(name, arguments)| spoken.call(name, arguments)).collect();
    spoken.leave();
    (instructions, names, answers)
}

fn names(project: &Project) -> Vec<String> {
    agent(project, &[], &[]).1
}

fn call(project: &Project, name: &str) -> Value {
    agent(project, &[], &[(name, json!({}))]).2.remove(0)
}

fn code(answer: &Value) -> &str {
    answer["structuredContent"]["error_code"].as_str().unwrap_or("none")
}

fn settings(plugins: &str) -> String {
    format!("version: '1'\nplugins:\n{plugins}")
}

/// The folder of the pins, and what lies there.
fn pins(project: &Project) -> Vec<PathBuf> {
    let folder = project.outside().join("home/state/cuff/pins");
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// A person approves the settings at a terminal.
fn approve(project: &Project, answer: &str, options: &[&str]) -> Shown {
    let words: Vec<&str> = ["approve", "settings"].iter().chain(options).copied().collect();
    project.answer_at_terminal(answer, &words)
}

const SCRIPTS: &str = "  scripts: {config: {patterns: ['scripts/*.sh'], environment: {MODE: safe}}}\n";

/// A project whose settings a person has seen.
fn project() -> Project {
    let project = Project::empty();
    project.script("scripts/mode.sh", "#!/bin/sh\necho \"mode $MODE\"\n");
    project.script("evil/evil.sh", "#!/bin/sh\necho evil > evil-ran\n");
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    project.write("settings.yml", settings(SCRIPTS));
    project.approve();
    project
}

/// Everything that settings can loosen, each with a call that would gain by it.
#[test]
fn settings_that_loosen_wait_for_approval() {
    let guarded = "  scripts: {config: {patterns: ['scripts/*.sh'], confirm: true}}\n";
    let off = "  scripts: {enabled: false, config: {patterns: ['scripts/*.sh']}}\n";
    let mode = "scripts.script_scripts_mode";
    let evil = "scripts.script_evil_evil";
    for (before, after, tool, said) in [
        (
            SCRIPTS,
            &format!("{SCRIPTS}  packagejson: {{}}\n")[..],
            "packagejson.npm_hi",
            "new and not offered: packagejson",
        ),
        (off, SCRIPTS, mode, "switched on and not offered: scripts"),
        (
            SCRIPTS,
            "  scripts: {config: {patterns: ['**/*.sh'], environment: {MODE: safe}}}\n",
            evil,
            "changed, and offered as far as it was approved: scripts",
        ),
        (SCRIPTS, "  scripts: {config: {patterns: ['*.sh'], base_directory: evil}}\n", evil, "changed"),
        (
            SCRIPTS,
            "  scripts: {config: {patterns: ['scripts/*.sh'], environment: {MODE: evil}}}\n",
            mode,
            "changed",
        ),
        (
            SCRIPTS,
            "  scripts: {config: {patterns: ['scripts/*.sh'], interpreters: {.sh: evil/evil.sh}}}\n",
            mode,
            "changed",
        ),
        (SCRIPTS, "  scripts: {module: packagejson}\n", "scripts.npm_hi", "changed"),
        (guarded, "  scripts: {config: {patterns: ['scripts/*.sh']}}\n", mode, "changed"),
        (guarded, "  scripts: {config: {patterns: ['scripts/*.sh'], confirm: nothing}}\n", mode, "changed"),
    ] {
        let project = project();
        project.write("settings.yml", settings(before));
        approve(&project, if before == SCRIPTS { "" } else { "y\r" }, &[]).succeeded();
        let calls = [(tool, json!({}))];
        let (instructions, offered, answers) = agent(&project, &[], &calls);
        assert!(!instructions.contains("tell the user"), "{instructions}");
        let as_before = json!([offered, code(&answers[0]), answers[0]["structuredContent"]["data"]]);

        project.write("settings.yml", settings(after));
        let (instructions, offered, answers) = agent(&project, &[], &calls);
        assert!(instructions.contains("settings.yml is not what a person approved"), "{instructions}");
        assert!(
            instructions.contains(said) && instructions.contains("cuff approve settings"),
            "{instructions}"
        );
        let held = json!([offered, code(&answers[0]), answers[0]["structuredContent"]["data"]]);
        let refused = code(&answers[0]) == "CUFF_308";
        assert!(refused || held == as_before, "{after}: {held} and not {as_before}");
        // Below the approved folder the new pattern selects nothing.
        let offered = if after.contains("base_directory") { json!([]) } else { as_before[0].clone() };
        assert_eq!(held[0], offered, "{after}");
        assert!(!project.root().join("evil-ran").exists(), "{after}");
        if refused {
            let advice = answers[0]["structuredContent"]["help"].as_str().unwrap();
            assert!(advice.contains("cuff approve settings"), "{advice}");
            let audit = project.cuff(["audit", "--number", "1"]).succeeded().stdout;
            assert!(audit.contains("  refused  agent  ") && audit.contains(tool), "{audit}");
        }

        approve(&project, "y\r", &[]).succeeded();
        let (instructions, offered, answers) = agent(&project, &[], &calls);
        assert!(!instructions.contains("is not what a person approved"), "{instructions}");
        let now = json!([offered, code(&answers[0]), answers[0]["structuredContent"]["data"]]);
        assert_ne!(now, as_before, "a person approved {after}");
    }
}

#[test]
fn settings_that_tighten_hold_at_once_and_last_once_approved() {
    let project = project();
    let both = format!("{SCRIPTS}  packagejson: {{}}\n");
    project.write("settings.yml", settings(&both));
    approve(&project, "y\r", &[]).succeeded();
    assert_eq!(names(&project).len(), 4);
    project.write("settings.yml", settings(SCRIPTS));
    assert_eq!(names(&project).len(), 2, "an instance was removed");
    project
        .write("settings.yml", settings(&both.replace("packagejson: {}", "packagejson: {enabled: false}")));
    let (instructions, offered, _) = agent(&project, &[], &[]);
    assert_eq!(offered.len(), 2, "an instance was switched off");
    assert!(!instructions.contains("tell the user"), "{instructions}");
    project.write(
        "settings.yml",
        settings(&both.replace("packagejson: {}", "packagejson: {config: {confirm: 'hi'}}")),
    );
    assert_eq!(code(&call(&project, "packagejson.npm_hi")), "PKGJSON_307");
    let note = project.cuff(["list"]).succeeded().stderr;
    assert!(note.contains("stricter than the approved ones"), "{note}");
    approve(&project, "y\r", &[]).succeeded();
    project.write("settings.yml", settings(&both));
    assert_eq!(code(&call(&project, "packagejson.npm_hi")), "PKGJSON_307", "what was approved holds");
    // A comment is no difference to agents.
    project.write("settings.yml", format!("# hello\n{}", settings(&both)));
    approve(&project, "y\r", &[]).succeeded();
    project.write("settings.yml", settings(&both));
    assert!(!project.cuff(["list"]).succeeded().stderr.contains("note:"));
}

#[test]
fn a_person_sees_the_difference_and_says_yes_to_just_that() {
    let project = project();
    let nothing = project.cuff(["approve", "settings"]).succeeded();
    assert!(nothing.stderr.contains("nothing to approve"), "{}", nothing.stderr);
    let hostile = "  scripts: {config: {patterns: ['**/*.sh'], environment: {MODE: \"\u{202e}x\"}}}\n";
    project.write("settings.yml", settings(hostile));
    let waiting = project.cuff(["approvals"]).succeeded().stdout;
    assert!(waiting.starts_with("settings  waiting: settings.yml"), "{waiting}");
    assert_eq!(project.cuff(["approvals", "--json"]).succeeded().json()["settings"]["file"], "settings.yml");
    let note = project.cuff(["list"]).succeeded().stderr;
    assert!(note.contains("agents still use the last approved settings"), "{note}");

    let refused = project.cuff(["approve", "settings"]).ended_with(126);
    assert!(refused.stderr.contains("only a person at a terminal can answer"), "{}", refused.stderr);
    assert!(
        refused.stdout.contains("-   scripts: {config: {patterns: ['scripts/*.sh']"),
        "{}",
        refused.stdout
    );
    project.cuff(["approve", "settings", "--yes"]).ended_with(126);
    let no = approve(&project, "n\r", &[]).ended_with(1);
    let shown = r#"+   scripts: {config: {patterns: ['**/*.sh'], environment: {MODE: "\u{202e}x"}}}"#;
    assert!(no.text.contains(shown) && no.text.contains("Nothing was approved"), "{}", no.text);
    assert_eq!(names(&project).len(), 2);
    let yes = approve(&project, "y\r", &[]).succeeded();
    assert!(yes.text.contains("approved: agents have it from now on"), "{}", yes.text);
    assert_eq!(names(&project).len(), 3);
    assert!(!project.cuff(["approvals"]).succeeded().stdout.contains("settings"));
    let audit = project.cuff(["audit"]).succeeded().stdout;
    assert!(audit.contains("a person approved settings.yml"), "{audit}");
    // Where programs may say yes, they may say this one.
    prefer_yes(&project);
    project.write("settings.yml", settings(SCRIPTS));
    project.cuff(["approve", "settings", "--yes"]).succeeded();
    assert_eq!(names(&project).len(), 2);
}

/// While a person reads, an agent can edit the file again: what was read is pinned.
#[test]
fn approve_pins_the_settings_it_showed_not_later_edits() {
    let project = project();
    project.write("settings.yml", settings(&format!("{SCRIPTS}  packagejson: {{}}\n")));
    let evil = settings("  scripts: {config: {patterns: ['**/*.sh']}}\n");
    let file = project.root().join("settings.yml");
    let mut terminal = project.terminal(80, &["approve", "settings"]);
    terminal.wait_for("[y/N]");
    fs::write(&file, &evil).unwrap();
    terminal.press("y\r");
    terminal.finish().succeeded();
    let (instructions, offered, _) = agent(&project, &[], &[]);
    assert!(
        instructions.contains("changed, and offered as far as it was approved: scripts"),
        "{instructions}"
    );
    assert!(!offered.iter().any(|name| name.contains("evil")), "{offered:?}");
}

/// A server that runs offers what was approved with the next request.
#[test]
fn a_running_server_offers_what_was_approved_meanwhile() {
    let project = project();
    project.write("settings.yml", settings(&format!("{SCRIPTS}  packagejson: {{}}\n")));
    let mut spoken = McpSession::begun(&project, &[]);
    assert_eq!(code(&spoken.call("packagejson.npm_hi", &json!({}))), "CUFF_308");
    approve(&project, "y\r", &[]).succeeded();
    assert_eq!(spoken.call("packagejson.npm_hi", &json!({}))["structuredContent"]["success"], true);
    assert_eq!(spoken.names().len(), 4);
    spoken.leave();
}

/// `cuff serve` in a folder of the project.
fn agent_in(project: &Project, folder: &str) -> (String, Vec<String>) {
    let mut spoken = McpSession::of(project.command(["-C", folder, "serve"]));
    let hello = spoken.initialize();
    let instructions = hello["result"]["instructions"].as_str().unwrap().to_owned();
    let names = spoken.names();
    spoken.leave();
    (instructions, names)
}

#[test]
fn another_settings_file_that_comes_to_count_is_no_first_use() {
    // One that lies nearer, also where a repository seems to begin; one that lies farther; one that is put in its place.
    for (seen, attack) in [
        ("settings.yml", "nearer"),
        ("settings.yml", "own repository"),
        ("web/settings.yml", "farther"),
        ("settings.yml", "link"),
        ("settings.yml", "deleted and made again"),
    ] {
        let project = Project::empty().unapproved();
        fs::create_dir(project.root().join(".git")).unwrap();
        project.script("web/scripts/a.sh", "#!/bin/sh\n");
        project.script("scripts/a.sh", "#!/bin/sh\n");
        project.write(seen, settings(SCRIPTS));
        assert_eq!(agent_in(&project, "web").1, [""; 0], "nobody has approved {seen}");
        project.answer_at_terminal("y\r", &["-C", "web", "approve", "settings"]).succeeded();
        assert_eq!(agent_in(&project, "web").1.len(), 2, "{seen}");
        let evil = settings("  packagejson: {}\n  scripts: {config: {patterns: ['**/*.sh']}}\n");
        let counts = match attack {
            "nearer" => project.write("web/settings.yml", &evil),
            "own repository" => {
                project.write("web/.git", "gitdir: x\n");
                project.write("web/settings.yml", &evil)
            }
            "farther" => {
                fs::remove_file(project.root().join(seen)).unwrap();
                project.write("settings.yml", &evil)
            }
            "link" => {
                fs::remove_file(project.root().join(seen)).unwrap();
                symlink(project.write("evil.yml", &evil), project.root().join(seen)).unwrap();
                project.root().join(seen)
            }
            _ => {
                fs::remove_file(project.root().join(seen)).unwrap();
                assert_eq!(agent_in(&project, "web").1, [""; 0]);
                project.write(seen, &evil)
            }
        };
        let (instructions, held) = agent_in(&project, "web");
        assert!(instructions.contains("is not what a person approved"), "{attack}: {instructions}");
        let same_file = counts == project.root().join(seen);
        assert_eq!(held.len(), if same_file { 2 } else { 0 }, "{attack}: {held:?}");
        // A person's commands there are no approval either, but for approving.
        drop(project.cuff(["-C", "web", "list"]));
        assert_eq!(agent_in(&project, "web").1, held, "{attack}");
        let shown = project.answer_at_terminal("y\r", &["-C", "web", "approve", "settings"]).succeeded().text;
        let whole = shown.contains("now counts instead of") && shown.contains("+ version: '1'");
        assert_eq!(whole, !same_file, "{attack}: {shown}");
        let (instructions, offered) = agent_in(&project, "web");
        assert!(!instructions.contains("is not what a person approved"), "{attack}: {instructions}");
        assert!(offered.len() >= 2, "{attack}: {offered:?}");
        if !same_file {
            // The way back is as long.
            fs::remove_file(&counts).unwrap();
            project.write(seen, settings(SCRIPTS));
            let back = agent_in(&project, "web").1;
            assert_eq!(back, [""; 0], "{attack}");
        }
    }
}

#[test]
fn settings_that_come_where_an_agent_had_none_wait_for_a_person() {
    let users = settings("  scripts: {config: {patterns: ['scripts/*.sh']}}\n");
    for of_the_user in [None, Some(users)] {
        let project = Project::empty().unapproved();
        project.script("scripts/a.sh", "#!/bin/sh\n");
        if let Some(text) = &of_the_user {
            let folder = project.outside().join("home/config/cuff");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("settings.yml"), text).unwrap();
        }
        assert_eq!(names(&project), [""; 0], "the user's own file is for this project once a person says so");
        if of_the_user.is_some() {
            let shown = approve(&project, "y\r", &[]).succeeded().text;
            assert!(shown.contains("settings.yml, as approved and as it is now"), "{shown}");
            assert_eq!(names(&project).len(), 2);
        }
        project.write("package.json", r#"{"scripts": {"evil": "echo"}}"#);
        project.write("settings.yml", settings("  packagejson: {}\n"));
        let (instructions, offered, answers) = agent(&project, &[], &[("packagejson.npm_evil", json!({}))]);
        assert!(
            instructions.contains("o person has approved settings.yml") || of_the_user.is_some(),
            "{instructions}"
        );
        assert_eq!((offered.len(), code(&answers[0])), (0, "CUFF_308"));
        approve(&project, "y\r", &[]).succeeded();
        assert_eq!(names(&project).len(), 2);
        // And without them nothing is offered that a person has not said yes to.
        fs::remove_file(project.root().join("settings.yml")).unwrap();
        assert_eq!(names(&project), [""; 0]);
        if of_the_user.is_some() {
            let shown = approve(&project, "y\r", &[]).succeeded().text;
            assert!(shown.contains("now counts instead of"), "{shown}");
            assert_eq!(names(&project).len(), 2);
        }
    }
}

#[test]
fn a_file_that_is_named_has_a_pin_of_its_own_wherever_it_is_named_from() {
    let project = project();
    project.write("ci/other.yml", settings("  packagejson: {config: {working_directory: ..}}\n"));
    let named = |name: &str| agent(&project, &["--config", name], &[]).1;
    assert_eq!(named("ci/other.yml"), [""; 0], "it was not approved with the other one");
    approve(&project, "y\r", &["--config", "ci/other.yml"]).succeeded();
    assert_eq!(named("ci/other.yml").len(), 2);
    assert_eq!(named("settings.yml").len(), 2, "the same pin as for the one that is found");
    project.write(
        "ci/other.yml",
        settings(
            "  packagejson: {config: {working_directory: ..}}\n  scripts: {config: {patterns: ['*']}}\n",
        ),
    );
    assert_eq!(named("ci/other.yml").len(), 2);
    assert_eq!(named("ci/../ci/other.yml").len(), 2);
    let absolute = project.root().join("ci/other.yml").display().to_string();
    assert_eq!(named(&absolute).len(), 2);
    approve(&project, "y\r", &["--config", "ci/other.yml"]).succeeded();
    assert_ne!(named(&absolute), named("settings.yml"));
    // One that was named before it was there.
    project.cuff(["serve", "--config", "late.yml"]).ended_with(2);
    project.write("late.yml", settings(SCRIPTS));
    assert_eq!(named("late.yml"), [""; 0]);
}

#[test]
fn a_pin_that_cannot_be_read_offers_agents_nothing_and_people_everything() {
    for (damage, mends) in [("{\"format\": 1, \"file", true), ("", true), ("{\"format\": 9}", false)] {
        let project = project();
        let [pin] = &pins(&project)[..] else { panic!("one pin") };
        assert_eq!(fs::metadata(pin).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(pin, damage).unwrap();
        let (instructions, offered, answers) =
            agent(&project, &[], &[("scripts.script_scripts_mode", json!({}))]);
        assert_eq!(offered, [""; 0]);
        assert!(instructions.contains(pin.to_str().unwrap()), "{instructions}");
        assert!(instructions.contains("cuff approve settings"), "{instructions}");
        assert_eq!(answers[0]["isError"], true);
        let listed = project.cuff(["list"]).succeeded();
        assert!(listed.stdout.contains("scripts/mode.sh"), "{}", listed.stdout);
        assert!(listed.stderr.contains("agents are offered nothing"), "{}", listed.stderr);
        project.cuff(["run", "scripts/mode.sh"]).succeeded();
        let approved = approve(&project, if mends { "y\r" } else { "" }, &[]);
        assert_eq!(approved.code == 0, mends, "{}", approved.text);
        assert_eq!(names(&project).len(), if mends { 2 } else { 0 });
        if !mends {
            assert_eq!(fs::read_to_string(pin).unwrap(), damage, "a newer cuff's is left alone");
        }
    }
}

#[test]
fn agents_are_offered_nothing_where_no_pin_can_be_written() {
    let project = project().variable("XDG_STATE_HOME", "").variable("HOME", "");
    let (instructions, offered, _) = agent(&project, &[], &[]);
    assert_eq!(offered, [""; 0]);
    assert!(instructions.contains("set HOME for whatever starts `cuff serve`"), "{instructions}");
    project.cuff(["run", "scripts/mode.sh"]).succeeded();
    // A state directory that is there and cannot be written.
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/bin/sh\n");
    project.write("settings.yml", settings(SCRIPTS));
    fs::write(project.outside().join("home/state"), "").unwrap();
    assert_eq!(names(&project), [""; 0]);
    project.cuff(["run", "scripts/a.sh"]).succeeded();
}

#[test]
fn init_pins_what_it_wrote_and_agents_have_it_at_once() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    // For programs this user has said yes: a first use needs none, and an agent has found no settings here.
    prefer_yes(&project);
    let mut spoken = McpSession::begun(&project, &[]);
    let said = project.cuff(["init", "--yes"]).succeeded().stderr;
    assert!(said.starts_with("Next: "), "{said}");
    assert_eq!(spoken.names().len(), 2);
    spoken.leave();
    let text = project.read("settings.yml");
    project.write("settings.yml", format!("{text}  scripts: {{config: {{patterns: ['*']}}}}\n"));
    assert_eq!(names(&project).len(), 2);
    project.cuff(["init", "--yes", "--force"]).succeeded();
    assert!(agent(&project, &[], &[]).0.find("tell the user").is_none());
}

/// `init` writes an instance that nobody has approved, and the instance waits.
#[test]
fn init_pins_what_was_there_before_only_where_a_person_says_yes() {
    let project = Project::empty();
    let scripts =
        json!({"hi": "echo hi", "boot": format!("{} init --yes --force", env!("CARGO_BIN_EXE_cuff"))});
    project.write("package.json", json!({ "scripts": scripts }).to_string());
    let said = project.cuff(["init", "--yes"]).succeeded().stderr;
    assert!(said.contains("agents do not have these settings") && said.contains("nobody said yes"), "{said}");
    let few = settings("  packagejson: {config: {scripts: [boot], confirm: [npm_hi]}}\n");
    project.write("settings.yml", &few);
    approve(&project, "y\r", &[]).succeeded();
    let offered = names(&project);
    let waits = |said: &Run| {
        assert!(said.stderr.contains("agents do not have these settings"), "{}", said.stderr);
        assert!(said.stderr.contains("`cuff approve settings`"), "{}", said.stderr);
        assert_eq!(names(&project), offered);
    };
    waits(&project.cuff(["init", "--yes", "--force"]).succeeded());
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    waits(&project.cuff(["init", "--yes"]).succeeded());
    project.write("settings.yml", &few);
    project.write("Makefile", "check: ; true\n");
    // Of what was approved agents keep the rest, as `cuff list` says in the same words.
    let said = project.cuff(["init", "--merge"]).succeeded().stderr;
    let warning = "agents still use the last approved settings";
    assert!(
        said.starts_with(&format!("warning: {warning}: ")) && said.contains("`cuff approve settings`"),
        "{said}"
    );
    assert!(project.cuff(["list"]).succeeded().stderr.contains(warning));
    assert_eq!(names(&project), offered);
    // A run pins nothing, even with a yes in the preferences: an agent may have started it.
    project.write("settings.yml", &few);
    prefer_yes(&project);
    let mut spoken = McpSession::begun(&project, &[]);
    let said = spoken.call("packagejson.npm_boot", &json!({}));
    assert!(said.to_string().contains("agents do not have these settings before you approve them"), "{said}");
    spoken.leave();
    assert_ne!(project.read("settings.yml"), few);
    assert_eq!(names(&project), offered);
    // And at a terminal a person is there.
    project.at_terminal(80, &[], &["init", "--yes", "--force"]).succeeded();
    assert!(names(&project).iter().any(|name| name == "makefile.make_check"));
}

fn prefer_yes(project: &Project) {
    let preferences = project.outside().join("home/config/cuff");
    fs::create_dir_all(&preferences).unwrap();
    fs::write(preferences.join("preferences.yml"), "noninteractive_yes: true\n").unwrap();
}

/// A person who adds to a file has read the addition, and not the words of others in the rest.
#[test]
fn instances_that_init_adds_reach_agents_if_the_rest_was_approved() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    prefer_yes(&project);
    project.cuff(["init", "--yes"]).succeeded();
    project.write("package-lock.json", "{}");
    assert_eq!(project.cuff(["init", "--merge"]).succeeded().stderr, "");
    let seen = names(&project);
    assert!(seen.contains(&"npm.ci".to_owned()), "{seen:?}");
    let text = project.read("settings.yml");
    project.write("settings.yml", format!("{text}  scripts: {{config: {{patterns: ['*.sh']}}}}\n"));
    project.script("a.sh", "#!/bin/sh\n");
    project.write("Makefile", "check: ; true\n");
    let said = project.cuff(["init", "--merge"]).succeeded();
    assert!(said.stdout.ends_with("Added makefile to settings.yml\n"), "{}", said.stdout);
    assert!(said.stderr.contains("`cuff approve settings`"), "{}", said.stderr);
    assert_eq!(names(&project), seen);
    approve(&project, "y\r", &[]).succeeded();
    assert!(names(&project).iter().any(|name| name == "makefile.make_check"));
    assert!(names(&project).iter().any(|name| name == "scripts.script_a"));
}

/// A comment is nothing that anybody must approve: every face says so.
#[test]
fn a_comment_changes_nothing() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi", "deploy": "node ship"}}"#);
    prefer_yes(&project);
    project.cuff(["init", "--yes"]).succeeded();
    assert!(project.read("settings.yml").contains("confirm"), "{}", project.read("settings.yml"));
    project.write("settings.yml", project.read("settings.yml") + "# hi\n");
    assert_eq!(project.cuff(["list"]).succeeded().stderr, "");
    assert_eq!(project.cuff(["approvals"]).succeeded().stdout, "");
    let approved = approve(&project, "", &[]).succeeded().text;
    assert!(approved.contains("nothing to approve: agents use the current settings"), "{approved}");
    project.write("package-lock.json", "{}");
    assert_eq!(project.cuff(["init", "--merge"]).succeeded().stderr, "");
    assert!(names(&project).contains(&"npm.ci".to_owned()));
}

/// A reader sees the old pin or the new, whenever the writer dies.
#[test]
fn a_pin_whose_writer_is_killed_is_the_old_or_the_new() {
    let project = project();
    let preferences = project.outside().join("home/config/cuff");
    fs::create_dir_all(&preferences).unwrap();
    fs::write(preferences.join("preferences.yml"), "noninteractive_yes: true\n").unwrap();
    let texts: Vec<String> = (0..2)
        .map(|at| settings(&SCRIPTS.replace("safe", &format!("m{}", at.to_string().repeat(9000)))))
        .collect();
    let mut seen = [0, 0];
    for round in 0..40_u64 {
        project.write("settings.yml", &texts[usize::from(round % 2 == 0)]);
        let mut command = project.command(["approve", "settings", "--yes"]);
        let mut cuff = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // One in eight may write to its end, however busy the machine is.
        if round % 8 != 7 {
            thread::sleep(Duration::from_micros(round * 7919 % 20_000));
            cuff.kill().unwrap();
        }
        cuff.wait().unwrap();
        let whole: Vec<Value> = pins(&project)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .map(|path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
            .collect();
        let [pin] = &whole[..] else { panic!("one pin: {whole:?}") };
        let text = pin["text"].as_str().unwrap();
        assert!(text == settings(SCRIPTS) || texts.iter().any(|one| one == text), "{text}");
        seen[usize::from(pin["by"] == "approved")] += 1;
    }
    assert!(seen[1] > 0, "none was written: {seen:?}");
    assert_eq!(names(&project).len(), 2);
}

/// The names of some tools are known once a program was asked for them.
#[test]
fn under_pinned_trust_the_texts_of_probed_tools_are_pinned_too() {
    if require("just").is_none() {
        return;
    }
    let project = Project::empty();
    project.write("settings.yml", settings("  just: {config: {trust: pinned}}\n"));
    let lay_out = |what: &str| {
        project.write("justfile", "import 'more.just'\n\nhi:\n    @echo hi\n");
        project.write("more.just", format!("say:\n    @{what}\n"));
    };
    let calls = ["just.just_hi", "just.just_say"].map(|tool| (tool, json!({})));
    let codes =
        || agent(&project, &[], &calls).2.iter().map(|answer| code(answer).to_owned()).collect::<Vec<_>>();
    lay_out("echo good");
    assert_eq!(codes(), ["none"; 2], "the first use");
    lay_out("echo evil >> evil-ran");
    assert_eq!(codes(), ["JUST_308"; 2], "any line can change what any recipe runs");
    assert!(!project.root().join("evil-ran").exists());
    let shown = approve(&project, "y\r", &[]).succeeded().text;
    for part in ["what these run: just.just_hi, just.just_say", "+     @echo evil >> evil-ran"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(codes(), ["none"; 2]);
    assert!(project.root().join("evil-ran").exists());
    // A text that just alone can read cannot be approved.
    project.write("justfile", "import x'more.just'\n\nhi:\n    @echo hi\n");
    assert_eq!(codes(), ["JUST_308"; 2]);
}

/// The question that comes before such a program is started.
const RUN_THAT: &str = "Run that, to see what the tools run?";

#[test]
fn a_program_that_changed_settings_name_starts_after_a_person_has_seen_them() {
    if require("just").is_none() {
        return;
    }
    let project = Project::empty();
    project.write("justfile", "hi:\n    @echo hi\n");
    project.write("settings.yml", settings("  just: {config: {trust: pinned}}\n"));
    let call = [("just.just_hi", json!({}))];
    assert_eq!(code(&agent(&project, &[], &call).2[0]), "none", "the first use");
    project.script("other-just", "#!/bin/sh\ntouch has-run\nexec just \"$@\"\n");
    let root = project.root().display().to_string();
    let named = format!("  just: {{config: {{trust: pinned, just_command: {root}/other-just}}}}\n");
    project.write("settings.yml", settings(&named));
    let has_run = || project.root().join("has-run").exists();
    assert!(project.cuff(["approvals"]).succeeded().stdout.contains("settings  waiting"));
    let refused = project.cuff(["approve", "settings"]);
    assert!(refused.code != 0 && refused.stdout.contains("/other-just --justfile"), "{refused:?}");
    let shown = approve(&project, "n\r", &[]).text;
    assert!(shown.contains("just_command: /") && shown.contains(RUN_THAT), "{shown}");
    assert!(!has_run(), "nobody has agreed to it");
    let mut terminal = project.terminal(300, &["approve", "settings"]);
    terminal.wait_for(RUN_THAT);
    // Other settings than those that were shown are shown before their program is started.
    project.script("third-just", "#!/bin/sh\ntouch third-has-run\nexec just \"$@\"\n");
    project.write("settings.yml", settings(&named.replace("other-just", "third-just")));
    terminal.press("y\r");
    terminal.wait_for("/third-just --justfile");
    assert!(!has_run() && !project.root().join("third-has-run").exists());
    project.write("settings.yml", settings(&named));
    terminal.press("n\r");
    terminal.finish();
    let mut terminal = project.terminal(300, &["approve", "settings"]);
    terminal.wait_for(RUN_THAT);
    terminal.press("y\r");
    terminal.wait_for("Let agents have this?");
    assert!(has_run());
    terminal.press("y\r");
    terminal.finish().succeeded();
    assert_eq!(code(&agent(&project, &[], &call).2[0]), "none");
}

/// The packages that an instance takes in are pinned with it, each with its own text.
#[test]
fn under_pinned_trust_each_package_has_its_own_text() {
    let project = Project::empty();
    project.write(
        "settings.yml",
        settings("  packagejson: {config: {trust: pinned, packages: {include: ['*']}}}\n"),
    );
    let package = |name: &str, text: &str| {
        project.write(
            &format!("packages/{name}/package.json"),
            json!({"name": format!("@x/{name}"), "scripts": {"hi": text}}).to_string(),
        );
    };
    project.write("package.json", json!({"name": "x", "workspaces": ["packages/*"]}).to_string());
    package("core", "echo good");
    package("ui", "echo good");
    let shown = approve(&project, "y\r", &[]).succeeded().text;
    assert!(shown.contains("core.npm_hi"), "{shown}");
    let codes = || {
        let of = |name: &str| ("packagejson.npm_hi", json!({"package": name}));
        agent(&project, &[], &[of("core"), of("ui")])
            .2
            .iter()
            .map(|answer| code(answer).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(), ["none", "none"]);
    package("ui", "echo evil");
    assert_eq!(codes(), ["none", "PKGJSON_308"]);
    approve(&project, "y\r", &[]).succeeded();
    assert_eq!(codes(), ["none", "none"]);
}

/// Under `trust: pinned` what a tool runs is pinned as well.
#[test]
fn under_pinned_trust_agents_run_what_a_person_has_read() {
    let project = Project::empty();
    let plugins = "  packagejson: {config: {trust: pinned}}\n  makefile: {config: {trust: pinned}}\n  scripts: {config: {trust: pinned, patterns: ['scripts/*']}}\n";
    project.write("settings.yml", settings(plugins));
    let lay_out = |what: &str| {
        project.write("package.json", json!({"scripts": {"hi": "echo hi", "prehi": what}}).to_string());
        project.write("Makefile", format!("include inc.mk\nhi: ; @$(SAY)\nhey: ; @{what}\n"));
        project.write("inc.mk", format!("SAY = {what}\n"));
        project.script("scripts/hi.sh", format!("#!/bin/sh\n{what}\n"));
    };
    let tools = ["packagejson.npm_hi", "makefile.make_hi", "makefile.make_hey", "scripts.script_scripts_hi"];
    let calls = tools.map(|tool| (tool, json!({})));
    let codes =
        || agent(&project, &[], &calls).2.iter().map(|answer| code(answer).to_owned()).collect::<Vec<_>>();
    lay_out("echo good");
    assert_eq!(codes(), ["none"; 4], "the first use");
    lay_out("echo evil >> evil-ran");
    assert_eq!(codes(), ["PKGJSON_308", "MAKE_308", "MAKE_308", "SCRIPT_308"]);
    assert!(!project.root().join("evil-ran").exists());
    let (instructions, ..) = agent(&project, &[], &[]);
    assert!(
        instructions.contains("no person has approved what they run now: packagejson.npm_hi"),
        "{instructions}"
    );
    // Neither does a dry run, which with make would run the Makefile.
    let (.., dry) = agent(&project, &[], &tools.map(|tool| (tool, json!({"dry_run": true}))));
    assert!(dry.iter().all(|answer| code(answer).ends_with("_308")), "{dry:?}");
    assert!(
        project
            .cuff(["audit"])
            .succeeded()
            .stdout
            .contains("Nobody has approved what makefile.make_hi runs as it is now")
    );
    // A new one, and one whose text alone came from elsewhere.
    project.script("scripts/new.sh", "#!/bin/sh\n");
    assert_eq!(code(&call(&project, "scripts.script_scripts_new")), "SCRIPT_308");
    // People run what they like.
    project.cuff(["run", "scripts/new.sh"]).succeeded();

    let shown = approve(&project, "y\r", &[]).succeeded().text;
    for part in [
        "what these run: makefile.make_hey, makefile.make_hi",
        "- SAY = echo good",
        "+ SAY = echo evil >> evil-ran",
        "what these run: packagejson.npm_hi",
        "what these run: scripts.script_scripts_new",
        "  the settings are the same",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(codes(), ["none"; 4]);
    assert_eq!(project.read("evil-ran").lines().count(), 4);
    let nothing = project.cuff(["approve", "settings"]).succeeded();
    assert!(nothing.stderr.contains("nothing to approve"), "{}", nothing.stderr);
    // To trust names instead takes a person too.
    project.write("settings.yml", settings(&plugins.replace("trust: pinned", "trust: names")));
    lay_out("echo evil");
    assert_eq!(codes(), ["PKGJSON_308", "MAKE_308", "MAKE_308", "SCRIPT_308"]);
    // A script that no person could be shown.
    project.write("settings.yml", settings(plugins));
    let long = format!("#!/bin/sh\n#{}\n", "x".repeat(1024 * 1024));
    project.script("scripts/hi.sh", long);
    approve(&project, "y\r", &[]).succeeded();
    assert_eq!(codes(), ["none", "none", "none", "SCRIPT_308"]);
    let refused = call(&project, "scripts.script_scripts_hi")["structuredContent"].clone();
    assert!(refused["error"].as_str().unwrap().contains("cannot be read completely"), "{refused}");
}

/// A manager's configuration in the project chooses the shell of scripts, so it is a part of what they run.
#[test]
fn under_pinned_trust_the_settings_that_choose_a_shell_are_pinned() {
    for (manager, file, text) in [
        ("npm", ".npmrc", "script-shell=./sh.sh\n"),
        ("pnpm", ".npmrc", "script-shell=./sh.sh\n"),
        ("pnpm", "pnpm-workspace.yaml", "packages: []\nscriptShell: ./sh.sh\n"),
        ("yarn", ".yarnrc.yml", "yarnPath: ./sh.cjs\n"),
        ("yarn", ".yarnrc", "yarn-path ./sh.cjs\n"),
        ("bun", "bunfig.toml", "[run]\nshell = 'system'\n"),
    ] {
        let project = Project::empty();
        let config = format!("  packagejson: {{config: {{trust: pinned, package_manager: {manager}}}}}\n");
        project.write("settings.yml", settings(&config));
        project.write("app/package.json", "{}");
        project.write("package.json", json!({"scripts": {"hi": "echo hi"}}).to_string());
        approve(&project, "y\r", &[]).succeeded();
        let tool = format!("packagejson.{manager}_hi");
        let dry = || agent(&project, &[], &[(&tool, json!({"dry_run": true}))]).2;
        assert_eq!(code(&dry()[0]), "none", "{manager}");
        // Where packages come from is no part of what a script runs.
        project
            .write(".npmrc", "//registry.example/:_authToken=secret\n@a:registry=https://registry.example\n");
        assert_eq!(code(&dry()[0]), "none", "{manager}");
        project.write(file, text);
        assert_eq!(code(&dry()[0]), "PKGJSON_308", "{manager}, {file}");
        let shown = approve(&project, "y\r", &[]).succeeded().text;
        assert!(shown.contains("sh") && !shown.contains("secret"), "{shown}");
        assert_eq!(code(&dry()[0]), "none", "{manager}, {file}");
    }
}

/// The report to a person about agents, the instructions of the agents and the results of their calls agree.
#[test]
fn every_face_says_which_texts_nobody_has_approved() {
    let project = Project::empty();
    let plugins =
        |config: &str| settings(&format!("  scripts: {{config: {{patterns: ['*.sh']{config}}}}}\n"));
    let pinned = plugins(", trust: pinned");
    for name in ["same", "other"] {
        project.script(&format!("{name}.sh"), "#!/bin/sh\necho good\n");
    }
    project.write("settings.yml", plugins(""));
    project.cuff(["list"]).succeeded();
    project.write("settings.yml", &pinned);
    approve(&project, "y\r", &[]).succeeded();
    project.script("other.sh", "#!/bin/sh\necho evil\n");
    project.script("new.sh", "#!/bin/sh\n");
    for now in [pinned.clone(), plugins(", trust: pinned, environment: {MODE: other}")] {
        project.write("settings.yml", &now);
        let mut spoken = McpSession::begun(&project, &[]);
        let offered = spoken.ask("tools/list", json!({}))["result"]["tools"].clone();
        let doctor = project.cuff(["doctor"]).stdout;
        for (name, is_refused) in [("same", false), ("other", true), ("new", true)] {
            let tool = format!("scripts.script_{name}");
            let why = project.cuff(["why", &tool]).succeeded().stdout;
            assert_eq!(
                why.contains("agents    are refused it: Nobody has approved what "),
                is_refused,
                "{now}{why}"
            );
            let offer = offered.as_array().unwrap().iter().find(|one| one["name"] == tool.as_str()).unwrap();
            assert_eq!(offer["description"], format!("Run {name}.sh"));
            let listed = spoken.call("cuff", &json!({"action": "list", "tool": &tool}));
            let text = listed["content"][0]["text"].as_str().unwrap();
            let mark = "(refused: nobody has approved what it runs now)";
            assert_eq!(text.contains(mark), is_refused, "{now}{text}");
            let answer = spoken.call(&tool, &json!({}));
            let expected = if is_refused { "SCRIPT_308" } else { "none" };
            assert_eq!(code(&answer), expected, "{now}{answer}");
            assert_eq!(doctor.contains(&tool), is_refused, "{now}{doctor}");
        }
        spoken.leave();
    }
}

/// Settings of the user's own are pinned for each project, and so is what a project has under them.
#[test]
fn under_pinned_trust_of_the_user_a_project_is_pinned_too() {
    let project = Project::empty();
    let folder = project.outside().join("home/config/cuff");
    fs::create_dir_all(&folder).unwrap();
    let users = |plugins: &str| fs::write(folder.join("settings.yml"), settings(plugins)).unwrap();
    users("  scripts: {config: {trust: pinned, patterns: ['*.sh']}}\n");
    let ran = || code(&call(&project, "scripts.script_a")).to_owned();
    project.script("a.sh", "#!/bin/sh\necho a\n");
    assert_eq!(ran(), "CUFF_308", "for this project nobody has approved them");
    approve(&project, "y\r", &[]).succeeded();
    assert_eq!(ran(), "none");
    project.script("a.sh", "#!/bin/sh\necho b\n");
    assert_eq!(ran(), "SCRIPT_308");
    let shown = approve(&project, "y\r", &[]).succeeded().text;
    assert!(shown.contains("- echo a") && shown.contains("+ echo b"), "{shown}");
    assert_eq!(ran(), "none");
    users("  scripts: {config: {patterns: ['*.sh']}}\n");
    project.script("a.sh", "#!/bin/sh\necho c\n");
    assert_eq!(ran(), "SCRIPT_308", "an agent may have written it");
    approve(&project, "y\r", &[]).succeeded();
    assert_eq!(ran(), "none");
}

/// Else a list alone would run what nobody has approved.
#[test]
fn under_pinned_trust_no_list_runs_the_makefile() {
    let project = Project::empty();
    project
        .write("settings.yml", settings("  makefile: {config: {trust: pinned, extractor: make_database}}\n"));
    project.write("Makefile", "hi: ; @echo hi\n");
    assert_eq!(names(&project).len(), 2);
    project.write("Makefile", "$(shell touch ran): ; @echo hi\n");
    names(&project);
    let dry = json!({"dry_run": true});
    agent(&project, &[], &[("makefile.make_hi", dry)]);
    assert!(!project.root().join("ran").exists());
}

/// make would first make its makefiles, by rules of its own: a Makefile from a newer `Makefile.sh`.
#[test]
fn under_pinned_trust_make_reads_the_makefile_that_is_there() {
    let project = Project::empty();
    project.write("settings.yml", settings("  makefile: {config: {trust: pinned}}\n"));
    let makefile = "include ./inc.mk\n-include none.mk\nhi: ; @echo $(SAY)\n";
    project.write("Makefile", makefile);
    project.write("inc.mk", "SAY = good\n");
    assert_eq!(code(&call(&project, "makefile.make_hi")), "none", "the first use");
    let evil = "$(shell touch evil-ran)\nSAY = evil\nhi: ; @echo evil\n";
    let later = std::time::SystemTime::now() + Duration::from_mins(1);
    for name in ["Makefile.sh", "inc.mk.sh", "none.mk.sh"] {
        project.write(name, evil);
        fs::File::options().write(true).open(project.root().join(name)).unwrap().set_modified(later).unwrap();
    }
    let answer = call(&project, "makefile.make_hi");
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("good"), "{answer}");
    assert_eq!(project.read("Makefile"), makefile);
    assert!(!project.root().join("evil-ran").exists());
    assert!(!project.root().join("none.mk").exists());
}

/// A variable of a call, its target, or the mere fact that it is a run may have another file included.
#[test]
fn under_pinned_trust_no_call_has_another_file_read() {
    let project = Project::empty();
    project.write("settings.yml", settings("  makefile: {config: {trust: pinned}}\n"));
    let makefile = "Q = 1\nE =\nV = 0\nifeq ($(Q),2)\ninclude c.mk\nendif\n-include $(E) $(N)\n\
                    ifeq ($(MAKECMDGOALS),own)\ninclude c.mk\nendif\nhi own: ; @echo nice $(X) $(V)\n";
    project.write("Makefile", makefile);
    project.write("c.mk", "X = CHANGED\n");
    let set = |words: &str| json!({"extra_args": words});
    let calls = [
        ("makefile.make_hi", json!({})),
        ("makefile.make_hi", set("V=1")),
        ("makefile.make_hi", set("Q=2")),
        ("makefile.make_hi", set("E=c.mk")),
        ("makefile.make_hi", json!({"env": {"N": "c.mk"}})),
        ("makefile.make_own", json!({})),
    ];
    let (_, _, answers) = agent(&project, &[], &calls);
    let codes: Vec<&str> = answers.iter().map(code).collect();
    assert_eq!(codes, ["none", "MAKE_304", "MAKE_304", "MAKE_304", "MAKE_304", "none"], "{answers:?}");
    // A file that only another goal includes is part of the pinned text.
    project.write("c.mk", "X = OTHER\n");
    assert_eq!(code(&call(&project, "makefile.make_own")), "MAKE_308");
    project.write("c.mk", "X = CHANGED\n");
    let listed = settings("  makefile: {config: {trust: pinned, env: [V]}}\n");
    project.write("settings.yml", listed);
    let (_, _, answers) =
        agent(&project, &[], &[("makefile.make_hi", set("V=1")), ("makefile.make_hi", set("Q=2"))]);
    assert_eq!(answers.iter().map(code).collect::<Vec<_>>(), ["none", "MAKE_304"], "{answers:?}");
    project.write("Makefile", "ifdef CUFF_RUN\nF = c.mk\nendif\n-include $(F)\nhi: ; @echo nice $(X)\n");
    project.answer_at_terminal("y", &["approve", "settings"]);
    let answer = call(&project, "makefile.make_hi");
    assert_eq!(code(&answer), "MAKE_308", "what is included cannot be known: {answer}");
}

/// Nobody reads thousands of lines for the one that matters.
#[test]
fn a_change_is_summed_up_before_a_difference_of_bounded_length() {
    let project = Project::empty();
    let targets = |mark: &str, count: usize| {
        (0..count).map(|at| format!("t{at}: ; @echo {mark} {at}\n")).collect::<Vec<_>>().concat()
    };
    project.write("Makefile", targets("a", 2000));
    project.script("scripts/hi.sh", "#!/bin/sh\n");
    project.write("extra.sh", "#!/bin/sh\n");
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    let scripts = "  scripts: {config: {patterns: ['scripts/*']}}\n";
    let make = "  makefile: {config: {trust: pinned}}\n";
    project.write(
        "settings.yml",
        settings(&format!(
            "{make}{scripts}  old: {{module: npm}}\n  extra: {{module: npm, enabled: false}}\n"
        )),
    );
    agent(&project, &[], &[]);
    project.write("Makefile", targets("b", 1999) + "new: ; @echo new\n");
    project.write(
        "settings.yml",
        settings(&format!(
            "{make}  scripts: {{config: {{patterns: ['*.sh'], timeouts: {{}}}}}}\n  packagejson: {{}}\n  \
             extra: {{module: npm, enabled: true}}\n"
        )),
    );
    let shown = approve(&project, "n\r", &[]).ended_with(1).text;
    for line in [
        "  new           packagejson\n",
        "  switched on   extra\n",
        "  changed       scripts (patterns",
        "  removed       old\n",
        "  texts         1 new, 1999 changed, 1 removed\n",
        " fewer ",
        "  NOT SHOWN: ",
        " lines of the difference. `cuff approve settings --full` shows all.\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown:.3000}");
    }
    assert!(
        shown.contains("packagejson.npm_hi") && shown.contains("scripts.script_scripts_hi"),
        "{shown:.3000}"
    );
    assert!(shown.lines().count() < 330, "{}", shown.lines().count());
    assert!(shown.find("  new  ").unwrap() < shown.find("@@ line").unwrap(), "the summary comes first");
    let whole = approve(&project, "n\r", &["--full"]).ended_with(1).text;
    assert!(whole.contains("echo b 1500") && !whole.contains("NOT SHOWN"), "all of it");
    assert!(whole.lines().count() > 6000, "{}", whole.lines().count());
    let said = |text: &str| text.lines().find(|line| line.contains(" went, ")).unwrap().trim().to_owned();
    assert_eq!(said(&shown), said(&whole), "the question counts all lines");
}

#[test]
fn a_pin_above_the_root_of_a_repository_counts_for_nothing_below() {
    let repository = |folder: &str| {
        let project = Project::empty();
        project.write("settings.yml", settings(SCRIPTS));
        project.script("scripts/a.sh", "#!/bin/sh\n");
        assert_eq!(names(&project).len(), 2, "the folder above is pinned");
        project.write(&format!("{folder}/settings.yml"), settings("  packagejson: {}\n"));
        project.write(&format!("{folder}/package.json"), r#"{"scripts": {"own": "true"}}"#);
        project.unapproved()
    };
    let git = |project: &Project, at: &str| {
        for name in ["HEAD", "objects/x", "refs/x"] {
            project.write(&format!("{at}/{name}"), "ref: refs/heads/main\n");
        }
    };
    let offers = |project: &Project, folder: &str| {
        let (instructions, names) = agent_in(project, folder);
        if instructions.contains("o person has approved settings.yml") {
            // Nothing above counts, so that this is all new, and a person approves just this.
            assert_eq!(names, [""; 0], "{folder}");
            let words = ["-C", folder, "approve", "settings"];
            let shown = project.answer_at_terminal("y\r", &words).succeeded().text;
            assert!(!shown.contains("now counts instead of"), "{shown}");
            return (true, agent_in(project, folder).1.len());
        }
        (!instructions.contains("is not what a person approved"), names.len())
    };
    let own = repository("own");
    git(&own, "own/.git");
    assert_eq!(offers(&own, "own"), (true, 2), "a repository of its own");
    let submodule = repository("module");
    git(&submodule, ".git/modules/module");
    submodule.write("module/.git", "gitdir: ../.git/modules/module\n");
    assert_eq!(offers(&submodule, "module"), (true, 2), "a submodule");
    let worktree = repository("tree");
    git(&worktree, ".git");
    worktree.write(".git/worktrees/tree/HEAD", "ref: refs/heads/x\n");
    worktree.write(".git/worktrees/tree/commondir", "../..\n");
    worktree.write("tree/.git", "gitdir: ../.git/worktrees/tree\n");
    assert_eq!(offers(&worktree, "tree"), (true, 2), "a worktree");
    // Settings above are not read either: without a file of its own the repository has none.
    fs::remove_file(worktree.root().join("tree/settings.yml")).unwrap();
    let listed = worktree.cuff(["-C", "tree", "list"]);
    assert!(
        listed.stderr.contains("no settings.yml yet") && !listed.stdout.contains("script_"),
        "{listed:?}"
    );
    // A folder that is no repository for git hides no pin: an agent could make that with one file.
    let fake = repository("fake");
    fake.write("fake/.git", "gitdir: nowhere\n");
    assert_eq!(offers(&fake, "fake"), (false, 0));
}

#[test]
fn the_self_test_fails_where_agents_do_not_have_all_settings() {
    let project = Project::empty();
    project.write("settings.yml", settings(SCRIPTS));
    project.script("scripts/a.sh", "#!/bin/sh\n");
    project.cuff(["serve", "--self-test"]).succeeded();
    project.write("package.json", r#"{"scripts": {"own": "true"}}"#);
    project.write("settings.yml", settings(SCRIPTS) + "  packagejson: {}\n");
    let failed = project.cuff(["serve", "--self-test"]).ended_with(1).stdout;
    assert!(failed.contains("FAILED  settings: ") && failed.contains("cuff approve settings"), "{failed}");
}

/// The name may be one that the change brings.
#[test]
fn an_unknown_name_says_that_a_change_waits_to_agents_alone() {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    project.script("tools/x.sh", "#!/bin/sh\necho x\n");
    project.cuff(["init", "--yes", "--plugins", "scripts"]).succeeded();
    project.approve();
    let settings =
        project.read("settings.yml").replace("- scripts/*.sh", "- scripts/*.sh\n      - tools/x.sh");
    project.write("settings.yml", settings);
    project.cuff(["run", "tools/x.sh"]).succeeded();
    let unknown = project.cuff(["run", "tools/y.sh"]).ended_with(127).stderr;
    assert!(!unknown.contains("cuff approve settings"), "{unknown}");
    let agents = Project::at(&project).variable("CLAUDECODE", "1");
    for name in ["extra/x.sh", "extra/y.sh"] {
        let refused = agents.cuff(["run", name]);
        assert!(
            refused.code >= 126 && refused.stderr.contains("cuff approve settings"),
            "{name}: {refused:?}"
        );
    }
}
