//! Programs whose calls ask a person: cuff's own question, and that of another MCP server, while the program waits.

use serde_json::{Value, json};

use super::served::{approve, ask, asking, of_newest, with_cuff};
use crate::support::http_server::{Endpoint, HttpServer, TOKEN};
use crate::support::mcp_session::{McpSession, newest};
use crate::support::official_client;
use crate::support::project::Project;
use crate::support::tools;

/// A server whose tool asks for a colour, within the session or by its result, and says the answer.
const ASKS: &str = r#"
const pending = new Map();
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params, result} = JSON.parse(line);
  const say = (message) => console.log(JSON.stringify({jsonrpc: "2.0", ...message}));
  const end = (id, answer) => say({id, result: {content: [{type: "text", text: `${answer?.action} ${answer?.content?.colour}`}]}});
  if (method === "initialize") say({id, result: {
    protocolVersion: "2025-06-18", capabilities: {tools: {}}, serverInfo: {name: "shop", version: "1"},
  }});
  if (method === "tools/list") say({id, result: {tools: [
    {name: "pick", inputSchema: {type: "object"}},
    {name: "draw", description: "Draw a picture", inputSchema: {type: "object"}},
  ]}});
  if (method === "tools/call" && params.name === "draw") {
    say({id, result: {content: [{type: "image", mimeType: "image/png", data: "aGk="}]}});
  } else if (method === "tools/call") {
    pending.set(`q${id}`, id);
    say({id: `q${id}`, method: "elicitation/create", params: {
      message: "Which colour?", requestedSchema: {type: "object", properties: {colour: {type: "string"}}},
    }});
  }
  if (pending.has(id)) end(pending.get(id), result);
});
"#;

/// Two marks, a colour and a mark, the second and the last of which a person must allow.
const PROGRAM: &str = "const before = await tools.scripts.scriptFree({ args: ['a'] });
const first = await tools.scripts.scriptMark({ args: ['b'] });
const colour = await tools.shop.pick();
await tools.scripts.scriptMark({ args: [colour] });
return [before.success, first.success, colour];";

fn project() -> Option<Project> {
    let node = tools::require("node")?;
    let project = Project::empty();
    project.script("mark.sh", "#!/bin/sh\necho \"$1\" >> marks\n");
    project.script("free.sh", "#!/bin/sh\necho \"$1\" >> marks\n");
    project.write("shop.js", ASKS);
    approve(&project, &[("shop", vec![node.display().to_string(), "shop.js".to_owned()])]);
    let mut settings: Value = serde_json::from_str(&project.read("settings.yml")).unwrap_or_default();
    settings["plugins"]["scripts"] = json!({"config": {"patterns": ["*.sh"], "confirm": ["script_mark"]}});
    project.write("settings.yml", settings.to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    Some(project)
}

fn program(code: &str) -> Value {
    json!({"name": "execute_code", "arguments": {"code": code, "timeout": 5}})
}

/// The answer of a person who says yes and likes red.
fn answer_to(question: &Value) -> Value {
    let content = if question["requestedSchema"]["properties"].get("yes").is_some() {
        json!({"yes": true})
    } else {
        json!({"colour": "red"})
    };
    json!({"action": "accept", "content": content})
}

/// The messages of the questions, and what came of the program.
fn asked_in_session(
    session: &mut McpSession,
    code: &str,
    answer: impl Fn(&Value) -> Value,
) -> (Vec<String>, Value) {
    let id = session.begin("tools/call", program(code));
    let mut asked = Vec::new();
    loop {
        let message = session.hear();
        if message["id"] == id {
            return (asked, message["result"].clone());
        }
        if message["method"] == "elicitation/create" {
            asked.push(first_line(&message["params"]));
            session
                .say(&json!({"jsonrpc": "2.0", "id": message["id"], "result": answer(&message["params"])}));
        }
    }
}

/// The same where the result of the request asks, over anything that takes a request.
fn asked_by_result(mut request: impl FnMut(Value) -> Value, code: &str) -> (Vec<String>, Value) {
    let mut params = program(code);
    let mut asked = Vec::new();
    loop {
        let result = request(params)["result"].take();
        if result["resultType"] != "input_required" {
            return (asked, result);
        }
        let requests = result["inputRequests"].as_object().cloned().unwrap_or_default();
        asked.extend(requests.values().map(|request| first_line(&request["params"])));
        let answers: serde_json::Map<String, Value> =
            requests.iter().map(|(key, request)| (key.clone(), answer_to(&request["params"]))).collect();
        params = program(code);
        params["inputResponses"] = Value::Object(answers);
        params["requestState"] = result["requestState"].clone();
    }
}

fn first_line(question: &Value) -> String {
    question["message"].as_str().and_then(|text| text.lines().next()).unwrap_or_default().to_owned()
}

/// The questions of the program, and its result where each is answered.
fn is_whole(project: &Project, asked: &[String], result: &Value) {
    let confirm = "scripts.script_mark requires your confirmation. It runs:";
    assert_eq!(asked, [confirm, "The MCP server shop asks: Which colour?", confirm], "{result}");
    assert_eq!(result["structuredContent"]["result"], json!([true, true, "accept red"]), "{result}");
    assert_eq!(project.read("marks"), "a\nb\naccept red\n", "each was made once");
}

#[test]
fn a_program_waits_for_the_answers_of_a_client_with_a_session() {
    let Some(project) = project() else { return };
    let mut session = with_cuff(&project, &asking());
    let (asked, result) = asked_in_session(&mut session, PROGRAM, answer_to);
    is_whole(&project, &asked, &result);
    session.leave();
}

#[test]
fn a_program_is_held_while_a_client_without_sessions_brings_the_answers() {
    let Some(project) = project() else { return };
    let mut session = of_newest(&project, &asking(), &json!({}));
    let (asked, result) = asked_by_result(|params| ask(&mut session, "tools/call", params), PROGRAM);
    is_whole(&project, &asked, &result);
    // Nothing is answered twice, and nothing by another call.
    let again = json!({"name": "execute_code", "arguments": {"code": "return 1"}, "requestState": "held-0"});
    assert_eq!(ask(&mut session, "tools/call", again)["error"]["code"], -32602);
    session.leave();
}

#[test]
fn a_program_is_held_over_http_as_well() {
    let Some(project) = project() else { return };
    let server = HttpServer::start(&project, &["--expose", "code"]);
    let request = |mut params: Value| {
        params["_meta"] = newest();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = asking();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        let door: &Endpoint = &server;
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "execute_code"),
        ];
        door.post(&headers, &body).message()
    };
    let (asked, result) = asked_by_result(request, PROGRAM);
    is_whole(&project, &asked, &result);
    server.stop();
}

