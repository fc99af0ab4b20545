//! `cuff hook`: what an agent's program asks before it runs a command in a shell.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;

use super::arguments::CuffHookCommand;
use crate::calls::{RunsAsTool, ToolsByCommand};
use crate::model::{AgentShell, Caller, Spelling, shown};
use crate::project::{Context, Project};
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

/// The argument that passes words on, as JSON: a list, or one text that is split into words.
fn passed(parameter: &str, words: &[String]) -> String {
    let value = if parameter == TEXT_OF_WORDS {
        json!(shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default())
    } else {
        json!(words)
    };
    json!({ parameter: value }).to_string()
}

fn sentence(found: &[RunsAsTool]) -> Option<String> {
    let one = |RunsAsTool { command, tool, words, parameter }: &RunsAsTool| {
        let tool = tool.spelled(Spelling::Portable);
        let called = format!("for `{}` call the tool `{tool}`", shown(command));
        match parameter.filter(|_| !words.is_empty()) {
            Some(parameter) => format!("{called} with {}", shown(&passed(parameter, words))),
            None => called,
        }
    };
    let all: Vec<String> = found.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("{} of the MCP server `cuff`.", all.join(", ")))
}
