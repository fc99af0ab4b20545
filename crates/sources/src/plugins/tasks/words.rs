//! The words of a call behind those of a task.

use super::config::{ARGS, ARGUMENTS};
use crate::model::{
    BadCall, Command, Governance, LITERAL, Parameter, ParameterForm, Tool, Values, Word, fit_parameters,
    shown,
};
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

/// Adds the words of a call behind those of the task; variables of the task come before its other words.
pub(super) fn plain(call: &PlannedCall<'_>) -> Result<Command, BadCall> {
    let given = call.arguments.texts(&ARGS);
    let declared = call.tool.input.declared();
    if call.governance.is_governed() {
        let mode = call.config.text(&ARGUMENTS);
        match declared {
            Some(declared) => {
                check_pasted(mode == LITERAL, &given)?;
                fit_parameters(declared, "task", &given)?;
            }
            None => check_characters(mode, &given)?,
        }
    }
    let is_variable = |word: &&str| {
        let name = word.split_once('=').map(|(name, _)| name);
        let is_own = |own: &Parameter| own.form == ParameterForm::Variable && Some(&*own.name) == name;
        declared.unwrap_or_default().iter().any(is_own)
    };
    let (variables, given): (Vec<&str>, Vec<&str>) = given.into_iter().partition(is_variable);
    let separator = call.separator.filter(|_| !given.is_empty()).map(Word::fixed);
    let more =
        variables.into_iter().map(Word::call).chain(separator).chain(given.into_iter().map(Word::call));
    Ok(call.command.clone().arguments(more))
}

/// The characters that a shell would act on, blanks included: runners that paste values into lines quote nothing.
const ACTED_ON: &str = ";&|`$(){}[]<>\\'\"!*?~#^ \t\n\r\0";

/// Whether a text stays one plain word in whatever it is pasted into.
pub(super) fn is_pasted_safely(text: &str) -> bool {
    !text.contains(|letter| ACTED_ON.contains(letter))
}

/// Refuses words that would be more than one, or more than text, where a runner pastes them into a line for a shell.
///
/// # Errors
/// For the first such word, by its first such character.
pub(in crate::plugins) fn check_pasted(is_literal: bool, words: &[&str]) -> Result<(), BadCall> {
    for word in words {
        let is_bad = |c: &char| if is_literal { *c == '\0' } else { ACTED_ON.contains(*c) };
        if let Some(found) = word.chars().find(is_bad) {
            let found = found.escape_debug();
            let what = format!("args: \"{}\" holds '{found}', which is no plain text", shown(word));
            let help = if is_literal {
                "leave the NUL out; no process can be given one"
            } else {
                "leave it out: it would be pasted into a line for a shell, or allow it in settings.yml with \
                 `arguments: literal`"
            };
            return Err(BadCall::refused(what).help(help));
        }
    }
    Ok(())
}
