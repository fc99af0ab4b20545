//! The MCP face, spoken to by the official TypeScript SDK and by hand.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::project::{Project, Run};
use crate::tools;

/// One session of the official client with `cuff serve`.
fn session(project: &Project, calls: &Value, options: &[&str]) -> Value {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/client.mjs");
    let args: Vec<&str> = std::iter::once("serve").chain(options.iter().copied()).collect();
    let words = json!({"command": env!("CARGO_BIN_EXE_cuff"), "args": args, "calls": calls});
    let mut command = Command::new("node");
    command.arg(client).arg(words.to_string());
    project.surround(&mut command);
    Run::of(command).succeeded().json()
}

fn project() -> Project {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "node -e 'console.log(6*7)'", "no": "node -e 'console.error(1);process.exit(3)'"}}"#);
    project.script("scripts/slow.sh", "#!/bin/sh\n# Sleeps\nsleep 30 & echo $! > pid\nwait\n");
    project.cuff(["init", "--yes"]).succeeded();
    project
}

#[test]
fn the_official_client_lists_and_calls() {
    if tools::require("tsc").is_none() {
        return;
    }
    let calls = json!([
        {"name": "packagejson.npm_hi", "arguments": {}},
        {"name": "packagejson.npm_no", "arguments": {}},
        {"name": "packagejson.npm_hi", "arguments": {"dry_run": true, "extra_args": "--a 'b c'"}},
        {"name": "packagejson.npm_list_scripts", "arguments": {}},
        {"name": "scripts.script_list_scripts", "arguments": {"refresh": true}},
        {"name": "packagejson.npm_hi", "arguments": {"timeout": "soon"}},
        {"name": "packagejson.npm_hi", "arguments": {"env": {"NODE_OPTIONS": "--require=/tmp/x"}}},
        {"name": "packagejson.npm_ho", "arguments": {}},
        {"name": "scripts.script_scripts_slow", "arguments": {"timeout": 1}},
    ]);
    let said = session(&project(), &calls, &[]);
    assert_eq!(said["server"]["name"], "cuff");
    let names: Vec<&str> =
        said["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "packagejson.npm_list_scripts",
            "packagejson.npm_hi",
            "packagejson.npm_no",
            "scripts.script_list_scripts",
            "scripts.script_scripts_slow",
        ]
    );
    let hi = &said["tools"][1];
    assert_eq!(hi["inputSchema"]["additionalProperties"], false);
    assert_eq!(hi["annotations"]["readOnlyHint"], false);
    assert_eq!(said["tools"][0]["annotations"]["readOnlyHint"], true);
    let result = |at: usize| &said["results"][at]["structuredContent"];
    assert_eq!((result(0)["success"].clone(), result(0)["exit_code"].clone()), (json!(true), json!(0)));
    assert!(result(0)["output"].as_str().unwrap().contains("42"));
    assert_eq!(said["results"][1]["isError"], true);
    assert_eq!(result(1)["error"], "Script failed with exit code 3");
    assert_eq!(result(1)["error_code"], "PKGJSON_302");
    assert_eq!(result(2)["output"], "Would execute: npm run hi -- --a 'b c'\n");
    assert_eq!(result(3)["data"], json!({"scripts": ["hi", "no"]}));
    assert_eq!(result(4)["data"]["scripts"][0]["name"], "script_scripts_slow");
    assert_eq!(result(4)["data"]["scripts"][0]["description"], "Sleeps");
    assert_eq!(result(5)["error_code"], "PKGJSON_304");
    assert_eq!(result(6)["error"], "Blocked environment variables: NODE_OPTIONS");
    assert_eq!(result(7)["error_code"], "PKGJSON_301");
    assert!(result(7)["help"].as_str().unwrap().contains("packagejson.npm_hi"));
    assert_eq!(result(8)["timed_out"], true);
    assert_eq!(result(8)["error_code"], "SCRIPT_303");
    for answer in said["results"].as_array().unwrap() {
        assert!(!answer["content"][0]["text"].as_str().unwrap().is_empty(), "the text is complete by itself");
    }
}

#[test]
fn portable_names_have_no_dots() {
    if tools::require("tsc").is_none() {
        return;
    }
    let calls = json!([{"name": "packagejson__npm_hi", "arguments": {}}]);
    let said = session(&project(), &calls, &["--tool-names", "portable"]);
    assert_eq!(said["tools"][1]["name"], "packagejson__npm_hi");
    assert_eq!(said["results"][0]["structuredContent"]["success"], true);
}

#[test]
fn without_settings_it_serves_nothing_until_there_are_some() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    let mut command = project.command(["serve"]);
    let mut server =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut ask = |id: u32, method: &str, params: Value| {
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .unwrap();
        serde_json::from_str::<Value>(&output.next().unwrap().unwrap()).unwrap()
    };
    let hello = ask(
        1,
        "initialize",
        json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
        }),
    );
    assert!(hello["result"]["instructions"].as_str().unwrap().contains("cuff init"), "{hello}");
    assert_eq!(ask(2, "tools/list", json!({}))["result"]["tools"], json!([]));
    project.cuff(["init", "--yes"]).succeeded();
    assert_eq!(ask(3, "tools/list", json!({}))["result"]["tools"].as_array().unwrap().len(), 2);
    drop(input);
    assert!(server.wait().unwrap().success());
}

#[test]
fn the_newest_protocol_discovers_without_a_handshake() {
    let project = project();
    let mut command = project.command(["serve"]);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut output = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut ask = |id: u32, method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .unwrap();
        serde_json::from_str::<Value>(&output.next().unwrap().unwrap()).unwrap()
    };
    let discovered = ask(1, "server/discover", json!({}));
    let versions =
        discovered["result"]["supportedVersions"].as_array().unwrap_or_else(|| panic!("{discovered}"));
    assert!(versions.contains(&json!("2026-07-28")), "{discovered}");
    let listed = ask(2, "tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 5, "{listed}");
    let called = ask(3, "tools/call", json!({"name": "packagejson.npm_hi", "arguments": {}}));
    assert_eq!(called["result"]["structuredContent"]["exit_code"], 0, "{called}");
    drop(input);
    assert!(server.wait().unwrap().success());
}
