//! The MCP face, spoken to by the official TypeScript SDK and by hand.

use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::mcp_session::{McpSession, is_cuffs_own, newest};
use crate::support::official_client::session;
use crate::support::process::{is_running, until};
use crate::support::project::Project;
use crate::support::tools;

fn project() -> Project {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "node -e 'console.log(6*7)'", "no": "node -e 'console.error(1);process.exit(3)'"}}"#);
    project.script("scripts/slow.sh", "#!/bin/sh\n# Sleeps\nsleep 30 & echo $! > pid\nwait\n");
    project.cuff(["init", "--yes"]).succeeded();
    project
}

#[test]
fn the_official_client_lists_and_calls() {
    if tools::require("tsc").is_none() {
        return;
    }
    let calls = json!([
        {"name": "packagejson.npm_hi", "arguments": {}},
        {"name": "packagejson.npm_no", "arguments": {}},
        {"name": "packagejson.npm_hi", "arguments": {"dry_run": true, "extra_args": "--a 'b c'"}},
        {"name": "packagejson.npm_list_scripts", "arguments": {}},
        {"name": "scripts.script_list_scripts", "arguments": {"refresh": true}},
        {"name": "packagejson.npm_hi", "arguments": {"timeout": "soon"}},
        {"name": "packagejson.npm_hi", "arguments": {"env": {"NODE_OPTIONS": "--require=/tmp/x"}}},
        {"name": "packagejson.npm_ho", "arguments": {}},
        {"name": "scripts.script_scripts_slow", "arguments": {"timeout": 1}},
    ]);
    let said = session(&project(), &calls, &[]);
    assert_eq!(said["server"]["name"], "cuff");
    let names = said["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap());
    assert_eq!(
        names.filter(|name| !is_cuffs_own(name)).collect::<Vec<_>>(),
        [
            "packagejson.npm_list_scripts",
            "packagejson.npm_hi",
            "packagejson.npm_no",
            "scripts.script_list_scripts",
            "scripts.script_scripts_slow",
        ]
    );
    let hi = &said["tools"][1];
    assert_eq!(hi["inputSchema"]["additionalProperties"], false);
    assert_eq!(hi["annotations"]["readOnlyHint"], false);
    assert_eq!(said["tools"][0]["annotations"]["readOnlyHint"], true);
    let result = |at: usize| &said["results"][at]["structuredContent"];
    assert_eq!((result(0)["success"].clone(), result(0)["exit_code"].clone()), (json!(true), json!(0)));
    assert!(result(0)["data"]["stdout"].as_str().unwrap().contains("42"));
    assert_eq!(said["results"][1]["isError"], true);
    assert_eq!(result(1)["error"], "Script failed with exit code 3");
    assert_eq!(result(1)["error_code"], "PKGJSON_302");
    assert_eq!(result(2)["output"], "Would execute: npm run hi -- --a 'b c'\n");
    assert_eq!(result(3)["data"], json!({"scripts": ["hi", "no"]}));
    assert_eq!(result(4)["data"]["scripts"][0]["name"], "script_scripts_slow");
    assert_eq!(result(4)["data"]["scripts"][0]["description"], "Sleeps");
    assert_eq!(result(5)["error_code"], "PKGJSON_304");
    assert_eq!(result(5)["tool"], "packagejson.npm_hi", "nothing ran, and it is clear of what");
    assert_eq!(result(6)["error"], "Blocked environment variables: NODE_OPTIONS");
    assert_eq!(result(7)["error_code"], "PKGJSON_301");
    assert!(result(7)["help"].as_str().unwrap().contains("packagejson.npm_hi"));
    assert_eq!(result(8)["timed_out"], true);
    assert_eq!(result(8)["error_code"], "SCRIPT_303");
    for answer in said["results"].as_array().unwrap() {
        assert!(!answer["content"][0]["text"].as_str().unwrap().is_empty(), "the text is complete by itself");
    }
}

#[test]
fn portable_names_have_no_dots() {
    if tools::require("tsc").is_none() {
        return;
    }
    let calls = json!([
        {"name": "packagejson__npm_hi", "arguments": {}},
        {"name": "packagejson__npm_hii", "arguments": {}},
        {"name": "scripts__list", "arguments": {}},
    ]);
    let said = session(&project(), &calls, &["--tool-names", "portable"]);
    assert_eq!(said["tools"][1]["name"], "packagejson__npm_hi");
    assert_eq!(said["results"][0]["structuredContent"]["success"], true);
    let refused = |at: usize| &said["results"][at]["structuredContent"];
    assert_eq!(refused(1)["error_code"], "PKGJSON_301");
    let help = "did you mean `packagejson__npm_hi`? available: packagejson__npm_hi, packagejson__npm_no";
    assert_eq!(refused(1)["help"], help, "names that can be called");
    assert_eq!(refused(2)["help"], "available: scripts__script_scripts_slow");
}

/// Starts the slow script and gives the id of its grandchild.
fn slow_call(project: &Project, spoken: &mut McpSession) -> String {
    spoken.initialize();
    spoken.begin("tools/call", json!({"name": "scripts.script_scripts_slow"}));
    until("the script started", || project.root().join("pid").exists() && !project.read("pid").is_empty());
    project.read("pid").trim().to_owned()
}

#[test]
fn a_signal_ends_the_server_and_its_calls_whatever_its_input_is() {
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        for start in [McpSession::over_sockets, |project: &Project| McpSession::over_pipes(project, &[])] {
            let project = project();
            let mut spoken = start(&project);
            let pid = slow_call(&project, &mut spoken);
            spoken.signal(signal);
            until("the tree is gone", || !is_running(&pid));
            // The input stays open: the host is still there.
            let input = spoken.input.take();
            assert_eq!(spoken.end(), code);
            drop(input);
        }
    }
}

