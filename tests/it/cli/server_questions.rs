//! Questions of MCP servers at the terminal, while one of their tools is called.

use std::process::Stdio;

use crate::support::project::Project;

/// A server whose one tool asks for a form and answers with the result.
const SERVER: &str = r#"
const say = (message) => console.log(JSON.stringify({jsonrpc: "2.0", ...message}));
const requestedSchema = {type: "object", required: ["name"], properties: {
  name: {type: "string", title: "Your name", minLength: 2},
  age: {type: "integer", title: "Your age"},
  colour: {type: "string", title: "A colour", enum: ["r", "g"], enumNames: ["red", "green"]},
}};
let call;
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params, result} = JSON.parse(line);
  if (method === "initialize") say({id, result: {
    protocolVersion: params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: "fake", version: "1"},
  }});
  else if (method === "tools/list") say({id, result: {tools: [{name: "ask", inputSchema: {type: "object"}}]}});
  else if (method === "tools/call") {
    call = id;
    say({id: "q", method: "elicitation/create", params: {message: "Who \u001b[31mare you", requestedSchema}});
  } else if (id === "q") {
    say({id: call, result: {content: [{type: "text", text: "heard " + JSON.stringify(result)}]}});
  }
});
"#;

fn project() -> Project {
    let project = Project::empty();
    project.write("server.cjs", SERVER);
    let settings = "version: '1'\nplugins:\n  asking: {type: mcp, command: node, args: [server.cjs]}\n";
    project.write("settings.yml", settings);
    project.cuff(["list"]).succeeded();
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    project
}

#[test]
fn a_person_fills_in_the_form_of_a_server() {
    let project = project();
    let steps = [
        ("Answer it? [y/N]", "y"),
        ("Your name", "A\r"),
        // One letter is too short, and is asked for again.
        ("Your name", "Ada\r"),
        ("Your age", "42\r"),
        ("A colour", "\u{1b}[B\r"),
    ];
    let shown = project.at_terminal(80, &steps, &["run", "asking.ask"]).succeeded();
    let sent = shown.sent();
    assert!(sent.contains("The MCP server asking asks: Who "), "{sent}");
    assert!(!sent.contains("\u{1b}[31m"), "the server colours nothing: {sent}");
    let heard = r#"heard {"action":"accept","content":{"name":"Ada","age":42,"colour":"g"}}"#;
    assert!(sent.contains(heard), "{sent}");
}

#[test]
fn a_no_declines_and_without_a_person_the_question_is_cancelled() {
    let project = project();
    let shown = project.at_terminal(80, &[("[y/N]", "n")], &["run", "asking.ask"]).succeeded();
    assert!(shown.sent().contains(r#"heard {"action":"decline"}"#), "{}", shown.sent());
    let mut command = project.command(["run", "asking.ask"]);
    let output = command.stdin(Stdio::null()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    assert!(text.is_ok_and(|text| text.contains(r#"heard {"action":"cancel"}"#)));
}
