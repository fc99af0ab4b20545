//! The programs that a tool's own text names, and the words and variables of a call that reach them.

mod reached;

use self::reached::{Reached, reached};
use super::circumstances::Circumstances;
use super::refusal::Refusal;
use super::words::assignment;
use super::{environment, programs};
use crate::model::{BadCallKind, Command, Origin, Reach, Wrapped, shown};

/// Refuses words that make a program of the tool's own text load or run something else, and variables that choose one.
pub(super) fn judge(command: &Command, call: &Circumstances<'_>) -> Result<(), Refusal> {
    let words: Vec<String> = command
        .arguments
        .iter()
        .filter(|word| word.origin == Origin::Call)
        .map(|word| word.text.clone())
        .collect();
    let set: Vec<(&str, &str)> = command
        .environment
        .iter()
        .filter(|change| change.origin == Origin::Call)
        .map(|change| (change.name.as_str(), change.value.as_str()))
        .collect();
    if words.is_empty() && set.is_empty() {
        return Ok(());
    }
    let text = call.text.as_deref().unwrap_or_default();
    if programs::may_start_node(&command.words(), text) {
        programs::node_words(&words)?;
    }
    let words = if call.reach == Reach::Nothing { &[] } else { words.as_slice() };
    for Reached { command, words } in reached(text, call.reach, words, &set)? {
        if words.is_empty() {
            continue;
        }
        let wrapped = Wrapped { program: command.program(), own: command.arguments(), words: &words };
        match call.ground.and_then(|ground| ground.judge(&wrapped)) {
            Some(judged) => judged.map_err(|bad| {
                let why = match bad.kind {
                    BadCallKind::Refused | BadCallKind::Invalid => bad.message,
                };
                of_program(&wrapped, &why, bad.help.as_deref().unwrap_or("leave it out"))
            })?,
            None => programs::judge(&wrapped)?,
        }
        if programs::TAKES_VARIABLES.contains(&wrapped.program) {
            for (name, value) in words.iter().filter_map(|word| assignment(word)) {
                environment::judge_assignment(name, value)?;
            }
        }
    }
    Ok(())
}

/// The refusal of words for a program that the tool's text names.
fn of_program(wrapped: &Wrapped<'_>, why: &str, help: &str) -> Refusal {
    let why = why.strip_prefix("args: ").or_else(|| why.strip_prefix("extra_args: ")).unwrap_or(why);
    Refusal::new(format!("{}, which this tool runs: {why}", shown(wrapped.program)), help)
}
