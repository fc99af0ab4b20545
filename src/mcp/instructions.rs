//! What an agent is told of this server when it connects, and of calls that started nothing.

use crate::engine::RunError;
use crate::model::visible_lines;

const INSTRUCTIONS: &str = "cuff offers what this repository can do: its scripts and targets, one tool each.\n\
    A failed run is a result with `success: false`, its exit code and its output; `timeout` is in seconds.\n\
    With `wait` a run goes on in the background when it has not ended after so many seconds; the `runs` tools say how \
    it gets on, show what it and earlier runs printed, and stop it.\n\
    `dry_run: true` shows the command instead of running it; the list tools take `refresh: true`.";

/// How many things that are wrong the instructions name.
const MOST_LOSSES: usize = 5;

/// What an agent should know, and tell its user: hosts hide standard error.
pub(super) fn instructions(losses: &[String]) -> String {
    if losses.is_empty() {
        return INSTRUCTIONS.to_owned();
    }
    let shown = losses.iter().take(MOST_LOSSES).map(|loss| format!("\n- {loss}"));
    let more = losses.len().saturating_sub(MOST_LOSSES);
    let more = (more > 0).then(|| format!("\n- and {more} more (`cuff list`)"));
    let lines: String = shown.chain(more).collect();
    format!("{INSTRUCTIONS}\nNot everything could be offered; tell the user:{lines}")
}

/// Why a call started nothing, or nothing is offered, and what to do about it.
pub(super) fn explain(error: &RunError) -> String {
    let help = error.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
    visible_lines(&format!("{} [{}]{help}", error.message, error.code)).into_owned()
}
