//! Two servers behind a balancer: any request of a client may reach either, and neither knows the requests of
//! the other.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use crate::support::balancer::Balancer;
use crate::support::http_server::{Endpoint, HttpServer, TOKEN, sleeper};
use crate::support::mcp_session::{CUFFS_OWN, KIN, newest};
use crate::support::process::is_running;
use crate::support::project::Project;

const MARK: &str = "scripts.script_mark";
const SLOW: &str = "scripts.script_slow";

fn project() -> Project {
    let project = Project::empty();
    project.script("mark.sh", "#!/bin/sh\necho \"$1\" >> marks\n");
    project.script("slow.sh", "#!/bin/sh\necho begun\nsleep 30 & echo $! > pid\nwait\n");
    for number in 0..120 {
        project.script(&format!("step{number:03}.sh"), "#!/bin/sh\n:\n");
    }
    let settings =
        "version: '1'\nplugins:\n  scripts: {config: {patterns: ['*.sh'], confirm: ['script_mark']}}\n";
    project.write("settings.yml", settings);
    project
}

/// Two servers, and the door in front of both.
fn two(project: &Project) -> ([HttpServer; 2], Balancer, Endpoint) {
    let servers = [(); 2].map(|()| HttpServer::start(project, &["--expose", "tools"]));
    let balancer = Balancer::before(&[&servers[0].address, &servers[1].address]);
    let door = Endpoint { address: balancer.address.clone(), token: Some(TOKEN.to_owned()) };
    (servers, balancer, door)
}

/// Asks in the era without a handshake, as a client that can show forms.
fn ask(door: &Endpoint, method: &str, mut params: Value) -> Value {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    params["_meta"] = newest();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", &name)];
    door.post(&headers, &body).message()
}

fn call(door: &Endpoint, name: &str, arguments: &Value) -> Value {
    ask(door, "tools/call", json!({"name": name, "arguments": arguments}))["result"].clone()
}

fn bring_yes(door: &Endpoint, state: &Value) -> Value {
    let yes = json!({"action": "accept", "content": {"yes": true}});
    let params = json!({
        "name": MARK, "arguments": {"args": ["it"]}, "requestState": state, "inputResponses": {"confirm": yes},
    });
    ask(door, "tools/call", params)
}

fn state_of(result: &Value) -> Value {
    assert_eq!(result["resultType"], "input_required", "{result}");
    result["requestState"].clone()
}

#[test]
fn a_question_of_one_is_answered_at_the_other_and_once_on_the_whole_machine() {
    let project = project();
    let (servers, balancer, door) = two(&project);
    let state = state_of(&call(&door, MARK, &json!({"args": ["it"]})));
    let done = bring_yes(&door, &state);
    assert_eq!(done["result"]["structuredContent"]["success"], true, "{done}");
    assert_eq!(balancer.shares(), [1, 1]);
    assert_eq!(project.read("marks"), "it\n");
    for _ in &servers {
        state_of(&bring_yes(&door, &state)["result"]);
    }
    assert_eq!(project.read("marks"), "it\n");

    // The same yes, brought to both at the same time again and again.
    let state = state_of(&call(&door, MARK, &json!({"args": ["it"]})));
    let answers: Vec<Value> = thread::scope(|scope| {
        let bringing: Vec<_> = (0..8).map(|_| scope.spawn(|| bring_yes(&door, &state))).collect();
        bringing.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let ran = answers.iter().filter(|one| one["result"]["structuredContent"]["success"] == true).count();
    assert_eq!((ran, project.read("marks").as_str()), (1, "it\nit\n"), "{answers:?}");

    let refused = bring_yes(&door, &json!(format!("{}0", state.as_str().unwrap())));
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    servers.into_iter().for_each(HttpServer::stop);
}

#[test]
fn a_run_that_goes_on_at_one_is_asked_about_and_stopped_at_the_other() {
    let project = project();
    let (servers, balancer, door) = two(&project);
    let going = call(&door, SLOW, &json!({"wait": 0}))["structuredContent"].clone();
    assert_eq!(going["running"], true, "{going}");
    let pid = sleeper(&project);
    let run = json!({"run": going["run_id"]});
    let tell = |name: &str| call(&door, name, &run)["structuredContent"].clone();
    for _ in &servers {
        assert_eq!(tell("runs.status")["running"], true);
        assert_eq!(tell("runs.log")["text"], "begun\n");
        // An odd number of requests, so that each server is asked everything.
        assert_eq!(tell("runs.diagnostics")["errors"], 0);
    }
    assert_eq!(balancer.shares(), [4, 3], "the next one goes to the server that did not start it");
    let stopped = tell("runs.stop");
    assert_eq!(stopped["stopped"], true, "{stopped}");
    assert!(!is_running(&pid));
    assert_eq!(tell("runs.status")["running"], false);
    assert_eq!(balancer.shares(), [5, 4]);
    servers.into_iter().for_each(HttpServer::stop);
}

#[test]
fn a_list_is_read_on_at_the_other() {
    let project = project();
    let (servers, balancer, door) = two(&project);
    let (mut names, mut params, mut pages) = (BTreeSet::new(), json!({}), 0);
    loop {
        let listed = ask(&door, "tools/list", params)["result"].clone();
        let tools = listed["tools"].as_array().unwrap_or_else(|| panic!("{listed}"));
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        pages += 1;
        let Some(cursor) = listed["nextCursor"].as_str() else { break };
        params = json!({ "cursor": cursor });
    }
    assert_eq!((names.len(), pages), (123 + CUFFS_OWN + KIN, 2), "{names:?}");
    assert_eq!(balancer.shares(), [1, 1]);
    servers.into_iter().for_each(HttpServer::stop);
}
