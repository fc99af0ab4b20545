//! Servers that answer late or never: they hold up nobody but those who name them.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;
use crate::toolscript::toolscript;

/// The time that a list waits for servers, and a busy machine's own.
const A_MOMENT: Duration = Duration::from_millis(3500);

/// A server that takes a while for its first word, as a first `npx -y` does; 0: it has a prompt, too.
const SERVER: &str = r#"
const wait = Number(process.argv[2]);
const say = (message) => process.stdout.write(JSON.stringify({jsonrpc: "2.0", ...message}) + "\n");
setTimeout(() => require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  const results = {
    initialize: () => ({protocolVersion: params.protocolVersion, capabilities: {tools: {}, prompts: {}}, serverInfo: {name: "late", version: "1"}}),
    "tools/list": () => ({tools: [{name: "echo", inputSchema: {type: "object"}}]}),
    "prompts/list": () => ({prompts: [{name: "hello"}]}),
    "tools/call": () => ({content: [{type: "text", text: "from " + params.name}]}),
  };
  if (id !== undefined) say(results[method] ? {id, result: results[method]()} : {id, error: {code: -32601, message: "no"}});
}), wait);
"#;

/// A project with a script, four servers that never answer, and one that answers after so many milliseconds.
fn project(late: u32) -> Project {
    let project = Project::empty();
    project.script("scripts/hi", "#!/bin/sh\necho hi\n");
    project.write("late.cjs", SERVER);
    let mut plugins = json!({"scripts": {"type": "in_source", "config": {"patterns": ["scripts/*"]}}});
    let asleep =
        json!({"type": "mcp", "command": "sleep", "args": ["1001"], "config": {"connect_timeout": 5}});
    for number in 1..=4 {
        plugins[format!("asleep{number}")] = asleep.clone();
    }
    plugins["late"] = json!({"type": "mcp", "command": "node", "args": ["late.cjs", late.to_string()]});
    project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    // The approval asked for the tools, which nobody knows now.
    fs::remove_dir_all(project.outside().join("home/cache/cuff/servers")).unwrap();
    project
}

fn within<T>(limit: Duration, what: &str, doing: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = doing();
    let took = begun.elapsed();
    assert!(took < limit, "{what} took {took:?}");
    done
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn the_first_list_and_the_calls_of_others_do_not_wait() {
    let project = project(6000);
    let mut session = McpSession::over_pipes(&project, &[]);
    within(A_MOMENT, "handshake, list and prompts", || {
        session.initialize();
        session.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(session.names(), ["scripts.script_list_scripts", "scripts.script_scripts_hi"]);
        assert_eq!(session.ask("prompts/list", json!({}))["result"]["prompts"], json!([]));
    });
    within(A_MOMENT, "five calls", || {
        for _ in 0..5 {
            let result = session.call("scripts.script_scripts_hi", &json!({}));
            assert_eq!(result["structuredContent"]["success"], true, "{result}");
        }
    });
    // A name is not unknown while its server connects: the call waits for that one.
    let (heard, answer) = session.ask_hearing("tools/call", json!({"name": "late.echo", "arguments": {}}));
    assert_eq!(text(&answer["result"]), "from echo", "{answer}");
    // The list has become another, and so have the prompts.
    let mut methods: Vec<_> =
        heard.iter().map(|message| message["method"].as_str().unwrap().to_owned()).collect();
    while !methods.iter().any(|method| method == "notifications/tools/list_changed") {
        methods.push(session.hear()["method"].as_str().unwrap().to_owned());
    }
    assert!(methods.iter().any(|method| method == "notifications/prompts/list_changed"), "{methods:?}");
    within(A_MOMENT, "the next list", || {
        let (_, listed) = session.ask_hearing("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap();
        assert!(tools.iter().any(|tool| tool["name"] == "late.echo"), "{listed}");
        let (_, listed) = session.ask_hearing("prompts/list", json!({}));
        assert_eq!(listed["result"]["prompts"], json!([{"name": "late.hello"}]));
    });
    session.leave();
}

#[test]
fn a_list_waits_once_for_a_server_that_never_answers() {
    let project = project(60_000);
    let first_list = || {
        let mut session = McpSession::over_pipes(&project, &[]);
        let begun = Instant::now();
        session.initialize();
        assert_eq!(session.names(), ["scripts.script_list_scripts", "scripts.script_scripts_hi"]);
        let took = begun.elapsed();
        session.leave();
        took
    };
    let (one, other) = (first_list(), first_list());
    assert!(
        one >= Duration::from_millis(900) && other + Duration::from_millis(400) < one,
        "{one:?}, then {other:?}"
    );
}

#[test]
fn a_first_list_after_a_trial_has_the_server() {
    let project = project(0);
    let tried = project.cuff(["mcp", "test", "late"]);
    assert!(tried.stdout.contains("late"), "{}", tried.stdout);
    let mut session = McpSession::begun(&project, &[]);
    let names = session.names();
    assert!(names.iter().any(|name| name == "late.echo"), "{names:?}");
    session.leave();
}

#[test]
fn programs_and_lists_wait_for_the_servers_that_they_name() {
    let project = project(4000);
    let listed = within(A_MOMENT, "list-tools", || toolscript(&project, &["list-tools"]));
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert!(listed.stdout.contains("scripts.scriptScriptsHi"), "{}", listed.stdout);
    let note = "note: the servers asleep1, asleep2, asleep3, asleep4, late have not answered yet: \
                `toolscript list-tools asleep1` waits for its tools\n";
    assert_eq!(listed.stderr, note);
    within(A_MOMENT, "search", || toolscript(&project, &["search", "hi"])).succeeded();
    let program = "return (await tools.scripts.scriptScriptsHi()).success";
    let ran = within(A_MOMENT, "exec", || toolscript(&project, &["exec", program]));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "true\n"), "{}", ran.stderr);
    let named =
        within(Duration::from_secs(12), "list-tools late", || toolscript(&project, &["list-tools", "late"]));
    assert_eq!((named.code, named.stdout.as_str()), (0, "late.echo  echo\n"), "{}", named.stderr);
    let ran = toolscript(&project, &["exec", "return await tools.late.echo({})"]);
    assert!(ran.stdout.contains("from echo"), "{}\n{}", ran.stdout, ran.stderr);
}
