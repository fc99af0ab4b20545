//! Calls over MCP that take their time: progress, cancellation, the background.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::mcp_session::{McpSession, newest};
use crate::support::official_client::session;
use crate::support::process::{is_running, until};
use crate::support::project::Project;
use crate::support::tools;

/// A script that starts a process of its own, which ignores polite requests, and waits for it.
const STUBBORN: &str = "#!/bin/sh\ntrap '' TERM\nsh -c 'trap \"\" TERM; while :; do sleep 1; done' &\n\
                        echo $! >> pids\necho started\nwait\n";

fn project() -> Project {
    let project = Project::empty();
    project.script("scripts/stubborn.sh", STUBBORN);
    project.script(
        "scripts/steps.sh",
        "#!/bin/sh\necho one\nsleep 1\nprintf '\\033[31mtwo\\033[0m %s' \"$MY_TOKEN\"\nsleep 1\n",
    );
    project.script("scripts/silent.sh", "#!/bin/sh\nsleep 5\n");
    project.script("scripts/quick.sh", "#!/bin/sh\necho quick\n");
    project.script(
        "scripts/dev.sh",
        "#!/bin/sh\necho '  VITE v7 ready in 312 ms'\nsleep 0.1\necho '  Local: http://localhost:5173/'\nexec sleep 60\n",
    );
    project
        .write("settings.yml", "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*.sh']}}\n");
    project
}

fn tool(name: &str) -> String {
    format!("scripts.script_scripts_{name}")
}

fn pids(project: &Project) -> Vec<String> {
    if !project.root().join("pids").exists() {
        return Vec::new();
    }
    project.read("pids").lines().map(str::to_owned).collect()
}

/// Calls with a token, and hears everything until the result.
fn watched(spoken: &mut McpSession, name: &str) -> (Vec<Value>, Value) {
    let meta = spoken.meta.clone();
    let mut with_token = meta.clone().unwrap_or_else(|| json!({}));
    with_token["progressToken"] = json!("watch-me");
    spoken.meta = Some(with_token);
    let id = spoken.begin("tools/call", json!({"name": tool(name)}));
    spoken.meta = meta;
    let mut progress = Vec::new();
    loop {
        let message = spoken.hear();
        if message["id"] == id {
            return (progress, message["result"].clone());
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "watch-me");
        progress.push(message["params"].clone());
    }
}

#[test]
fn progress_is_the_last_line_and_the_time_without_secrets_and_ends_with_the_call() {
    for meta in [None, Some(newest())] {
        let project = project().variable("MY_TOKEN", "hush-hush-hush");
        let mut spoken = McpSession::begun(&project, &[]);
        spoken.meta = meta;
        let (progress, result) = watched(&mut spoken, "steps");
        assert_eq!(result["structuredContent"]["success"], true, "{result}");
        let seconds: Vec<f64> = progress.iter().map(|step| step["progress"].as_f64().unwrap()).collect();
        assert!(seconds.windows(2).all(|pair| pair[0] < pair[1]), "{seconds:?}");
        let lines: Vec<&str> = progress
            .iter()
            .map(|step| step["message"].as_str().unwrap().split_once(": ").unwrap().1)
            .collect();
        assert_eq!(lines, ["one", "two [redacted:MY_TOKEN]"], "one for each change, and none in between");
        // The server's next message is the answer to this and nothing else.
        assert_eq!(spoken.ask("ping", json!({}))["result"]["isError"], Value::Null);
        spoken.leave();
    }
}

#[test]
fn silent_runs_report_progress_only_to_clients_that_asked() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let (progress, _) = watched(&mut spoken, "silent");
    assert!((2..=4).contains(&progress.len()), "{progress:?}");
    assert!(
        progress.iter().all(|step| step["message"].as_str().unwrap().ends_with(" s: nothing printed yet"))
    );
    // `call` expects its answer next.
    assert_eq!(spoken.call(&tool("steps"), &json!({}))["structuredContent"]["success"], true);
    spoken.leave();
}

#[test]
fn a_cancelled_call_leaves_no_grandchild_and_a_record_that_says_so() {
    for meta in [None, Some(newest())] {
        let project = project();
        let mut spoken = McpSession::begun(&project, &[]);
        spoken.meta = meta;
        let id = spoken.begin("tools/call", json!({"name": tool("stubborn")}));
        until("the grandchild runs", || pids(&project).len() == 1);
        let cancelled = json!({"requestId": id, "reason": "escape"});
        spoken.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}));
        until("it is gone", || !is_running(&pids(&project)[0]));
        let state = || project.cuff(["runs", "status", "--json"]).json();
        until("its end is recorded", || state()["state"] == "ended");
        assert_eq!(state()["cancelled"], true);
        // No answer came to the call that was taken back.
        assert_eq!(spoken.ask("ping", json!({}))["result"]["isError"], Value::Null);
        spoken.leave();
    }
}

