//! Integers that no number of JavaScript has: a program gets and gives them as they are.

use serde_json::json;

use super::served::approve;
use crate::support::project::Project;
use crate::support::tools;
use crate::toolscript::toolscript;

/// A server that answers with such an integer, and with what it was called with.
const BIG: &str = r#"
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method} = JSON.parse(line);
  const say = (result) => console.log(`{"jsonrpc": "2.0", "id": ${JSON.stringify(id)}, "result": ${result}}`);
  if (method === "initialize") say('{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "big", "version": "1"}}');
  if (method === "tools/list") say('{"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}');
  if (method === "tools/call") {
    const x = /"x":\s*("[^"]*"|[-0-9.e+]+)/.exec(line)?.[1];
    const id = x === '"@bigint"' ? "1234567890123456789" : x;
    say(`{"content": [], "structuredContent": {"id": ${id}, "small": 7, "float": 1.5e20}}`);
  }
});
"#;

fn project() -> Option<Project> {
    let node = tools::require("node")?;
    let project = Project::empty();
    project.write("big.js", BIG);
    let words = vec![node.display().to_string(), project.root().join("big.js").display().to_string()];
    approve(&project, &[("toy", words)]);
    Some(project)
}

#[test]
fn integers_above_2_53_stay_exact_from_a_tool_to_a_tool_and_to_the_result() {
    let Some(project) = project() else { return };
    let whole = "1234567890123456789";
    for (code, expected) in [
        (
            "return await tools.toy.echo({ x: '@bigint' })",
            format!("{{\"id\":{whole},\"small\":7,\"float\":1.5e+20}}"),
        ),
        (
            "const a = await tools.toy.echo({ x: '@bigint' }); return (await tools.toy.echo({ x: String(a.id) })).id",
            format!("\"{whole}\""),
        ),
        (
            "const a = await tools.toy.echo({ x: '@bigint' }); return (await tools.toy.echo({ x: a.id })).id",
            whole.to_owned(),
        ),
        (
            "const a = await tools.toy.echo({ x: '@bigint' }); return [typeof a.id, a.id + 1n, typeof a.small, `${a.id}`]",
            format!("[\"bigint\",1234567890123456790,\"number\",\"{whole}\"]"),
        ),
        (
            "const a = await tools.toy.echo({ x: '@bigint' }); return JSON.stringify(a)",
            format!("\"{{\\\"id\\\":{whole},\\\"small\\\":7,\\\"float\\\":150000000000000000000}}\""),
        ),
        ("return (await tools.toy.echo({ x: -9223372036854775808n })).id", "-9223372036854775808".to_owned()),
        ("return (await tools.toy.echo({ x: 18446744073709551615n })).id", "18446744073709551615".to_owned()),
    ] {
        let run = toolscript(&project, &["exec", "--json", code]).succeeded();
        let shown =
            run.stdout.parse::<serde_json::Value>().unwrap_or_else(|_| json!(null))["result"].to_string();
        assert_eq!(shown, expected, "{code}");
    }
    for (code, expected) in [
        (
            "await tools.toy.echo({ x: 2 ** 53 })",
            "the argument `x` is 9007199254740992, and no number is exact above 2^53",
        ),
        (
            "await tools.toy.echo({ x: 2n ** 64n })",
            "the argument `x` is an integer of more than 64 bits; pass String(x)",
        ),
        ("await tools.toy.echo({ x: 1234567890123456789 })", "no number is exactly this one"),
    ] {
        let run = toolscript(&project, &["exec", code]);
        assert!(run.stderr.contains(expected), "{code}: {}", run.stderr);
    }
}
