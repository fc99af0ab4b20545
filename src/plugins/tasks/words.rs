//! The words of a call behind those of a task.

use super::config::{ARGS, ARGUMENTS};
use crate::model::{BadCall, Command, Governance, Tool, Values, Word};
use crate::plugins::scripts::arguments::check_characters;

/// A call of a task that is being planned.
#[derive(Debug)]
pub(in crate::plugins) struct PlannedCall<'a> {
    /// The id of the source.
    pub(in crate::plugins) id: &'static str,
    /// The word between a task's own words and those of a call.
    pub(in crate::plugins) separator: Option<&'static str>,
    /// The settings of the instance.
    pub(in crate::plugins) config: &'a Values,
    pub(in crate::plugins) tool: &'a Tool,
    /// The task's command.
    pub(in crate::plugins) command: Command,
    /// The values of the call.
    pub(in crate::plugins) arguments: &'a Values,
    pub(in crate::plugins) governance: Governance,
}

/// Adds the words of a call behind those of the task.
pub(super) fn plain(call: &PlannedCall<'_>) -> Result<Command, BadCall> {
    let given = call.arguments.texts(&ARGS);
    if call.governance.is_governed() {
        check_characters(call.config.text(&ARGUMENTS), &given)?;
    }
    let separator = call.separator.filter(|_| !given.is_empty());
    let more = separator.map(Word::fixed).into_iter().chain(given.into_iter().map(Word::call));
    Ok(call.command.clone().arguments(more))
}
