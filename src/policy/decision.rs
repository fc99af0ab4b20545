//! The judgement of a plan.

use super::circumstances::Circumstances;
use super::confirmation::Unconfirmed;
use super::permit::Permit;
use super::refusal::Refusal;
use super::{environment, words, wrapped};
use crate::model::{Command, Governance, Origin, Word};

/// What policy says to a plan that it does not refuse.
#[derive(Debug)]
pub enum Decision {
    /// It may be carried out.
    Permitted(Permit),
    /// It may be once a person has said yes.
    Unconfirmed(Unconfirmed),
}

/// Judges a plan. The operator's settings are trusted, the words and variables of an agent's call are not, and a person is
/// kept from nothing that a process can be given.
///
/// # Errors
/// With the reason and what to do, when the plan may not be carried out.
pub fn decide(command: Command, call: &Circumstances<'_>) -> Result<Decision, Refusal> {
    whole_words(&command)?;
    operators_program(&command)?;
    environment::judge_shape(&command.environment)?;
    if Governance::of(call.caller).is_governed() {
        environment::judge(&command.environment, &call.limits)?;
        words::judge(&command, call.limits.words)?;
        wrapped::judge(&command, call)?;
    }
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
    use std::path::Path;

    use super::*;
    use crate::model::{Change, EnvironmentPolicy};

    fn command(program: Word, arguments: Vec<Word>) -> Command {
        Command::new(program).arguments(arguments)
    }

    fn judged(command: Command) -> Result<Decision, Refusal> {
        decide(command, &Circumstances::without_call())
    }

    #[test]
    fn words_with_nul_and_programs_of_the_caller_are_refused() {
        let nul = command(Word::fixed("npm"), vec![Word::fixed("run"), Word::call("a\0b")]);
        assert_eq!(judged(nul).unwrap_err().message, "Argument 2 contains a NUL character");
        let theirs = command(Word::call("/tmp/evil"), vec![]);
        assert!(judged(theirs).is_err());
        assert!(matches!(judged(command(Word::settings("pnpm"), vec![])), Ok(Decision::Permitted(_))));
    }

    #[test]
    fn what_needs_a_yes_gets_no_permit_without_one() {
        let install = |word: &str| command(Word::fixed("npm"), vec![Word::call(word)]).needs_yes(true);
        let digest = |command, tool: &str| match judged(command) {
            Ok(Decision::Unconfirmed(plan)) => {
                plan.digest(tool, &[], Path::new("/project"), Path::new("/project"))
            }
            other => panic!("{other:?}"),
        };
        let one = digest(install("a"), "npm.install");
        assert_eq!(one, digest(install("a"), "npm.install"));
        assert_ne!(one, digest(install("b"), "npm.install"));
        assert_ne!(one, digest(install("a"), "npm.ci"));
        let set = |origin| install("a").environment([Change::new("X", "1", origin)]);
        assert_ne!(one, digest(set(Origin::Call), "npm.install"));
        assert_ne!(one, digest(set(Origin::Settings), "npm.install"));
        assert_eq!(one, digest(set(Origin::Fixed), "npm.install"));
        let clean = install("a").environment_policy(EnvironmentPolicy::Clean);
        assert_ne!(one, digest(clean, "npm.install"), "another environment is another plan");
    }

    #[test]
    fn a_yes_is_for_no_plan_that_looks_alike() {
        let plan = |words: &[&str], set: &[(&str, &str)]| {
            let words = words.iter().map(|word| Word::call(*word)).collect();
            let changes = set.iter().map(|(name, value)| Change::new(*name, *value, Origin::Call));
            Unconfirmed::new(command(Word::fixed("npm"), words).environment(changes))
        };
        let digest = |plan: &Unconfirmed, script: &str, folder: &str| {
            plan.digest("npm.x", &[("script", script.into())], Path::new("/p"), Path::new(folder))
        };
        let words = plan(&["a", "environment", "X"], &[]);
        let set = plan(&["a"], &[("X", "environment")]);
        assert_ne!(digest(&words, "s", "/p"), digest(&set, "s", "/p"), "words are no environment");
        assert_ne!(digest(&set, "s", "/p"), digest(&set, "other", "/p"), "the script's text has changed");
        assert_ne!(digest(&set, "s", "/p"), digest(&set, "s", "/q"), "the link leads elsewhere");
        assert_eq!(set.line(), "X=environment npm a");
        let elsewhere = Unconfirmed::new(set.command().clone().directory("a b"));
        assert_eq!(elsewhere.line(), "cd 'a b' && X=environment npm a");
    }
}