#[test]
fn a_host_that_goes_away_takes_its_calls_with_it() {
    for start in [McpSession::over_sockets, |project: &Project| McpSession::over_pipes(project, &[])] {
        let project = project();
        let mut spoken = start(&project);
        let pid = slow_call(&project, &mut spoken);
        let gone = Instant::now();
        spoken.input = None;
        until("the tree is gone", || !is_running(&pid));
        assert_eq!(spoken.end(), 0);
        assert!(gone.elapsed() < Duration::from_secs(4), "{:?}", gone.elapsed());
    }
}

#[test]
fn answers_that_nobody_reads_do_not_keep_the_server() {
    let project = project();
    let mut command = project.command(["serve"]);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (input, unread) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
    let mut spoken = McpSession::new(server, input, std::io::empty());
    spoken.meta = Some(newest());
    for _ in 0..40 {
        spoken.begin("tools/list", json!({}));
    }
    spoken.leave();
    drop(unread);
}

#[test]
fn a_journal_that_nobody_reads_does_not_hold_up_the_server() {
    let project = project();
    let mut command = project.command(["serve", "--log-level", "info"]);
    command.stderr(Stdio::piped());
    let mut spoken = McpSession::of(command);
    spoken.initialize();
    let name = "x".repeat(2000);
    // More lines than a pipe holds, short as they are.
    for _ in 0..1000 {
        assert_eq!(spoken.call(&name, &json!({}))["isError"], true);
    }
    let mut unread = spoken.server.stderr.take().unwrap();
    let mut said = vec![0; 1 << 20];
    let read = unread.read(&mut said).unwrap();
    said.truncate(read);
    let said = String::from_utf8(said).unwrap();
    assert!(said.lines().count() > 50 && said.lines().all(|line| line.len() < 1000), "{said}");
    spoken.call("none", &json!({}));
    let mut rest = vec![0; 1 << 20];
    let read = unread.read(&mut rest).unwrap();
    let rest = String::from_utf8_lossy(&rest[..read]).into_owned();
    assert!(rest.lines().last().unwrap().contains("lines_lost="), "{rest}");
    spoken.leave();
}

#[test]
fn quick_calls_that_were_piped_in_are_still_answered() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let dry = json!({"name": "packagejson.npm_hi", "arguments": {"dry_run": true}});
    spoken.begin("tools/call", dry);
    spoken.input = None;
    let answer = spoken.hear();
    assert_eq!(answer["result"]["structuredContent"]["success"], true, "{answer}");
    assert_eq!(spoken.end(), 0);
}

