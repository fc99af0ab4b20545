//! May this plan be carried out? The one place that mints permits. The rules are the same for every caller.

mod confirmation;
mod environment;
mod permit;

pub use confirmation::Unconfirmed;
pub use permit::Permit;

use crate::model::{Command, Origin, Word};

/// Why a plan may not be carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is refused, naming it.
    pub message: String,
    /// What to do instead.
    pub help: String,
}

/// What policy says to a plan that it does not refuse.
#[derive(Debug)]
pub enum Decision {
    /// It may be carried out.
    Permitted(Permit),
    /// It may be once a person has said yes.
    Unconfirmed(Unconfirmed),
}

/// Judges a plan. What the operator wrote in settings is trusted; what the call brought is not.
///
/// # Errors
/// With the reason and what to do, when the plan may not be carried out.
pub fn decide(command: Command) -> Result<Decision, Refusal> {
    whole_words(&command)?;
    operators_program(&command)?;
    environment::judge(&command.environment)?;
    Ok(if command.needs_yes {
        Decision::Unconfirmed(Unconfirmed::new(command))
    } else {
        Decision::Permitted(Permit::new(command))
    })
}

/// No word may hold a NUL: the operating system would cut it there.
fn whole_words(command: &Command) -> Result<(), Refusal> {
    let words = std::iter::once(&command.program).chain(&command.arguments);
    match words.enumerate().find(|(_, word)| word.text.contains('\0')) {
        None => Ok(()),
        Some((at, word)) => Err(Refusal {
            message: format!("Argument {at} contains a NUL character: {:?}", word.text),
            help: "remove the NUL character; no program can be given one".into(),
        }),
    }
}

/// A call chooses arguments, never the program.
fn operators_program(command: &Command) -> Result<(), Refusal> {
    let Word { text, origin } = &command.program;
    if *origin == Origin::Call {
        return Err(Refusal {
            message: format!("The program {text:?} was chosen by the call"),
            help: "a tool's program is what the project and its settings say".into(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn command(program: Word, arguments: Vec<Word>) -> Command {
        Command {
            program,
            arguments,
            directory: ".".into(),
            environment: vec![],
            timeout: Duration::from_secs(1),
            script: None,
            needs_yes: false,
            if_missing: None,
        }
    }

    #[test]
    fn words_with_nul_and_programs_of_the_caller_are_refused() {
        let nul = command(Word::fixed("npm"), vec![Word::fixed("run"), Word::call("a\0b")]);
        assert_eq!(decide(nul).unwrap_err().message, r#"Argument 2 contains a NUL character: "a\0b""#);
        let theirs = command(Word::call("/tmp/evil"), vec![]);
        assert!(decide(theirs).is_err());
        assert!(matches!(decide(command(Word::settings("pnpm"), vec![])), Ok(Decision::Permitted(_))));
    }

    #[test]
    fn what_needs_a_yes_gets_no_permit_without_one() {
        let install =
            |word: &str| Command { needs_yes: true, ..command(Word::fixed("npm"), vec![Word::call(word)]) };
        let digest = |command, tool: &str| match decide(command) {
            Ok(Decision::Unconfirmed(unconfirmed)) => unconfirmed.digest(tool, "/project"),
            other => panic!("{other:?}"),
        };
        let one = digest(install("a"), "npm.install");
        assert_eq!(one, digest(install("a"), "npm.install"));
        assert_ne!(one, digest(install("b"), "npm.install"));
        assert_ne!(one, digest(install("a"), "npm.ci"));
        let change =
            |name: &str, origin| crate::model::Change { name: name.into(), value: "1".into(), origin };
        let set = |origin| Command { environment: vec![change("X", origin)], ..install("a") };
        assert_ne!(one, digest(set(Origin::Call), "npm.install"));
        assert_eq!(one, digest(set(Origin::Fixed), "npm.install"));
    }
}
