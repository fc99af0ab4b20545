//! A running server offers the current tools of the project, and tells its client when they have changed.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::mcp_session::{McpSession, newest};
use crate::support::process::until;
use crate::support::project::Project;

/// No notification takes longer in a test.
const PATIENCE: Duration = Duration::from_secs(30);
/// Twice the time that a server takes to report a change, at least.
const SILENCE: Duration = Duration::from_millis(600);

/// The protocol of a client.
#[derive(Debug, Clone, Copy)]
enum Era {
    /// With a handshake, and notifications for all.
    Old,
    /// 2026-07-28: stateless, and notifications for clients that subscribe.
    New,
}

const ERAS: [Era; 2] = [Era::Old, Era::New];

/// A client that has listed the tools and wants to hear of changes.
struct Client {
    spoken: McpSession,
    listens: Option<u32>,
}

impl Client {
    fn of(project: &Project, era: Era) -> Self {
        let log = fs::File::create(project.outside().join("log")).unwrap();
        let mut command = project.command(["serve"]);
        command.stderr(log);
        let mut spoken = McpSession::of(command);
        let listens = match era {
            Era::Old => {
                let hello = spoken.initialize();
                assert_eq!(hello["result"]["capabilities"]["tools"]["listChanged"], true, "{hello}");
                spoken.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
                None
            }
            Era::New => {
                spoken.meta = Some(newest());
                let hello = spoken.ask("server/discover", json!({}));
                assert_eq!(hello["result"]["capabilities"]["tools"]["listChanged"], true, "{hello}");
                let wanted = json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}});
                let id = spoken.begin("subscriptions/listen", wanted);
                let said = spoken.hear_within(PATIENCE).unwrap();
                assert_eq!(said["method"], "notifications/subscriptions/acknowledged", "{said}");
                assert_eq!(said["params"]["notifications"], json!({"toolsListChanged": true}), "{said}");
                Some(id)
            }
        };
        let mut client = Self { spoken, listens };
        client.spoken.names();
        client
    }

    /// Receives one notice of a change, and returns the names of the tools then.
    fn hears(&mut self, what: &str) -> Vec<String> {
        let said = self.spoken.hear_within(PATIENCE).unwrap_or_else(|| panic!("nothing is heard: {what}"));
        assert_eq!(said["method"], "notifications/tools/list_changed", "{what}: {said}");
        if let Some(id) = self.listens {
            assert_eq!(said["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id, "{said}");
        }
        let names = self.spoken.names();
        self.is_left_alone(what);
        names
    }

    fn is_left_alone(&mut self, what: &str) {
        let said = self.spoken.hear_within(SILENCE);
        assert_eq!(said, None, "{what}");
    }
}

fn log(project: &Project) -> String {
    fs::read_to_string(project.outside().join("log")).unwrap()
}

fn package(scripts: &[&str]) -> String {
    let scripts: serde_json::Map<String, Value> =
        scripts.iter().map(|name| ((*name).to_owned(), json!(format!("echo {name}")))).collect();
    json!({"scripts": scripts}).to_string()
}

fn settings(plugins: &str) -> String {
    format!("version: '1'\nplugins:\n{plugins}")
}

const PLUGINS: &str = "  packagejson: {config: {package_manager: npm}}\n  \
    makefile: {config: {extractor: simple}}\n  scripts: {config: {patterns: ['scripts/**/*.sh']}}\n";

fn project() -> Project {
    let project = Project::empty();
    project.write("package.json", package(&["hi"]));
    project.write("Makefile", "include inc.mk\nhi: ; @echo hi\n");
    project.write("inc.mk", "");
    project.script("scripts/a.sh", "#!/bin/sh\n# Does it\nexit 0\n");
    project.write("settings.yml", settings(PLUGINS));
    project.cuff(["list"]).succeeded();
    project
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|one| one.ends_with(name))
}

#[test]
fn a_client_of_each_era_hears_once_of_many_changes() {
    for era in ERAS {
        let project = project();
        let mut client = Client::of(&project, era);
        for round in 0..40 {
            project.write("package.json", package(&["hi", &format!("n{round}")]));
        }
        project.script("scripts/b.sh", "#!/bin/sh\n");
        project.write("Makefile", "hi: ; @echo hi\nho: ; @echo ho\n");
        let names = client.hears("a burst");
        assert!(has(&names, "npm_n39") && has(&names, "scripts_b") && has(&names, "make_ho"), "{names:?}");
        assert!(!has(&names, "npm_n38"), "{names:?}");
        client.spoken.leave();
    }
}

