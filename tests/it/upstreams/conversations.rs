//! Progress, log messages, questions, cancellation and errors of other MCP servers on their way to the client and back.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::time::Duration;

use serde_json::{Value, json};

use super::served::{
    approve, approved, ask, asking, call, directly, everything, of_method, of_newest, suite, with_cuff,
};
use crate::support::mcp_session::McpSession;
use crate::support::process;
use crate::support::project::Project;

/// A server that writes down each message that it gets, and never answers a call.
const SILENT: &str = r#"
const fs = require("fs");
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  fs.appendFileSync("heard", line + "\n");
  const {id, method, params} = JSON.parse(line);
  const say = (message) => console.log(JSON.stringify({jsonrpc: "2.0", ...message}));
  if (method === "initialize") say({id, result: {
    protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: "silent", version: "1"},
  }});
  if (method === "tools/list") say({id, result: {tools: [{name: "wait", inputSchema: {type: "object"}}]}});
});
"#;

#[test]
fn progress_comes_under_the_clients_own_token_before_the_answer() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words)]);
    let mut cuff = with_cuff(&project, &json!({}));
    for token in [json!("mine"), json!(7)] {
        let params = json!({
            "name": "everything.trigger_long_running_operation", "arguments": {"duration": 0.3, "steps": 3},
            "_meta": {"progressToken": token},
        });
        let (said, answer) = cuff.ask_hearing("tools/call", params);
        assert_eq!(answer["result"]["isError"], Value::Null, "{answer}");
        let expected: Vec<_> =
            (1..=3).map(|step| json!({"progress": step, "total": 3, "progressToken": token})).collect();
        let progress: Vec<_> = of_method(&said, "notifications/progress").into_iter().cloned().collect();
        assert_eq!(progress, expected);
    }
    cuff.leave();
}

/// The tool of `everything` that asks for a form, and its name through cuff.
const ASKS: &str = "trigger-elicitation-request";
const ASKS_HERE: &str = "everything.trigger_elicitation_request";

/// Calls it in a session with these answers; the question's parameters and the result.
fn asked_in_session(session: &mut McpSession, name: &str, answer: &Value) -> (Value, Value) {
    let id = session.begin("tools/call", json!({"name": name, "arguments": {}}));
    let said = session.hear_until(|message| message["method"] == "elicitation/create");
    let question = said.last().unwrap();
    session.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
    let said = session.hear_until(|message| message["id"] == id);
    (question["params"].clone(), said.last().unwrap()["result"].clone())
}

/// The question without what is the session's own.
fn bare(mut question: Value) -> Value {
    question.as_object_mut().unwrap().shift_remove("_meta");
    question
}

#[test]
fn a_question_in_a_session_names_the_server_and_the_answer_gets_back() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words.clone())]);
    let mut cuff = with_cuff(&project, &asking());
    let mut direct = directly(&project, &words);
    for answer in [
        json!({"action": "accept", "content": {"name": "Ada", "check": true}}),
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
    ] {
        let (question, result) = asked_in_session(&mut cuff, ASKS_HERE, &answer);
        let (mut expected, direct) = asked_in_session(&mut direct, ASKS, &answer);
        let message = format!("The MCP server everything asks: {}", expected["message"].as_str().unwrap());
        expected["message"] = json!(message);
        assert_eq!(bare(question).to_string(), bare(expected).to_string());
        assert_eq!(result.to_string(), direct.to_string());
    }
    cuff.leave();
    direct.leave();
    // A client without elicitation is not asked: the server hears that nobody answered.
    let mut cuff = with_cuff(&project, &json!({}));
    let (said, answer) = cuff.ask_hearing("tools/call", json!({"name": ASKS_HERE, "arguments": {}}));
    assert!(of_method(&said, "elicitation/create").is_empty());
    assert!(answer.to_string().contains("cancel"), "{answer}");
    cuff.leave();
}