#[test]
fn a_run_that_outlasts_the_wait_goes_on_and_one_that_does_not_is_answered_as_ever() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let began = Instant::now();
    let going = spoken.call(&tool("stubborn"), &json!({"wait": 1}));
    assert!((Duration::from_secs(1)..Duration::from_secs(10)).contains(&began.elapsed()));
    let shape = &going["structuredContent"];
    assert_eq!(
        (&shape["success"], &shape["running"], &going["isError"]),
        (&json!(true), &json!(true), &json!(false))
    );
    assert_eq!(shape["output"], "started\n");
    let id = shape["run_id"].as_str().unwrap();
    let text = going["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains(&format!("runs.status with run {} ", &id[id.len() - 8..]))
            && text.ends_with("started\n"),
        "{text}"
    );
    assert_eq!(project.cuff(["runs", "status", id, "--json"]).json()["state"], "running");

    let quick = spoken.call(&tool("quick"), &json!({"wait": 30}));
    assert_eq!(quick["structuredContent"]["exit_code"], 0, "{quick}");
    assert_eq!(quick["structuredContent"]["running"], Value::Null);

    let at_once = spoken.call(&tool("silent"), &json!({"wait": 0}));
    assert_eq!(at_once["structuredContent"]["running"], true, "{at_once}");
    let refused = spoken.call(&tool("quick"), &json!({"wait": -1}));
    assert_eq!(refused["structuredContent"]["error_code"], "SCRIPT_304", "{refused}");
    spoken.leave();
}

#[test]
fn a_server_is_answered_for_when_it_says_that_it_is_ready() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let began = Instant::now();
    let going = spoken.call(&tool("dev"), &json!({}));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let shape = &going["structuredContent"];
    assert_eq!((&shape["running"], &shape["ready"]), (&json!(true), &json!(true)), "{going}");
    assert!(shape["output"].as_str().unwrap().contains("http://localhost:5173/"), "{going}");
    spoken.leave();
}

#[test]
fn the_end_of_the_server_ends_twenty_runs_in_the_background_and_records_it() {
    for hang_up in [true, false] {
        let project = project();
        let mut spoken = McpSession::begun(&project, &[]);
        for _ in 0..20 {
            let going = spoken.call(&tool("stubborn"), &json!({"wait": 0}));
            assert_eq!(going["structuredContent"]["running"], true, "{going}");
        }
        until("all have started", || pids(&project).len() == 20);
        let quick = spoken.call(&tool("quick"), &json!({}));
        assert_eq!(quick["structuredContent"]["success"], true, "they take no place of others: {quick}");
        if hang_up {
            spoken.leave();
        } else {
            spoken.signal("TERM");
            assert_eq!(spoken.end(), 143);
        }
        let left: Vec<String> = pids(&project).into_iter().filter(|pid| is_running(pid)).collect();
        assert!(left.is_empty(), "{left:?}");
        let runs = project.cuff(["runs", "list", "--number", "100", "--json"]).json();
        let cancelled =
            runs["runs"].as_array().unwrap().iter().filter(|run| run["cancelled"] == true).count();
        assert_eq!(cancelled, 20, "{runs}");
    }
}

#[test]
fn too_many_runs_in_the_background_are_refused_and_those_that_are_waited_for_are_not() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    for _ in 0..32 {
        assert_eq!(spoken.call(&tool("silent"), &json!({"wait": 0}))["structuredContent"]["running"], true);
    }
    let refused = spoken.call(&tool("quick"), &json!({"wait": 0}));
    let error = refused["structuredContent"]["error"].as_str().unwrap();
    assert!(error.starts_with("32 runs of this server go on in the background already"), "{refused}");
    assert_eq!(spoken.call(&tool("quick"), &json!({}))["structuredContent"]["success"], true);
    spoken.leave();
}

#[test]
fn the_official_client_hears_of_progress_and_takes_a_call_back() {
    if tools::require("tsc").is_none() {
        return;
    }
    let project = project();
    let calls = json!([
        {"name": tool("steps"), "progress": true},
        {"name": tool("stubborn"), "cancelAfter": 1000},
        {"name": "runs.status", "arguments": {"wait": 30}},
    ]);
    let said = session(&project, &calls, &[]);
    let progress = said["results"][0]["steps"].as_array().unwrap_or_else(|| panic!("{said}"));
    assert!(progress.iter().any(|step| step["message"].as_str().unwrap().ends_with(" s: two")), "{said}");
    assert!(said["results"][1]["thrown"].as_str().is_some_and(|thrown| thrown.contains("abort")), "{said}");
    assert_eq!(said["results"][2]["structuredContent"]["run"]["cancelled"], true, "{said}");
    assert!(pids(&project).iter().all(|pid| !is_running(pid)));
}