#[test]
fn all_files_that_tools_are_read_from_are_watched() {
    let project = project();
    let mut client = Client::of(&project, Era::Old);
    let at = |path: &str| project.root().join(path);

    project.write("package.json", package(&["hi", "edited"]));
    assert!(has(&client.hears("package.json"), "npm_edited"));
    project.write("new.json", package(&["hi", "renamed"]));
    fs::rename(at("new.json"), at("package.json")).unwrap();
    assert!(has(&client.hears("another file in its place"), "npm_renamed"));
    project.write("package.json", package(&["hi", "again"]));
    assert!(has(&client.hears("the file that came in its place"), "npm_again"));
    fs::remove_file(at("package.json")).unwrap();
    assert!(!has(&client.hears("package.json is gone"), "npm_again"));
    project.write("package.json", package(&["back"]));
    assert!(has(&client.hears("package.json is back"), "npm_back"));

    project.write("inc.mk", "included: ; @echo\n");
    assert!(has(&client.hears("what the Makefile includes"), "make_included"));
    project.write("Makefile", "alone: ; @echo\n");
    assert!(!has(&client.hears("the Makefile"), "make_included"));

    project.script("scripts/b.sh", "#!/bin/sh\n");
    assert!(has(&client.hears("a script"), "script_scripts_b"));
    project.script("scripts/deep/down/c.sh", "#!/bin/sh\n");
    assert!(has(&client.hears("a script in new folders"), "script_scripts_deep_down_c"));
    project.script("scripts/deep/down/d.sh", "#!/bin/sh\n");
    assert!(has(&client.hears("a script in a folder that was new"), "script_scripts_deep_down_d"));
    project.script("scripts/a.sh", "#!/bin/sh\n# Does that\nexit 0\n");
    assert!(has(&client.hears("a description"), "script_scripts_a"));
    fs::rename(at("scripts"), at("away")).unwrap();
    assert!(!has(&client.hears("the folder is gone"), "script_scripts_a"));
    fs::rename(at("away"), at("scripts")).unwrap();
    assert!(has(&client.hears("the folder is back"), "script_scripts_a"));

    // A change without effect on the offered tools causes no notice.
    project.script("scripts/a.sh", "#!/bin/sh\n# Does that\nexit 1\n");
    project.write("package.json", format!("{}\n\n", package(&["back"])));
    project.write("node_modules/a/package.json", package(&["evil"]));
    project.write("elsewhere.txt", "x");
    project.write("settings.yml", format!("# a comment\n{}", settings(PLUGINS)));
    client.is_left_alone("no tool changed");
    client.spoken.leave();
}

#[test]
fn settings_that_break_leave_those_from_before_until_they_are_mended() {
    for era in ERAS {
        let project = project();
        let mut client = Client::of(&project, era);
        let before = client.spoken.names();
        project.write("settings.yml", "version: '1'\nplugins: [\n");
        until("it is said", || log(&project).contains("the settings from before hold on"));
        client.is_left_alone("broken settings");
        assert!(log(&project).contains("the settings are not valid YAML"), "{}", log(&project));
        assert_eq!(client.spoken.names(), before);
        assert_eq!(client.spoken.call("packagejson.npm_hi", &json!({}))["isError"], false);
        let unknown = client.spoken.call("other.npm_hi", &json!({}));
        let help = unknown["structuredContent"]["help"].as_str().unwrap();
        assert!(help.contains("settings.yml:3:1"), "{help}");
        if let Era::New = era {
            let hello = client.spoken.ask("server/discover", json!({}));
            let instructions = hello["result"]["instructions"].as_str().unwrap();
            assert!(instructions.contains("settings.yml:3:1"), "{instructions}");
            assert!(instructions.contains("the settings from before hold on"), "{instructions}");
        }
        assert_eq!(log(&project).matches("the settings from before hold on").count(), 1, "once is enough");
        assert!(!log(&project).contains("nothing is offered"), "it is: {}", log(&project));
        assert!(log(&project).contains("`cuff schema` describes the file"), "{}", log(&project));

        project.write("settings.yml", settings(PLUGINS));
        until("it is said", || log(&project).contains("settings.yml holds from now on"));
        client.is_left_alone("the same settings as before");
        let unknown = client.spoken.call("other.npm_hi", &json!({}));
        assert!(
            !unknown["structuredContent"]["help"].as_str().unwrap().contains("settings.yml"),
            "{unknown}"
        );
        // A change that removes something does not wait.
        project.write("settings.yml", settings("  packagejson: {}\n"));
        assert!(!has(&client.hears("an instance less"), "make_hi"));
        client.spoken.leave();
    }
}

#[test]
fn approved_settings_are_offered_and_notified_at_once() {
    for era in ERAS {
        let project = project();
        let mut client = Client::of(&project, era);
        let pnpm = PLUGINS.replace("package_manager: npm", "package_manager: pnpm");
        let more = "  more: {module: scripts, config: {patterns: ['more/*.sh']}}\n";
        project.script("more/b.sh", "#!/bin/sh\n");
        project.write("settings.yml", settings(&(pnpm + more)));
        client.is_left_alone("nobody has approved it");
        assert!(log(&project).contains("is not what a person approved"), "{}", log(&project));
        assert!(log(&project).contains("note: settings.yml was read\n"), "{}", log(&project));
        assert!(!log(&project).contains("holds from now on"), "not all of it: {}", log(&project));
        project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
        let names = client.hears("an approval");
        assert!(has(&names, "more.script_more_b"), "{names:?}");
        // The tools are named for the manager that the settings name now.
        assert!(has(&names, "packagejson.pnpm_hi") && !has(&names, "packagejson.npm_hi"), "{names:?}");
        client.spoken.leave();
    }
}

