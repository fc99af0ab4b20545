//! Servers that do everything wrong, each beside one that is well: one clear line names the server, and nothing is left.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::process;
use crate::support::project::Project;

/// The longest time until a server that is bad has been found out.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server whose first argument says how it is bad; `good`: it is not.
const SERVER: &str = r##"
const how = process.argv[2];
const say = (message) => process.stdout.write(JSON.stringify({jsonrpc: "2.0", ...message}) + "\n");
const object = {type: "object"};
const tool = (name, inputSchema = object) => ({name, inputSchema});
const cycle = {type: "object", properties: {next: {$ref: "#/properties/next"}, tree: {$ref: "#"}}};
const lists = {
  many: () => Array.from({length: 10000}, (_, n) => tool("t" + n)),
  twice: () => [tool("echo"), tool("echo"), tool("other")],
  names: () => [tool("a b/c"), tool("ünï-cödé"), tool(""), tool("x".repeat(300)), tool("echo")],
  cycles: () => [tool("echo", cycle)],
  schemas: () => [tool("echo"), {name: "none"}, tool("text", "object"), tool("regex", {type: "object", properties: {x: {pattern: "("}}}), 7, null],
};
if (how === "crash") { console.error("no configuration at all"); process.exit(3); }
if (how === "stderr") setInterval(() => process.stderr.write("y".repeat(65536) + "\n"), 1);
if (how === "noise") { console.log("Server is starting…"); console.log("{not json"); console.log("[1,2"); }
if (how === "storm") setInterval(() => say({method: "notifications/tools/list_changed"}), 1);
if (how === "strangers") setInterval(() => { say({id: 999999, result: {}}); say({id: "never", error: {code: 1, message: "x"}}); say({id: null, result: 1}); }, 5);
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    if (how === "hang") return;
    if (how === "nonsense") return void process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":7}}\n`);
    return say({id, result: {protocolVersion: params.protocolVersion, capabilities: {tools: {listChanged: true}}, serverInfo: {name: "fake", version: "1"}}});
  }
  if (method === "tools/list") return say({id, result: {tools: (lists[how] ?? (() => [tool("echo")]))()}});
  if (method !== "tools/call") return say({id, error: {code: -32601, message: "no"}});
  const token = params._meta.progressToken;
  switch (how) {
    case "dies": console.error("out of memory"); process.exit(9);
    case "silent": return;
    case "large": return say({id, result: {content: [{type: "text", text: "z".repeat(50e6)}]}});
    case "broken": return void process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[\n`);
    case "progress": return void setInterval(() => say({method: "notifications/progress", params: {progressToken: token, progress: Date.now()}}), 1);
    default: say({id, result: {content: [{type: "text", text: how + " " + params.name}]}});
  }
});
"##;

/// A project with a server that is bad in this way and one that is good, both approved, and a session with cuff.
fn served(how: &str) -> (Project, McpSession) {
    let project = Project::empty();
    project.write("server.cjs", SERVER);
    let entry = |how: &str| json!({"type": "mcp", "command": "node", "args": ["server.cjs", how], "config": {"connect_timeout": 2, "default_timeout": 2}});
    let plugins = json!({"bad": entry(how), "good": entry("good")});
    project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let mut session = McpSession::begun(&project, &["--expose", "tools"]);
    // The good one is there in time, with any other beside it.
    let began = Instant::now();
    let is_there = |session: &mut McpSession| names(session).iter().any(|name| name == "good.echo");
    while !is_there(&mut session) {
        assert!(began.elapsed() < PATIENCE, "{how}: the good server is not listed");
        std::thread::sleep(Duration::from_millis(50));
    }
    (project, session)
}

fn names(session: &mut McpSession) -> Vec<String> {
    let (mut names, mut params) = (Vec::new(), json!({}));
    loop {
        let result = session.ask("tools/list", params)["result"].take();
        let tools = result["tools"].as_array().unwrap();
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        match result.get("nextCursor") {
            Some(cursor) if !cursor.is_null() => params = json!({"cursor": cursor}),
            _ => return names,
        }
    }
}

/// The text of the answer to a call, and whether it failed.
fn called(session: &mut McpSession, name: &str) -> (String, bool) {
    let result = session.ask("tools/call", json!({"name": name, "arguments": {}}))["result"].take();
    let text = result["content"][0]["text"].as_str().unwrap().to_owned();
    (text, result["isError"] == Value::Bool(true))
}

/// Expects that the good server answers, and that the end of cuff is the end of all.
fn ends_well(how: &str, project: &Project, mut session: McpSession) {
    assert_eq!(called(&mut session, "good.echo"), ("good echo".to_owned(), false), "{how}");
    session.leave();
    if cfg!(target_os = "linux") {
        let marker = format!("TMPDIR={}", project.outside().join("tmp").display());
        process::until("the end of all processes", || process::with_variable(&marker).is_empty());
    }
}

/// A call of the bad server's tool fails with one line that has these words.
fn fails(how: &str, words: &[&str]) {
    let (project, mut session) = served(how);
    let began = Instant::now();
    let (text, is_error) = loop {
        let (text, is_error) = called(&mut session, "bad.echo");
        let is_known = words.iter().all(|word| text.contains(word));
        if is_known || began.elapsed() > PATIENCE {
            break (text, is_error);
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(is_error, "{how}: {}", text.chars().take(500).collect::<String>());
    let line = text.lines().find(|line| words.iter().all(|word| line.contains(word)));
    assert!(
        line.is_some_and(|line| line.contains("bad")),
        "{how}: one line names the server: {:?}",
        text.get(..500.min(text.len()))
    );
    ends_well(how, &project, session);
}

/// A call of the bad server's tool answers all the same, and what is wrong is said once where it is listed.
fn answers(how: &str, problem: Option<&str>) {
    let (project, mut session) = served(how);
    let began = Instant::now();
    let answer = loop {
        let answer = called(&mut session, "bad.echo");
        if !answer.1 || began.elapsed() > PATIENCE {
            break answer;
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(answer, (format!("{how} echo"), false));
    if let Some(problem) = problem {
        let listed = project.cuff(["list"]);
        let said = format!("{}{}", listed.stdout, listed.stderr);
        assert!(said.contains(problem) && said.contains("bad"), "{how}: {said}");
    }
    ends_well(how, &project, session);
}

#[test]
fn a_server_that_does_not_come_up_is_named_with_its_reason() {
    fails("crash", &["bad", "exit code 3"]);
    fails("hang", &["bad", "did not answer within 2 s"]);
    fails("nonsense", &["bad", "protocol"]);
}

#[test]
fn a_call_that_a_server_does_not_answer_fails_in_time_and_names_it() {
    fails("dies", &["bad", "exit code 9"]);
    fails("silent", &["bad did not answer within 2 seconds"]);
    fails("progress", &["bad did not answer within 2 seconds"]);
    fails("broken", &["bad"]);
    fails("large", &["bad", "more than 16 MiB"]);
}

#[test]
fn a_server_that_floods_or_babbles_answers_all_the_same() {
    answers("stderr", None);
    answers("noise", None);
    answers("storm", None);
    answers("strangers", None);
}

#[test]
fn a_list_that_is_partly_wrong_offers_the_rest_and_says_what_is_left_out() {
    answers("twice", Some("echo"));
    answers("names", Some("name"));
    answers("cycles", None);
    answers("schemas", Some("the tool \"none\" of the server bad is not offered: it has no `inputSchema`"));
}

#[test]
fn of_ten_thousand_tools_as_many_are_offered_as_cuff_takes() {
    let (project, mut session) = served("many");
    let of_bad = names(&mut session).iter().filter(|name| name.starts_with("bad.")).count();
    assert_eq!(of_bad, 5_000);
    assert_eq!(called(&mut session, "bad.t4999"), ("many t4999".to_owned(), false));
    let listed = project.cuff(["list"]);
    assert!(listed.stderr.contains("5000") && listed.stderr.contains("bad"), "{}", listed.stderr);
    ends_well("many", &project, session);
}
