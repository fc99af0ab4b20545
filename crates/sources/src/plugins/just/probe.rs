//! The question to just for its recipes, and the problems of its answer.
//!
//! `just --dump` parses and prints. Tried with just 1.59: backticks, `shell()`, `dotenv-command` and defaults
//! of parameters do not run, neither then nor under `--dry-run`. It does not read `.env` either.

use std::time::Duration;

use super::dump::{self, Dump};
use crate::model::{Command, ErrorCode, Location, Probe, Probed, Problem, Want, Word, one_line, path, shown};
use crate::plugins::tasks::SourceLook;

/// The instruction if just is missing.
pub(super) const ADVICE: &str = "install just: `cargo install just`, or see https://just.systems";

/// The time that just has to read its files.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Asks just, whose words these are; nothing where no settings allow the question.
///
/// # Errors
/// A problem when just gives no answer.
pub(super) fn answer(look: &mut SourceLook<'_>, words: &[Word]) -> Result<Option<Dump>, Box<Problem>> {
    let mut words = words.iter().cloned();
    let program = words.next().unwrap_or_else(|| Word::fixed("just"));
    let is_missing = look.lacks(&program.text);
    let command = Command::new(program.clone())
        .arguments(words)
        .arguments(["--dump", "--dump-format", "json"].map(Word::fixed))
        .directory(look.folder())
        .environment(look.config.environment())
        .environment_policy(look.config.environment_policy())
        .timeout(TIMEOUT);
    let probe = Probe { command };
    look.want(Want::Probe(probe.clone()));
    let (program, file) = (program.text.as_str(), look.source_file());
    let problem = match look.files.probes.get(&probe) {
        None | Some(Probed::Nothing { fault: ErrorCode::NotReady, .. }) => return Ok(None),
        Some(Probed::Nothing { .. }) if is_missing => {
            unanswered(program, file, ErrorCode::ProgramNotFound, "")
        }
        Some(Probed::Nothing { fault, why }) => unanswered(program, file, *fault, why),
        Some(Probed::Ended { code: 0, out, .. }) => match dump::read(out) {
            Some(dump) => return Ok(Some(dump)),
            None => unreadable(file),
        },
        Some(Probed::Ended { code, err, .. }) => rejected(file, *code, err),
    };
    Err(Box::new(problem))
}

/// The problem of no answer: the probe was refused, did not start, took too long, printed too much.
fn unanswered(program: &str, file: &str, fault: ErrorCode, why: &str) -> Problem {
    let program = shown(program);
    let (what, help) = if fault == ErrorCode::ProgramNotFound {
        (format!("{program} is not installed or not on the PATH"), ADVICE)
    } else {
        let why = one_line(why).unwrap_or_else(|| "it did not answer".into());
        let what = format!("just did not say which recipes there are: {why}");
        (what, "try `just --dump --dump-format json` to see it, and mend it")
    };
    Problem::error(fault, what).at(Location::file(file)).help(help)
}

/// The problem of an answer that is no list of recipes.
fn unreadable(file: &str) -> Problem {
    let what = "just printed no list of recipes that cuff can read";
    let help = "install just 1.38 or newer, or name it in just_command";
    Problem::error(ErrorCode::SourceInvalid, what).at(Location::file(file)).help(help)
}

/// The problem of a justfile that just cannot read, by its standard error: `error: …` and ` ——▶ justfile:3:1`.
fn rejected(file: &str, code: i32, err: &str) -> Problem {
    let said = err.lines().find_map(|line| line.strip_prefix("error: ")).and_then(one_line);
    let said = said.or_else(|| one_line(err)).unwrap_or_else(|| format!("it ended with code {code}").into());
    let place = err.lines().find_map(|line| located(file, line.trim_start().strip_prefix("——▶ ")?));
    let place = place.unwrap_or_else(|| Location::file(file));
    let what = format!("just cannot read the justfile: {said}");
    Problem::error(ErrorCode::SourceInvalid, what).at(place).help("try `just --list` to see it, and mend it")
}

/// `FILE:LINE:COLUMN`, taken apart.
fn located(justfile: &str, place: &str) -> Option<Location> {
    let mut parts = place.trim().rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?);
    Some(Location::line(path::join(path::split(justfile).0, file), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_of_just_have_their_place() {
        for (err, expected) in [
            (
                "error: unknown start of token\n ——▶ x.just:3:1\n  │\n3 │  bad\n",
                "x.just:3: just cannot read the justfile: unknown start of token",
            ),
            ("error: odd\n ——▶ :x\n", "justfile: just cannot read the justfile: odd"),
            ("\u{1b}[2Jwhat\n", "justfile: just cannot read the justfile: [2Jwhat"),
            ("", "justfile: just cannot read the justfile: it ended with code 2"),
        ] {
            assert_eq!(rejected("justfile", 2, err).to_string(), expected, "{err:?}");
        }
    }

    #[test]
    fn a_missing_answer_of_just_is_one_problem_with_a_remedy() {
        for (fault, expected) in [
            (ErrorCode::ProgramNotFound, "just is not installed or not on the PATH"),
            (ErrorCode::TimedOut, "just did not say which recipes there are: too slow"),
        ] {
            let problem = unanswered("just", "justfile", fault, "too slow\nand more");
            assert_eq!(problem.message, expected);
            assert!(problem.help.is_some() && problem.fault == Some(fault), "{problem:?}");
        }
    }
}