#[test]
fn settings_may_come_go_and_come_back() {
    for era in ERAS {
        let project = Project::empty();
        project.write("package.json", package(&["hi"]));
        let mut client = Client::of(&project, era);
        assert!(client.spoken.names().is_empty());
        project.at_terminal(80, &[], &["init", "--yes"]).succeeded();
        assert!(has(&client.hears("settings came"), "npm_hi"));
        let text = project.read("settings.yml");
        fs::remove_file(project.root().join("settings.yml")).unwrap();
        assert!(client.hears("settings are gone").is_empty());
        project.write("settings.yml", text);
        assert!(has(&client.hears("settings are back"), "npm_hi"));
        client.spoken.leave();
    }
}

#[test]
fn a_call_ends_as_it_began_whatever_is_offered_meanwhile() {
    let project = project();
    project.script(
        "scripts/slow.sh",
        "#!/bin/sh\n: > begun\nwhile [ ! -e go ]; do sleep 0.05; done\necho its own\n",
    );
    let mut client = Client::of(&project, Era::Old);
    let id = client.spoken.begin("tools/call", json!({"name": "scripts.script_scripts_slow"}));
    until("it runs", || project.root().join("begun").exists());
    project.write("settings.yml", settings("  packagejson: {}\n"));
    let names = client.hears("an instance less");
    assert!(!has(&names, "script_scripts_slow"), "{names:?}");
    project.write("go", "");
    let ended = client.spoken.hear_within(PATIENCE).unwrap();
    assert_eq!(ended["id"], id, "{ended}");
    let result = &ended["result"]["structuredContent"];
    assert_eq!(result["success"], true, "{result}");
    assert!(result["data"]["stdout"].as_str().unwrap().contains("its own"), "{result}");
    client.spoken.leave();
}

#[test]
fn files_that_cannot_be_watched_are_polled() {
    for era in ERAS {
        let project = project().variable("CUFF_WATCH", "poll");
        let mut client = Client::of(&project, era);
        project.write("package.json", package(&["hi", "polled"]));
        assert!(has(&client.hears("another look"), "npm_polled"));
        assert!(log(&project).contains("CUFF_WATCH=poll"), "{}", log(&project));
        client.spoken.leave();
    }
}

#[test]
fn a_listener_does_not_hold_up_the_end() {
    let project = project();
    let quick = (0..5).any(|_| {
        let client = Client::of(&project, Era::New);
        let gone = Instant::now();
        client.spoken.leave();
        gone.elapsed() < Duration::from_millis(700)
    });
    assert!(quick, "it waits until patience ends");
}

#[test]
fn a_listener_that_unsubscribed_gets_nothing_more() {
    let project = project();
    let mut client = Client::of(&project, Era::New);
    let cancelled = json!({"requestId": client.listens, "_meta": newest()});
    client.spoken.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}));
    client.spoken.names();
    project.write("package.json", package(&["hi", "unheard"]));
    client.is_left_alone("nobody listens");
    assert!(has(&client.spoken.names(), "npm_unheard"));
    client.spoken.leave();
}

#[test]
fn an_instance_that_stays_is_not_read_again_for_another_that_goes() {
    let project = project();
    // Without a folder on disk for make's answer.
    fs::write(project.outside().join("home/cache"), "").unwrap();
    project.write("Makefile", "NAME := $(shell echo x >> count; echo made)\n$(NAME): ; @echo it\n");
    let make = "  makefile: {config: {}}\n";
    project.write("settings.yml", settings(&format!("{make}  packagejson: {{}}\n")));
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let mut client = Client::of(&project, Era::Old);
    assert_eq!(project.read("count"), "x\n");
    project.write("settings.yml", settings(make));
    let names = client.hears("an instance less");
    assert_eq!(names, ["makefile.make_list_targets", "makefile.make_made"]);
    assert_eq!(project.read("count"), "x\n", "make was asked once");
    client.spoken.leave();
}

/// The list that a client has is compared with the first look, even if the watch began later.
#[test]
fn a_change_between_the_list_and_the_first_look_is_reported() {
    for era in ERAS {
        let project = project();
        let mut client = Client::of(&project, era);
        // Well within the moment that the answer is given to be on its way.
        project.write("package.json", package(&["hi", "early"]));
        assert!(has(&client.hears("at once"), "npm_early"));
        client.spoken.leave();
    }
}

#[test]
fn folders_beyond_those_that_may_be_watched_are_looked_at_now_and_then() {
    let project = project();
    for number in 0..1100 {
        fs::create_dir_all(project.root().join(format!("scripts/{number:04}"))).unwrap();
    }
    let mut client = Client::of(&project, Era::Old);
    for place in ["scripts/0000", "scripts/1099"] {
        project.script(&format!("{place}/x.sh"), "#!/bin/sh\n");
        assert!(has(&client.hears(place), &format!("script_{}_x", place.replace('/', "_"))));
    }
    assert_eq!(log(&project).matches("folders are to be watched").count(), 1, "{}", log(&project));
    client.spoken.leave();
}
