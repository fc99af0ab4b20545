//! Numbers that no number of JavaScript or of 64 bits is: they come through as they are, to programs and to clients.

use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::served::{approve, ask, asking, call, directly, with_cuff};
use crate::support::process::until;
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
            format!("{{\"id\":{whole},\"small\":7,\"float\":150000000000000000000}}"),
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
        (
            "return [await tools.toy.echo({ x: 2n ** 99n })].map(({ id }) => [id, id + 1n])[0]",
            "[633825300114114700748351602688,633825300114114700748351602689]".to_owned(),
        ),
    ] {
        let run = toolscript(&project, &["exec", "--json", code]).succeeded();
        let shown = run.stdout.parse::<Value>().unwrap_or_else(|_| json!(null))["result"].to_string();
        assert_eq!(shown, expected, "{code}");
    }
    for (code, expected) in [
        (
            "await tools.toy.echo({ x: 2 ** 53 })",
            "the argument `x` is 9007199254740992, and no number is exact above 2^53",
        ),
        ("await tools.toy.echo({ x: 1234567890123456789 })", "no number is exactly this one"),
    ] {
        let run = toolscript(&project, &["exec", code]);
        assert!(run.stderr.contains(expected), "{code}: {}", run.stderr);
    }
}

#[test]
fn numbers_of_any_length_pass_between_a_server_and_a_client() {
    let Some(python) = tools::require("python-mcp") else { return };
    let script = format!("{}/tests/it/support/servers/large_numbers.py", env!("CARGO_MANIFEST_DIR"));
    let words = [python.display().to_string(), script];
    let project = Project::empty();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new(&words[0]);
    command.args([&words[1], "http", &port.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
    project.surround(&mut command);
    let mut listening = command.spawn().unwrap();
    until("a server that listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    let settings = json!({"version": "1", "plugins": {
        "stdio": {"type": "mcp", "command": words[0], "args": [words[1], "stdio"]},
        "http": {"type": "mcp", "url": format!("http://127.0.0.1:{port}/mcp")},
    }});
    project.write("settings.yml", settings.to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();

    let mut server =
        directly(&project, &words.clone().into_iter().chain(["stdio".to_owned()]).collect::<Vec<_>>());
    let definition = ask(&mut server, "tools/list", json!({}))["result"]["tools"][0].clone();
    let mut cuff = with_cuff(&project, &asking());
    let arguments: Value =
        serde_json::from_str(r#"{"x": -987654321098765432109876543210, "y": 1.5e300}"#).unwrap();
    for given in [json!({}), arguments] {
        let expected = call(&mut server, "number", &given)["result"]["structuredContent"].to_string();
        let shown = if given == json!({}) {
            "123456789012345678901234567890"
        } else {
            "-987654321098765432109876543210"
        };
        assert!(expected.starts_with(&format!("{{\"x\":{shown},")), "{expected}");
        for name in ["stdio.number", "http.number"] {
            let result = &call(&mut cuff, name, &given)["result"];
            assert_eq!(result["structuredContent"].to_string(), expected, "{name}: {result}");
        }
    }
    let listed = ask(&mut cuff, "tools/list", json!({}));
    for name in ["stdio.number", "http.number"] {
        let tools = listed["result"]["tools"].as_array().unwrap();
        let schema = &tools.iter().find(|tool| tool["name"] == name).unwrap()["inputSchema"];
        assert_eq!(schema, &definition["inputSchema"], "{name}");
        assert_eq!(schema["properties"]["x"]["default"].to_string(), "123456789012345678901234567890");
    }
    listening.kill().unwrap();
    listening.wait().unwrap();
}
