//! `toolscript`: programs in TypeScript with the real tools of a project, at the terminal and over MCP.

mod commands;
mod completions;
mod governance;
mod programs;
mod recall;
mod served;

use std::process::Command;

use serde_json::json;

use crate::support::project::{Project, Run};
use crate::support::tools;

/// A project with two package scripts, and three MCP servers that a person has approved; `None` where they are not installed
/// and need not be.
pub(super) fn project() -> Option<Project> {
    tools::require("npm")?;
    let node = tools::require("node")?;
    let modules = format!("{}/tests/tools/node_modules/@modelcontextprotocol", env!("CARGO_MANIFEST_DIR"));
    let server = |name: &str, words: &[&str]| {
        let mut arguments = vec![format!("{modules}/server-{name}/dist/index.js")];
        arguments.extend(words.iter().map(|word| (*word).to_owned()));
        json!({"command": node, "args": arguments})
    };
    let project = scripts();
    project.write("notes/one.txt", "the first note\n");
    project.write("notes/two.txt", "the second note\n");
    let notes = project.root().join("notes").display().to_string();
    let servers = json!({
        "everything": server("everything", &["stdio"]),
        "files": server("filesystem", &[&notes]),
        "memory": server("memory", &[]),
    });
    project.write(".toolscript.json", json!({ "mcpServers": servers }).to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    Some(project)
}

/// A project with two package scripts that work and one that fails, and no MCP server.
pub(super) fn scripts() -> Project {
    let project = Project::empty();
    let scripts = json!({
        "count": "node -e \"console.log('counted ' + 3)\"",
        "greet": "echo hello",
        "broken": "echo it is broken >&2; exit 3",
    });
    project.write("package.json", json!({"name": "p", "version": "1.0.0", "scripts": scripts}).to_string());
    project.write("settings.yml", "version: '1'\nplugins:\n  npm: {type: in_source, module: packagejson}\n");
    project.cuff(["list"]).succeeded();
    project
}

/// Runs the program `toolscript` in a project.
pub(crate) fn toolscript(project: &Project, words: &[&str]) -> Run {
    Run::of(command(project, words))
}

/// A command line of the program `toolscript`, in a terminal session of this test run.
pub(super) fn command(project: &Project, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolscript"));
    command.args(words);
    project.surround(&mut command);
    command
}