#[test]
fn a_question_in_a_result_is_answered_once_and_by_its_own_state() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words)]);
    let mut cuff = of_newest(&project, &asking(), &json!({}));
    let asked = call(&mut cuff, ASKS_HERE, &json!({}))["result"].take();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let (key, request) = asked["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(request["method"], "elicitation/create");
    let message = request["params"]["message"].as_str().unwrap();
    assert!(message.starts_with("The MCP server everything asks: Please provide inputs"), "{message}");
    let state = asked["requestState"].as_str().unwrap();
    let mut answered = |name: &str, state: &str| {
        let answer = json!({"action": "accept", "content": {"name": "Ada"}});
        let params =
            json!({"name": name, "arguments": {}, "inputResponses": {key: answer}, "requestState": state});
        ask(&mut cuff, "tools/call", params)
    };
    let other = format!("{}0", &state[..state.len() - 1]);
    let other = if other == state { format!("{}1", &state[..state.len() - 1]) } else { other };
    for (name, forged) in [
        (ASKS_HERE, other.as_str()),
        (ASKS_HERE, "held-0"),
        (ASKS_HERE, "anything"),
        // The right one for another tool.
        ("everything.echo", state),
    ] {
        let refused = answered(name, forged);
        assert_eq!(refused["error"]["code"], -32602, "{name} {forged}: {refused}");
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(why.starts_with("`requestState` is none that cuff gave"), "{why}");
    }
    let result = answered(ASKS_HERE, state);
    assert_eq!(result["result"]["resultType"], "complete", "{result}");
    assert!(result["result"]["content"].to_string().contains("Ada"), "{result}");
    let again = answered(ASKS_HERE, state);
    assert_eq!(again["error"]["code"], -32602, "it is used up: {again}");
    cuff.leave();
    let runs = project.cuff(["runs", "list", "--json"]).succeeded().json();
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1, "question and answer are one call: {runs}");
}

#[test]
fn a_prompt_may_ask_in_both_eras() {
    let prompt = "test_input_required_result_prompt";
    for era in ["sessions", "newest"] {
        let Some(words) = suite(era) else { return };
        let project = approved(&[("suite", words)]);
        let answer = json!({"action": "accept", "content": {"context": "of the tests"}});
        let complete = json!([{"role": "user", "content": {"type": "text", "text": "of the tests"}}]);
        let mut cuff = with_cuff(&project, &asking());
        let id = cuff.begin("prompts/get", json!({"name": prompt}));
        let said = cuff.hear_until(|message| message["method"] == "elicitation/create");
        let question = said.last().unwrap();
        let message = question["params"]["message"].as_str().unwrap();
        assert_eq!(message, "The MCP server suite asks: What context should the prompt use?");
        cuff.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        let said = cuff.hear_until(|message| message["id"] == id);
        assert_eq!(said.last().unwrap()["result"]["messages"], complete, "{era}: {said:?}");
        cuff.leave();

        let mut cuff = of_newest(&project, &asking(), &json!({}));
        let asked = ask(&mut cuff, "prompts/get", json!({"name": prompt}))["result"].take();
        let key = asked["inputRequests"].as_object().unwrap().keys().next().unwrap();
        let params = |name: &str| json!({"name": name, "inputResponses": {key: answer}, "requestState": asked["requestState"]});
        let refused = ask(&mut cuff, "prompts/get", params("test_simple_prompt"));
        assert_eq!(refused["error"]["code"], -32602, "{era}: {refused}");
        let got = ask(&mut cuff, "prompts/get", params(prompt));
        assert_eq!(got["result"]["messages"], complete, "{era}: {got}");
        let again = ask(&mut cuff, "prompts/get", params(prompt));
        assert_eq!(again["error"]["code"], -32602, "{era}: {again}");
        cuff.leave();
    }
}