#[test]
fn a_cancelled_call_is_killed_and_the_server_goes_on() {
    for meta in [None, Some(newest())] {
        let project = project();
        let mut spoken = McpSession::over_sockets(&project);
        let pid = slow_call(&project, &mut spoken);
        spoken.meta = meta;
        let id = spoken.last_id();
        let cancelled = json!({"requestId": id, "reason": "the user pressed escape"});
        spoken.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}));
        until("the tree is gone", || !is_running(&pid));
        assert_eq!(spoken.call("packagejson.npm_hi", &json!({}))["structuredContent"]["success"], true);
        spoken.leave();
    }
}

#[test]
fn early_messages_do_not_prevent_a_session() {
    let project = project();
    for early in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "id": 9, "result": {}}),
    ] {
        let mut spoken = McpSession::over_pipes(&project, &[]);
        spoken.say(&early);
        assert_eq!(spoken.initialize()["result"]["serverInfo"]["name"], "cuff", "after {early}");
        spoken.leave();
    }
}

#[test]
fn without_settings_it_serves_nothing_until_there_are_some() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    let mut spoken = McpSession::over_pipes(&project, &[]);
    let hello = spoken.initialize();
    assert!(hello["result"]["instructions"].as_str().unwrap().contains("cuff init"), "{hello}");
    assert!(spoken.names().is_empty());
    project.at_terminal(80, &[], &["init", "--yes"]).succeeded();
    assert_eq!(spoken.names().len(), 2);
    spoken.leave();
}

