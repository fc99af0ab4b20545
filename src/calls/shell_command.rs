//! Commands of a shell that a tool could run instead.

use std::path::{Component, Path, PathBuf};

use crate::model::{Command, Registered, Role, ToolName, foremost, innermost};
use crate::policy::{ShellCommand, commands};
use crate::project::Project;
use crate::registry::Registry;

/// Words that stand between a program and the name of what it runs.
const RUN: [&str; 2] = ["run", "run-script"];

/// Programs that run the file that is their first argument.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];

/// A command of a shell that a tool could run instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsAsTool {
    /// The command, as it stands in the text.
    pub command: String,
    /// The tool.
    pub tool: ToolName,
}

/// The commands of a shell's text that tools of the project could run instead, each once. `here` is the folder that the
/// shell is in.
pub fn runs_as_tools(project: &Project, registry: &Registry, text: &str, here: &Path) -> Vec<RunsAsTool> {
    let mut found: Vec<RunsAsTool> = Vec::new();
    let within = here.strip_prefix(project.root()).unwrap_or(Path::new(""));
    for command in commands(text) {
        let tools = registry.tools().iter().filter(|tool| is_run_by(tool, &command, within));
        let tools = foremost(tools.collect());
        let tool = innermost(&tools, Some(within)).or_else(|| tools.first().copied());
        if let Some(tool) = tool {
            let runs = RunsAsTool { command: command.words.join(" "), tool: tool.name.clone() };
            if !found.contains(&runs) {
                found.push(runs);
            }
        }
    }
    found
}

/// Whether a tool runs what a command runs: the same program with the tool's own name for it, or the file that it is.
fn is_run_by(found: &Registered, typed: &ShellCommand, within: &Path) -> bool {
    let Role::Run { command, .. } = &found.tool.role else { return false };
    is_same_name(command, &found.tool.original, typed) || is_file(found, typed, within)
}

fn is_same_name(command: &Command, original: &str, typed: &ShellCommand) -> bool {
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    if last(&command.program.text) != last(typed.program()) {
        return false;
    }
    let mut words = typed.arguments().iter().map(String::as_str);
    let named = words.find(|word| !word.starts_with('-') && !RUN.contains(word));
    named == Some(original)
}

fn is_file(found: &Registered, typed: &ShellCommand, within: &Path) -> bool {
    let Some(file) = found.file() else { return false };
    let file = plain(file);
    let first = typed.arguments().iter().find(|word| !word.starts_with('-')).map(String::as_str);
    // Itself, or given to a shell. Its own interpreter has its name for it.
    let first = first.filter(|_| SHELLS.contains(&typed.program()));
    let program = typed.words.first().map(String::as_str).filter(|program| program.contains('/'));
    [program, first].into_iter().flatten().any(|word| plain(&within.join(word)) == file)
}

/// A path without steps that lead nowhere.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
