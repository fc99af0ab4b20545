//! The question to just for its recipes, and the problems of its answer.
//!
//! `just --dump` parses and prints. Tried with just 1.59: backticks, `shell()`, `dotenv-command` and defaults
//! of parameters do not run, neither then nor under `--dry-run`. It does not read `.env` either.

use std::time::Duration;

use super::project::Project;
use crate::model::{Command, Fault, Location, Probe, Problem, Values, Word, one_line, path, shown};

/// The instruction if just is missing.
pub(super) const ADVICE: &str = "install just: `cargo install just`, or see https://just.systems";

/// The time that just has to read its files.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The question.
pub(super) fn probe(project: &Project, config: &Values) -> Probe {
    let command = Command::new(project.program.clone())
        .arguments(project.words.iter().cloned())
        .arguments(["--dump", "--dump-format", "json"].map(Word::fixed))
        .directory(&project.folder)
        .environment(config.environment())
        .environment_policy(config.environment_policy())
        .timeout(TIMEOUT);
    Probe { command }
}

/// The problem of no answer: the probe was refused, did not start, took too long, printed too much.
pub(super) fn unanswered(project: &Project, fault: Fault, why: &str) -> Problem {
    let program = shown(&project.program.text);
    let (what, help) = if fault == Fault::ProgramNotFound {
        (format!("{program} is not installed or not on the PATH"), ADVICE)
    } else {
        let why = one_line(why).unwrap_or_else(|| "it did not answer".into());
        let what = format!("just did not say which recipes there are: {why}");
        (what, "try `just --dump --dump-format json` to see it, and mend it")
    };
    Problem::error(fault, what).at(Location::file(&project.file)).help(help)
}

/// The warning that just is missing, where its recipes are known all the same.
pub(super) fn missing(project: &Project) -> Problem {
    let Problem { message, .. } = unanswered(project, Fault::ProgramNotFound, "");
    Problem::warning(message).numbered(Fault::ProgramNotFound).help(ADVICE)
}

/// The problem of an answer that is no list of recipes.
pub(super) fn unreadable(project: &Project) -> Problem {
    let what = "just printed no list of recipes that cuff can read";
    let help = "install just 1.38 or newer, or name it in just_command";
    Problem::error(Fault::SourceInvalid, what).at(Location::file(&project.file)).help(help)
}

/// The problem of a justfile that just cannot read, by its standard error: `error: …` and ` ——▶ justfile:3:1`.
pub(super) fn rejected(project: &Project, code: i32, err: &str) -> Problem {
    let said = err.lines().find_map(|line| line.strip_prefix("error: ")).and_then(one_line);
    let said = said.or_else(|| one_line(err)).unwrap_or_else(|| format!("it ended with code {code}").into());
    let place = err.lines().find_map(|line| located(project, line.trim_start().strip_prefix("——▶ ")?));
    let place = place.unwrap_or_else(|| Location::file(&project.file));
    let what = format!("just cannot read the justfile: {said}");
    Problem::error(Fault::SourceInvalid, what).at(place).help("try `just --list` to see it, and mend it")
}

/// `FILE:LINE:COLUMN`, taken apart.
fn located(project: &Project, place: &str) -> Option<Location> {
    let mut parts = place.trim().rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?);
    Some(Location::line(path::join(path::split(&project.file).0, file), line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Files;

    #[test]
    fn problems_of_just_have_their_place() {
        let project = Project::new(&Values::default(), &Files::default()).unwrap();
        for (err, expected) in [
            (
                "error: unknown start of token\n ——▶ x.just:3:1\n  │\n3 │  bad\n",
                "x.just:3: just cannot read the justfile: unknown start of token",
            ),
            ("error: odd\n ——▶ :x\n", "justfile: just cannot read the justfile: odd"),
            ("\u{1b}[2Jwhat\n", "justfile: just cannot read the justfile: [2Jwhat"),
            ("", "justfile: just cannot read the justfile: it ended with code 2"),
        ] {
            assert_eq!(rejected(&project, 2, err).to_string(), expected, "{err:?}");
        }
    }

    #[test]
    fn a_missing_answer_of_just_is_one_problem_with_a_remedy() {
        let project = Project::new(&Values::default(), &Files::default()).unwrap();
        for (fault, expected) in [
            (Fault::ProgramNotFound, "just is not installed or not on the PATH"),
            (Fault::TimedOut, "just did not say which recipes there are: too slow"),
        ] {
            let problem = unanswered(&project, fault, "too slow\nand more");
            assert_eq!(problem.message, expected);
            assert!(problem.help.is_some() && problem.fault == Some(fault), "{problem:?}");
        }
    }
}
