//! Answers that strict JSON refuses, and errors that do not fit a tool's output schema: each is answered at once, and its words
//! reach the client.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::served::{ask, asking, call, with_cuff};
use crate::support::official_client;
use crate::support::project::Project;
use crate::support::tools;

/// A project with a script and the server, whose list is known already.
fn served(how: &str, config: &Value) -> Option<Project> {
    tools::require("node")?;
    let project = Project::with_scripts(2);
    let server = format!("{}/tests/it/support/servers/odd_answers.cjs", env!("CARGO_MANIFEST_DIR"));
    let toy = json!({"type": "mcp", "command": "node", "args": [server, how], "config": config});
    let plugins = json!({"packagejson": {"type": "in_source"}, "toy": toy});
    project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let mut session = with_cuff(&project, &asking());
    let began = Instant::now();
    while how != "babble" && !ask(&mut session, "tools/list", json!({})).to_string().contains("toy.plain") {
        assert!(began.elapsed() < Duration::from_secs(20), "the server is not listed");
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(project)
}

/// The text of each answer as the official client has it, or its refusal of the answer.
fn texts(project: &Project, options: &[&str], calls: &Value) -> Vec<String> {
    let said = official_client::session(project, calls, options);
    let results = said["results"].as_array().unwrap();
    let text = |result: &Value| match &result["content"][0]["text"] {
        Value::String(text) => format!("{}{text}", if result["isError"] == true { "error: " } else { "" }),
        _ => result.to_string(),
    };
    results.iter().map(text).collect()
}

#[test]
fn errors_reach_a_client_that_knows_another_output_schema() {
    let Some(project) = served("plain", &json!({"confirm": ["typed-one"]})) else { return };
    let calls = json!([
        {"name": "toy.typed_one", "arguments": {"x": 5}},
        {"name": "toy.typed_one", "arguments": {}},
    ]);
    let texts = texts(&project, &["--expose", "tools"], &calls);
    assert!(texts[0].starts_with("error: `x` must be a string") && texts[0].contains("_304]"), "{texts:?}");
    assert!(texts[1].contains("_307]") && texts[1].contains("cuff approve "), "{texts:?}");

    let Some(project) = served("plain", &json!({})) else { return };
    let calls = json!([
        {"name": "toy.typed_one", "arguments": {"x": "one"}},
        {"name": "toy.typed_one", "arguments": {"x": "fail"}},
        {"name": "call_plugin_tool", "arguments": {"tool_name": "toy.plain", "arguments": {"x": "y"}}},
        {"name": "call_plugin_tool", "arguments": {"tool_name": "toy.typed_one", "arguments": {"x": "fail"}}},
        {"name": "list_plugins", "arguments": {}},
        {"name": "toy.typed_one", "arguments": {"x": "die"}},
    ]);
    let texts = self::texts(&project, &["--expose", "tools"], &calls);
    assert_eq!(texts[..4], ["one", "error: no such thing", "{\"x\":\"y\"}", "error: no such thing"]);
    assert!(texts[4].contains("total_tools"), "{texts:?}");
    let lost = "the connection to the server toy was lost: its program ended with exit code 9; its last line on standard \
                error: out of memory";
    assert!(texts[5].starts_with("error: ") && texts[5].contains(lost), "{texts:?}");
}

#[test]
fn an_answer_that_strict_json_refuses_is_mended_or_fails_at_once_with_the_reason() {
    let Some(project) = served("plain", &json!({})) else { return };
    let mut session = with_cuff(&project, &asking());
    let mut answer = |x: &str| {
        let began = Instant::now();
        let answer = call(&mut session, "toy.plain", &json!({"x": x}));
        assert!(began.elapsed() < Duration::from_secs(10), "{x}");
        answer["result"].clone()
    };
    assert_eq!(answer("half")["content"][0]["text"], "half \u{fffd}");
    assert_eq!(answer("big")["structuredContent"].to_string(), r#"{"id":1234567890123456789}"#);
    for (x, why) in [
        ("nan", "its answer has JSON that cannot be read: expected value at `NaN}}}`"),
        ("deep", "its answer has JSON that cannot be read: it is nested deeper than 128 levels"),
    ] {
        let answer = answer(x);
        let text = answer["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&format!("the call to the server toy failed: {why}")), "{text}");
        assert_eq!(answer["isError"], true);
    }
    assert_eq!(answer("half")["isError"], Value::Null, "the connection goes on");
}

#[test]
fn a_tool_that_is_no_json_is_withheld_alone_and_every_face_says_so() {
    let Some(project) = served("list", &json!({})) else { return };
    let why = "the tool \"not-json\" of the server toy is not offered: it has JSON that cannot be read: expected value at `NaN}}}}`";
    let tested = project.cuff(["mcp", "test"]).succeeded().stdout;
    assert!(tested.contains("2 tools") && tested.contains(why), "{tested}");
    let ran = project.cuff(["run", "toy.not-json"]);
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    let mut session = with_cuff(&project, &asking());
    let answer = call(&mut session, "toy.not-json", &json!({}));
    assert!(answer.to_string().contains("JSON that cannot be read"), "{answer}");
    let program = project.cuff(["toolscript", "exec", "return await tools.toy.notJson({})"]);
    assert!(program.stderr.contains("is withheld") && program.stderr.contains("NaN"), "{}", program.stderr);
}

#[test]
fn a_name_that_one_face_shows_is_taken_by_all() {
    let Some(project) = served("plain", &json!({})) else { return };
    let names = ["toy.typed_one", "toy.typed-one", "toy__typed_one", "toy.typedOne", "typed-one"];
    let calls: Vec<Value> =
        names.iter().map(|name| json!({"name": name, "arguments": {"x": "one"}})).collect();
    for spelling in ["dotted", "portable"] {
        let options = ["--expose", "tools", "--tool-names", spelling];
        assert_eq!(texts(&project, &options, &json!(calls)), ["one"; 5], "{spelling}");
    }
    for name in names {
        let ran = project.cuff(["run", name, "--x", "one"]).succeeded();
        assert!(ran.stdout.contains("one"), "{name}: {}", ran.stdout);
    }
    for member in ["typedOne", "typed_one", "[\"typed-one\"]"] {
        let dot = if member.starts_with('[') { "" } else { "." };
        let source = format!("return (await tools.toy{dot}{member}({{x: \"one\"}})).n");
        let ran = project.cuff(["toolscript", "exec", source.as_str()]).succeeded();
        assert_eq!(ran.stdout.trim(), "1", "{member}");
    }
}

#[test]
fn a_null_for_an_optional_argument_is_left_out() {
    let Some(project) = served("plain", &json!({})) else { return };
    let mut session = with_cuff(&project, &asking());
    let answer = call(&mut session, "toy.plain", &json!({"x": null, "y": null}));
    assert_eq!(answer["result"]["content"][0]["text"], r#"{"y":null}"#);
    let source = "return await tools.toy.plain({x: null, y: 1})";
    let ran = project.cuff(["toolscript", "exec", source]).succeeded();
    assert!(ran.stdout.contains("\"y\"") && !ran.stdout.contains("\"x\""), "{}", ran.stdout);
}

#[test]
fn a_server_that_prints_no_messages_is_told_what_it_printed() {
    let Some(project) = served("babble", &json!({"connect_timeout": 1})) else { return };
    let tested = project.cuff(["mcp", "test"]).stdout;
    let why = "did not answer within 1 s; it printed on standard output, which is for messages of MCP alone: \
               \"Listening on port 3000\"";
    assert!(tested.contains(why), "{tested}");
}
