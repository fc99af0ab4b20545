//! `cuff serve --expose code`: three tools for all.

use serde_json::json;

use super::{project, scripts};
use crate::support::mcp_session::McpSession;

#[test]
fn three_tools_find_describe_and_call_all_others() {
    let Some(project) = project() else { return };
    let mut session = McpSession::begun(&project, &["--expose", "code"]);
    let listed = session.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["search_tools", "tool_types", "execute_code"]);
    // Four bytes are a token, and seldom less.
    let size = serde_json::to_string(tools).unwrap().len();
    assert!(size < 900 * 4, "{size} bytes");
    let found = session.call("search_tools", &json!({"query": "knowledge graph read"}));
    assert_eq!(found["structuredContent"]["tools"][0]["tool"], "memory.readGraph", "{found}");
    let types = session.call("tool_types", &json!({"tools": ["memory.readGraph"]}));
    assert!(types["content"][0]["text"].as_str().unwrap().contains("export function readGraph("), "{types}");
    let code = "const [a, b] = await Promise.all([tools.everything.getSum({ a: 2, b: 3 }), tools.npm.npmGreet()]); console.log('done'); return [String(a).includes('5'), b.success]";
    let run = session.call("execute_code", &json!({ "code": code }));
    assert_eq!(run["structuredContent"]["result"], json!([true, true]), "{run}");
    assert_eq!(run["content"][0]["text"], "done\n\n[true,true]");
    let again = session.call(
        "execute_code",
        &json!({"code": "import { results } from 'toolscript'; return await results.latest"}),
    );
    assert_eq!(again["structuredContent"]["result"], json!([true, true]), "{again}");
    session.leave();
    // Another server has another session.
    let mut other = McpSession::begun(&project, &["--expose", "code"]);
    let none = other.call(
        "execute_code",
        &json!({"code": "import { results } from 'toolscript'; return await results.latest"}),
    );
    assert_eq!(none["isError"], json!(true), "{none}");
    other.leave();
}

#[test]
fn a_program_that_fails_says_where_and_what_was_done() {
    let project = scripts();
    let mut session = McpSession::begun(&project, &["--expose", "code"]);
    let failed =
        session.call("execute_code", &json!({"code": "const x: number = 1;\nthrow new Error('no ' + x)"}));
    assert_eq!(failed["isError"], json!(true));
    let error = &failed["structuredContent"]["error"];
    assert_eq!((&error["message"], &error["stack"][0]["line"]), (&json!("no 1"), &json!(2)), "{failed}");
    let rejected = session.call("execute_code", &json!({"code": "await tools.npm.npmGreett()"}));
    assert!(
        rejected["content"][0]["text"].as_str().unwrap().contains("did you mean `npmGreet`?"),
        "{rejected}"
    );
    let wrong = session.call("execute_code", &json!({"source": "1"}));
    assert!(wrong["content"][0]["text"].as_str().unwrap().contains("code"), "{wrong}");
    let forever = session.call("execute_code", &json!({"code": "for (;;) {}", "timeout": 1}));
    assert!(forever["content"][0]["text"].as_str().unwrap().contains("longer than 1 s"), "{forever}");
    session.leave();
}
