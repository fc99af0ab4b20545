//! The rules that a process is held to: its words, its program, its variables, and the programs that its text names.

use super::{Circumstances, Refusal, environment, words, wrapped};
use crate::model::{Command, Governance, Origin, Word};

/// Judges a command. The operator's settings are trusted, the words and variables of an agent's call are not.
/// A person may pass everything that a process can receive.
///
/// # Errors
/// With the reason and what to do, when it may not be carried out.
pub(super) fn judge(command: &Command, call: &Circumstances<'_>) -> Result<(), Refusal> {
    whole_words(command)?;
    operators_program(command)?;
    environment::judge_shape(&command.environment)?;
    if Governance::of(call.caller).is_governed() {
        environment::judge(&command.environment, &call.limits)?;
        words::judge(command, call.limits.words)?;
        wrapped::judge(command, call)?;
    }
    Ok(())
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
        let judged = |command: Command| judge(&command, &Circumstances::without_call());
        let nul = command(Word::fixed("npm"), vec![Word::fixed("run"), Word::call("a\0b")]);
        assert_eq!(judged(nul).unwrap_err().message, "Argument 2 contains a NUL character");
        let theirs = command(Word::call("/tmp/evil"), vec![]);
        assert!(judged(theirs).is_err());
        assert!(judged(command(Word::settings("pnpm"), vec![])).is_ok());
    }
}
