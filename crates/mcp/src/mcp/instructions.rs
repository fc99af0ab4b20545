//! Instructions for an agent that connects to this server, and answers to calls that started nothing.

use super::offered::OfferedTools;
use crate::calls::RunError;
use crate::model::visible_lines;

/// Where each tool is listed.
const TOOLS: &str = "cuff runs what this repository can do: each script and target is a tool; call it instead of a shell \
    line of your own.\n\
    A failed run is a result with `success: false`, exit code, findings and output. A tool's standard input is empty; \
    `timeout` is in seconds. After `wait` \
    seconds a run goes on in the background; the `runs` tools show and stop it.\n\
    `dry_run: true` shows the command instead of running it; the list tools take `refresh: true`.";

/// Where all are behind one.
const DISPATCHER: &str = "cuff runs what this repository can do, its scripts and targets; use it instead of shell lines of \
    your own. Tool `cuff`: {\"action\": \"list\"} names them, {\"action\": \"describe\", \"tool\": NAME} says what \
    one takes.\n\
    {\"action\": \"run\", \"tool\": NAME, \"arguments\": {\u{2026}}} runs one; a failed run is a result with \
    `success: false`, exit code, findings and output.\n\
    {\"action\": \"log\", \"run\": RUN_ID} prints what a run printed; the argument `dry_run: true` shows the command \
    instead of running it.";

/// Where programs call them.
#[cfg(feature = "code")]
const CODE: &str = "cuff offers what this repository can do, and the tools of other MCP servers, as functions of TypeScript \
    programs; use it instead of shell lines of your own.\n\
    search_tools finds functions, tool_types says what they take and return, execute_code runs a program that calls them. A \
    call that fails throws; one that a person must allow says so, and how.";

/// How many things that are wrong the instructions name.
const MOST_PROBLEMS: usize = 5;

/// Instructions for the agent, with the problems that it should report to its user: hosts hide standard error.
pub(super) fn instructions(offered: OfferedTools, problems: &[String]) -> String {
    let instructions = match offered {
        OfferedTools::Tools => TOOLS,
        OfferedTools::Dispatcher => DISPATCHER,
        #[cfg(feature = "code")]
        OfferedTools::Code => CODE,
    };
    if problems.is_empty() {
        return instructions.to_owned();
    }
    let shown = problems.iter().take(MOST_PROBLEMS).map(|problem| format!("\n- {problem}"));
    let more = problems.len().saturating_sub(MOST_PROBLEMS);
    let more = (more > 0).then(|| format!("\n- and {more} more (`cuff list`)"));
    let lines: String = shown.chain(more).collect();
    format!("{instructions}\nNot all is as it was meant; tell the user:{lines}")
}

/// Why a call started nothing, or nothing is offered, and what to do about it.
pub(super) fn explain(error: &RunError) -> String {
    let help = error.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
    visible_lines(&format!("{} [{}]{help}", error.message, error.code)).into_owned()
}
