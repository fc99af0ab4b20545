//! The clients that people have: the official SDKs in both protocol eras, and the MCP Inspector.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::process::Command;

use serde_json::{Value, json};

use crate::support::mcp_session::{CUFFS_OWN, KIN};
use crate::support::official_client;
use crate::support::project::{Project, Run};
use crate::support::tools;

const ERAS: [(&str, &str); 3] =
    [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")];

/// One session of a client that is a script of ours around an SDK.
fn session(
    project: &Project,
    program: &str,
    script: &str,
    mode: &str,
    serve: &[&str],
    calls: &Value,
) -> Value {
    let args: Vec<&str> = ["serve"].iter().chain(serve).copied().collect();
    let words = json!({"command": env!("CARGO_BIN_EXE_cuff"), "args": args, "mode": mode, "calls": calls});
    official_client::run(project, program, script, &words)
}

fn lists_and_calls(program: &str, script: &str) {
    let project = Project::with_scripts(2);
    let calls = json!([
        {"name": "packagejson.npm_step_001", "arguments": {}},
        {"name": "packagejson.npm_step_001", "arguments": {"timeout": "soon"}},
        {"name": "packagejson.npm_no", "arguments": {}},
        {"name": "call_plugin_tool", "arguments": {"tool_name": "packagejson.npm_list_scripts"}},
        {"name": "cuff", "arguments": {"action": "list"}},
    ]);
    for (mode, version) in ERAS {
        let said = session(&project, program, script, mode, &["--expose", "tools"], &calls);
        assert_eq!(said["version"], version, "{program} {mode}");
        assert_eq!(said["tools"].as_array().unwrap().len(), 3 + CUFFS_OWN + KIN, "{said}");
        let result = |at: usize| &said["results"][at]["structuredContent"];
        assert_eq!(result(0)["exit_code"], 0, "{said}");
        assert!(result(1)["error"].as_str().unwrap().contains("`timeout`"), "{said}");
        assert_eq!(said["results"][2]["isError"], true, "{said}");
        assert_eq!(result(3)["data"]["scripts"], json!(["step-000", "step-001"]), "{said}");
        assert_eq!(result(4)["data"]["total"], 3 + CUFFS_OWN, "{said}");
    }
}

#[test]
fn the_typescript_sdk_speaks_both_eras() {
    if tools::require("mcp-inspector").is_some() {
        lists_and_calls("node", "client2026.mjs");
    }
}

#[test]
fn the_python_sdk_speaks_both_eras() {
    if let Some(python) = tools::require("python-mcp") {
        lists_and_calls(python.to_str().unwrap(), "client.py");
    }
}

#[test]
fn clients_read_all_pages() {
    let Some(python) = tools::require("python-mcp") else { return };
    let project = Project::with_scripts(230);
    for (program, script) in [("node", "client2026.mjs"), (python.to_str().unwrap(), "client.py")] {
        for (mode, _) in ERAS {
            let said = session(&project, program, script, mode, &["--expose", "tools"], &json!([]));
            assert_eq!(said["tools"].as_array().unwrap().len(), 231 + CUFFS_OWN + KIN, "{program} {mode}");
        }
    }
}

#[test]
fn the_inspector_lists_and_calls() {
    let Some(inspector) = tools::require("mcp-inspector") else { return };
    let project = Project::with_scripts(2);
    // It hands few variables on to a server: what people decided lies below HOME then.
    Project::at(&project).variable("XDG_STATE_HOME", "").approve();
    let inspect = |words: &[&str]| {
        let mut command = Command::new(&inspector);
        command.args(["--cli", env!("CARGO_BIN_EXE_cuff"), "serve", "--tool-names", "portable"]).args(words);
        project.surround(&mut command);
        Run::of(command)
    };
    let listed = inspect(&["--method", "tools/list"]).succeeded().json();
    assert_eq!(listed["tools"][1]["name"], "packagejson__npm_step_000", "{listed}");
    let call =
        ["--method", "tools/call", "--tool-name", "packagejson__npm_step_001", "--tool-arg", "timeout=20"];
    let called = inspect(&call).succeeded().json();
    assert_eq!(called["structuredContent"]["exit_code"], 0, "{called}");
}