#[test]
fn settings_that_cannot_be_used_are_explained_to_the_agent_until_they_are_mended() {
    let project = project();
    project.approve();
    let good = project.read("settings.yml");
    project.write("settings.yml", "version: \"1\"\nplugins: [\n");
    let mut spoken = McpSession::over_pipes(&project, &[]);
    let hello = spoken.initialize();
    let instructions = hello["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("settings.yml:3:1: the settings are not valid YAML"), "{instructions}");
    assert!(spoken.names().is_empty());
    let called = spoken.call("packagejson.npm_hi", &json!({}));
    assert_eq!(called["isError"], true, "{called}");
    assert_eq!(called["structuredContent"]["error_code"], "CUFF_401");
    assert!(called["content"][0]["text"].as_str().unwrap().contains("settings.yml:3:1"), "{called}");
    project.write("settings.yml", good);
    assert_eq!(spoken.names().len(), 5);
    spoken.leave();
}

/// Each file is read by itself: a slip in one takes nothing of the other.
#[test]
fn a_broken_file_leaves_the_other_one_alone() {
    let project = project();
    let good = project.read("settings.yml");
    project.write(".toolscript.json", r#"{"mcpServers": {"broken": {"command": "false"}}}"#);
    project.approve();
    project.write("settings.yml", "version: \"1\"\nplugins: [\n");
    let listed = project.cuff(["list"]);
    assert!(listed.code == 2 && listed.stderr.contains("settings.yml:3:1"), "{listed:?}");
    let servers = project.cuff(["mcp", "list"]);
    assert!(servers.stdout.contains("broken"), "{servers:?}");
    let mut spoken = McpSession::over_pipes(&project, &[]);
    let hello = spoken.initialize();
    let instructions = hello["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("settings.yml:3:1"), "{instructions}");
    let called = spoken.call("broken.anything", &json!({})).to_string();
    assert!(called.contains("broken") && !called.contains("settings.yml"), "its server is asked: {called}");
    spoken.leave();
    project.write("settings.yml", good);
    project.write(".toolscript.json", "{");
    let mut spoken = McpSession::over_pipes(&project, &[]);
    spoken.initialize();
    assert_eq!(spoken.names().len(), 5);
    spoken.leave();
}

#[test]
fn an_agent_learns_what_could_not_be_offered_and_why() {
    let project = project();
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    type: in_source\n  scripts:\n    \
        type: in_source\n    config:\n      patterns: 5\n";
    project.write("settings.yml", settings);
    project.write("package.json", "{\"scripts\": {\n  \"hi\"");
    let mut spoken = McpSession::over_pipes(&project, &[]);
    let hello = spoken.initialize();
    let instructions = hello["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("\n- settings.yml:"), "{instructions}");
    assert!(instructions.contains("\n- package.json:2:"), "{instructions}");
    let broken = spoken.call("scripts.script_scripts_slow", &json!({}));
    let help = &broken["structuredContent"]["help"];
    assert!(help.as_str().unwrap().starts_with("settings.yml:"), "{broken}");
    let gone = spoken.call("packagejson.npm_hi", &json!({}));
    let error = &gone["structuredContent"]["error"];
    assert!(error.as_str().unwrap().starts_with("package.json:2:"), "{gone}");
    spoken.leave();
}

/// Hosts give up a server that does not answer their handshake within seconds.
#[test]
fn a_handshake_does_not_wait_for_a_slow_source_whose_tools_come_all_the_same() {
    let project = Project::empty();
    let slow = "$(shell echo x >> count; sleep 5; : > over; echo made)";
    project.write("Makefile", format!("NAME := {slow}\n$(NAME): ; @echo it\n"));
    project.write("settings.yml", "version: '1'\nplugins:\n  makefile: {config: {}}\n");
    let mut spoken = McpSession::begun(&project, &[]);
    assert!(!project.root().join("over").exists(), "it waited for make");
    assert_eq!(spoken.names(), ["makefile.make_list_targets", "makefile.make_made"]);
    assert_eq!(project.read("count"), "x\n", "make was asked once");
    spoken.leave();
}

#[test]
fn a_changed_project_is_seen_by_the_next_question() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    assert!(spoken.names().contains(&"packagejson.npm_no".to_owned()));
    project.write("package.json", r#"{"scripts": {"hi": "echo hi", "fresh": "echo fresh"}}"#);
    let gone = spoken.call("packagejson.npm_no", &json!({}));
    assert_eq!(gone["structuredContent"]["error"], "Unknown tool: packagejson.npm_no");
    assert_eq!(spoken.call("packagejson.npm_fresh", &json!({}))["structuredContent"]["success"], true);
    let listed = spoken.call("packagejson.npm_list_scripts", &json!({"refresh": true}));
    assert_eq!(listed["structuredContent"]["data"], json!({"scripts": ["hi", "fresh"]}));
    assert!(!spoken.names().contains(&"packagejson.npm_no".to_owned()));
    spoken.leave();
}

#[test]
fn a_malformed_request_is_answered_for_what_it_is() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    for (method, params, code) in [
        ("tools/call", json!({"name": "packagejson.npm_hi", "arguments": "{}"}), -32602),
        ("tools/call", json!({"name": 5}), -32602),
        ("tools/call", json!({}), -32602),
        ("tools/list", json!({"cursor": "2"}), -32602),
        ("tools/run", json!({}), -32601),
        ("prompts/list", json!({}), -32601),
        ("resources/list", json!({}), -32601),
        ("resources/templates/list", json!({}), -32601),
        ("logging/setLevel", json!({"level": "info"}), -32601),
    ] {
        let answer = spoken.ask(method, params.clone());
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    spoken.input.as_mut().unwrap().write_all(b"{nonsense\n\n\xff\n[]\n").unwrap();
    for code in [-32700, -32700, -32600] {
        assert_eq!(spoken.hear()["error"]["code"], code);
    }
    spoken.say(&json!({"jsonrpc": "2.0", "id": "mine", "method": 5}));
    let answer = spoken.hear();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("mine"), &json!(-32600)), "{answer}");
    assert_eq!(spoken.ask("ping", json!({}))["result"], json!({}));
    spoken.leave();
}

#[test]
fn the_newest_protocol_discovers_without_a_handshake() {
    let project = project();
    let mut spoken = McpSession::over_pipes(&project, &[]);
    spoken.meta = Some(newest());
    let discovered = spoken.ask("server/discover", json!({}));
    let versions =
        discovered["result"]["supportedVersions"].as_array().unwrap_or_else(|| panic!("{discovered}"));
    assert!(versions.contains(&json!("2026-07-28")), "{discovered}");
    assert_eq!(spoken.names().len(), 5);
    let called = spoken.call("packagejson.npm_hi", &json!({}));
    assert_eq!(called["structuredContent"]["exit_code"], 0, "{called}");
    spoken.leave();
}
