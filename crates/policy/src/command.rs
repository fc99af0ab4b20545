//! The rules that a process is held to: its words, its program, its variables, and what its tool takes of a call.

use super::script_text::text_of;
use super::{PolicyCall, PolicyContext, Refusal, environment, takes, words};
use crate::model::{Command, Governance, Origin, Reach, Word};

/// Judges a command. The operator's settings are trusted, the words and variables of an agent's call are not.
/// A person may pass everything that a process can receive.
///
/// # Errors
/// With the reason and what to do, when it may not be carried out.
pub(super) fn judge(
    command: &Command,
    call: &PolicyCall<'_>,
    ground: &dyn PolicyContext,
) -> Result<(), Refusal> {
    judge_own(command)?;
    environment::judge_shape(&command.environment)?;
    if !Governance::of(call.caller).is_governed() {
        return Ok(());
    }
    let limits = ground.limits(call.tool);
    environment::judge(&command.environment, &limits)?;
    if command.environment.iter().any(|change| change.origin == Origin::Call) {
        let text = text_of(call.tool, command, ground).unwrap_or_default();
        environment::judge_expanded(&text, &command.environment, &limits, call.tool)?;
    }
    let brought: Vec<&str> = command
        .arguments
        .iter()
        .filter(|word| word.origin == Origin::Call)
        .map(|word| word.text.as_str())
        .collect();
    words::judge(&brought, &limits)?;
    if ground.reach(call.tool) == Reach::Declared || limits.opens && limits.words.is_some() {
        return Ok(());
    }
    takes::judge(&brought, command, call.tool, ground)
}

/// Judges a command that no call has added anything to.
///
/// # Errors
/// With the reason and what to do, when it may not be carried out.
pub(super) fn judge_own(command: &Command) -> Result<(), Refusal> {
    whole_words(command)?;
    operators_program(command)
}

/// No word may hold a NUL: the operating system would cut it there.
fn whole_words(command: &Command) -> Result<(), Refusal> {
    let words = std::iter::once(&command.program).chain(&command.arguments);
    match words.enumerate().find(|(_, word)| word.text.contains('\0')) {
        None => Ok(()),
        // Without its text: the audit log has the reason, and never the value of an argument.
        Some((at, _)) => Err(Refusal::new(
            format!("Argument {at} contains a NUL character"),
            "remove the NUL character; no program can be given one",
        )),
    }
}

/// A call chooses arguments, never the program.
fn operators_program(command: &Command) -> Result<(), Refusal> {
    let Word { text, origin } = &command.program;
    if *origin == Origin::Call {
        return Err(Refusal::new(
            format!("The program {text:?} was chosen by the call"),
            "a tool's program is what the project and its settings say",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(program: Word, arguments: Vec<Word>) -> Command {
        Command::new(program).arguments(arguments)
    }

    #[test]
    fn words_with_nul_and_programs_of_the_caller_are_refused() {
        let judged = |command: Command| judge_own(&command);
        let nul = command(Word::fixed("npm"), vec![Word::fixed("run"), Word::call("a\0b")]);
        assert_eq!(judged(nul).unwrap_err().message, "Argument 2 contains a NUL character");
        let theirs = command(Word::call("/tmp/evil"), vec![]);
        assert!(judged(theirs).is_err());
        assert!(judged(command(Word::settings("pnpm"), vec![])).is_ok());
    }
}
