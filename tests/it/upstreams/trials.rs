//! `cuff mcp test`, and what `cuff status` and `cuff doctor` know of a server that failed.

use std::fs;

use serde_json::json;

use crate::support::project::Project;
use crate::support::tools;

/// A server with two tools, prompts and no list of resources.
const SERVER: &str = r#"
const answer = (method, params) => {
  switch (method) {
    case "initialize": return {result: {
      protocolVersion: params.protocolVersion, capabilities: {tools: {}, prompts: {}, resources: {}},
      serverInfo: {name: "fake-server", version: "1.2"},
    }};
    case "tools/list": return {result: {tools: ["a", "b"].map((name) => ({name, inputSchema: {type: "object"}}))}};
    case "prompts/list": return {result: {prompts: [{name: "p"}]}};
    default: return {error: {code: -32601, message: "unknown"}};
  }
};
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({jsonrpc: "2.0", id, ...answer(method, params)}));
});
"#;

/// A server that ends at its start, with a secret on standard error.
const BROKEN: &str = r#"
console.error("no database at " + process.env.DATABASE_TOKEN);
console.error("giving up");
process.exit(3);
"#;

const SETTINGS: &str = "version: '1'
plugins:
  good: {type: mcp, command: node, args: [server.cjs]}
  broken: {type: mcp, command: node, args: [broken.cjs], env: {DATABASE_TOKEN: hush-hush-hush}}
  off: {type: mcp, command: node, enabled: false}
";

fn project() -> Option<Project> {
    tools::require("node")?;
    let project = Project::empty();
    project.write("server.cjs", SERVER);
    project.write("broken.cjs", BROKEN);
    project.write("settings.yml", SETTINGS);
    Some(project)
}

fn approved() -> Option<Project> {
    let project = project()?;
    project.cuff(["list"]).succeeded();
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    Some(project)
}

#[test]
fn each_server_is_tried_and_says_how_that_went() {
    let Some(project) = approved() else { return };
    let run = project.cuff(["mcp", "test"]).ended_with(1);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines[0], "good    works: stdio, protocol 2025-11-25, fake-server 1.2");
    let offered = "        2 tools, 1 prompt, resources that it does not list; connected in ";
    assert!(lines[1].starts_with(offered), "{run:?}");
    let failed =
        "broken  failed: its program ended with exit code 3; its last line on standard error: giving up";
    assert_eq!(lines[2], failed);
    assert_eq!(lines[3], "        | no database at [redacted:DATABASE_TOKEN]");
    assert_eq!(lines[4], "        | giving up");
    assert_eq!(lines[5], "off     is switched off");

    let json = project.cuff(["mcp", "test", "--json"]).ended_with(1).json();
    let servers = &json["servers"];
    assert_eq!(servers[0]["server"], json!({"name": "fake-server", "version": "1.2"}));
    for (key, value) in [("state", json!("works")), ("tools", json!(2)), ("prompts", json!(1))] {
        assert_eq!(servers[0][key], value);
    }
    assert!(servers[0]["connect_ms"].is_u64() && servers[0].get("resources").is_none(), "{json}");
    assert_eq!(servers[1]["stderr"][1], "giving up");
    assert_eq!(servers[2], json!({"name": "off", "transport": "stdio", "state": "off"}));
    assert!(!json.to_string().contains("hush"), "{json}");

    project.cuff(["mcp", "test", "good"]).succeeded();
    let none = project.cuff(["mcp", "test", "gold"]).ended_with(1);
    assert!(none.stderr.contains("there is no MCP server `gold`"), "{none:?}");
}

#[test]
fn a_server_that_waits_for_approval_is_not_started() {
    let Some(project) = project() else { return };
    let run = project.cuff(["mcp", "test"]).ended_with(1);
    let waits = "good    waits for approval: `cuff approve settings` shows it, and asks\n";
    assert!(run.stdout.starts_with(waits), "{run:?}");
    let json = project.cuff(["mcp", "test", "broken", "--json"]).ended_with(1).json();
    assert_eq!(json["servers"], json!([{"name": "broken", "transport": "stdio", "state": "waiting"}]));
}

#[test]
fn a_failure_is_remembered_until_the_server_answers() {
    let Some(project) = approved() else { return };
    project.cuff(["mcp", "test"]).ended_with(1);
    let status = project.cuff(["status"]).stdout;
    assert!(status.contains("good       MCP server, 2 tools when it was asked last"), "{status}");
    assert!(status.contains("broken     MCP server, did not work when it was tried "), "{status}");
    assert!(status.contains("  | no database at [redacted:DATABASE_TOKEN]\n"), "{status}");
    let json = project.cuff(["status", "--json"]).json();
    assert_eq!(json["servers"][1]["failure"]["stderr"][1], "giving up");
    let doctor = project.cuff(["doctor"]).stdout;
    let said = "WARN  the MCP server broken did not work when it was tried ";
    assert!(doctor.contains(said) && doctor.contains("      | giving up\n"), "{doctor}");
    assert!(doctor.contains("      `cuff mcp test broken` tries it now"), "{doctor}");

    fs::copy(project.root().join("server.cjs"), project.root().join("broken.cjs")).expect("a file of ours");
    project.cuff(["mcp", "test"]).succeeded();
    let status = project.cuff(["status"]).stdout;
    assert!(!status.contains("did not work"), "{status}");
    assert!(!project.cuff(["doctor"]).stdout.contains("did not work"));
}

/// As in a small container, or on a system that was just installed.
#[test]
#[cfg(feature = "http")]
fn a_system_without_certificates_reaches_servers_that_need_none() {
    let project = Project::empty().variable("SSL_CERT_FILE", "/nowhere").variable("SSL_CERT_DIR", "/nowhere");
    // Nothing listens on that port.
    let settings = "version: '1'\nplugins:\n  plain: {type: mcp, url: 'http://127.0.0.1:1/mcp'}\n  secure: {type: mcp, url: 'https://127.0.0.1:1/mcp'}\n";
    project.write("settings.yml", settings);
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let tried = project.cuff(["mcp", "test"]).ended_with(1).stdout;
    assert!(tried.contains("plain   failed: it cannot be reached: "), "{tried}");
    let reason = "no client for HTTPS: unexpected error: No CA certificates were loaded from the system (the package ca-certificates brings certificates of authorities)";
    assert!(cfg!(target_os = "macos") || tried.contains(reason), "{tried}");
}
