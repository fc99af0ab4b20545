//! The clients of the official SDKs, which are scripts in `clients/`: they start or find a server, list, call, and print JSON.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::project::{Project, Run};

/// One session of the TypeScript client with `cuff serve`.
pub(crate) fn session(project: &Project, calls: &Value, options: &[&str]) -> Value {
    session_with(project, calls, options, &Value::Null)
}

/// One with a person who gives this answer to each question; null if it cannot ask.
pub(crate) fn session_with(project: &Project, calls: &Value, options: &[&str], elicit: &Value) -> Value {
    let args: Vec<&str> = std::iter::once("serve").chain(options.iter().copied()).collect();
    let words =
        json!({"command": env!("CARGO_BIN_EXE_cuff"), "args": args, "calls": calls, "elicit": elicit});
    run(project, "node", "client.mjs", &words)
}

/// Runs one of the scripts; each documents its own words.
pub(crate) fn run(project: &Project, program: &str, script: &str, words: &Value) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/support/clients").join(script);
    let mut command = Command::new(program);
    command.arg(script).arg(words.to_string());
    project.surround(&mut command);
    Run::of(command).succeeded().json()
}
