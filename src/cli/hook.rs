//! `cuff hook`: what an agent's program asks before it runs a command in a shell.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::arguments::CuffHookCommand;
use crate::calls::{RunsAsTool, ToolsByCommand};
use crate::model::{AgentShell, Caller, Spelling, shown};
use crate::project::{Context, Project};
use crate::registry::PACKAGE;
use crate::sys::{files, input};
use crate::terminal::{Ui, exit};

/// The largest input, in bytes.
const LARGEST: u64 = 1024 * 1024;
/// The parameter that takes all words in one text.
const TEXT_OF_WORDS: &str = "extra_args";
/// The tool of the agent's program that runs shells.
const SHELL: &str = "Bash";

/// A tool call that is about to be made. Unknown fields are none of our business.
#[derive(Debug, Deserialize)]
struct ToolCallEvent {
    tool_name: String,
    #[serde(default)]
    tool_input: ToolCallInput,
    cwd: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
struct ToolCallInput {
    #[serde(default)]
    command: String,
}

/// Says which tool runs what a shell is asked to run, where the settings want that. It always succeeds: what cannot be
/// understood is none of its business.
pub(super) fn hook(ui: &Ui, context: &Context, config: Option<&Path>, _: CuffHookCommand) -> u8 {
    let event = input::document(Path::new("-"), LARGEST).ok();
    let event = event.and_then(|text| serde_json::from_str::<ToolCallEvent>(&text).ok());
    if let Some(event) = event.filter(|event| event.tool_name == SHELL)
        && let Some(answer) = answer(context, config, &event)
    {
        // Where nobody reads it, nobody is advised.
        let _ = ui.result(answer);
    }
    exit::SUCCESS
}

fn answer(context: &Context, config: Option<&Path>, event: &ToolCallEvent) -> Option<String> {
    let environment = context.environment.clone();
    let here = event.cwd.as_deref().map_or_else(|| environment.directory().to_owned(), files::canonical);
    let context = Context { environment: environment.within(&here), ..context.clone() };
    // Without settings, or with wrong ones, nothing is asked for.
    let project = Project::open(context, config, Caller::Agent).ok()?;
    let shell = project.settings.agent_shell();
    if shell == AgentShell::Off {
        return None;
    }
    let registry = project.recalled();
    let found = ToolsByCommand::of(&registry).run_by(&project, &event.tool_input.command, &here);
    let said = sentence(&found)?;
    let specific = match shell {
        AgentShell::Enforce => json!({
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": format!("This project has agents use its tools: {said}"),
        }),
        AgentShell::Advise | AgentShell::Off => json!({
            "hookEventName": "PreToolUse",
            "additionalContext": format!("This project prefers its tools to the shell: {said}"),
        }),
    };
    Some(json!({ "hookSpecificOutput": specific }).to_string())
}

/// The arguments of a call that passes words on, as JSON: a list, or one text that is split into words.
fn arguments(runs: &RunsAsTool) -> Option<String> {
    let mut arguments = Map::new();
    if let Some(package) = &runs.package {
        arguments.insert(PACKAGE.to_owned(), json!(package));
    }
    if let Some(parameter) = runs.parameter.filter(|_| !runs.words.is_empty()) {
        let text = || shlex::try_join(runs.words.iter().map(String::as_str)).unwrap_or_default();
        let value = if parameter == TEXT_OF_WORDS { json!(text()) } else { json!(runs.words) };
        arguments.insert(parameter.to_owned(), value);
    }
    (!arguments.is_empty()).then(|| Value::from(arguments).to_string())
}

fn sentence(found: &[RunsAsTool]) -> Option<String> {
    let one = |runs: &RunsAsTool| {
        let tool = runs.tool.spelled(Spelling::Portable);
        let called = format!("for `{}` call the tool `{tool}`", shown(&runs.command));
        arguments(runs)
            .map_or_else(|| called.clone(), |arguments| format!("{called} with {}", shown(&arguments)))
    };
    let all: Vec<String> = found.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("{} of the MCP server `cuff`.", all.join(", ")))
}
