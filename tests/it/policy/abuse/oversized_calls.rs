//! Calls that mean harm by their size: each is answered soon and in few words, and the server goes on.

use std::time::{Duration, Instant};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

use serde_json::{Map, Value, json};

/// The longest answer, in bytes, however much was asked; some of the words of a command line are in it.
const LONGEST: usize = 40_000;
/// How long an answer may take, and how many times as long as it takes to read as much: the machine may do other things.
const PATIENCE: (Duration, u32) = (Duration::from_secs(3), 20);

const MANY: usize = 100_000;
const LONG: usize = 10_000_000;

fn many(value: &Value) -> Value {
    Value::Object((0..MANY).map(|number| (format!("K{number}"), value.clone())).collect::<Map<_, _>>())
}

#[test]
fn oversized_calls_get_short_answers_soon() {
    let project = Project::with_scripts(60);
    let mut spoken = McpSession::begun(&project, &["--expose", "tools"]);
    let long = "x".repeat(LONG);
    let step = |arguments: Value| json!({"name": "packagejson.npm_step_000", "arguments": arguments});
    let begun = Instant::now();
    spoken.ask("tools/list", json!({ "cursor": long }));
    let patience = PATIENCE.0 + PATIENCE.1 * begun.elapsed();
    let calls = [
        ("tools/call", json!({"name": long})),
        ("tools/call", json!({"name": format!("packagejson.npm_{long}")})),
        ("tools/call", json!({"name": format!("packagejson.{}", ".".repeat(LONG))})),
        ("tools/call", json!({"name": "call_plugin_tool", "arguments": {"tool": long}})),
        ("tools/call", json!({"name": "cuff", "arguments": {"action": "describe", "tool": long}})),
        ("tools/call", json!({"name": "cuff", "arguments": {"action": long}})),
        ("tools/call", json!({"name": "runs.log", "arguments": {"run": long}})),
        ("tools/call", step(many(&json!(1)))),
        ("tools/call", step(json!({ "env": many(&json!("v")) }))),
        ("tools/call", step(json!({ "env": many(&json!(1)) }))),
        ("tools/call", step(json!({ "timeout": long }))),
        ("tools/call", step(json!({ "extra_args": long }))),
        ("tools/call", step(json!({ "extra_args": "x ".repeat(LONG / 2) }))),
        ("tools/call", json!({"name": "packagejson.npm_step_000", "requestState": long})),
        ("tools/list", json!({ "cursor": long })),
        (&*long, json!({})),
    ];
    for (method, params) in calls {
        let what = params.to_string().chars().take(60).collect::<String>();
        let begun = Instant::now();
        let answer = spoken.ask(method, params);
        let (took, text) = (begun.elapsed(), answer.to_string());
        assert!(took < patience, "{what}: {took:?}");
        assert!(text.len() < LONGEST, "{what}: {} bytes: {}", text.len(), &text[..300]);
        let refused = answer["error"].is_object() || answer["result"]["isError"] == true;
        assert!(refused, "{what}: {text}");
    }
    assert_eq!(spoken.call("packagejson.npm_step_000", &json!({}))["isError"], false, "it goes on");
    spoken.leave();
}