#[test]
fn a_server_hears_that_its_call_was_cancelled() {
    let project = Project::empty();
    project.write("server.cjs", SILENT);
    approve(&project, &[("silent", vec!["node".to_owned(), "server.cjs".to_owned()])]);
    let mut cuff = with_cuff(&project, &json!({}));
    let id = cuff.begin("tools/call", json!({"name": "silent.wait", "arguments": {}}));
    let heard = |method: &str| {
        let heard = project.read("heard");
        let messages = heard.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        messages.filter(|message| message["method"] == method).collect::<Vec<_>>()
    };
    process::until("the call", || project.root().join("heard").exists() && !heard("tools/call").is_empty());
    let params = json!({"requestId": id, "reason": "changed my mind"});
    cuff.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    process::until("the cancellation", || !heard("notifications/cancelled").is_empty());
    let cancelled = heard("notifications/cancelled");
    assert_eq!(cancelled[0]["params"]["requestId"], heard("tools/call")[0]["id"], "by the server's own id");
    cuff.leave();
    let runs = project.cuff(["runs", "list", "--json"]).succeeded().json();
    assert!(runs["runs"][0].to_string().contains("cancelled"), "{runs}");
}

#[test]
fn log_messages_come_to_those_who_want_them() {
    let tool = json!({"name": "test_tool_with_logging", "arguments": {}});
    let messages = |said: &[Value]| {
        let params = of_method(said, "notifications/message").into_iter();
        params.map(|params| params["data"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = ["Tool execution started", "Tool processing data", "Tool execution completed"];
    for era in ["sessions", "newest"] {
        let Some(words) = suite(era) else { return };
        let project = approved(&[("suite", words)]);
        let mut cuff = with_cuff(&project, &json!({}));
        for (level, expected) in [("info", &all[..]), ("warning", &[]), ("debug", &all[..])] {
            ask(&mut cuff, "logging/setLevel", json!({"level": level}));
            assert_eq!(messages(&cuff.ask_hearing("tools/call", tool.clone()).0), expected, "{era} {level}");
        }
        cuff.leave();
        for (level, expected) in [(json!({}), &[][..]), (json!("info"), &all), (json!("error"), &[])] {
            let more = if level.is_string() {
                json!({"io.modelcontextprotocol/logLevel": level})
            } else {
                level.clone()
            };
            let mut cuff = of_newest(&project, &json!({}), &more);
            assert_eq!(messages(&cuff.ask_hearing("tools/call", tool.clone()).0), expected, "{era} {level}");
            cuff.leave();
        }
    }
}

#[test]
fn log_messages_outside_of_any_call_come_too() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words)]);
    let mut cuff = with_cuff(&project, &json!({}));
    assert_eq!(ask(&mut cuff, "logging/setLevel", json!({"level": "debug"}))["result"], json!({}));
    // The server says something now, and again every five seconds.
    let (mut said, _) = cuff
        .ask_hearing("tools/call", json!({"name": "everything.toggle_simulated_logging", "arguments": {}}));
    while of_method(&said, "notifications/message").len() < 2 {
        said.push(cuff.hear_within(Duration::from_secs(15)).expect("a log message"));
    }
    for params in of_method(&said, "notifications/message") {
        assert!(params["level"].is_string() && params["data"].is_string(), "{params}");
    }
    cuff.leave();
}

#[test]
fn an_error_of_a_server_keeps_its_number_and_its_data() {
    let Some(words) = everything() else { return };
    let project = approved(&[("everything", words.clone())]);
    let mut cuff = with_cuff(&project, &asking());
    let mut direct = directly(&project, &words);
    let arguments = json!({
        "url": "https://example.com/login", "message": "Log in", "elicitationId": "e1", "errorPath": true,
    });
    let here = call(&mut cuff, "everything.trigger_url_elicitation", &arguments)["error"].take();
    let expected = call(&mut direct, "trigger-url-elicitation", &arguments)["error"].take();
    assert_eq!(here["code"], -32042, "the client is to open a page first: {here}");
    assert_eq!(here["code"], expected["code"]);
    let names = |error: &Value| error["data"]["elicitations"][0]["mode"].clone();
    assert_eq!((names(&here), names(&expected)), (json!("url"), json!("url")), "{here}");
    let message = format!("everything: {}", expected["message"].as_str().unwrap());
    assert_eq!(here["message"], message);
    cuff.leave();
    direct.leave();
    let run = project.cuff(["runs", "show"]).succeeded().stdout;
    assert!(run.contains("rejected"), "it is recorded as any other: {run}");
}
