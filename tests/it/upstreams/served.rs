//! A project with other MCP servers that a person has approved, and sessions with cuff and with each of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::mcp_session::{McpSession, newest};
use crate::support::project::Project;
use crate::support::tools;

/// A client that shows forms and opens pages.
pub(super) fn asking() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}})
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A project whose servers are these programs; each is a name and words.
pub(super) fn approved(servers: &[(&str, Vec<String>)]) -> Project {
    let project = Project::empty();
    approve(&project, servers);
    project
}

/// The same for a project that has files already.
pub(super) fn approve(project: &Project, servers: &[(&str, Vec<String>)]) {
    let entry = |(name, words): &(&str, Vec<String>)| {
        // A value that no answer shows.
        let variables = json!({"SHOP_TOKEN": "open-sesame-42"});
        let entry = json!({"type": "mcp", "command": words[0], "args": words[1..], "env": variables});
        ((*name).to_owned(), entry)
    };
    let plugins: serde_json::Map<String, Value> = servers.iter().map(entry).collect();
    project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
}

/// The words of the official server `everything`; `None` where it is not installed and need not be.
pub(super) fn everything() -> Option<Vec<String>> {
    tools::require("node")?;
    let file = here("tests/tools/node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    if !file.is_file() {
        assert!(tools::may_skip(), "{} is missing: run tests/tools/install", file.display());
        tools::skipped(&format!("{} is missing", file.display()));
        return None;
    }
    Some(vec!["node".to_owned(), file.display().to_string(), "stdio".to_owned()])
}

/// The words of the server of the conformance suite, which speaks this era: `sessions` or `newest`.
pub(super) fn suite(era: &str) -> Option<Vec<String>> {
    tools::require("bun")?;
    let script = here("tests/it/support/servers/suite_server.mjs").display().to_string();
    Some(vec!["bun".to_owned(), script, "stdio".to_owned(), era.to_owned()])
}

/// A session with a server itself.
pub(super) fn directly(project: &Project, words: &[String]) -> McpSession {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    project.surround(&mut command);
    begun(McpSession::of(command), &asking())
}

/// A session with cuff, of a client with these abilities.
pub(super) fn with_cuff(project: &Project, abilities: &Value) -> McpSession {
    begun(McpSession::over_pipes(project, &["--expose", "tools"]), abilities)
}

/// A client of the newest protocol with these abilities, which opens no session. `more`: further fields of each `_meta`.
pub(super) fn of_newest(project: &Project, abilities: &Value, more: &Value) -> McpSession {
    let mut session = McpSession::over_pipes(project, &["--expose", "tools"]);
    let mut meta = newest();
    meta["io.modelcontextprotocol/clientCapabilities"] = abilities.clone();
    for (name, value) in more.as_object().into_iter().flatten() {
        meta[name] = value.clone();
    }
    session.meta = Some(meta);
    session
}

fn begun(mut session: McpSession, abilities: &Value) -> McpSession {
    let client = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": abilities, "clientInfo": client});
    session.ask_hearing("initialize", params);
    session.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    session
}

/// The answer, past all other messages.
pub(super) fn ask(session: &mut McpSession, method: &str, params: Value) -> Value {
    session.ask_hearing(method, params).1
}

/// The answer to a call, past all other messages.
pub(super) fn call(session: &mut McpSession, name: &str, arguments: &Value) -> Value {
    ask(session, "tools/call", json!({"name": name, "arguments": arguments}))
}

/// Of these messages, the parameters of those with this method.
pub(super) fn of_method<'a>(said: &'a [Value], method: &str) -> Vec<&'a Value> {
    said.iter().filter(|message| message["method"] == method).map(|message| &message["params"]).collect()
}