/// The official client with a session over HTTP. One answer fits both questions.
#[test]
fn a_program_asks_in_a_session_over_http() {
    if tools::require("tsc").is_none() {
        return;
    }
    let Some(project) = project() else { return };
    let server = HttpServer::start(&project, &["--expose", "code"]);
    let words = json!({
        "server": server.address, "token": TOKEN, "calls": [program(PROGRAM)],
        "elicit": {"action": "accept", "content": {"yes": true, "colour": "red"}},
    });
    let said = official_client::run(&project, "node", "client.mjs", &words);
    let asked: Vec<String> = said["asked"].as_array().unwrap().iter().map(first_line).collect();
    is_whole(&project, &asked, &said["results"][0]);
    server.stop();
}

#[test]
fn a_no_throws_in_the_program_and_calls_at_once_are_asked_one_by_one() {
    let Some(project) = project() else { return };
    let mut session = with_cuff(&project, &asking());
    let code = "const all = await Promise.allSettled(['a', 'b'].map((word) => tools.scripts.scriptMark({ args: [word] })));
return all.map((one: any) => one.status + ' ' + (one.reason?.message ?? one.value.success))";
    let no = |question: &Value| match question["message"].as_str() {
        Some(text) if text.contains("mark.sh a") => {
            // A no that comes sooner is no person's.
            std::thread::sleep(std::time::Duration::from_millis(400));
            json!({"action": "decline"})
        }
        _ => answer_to(question),
    };
    let (asked, result) = asked_in_session(&mut session, code, no);
    assert_eq!(asked.len(), 2, "{asked:?}");
    let all = result["structuredContent"]["result"].to_string();
    assert!(all.contains("rejected A person said no to this") && all.contains("fulfilled true"), "{result}");
    assert_eq!(project.read("marks"), "b\n");
    session.leave();
}

/// Where nobody can be asked, the answer has the calls that were made, and how to go on.
#[test]
fn a_client_that_cannot_ask_hears_which_calls_were_made() {
    let Some(project) = project() else { return };
    let mut session = with_cuff(&project, &json!({}));
    let answer = ask(&mut session, "tools/call", program(PROGRAM))["result"].take();
    assert_eq!(answer["isError"], true, "{answer}");
    let text = answer["content"][0]["text"].as_str().unwrap_or_default();
    let id = crate::support::mcp_session::id_in(text);
    let (_, journal) = text.split_once("calls: ").unwrap_or_else(|| panic!("{text}"));
    let expected = format!(
        "1 succeeded, 1 failed\n  scripts.script_free {{\"args\":[\"a\"]}} ok\n  scripts.script_mark {{\"args\":[\"b\"]}} failed: \
         scripts.script_mark requires confirmation by a person first; ask the user to run `cuff approve {id}` in a terminal \
         (or `cuff deny {id}`), then make the same call again\nto go on: what succeeded is done; after the yes, run a \
         program that begins with the call that waits"
    );
    assert_eq!(journal, expected);
    assert_eq!(answer["structuredContent"]["calls"][0]["ok"], true, "{answer}");
    // The server of a client that cannot ask hears that nobody answered.
    let answer = ask(&mut session, "tools/call", program("return await tools.shop.pick()"))["result"].take();
    let said = answer["structuredContent"].to_string();
    assert!(said.contains("cancel") || said.contains("undefined"), "{answer}");
    session.leave();
}

/// The images that a program returns are content, and the program finds the tool that draws them by itself.
#[test]
fn a_program_looks_for_a_tool_and_returns_its_image() {
    let Some(project) = project() else { return };
    let mut session = with_cuff(&project, &json!({}));
    let code = "import { tools, search, describe } from 'toolscript';
const [found] = await search('picture', 1);
const [server, name] = found.tool.split('.');
return { found, types: await describe(found.tool), picture: await (tools as any)[server][name]() };";
    let answer = ask(&mut session, "tools/call", program(code))["result"].take();
    assert_eq!(
        answer["content"][1],
        json!({"type": "image", "mimeType": "image/png", "data": "aGk="}),
        "{answer}"
    );
    let shown = json!({"type": "image", "mimeType": "image/png", "shown": "block 1 of the content"});
    let result = &answer["structuredContent"]["result"];
    assert_eq!(result["picture"], shown);
    assert_eq!(result["found"], json!({"tool": "shop.draw", "description": "Draw a picture"}));
    let types = "declare module \"toolscript/shop\" {\n  export type DrawInput = { [key: string]: unknown };\n  /** Draw a picture */\n  export function draw(input?: DrawInput): Promise<any>;\n  export {};\n}";
    assert_eq!(result["types"], types);
    session.leave();
}
