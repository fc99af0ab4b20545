//! The question to make for its database, asked so that make does little else than read.
//!
//! `make -pRrq` alone is no harmless question. Tried with GNU make 4.3 and 4.4.1:
//!
//! - Without a goal make looks into the default goal. Even under `-q` it runs the recipe lines that begin
//!   with `+` or contain `$(MAKE)`. So it gets a goal, [`GOAL`], that is *old* as well (`-o`). An old goal is
//!   never made, not by a `%:` rule, `.DEFAULT`, a rule of that very name, or `MAKEFLAGS += -B`. With a goal
//!   `MAKECMDGOALS` is also realistic: a tool always names one.
//! - Before its goals make remakes its makefiles, even under `-q`: automake's `config.status`, generated
//!   dependencies. So the Makefile and each include that the text names are old as well. The same holds for
//!   required includes that do not exist yet: make takes them for made, and neither runs their rules nor
//!   reports an error. An include whose name is computed while make runs is still remade, as it would be by
//!   any call of make.
//! - `$(shell …)` and `!=` run while the Makefile is read: that is why trust is needed. The time is bounded.
//! - `MAKEFLAGS` set in the Makefile (`-n`, `-s`, `-j4`, `-B`, or emptied), `.SILENT`, `.POSIX`, `.ONESHELL`
//!   change nothing.
//! - If a Makefile cannot be read, make ends with code 2 and still prints its state until then: half a
//!   database.
//! - Messages and headings are translated, so the language is set. make may run cuff itself, so the variables
//!   that make passes to makes below it are emptied.

use std::collections::BTreeSet;
use std::time::Duration;

use super::project::MakefileProject;
use crate::model::{
    Change, Command, ErrorCode, Location, Origin, Probe, Problem, Values, Word, one_line, path,
};

/// The goal that is never made.
const GOAL: &str = "cuff-only-reads";

/// The time that make may take. An answer within it is remembered; a timeout is reported.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How many makefiles are declared old, so that the command line stays one that a system takes.
pub(super) const MOST_OLD: usize = 1000;

/// The question to make, given the names of all files that the text is known to include.
pub(super) fn probe(project: &MakefileProject, config: &Values, includes: &BTreeSet<String>) -> Probe {
    let mut words = project.words.iter().cloned();
    let program = words.next().unwrap_or_else(|| Word::fixed("make"));
    let command = Command::new(program)
        .arguments(words)
        .arguments([Word::fixed("-pRrq")])
        .arguments(kept(project, includes))
        .arguments(["-o", GOAL, GOAL].map(Word::fixed))
        .directory(&project.folder)
        .environment(environment(config))
        .environment_policy(config.environment_policy())
        .timeout(TIMEOUT);
    Probe { command }
}

/// The words that make treat the Makefile and its includes as up to date. Otherwise it would make them first,
/// even by its own rules, such as the Makefile from a `Makefile.sh`.
pub(super) fn kept(project: &MakefileProject, includes: &BTreeSet<String>) -> Vec<Word> {
    let own = path::within(&project.folder, &project.file);
    let others = includes.iter().filter(|name| **name != own).take(MOST_OLD).map(String::as_str);
    [own.as_str()].into_iter().chain(others).flat_map(|old| ["-o", old].map(Word::fixed)).collect()
}

/// The variables for make. Settings may choose them, since its tools run with them; the parser needs the
/// language.
fn environment(config: &Values) -> Vec<Change> {
    let fixed = |name: &str, value: &str| Change::new(name, value, Origin::Fixed);
    let mut changes: Vec<Change> =
        ["MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "MAKELEVEL"].map(|name| fixed(name, "")).into();
    changes.extend(config.environment());
    changes.push(fixed("LC_ALL", "C"));
    changes
}

/// Why there is no answer: the probe was refused, did not start, took too long, printed too much.
pub(super) fn unanswered(fault: ErrorCode, why: &str) -> Problem {
    let help = match fault {
        ErrorCode::ProgramNotFound => "install make, name it in make_command, or set `extractor: simple`",
        ErrorCode::TimedOut => {
            "see what the Makefile runs while it is read ($(shell …), !=), or set `extractor: simple`"
        }
        _ => "set `extractor: simple` to read the Makefile as text alone",
    };
    // The message of a probe that did not run may contain names of the project.
    let why = one_line(why).unwrap_or_else(|| "it did not answer".into());
    let what = format!("make did not say what it knows of the Makefile, so that was read as text: {why}");
    Problem::warning(what).numbered(fault).help(help)
}

/// An answer that holds no database.
pub(super) fn no_database() -> Problem {
    let what = "make printed no database, so the Makefile was read as text";
    Problem::warning(what)
        .numbered(ErrorCode::SourceInvalid)
        .help("cuff reads what GNU make 4 prints: name it in make_command, or set `extractor: simple`")
}

/// The error of the Makefile, from the end of make's standard error:
/// `Makefile:3: *** missing separator.  Stop.`
pub(super) fn rejected(project: &MakefileProject, code: i32, err: &str) -> Problem {
    let lines = || err.lines().filter(|line| !line.trim().is_empty());
    let fatal = lines().filter(|line| line.contains("*** ")).find(|line| located(line).is_some());
    // For a missing include, the line before the last one has the place of the include.
    let absent =
        || lines().find(|line| line.ends_with(": No such file or directory") && located(line).is_some());
    let any = || lines().find(|line| line.contains("*** ")).or_else(|| lines().next_back());
    let line = fatal.or_else(absent).or_else(any).unwrap_or_default();
    let (place, said) = located(line).map_or((None, line), |(file, number, said)| {
        let file = path::join(&project.folder, file);
        (Some(Location::line(file, number)), said)
    });
    let said = said.split_once("*** ").map_or(said, |(_, said)| said).trim_end();
    let said = said.strip_suffix("Stop.").unwrap_or(said).trim_end().trim_end_matches('.');
    let said = one_line(said).unwrap_or_else(|| format!("it ended with code {code}").into());
    let what =
        format!("make cannot read the Makefile, so it was read as text and its tools may fail: {said}");
    let help = "try `make -n` to see it, and mend it; or set `extractor: simple`";
    Problem { location: place, ..Problem::warning(what).numbered(ErrorCode::SourceInvalid).help(help) }
}

/// The parts of `FILE:LINE: text`.
fn located(line: &str) -> Option<(&str, usize, &str)> {
    let (place, said) = line.split_once(": ")?;
    let (file, number) = place.rsplit_once(':')?;
    Some((file, number.parse().ok()?, said))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::model::ENVIRONMENT;

    fn project(folder: &str, file: &str) -> MakefileProject {
        MakefileProject {
            file: file.into(),
            folder: folder.into(),
            words: vec![Word::fixed("make")],
            goal: None,
        }
    }

    #[test]
    fn everything_that_make_would_remake_is_old() {
        let includes = ["Makefile", "mk/a.mk", "../top.mk", "-f"].map(String::from).into();
        let probe = probe(&project("sub", "sub/Makefile"), &Values::default(), &includes);
        assert_eq!(
            probe.command.line(),
            "make -pRrq -o Makefile -o -f -o ../top.mk -o mk/a.mk -o cuff-only-reads cuff-only-reads"
        );
        assert_eq!(probe.command.directory, Path::new("sub"));
        assert_eq!(probe.command.timeout, Duration::from_secs(10));
        let many = (0..5000).map(|number| format!("{number}.mk")).collect();
        let probe = super::probe(&project(".", "Makefile"), &Values::default(), &many);
        assert_eq!(probe.command.arguments.len(), 2 * MOST_OLD + 6);
    }

    #[test]
    fn settings_come_before_the_language_and_after_what_make_would_inherit() {
        let config = Values::of([(&ENVIRONMENT, json!({"MAKEFLAGS": "-k", "LC_ALL": "de_DE", "CI": "1"}))]);
        let command = probe(&project(".", "Makefile"), &config, &BTreeSet::new()).command;
        let said: Vec<String> =
            command.environment.iter().map(|change| format!("{}={}", change.name, change.value)).collect();
        assert_eq!(
            said.join(" "),
            "MAKEFLAGS= GNUMAKEFLAGS= MAKEFILES= MAKELEVEL= MAKEFLAGS=-k LC_ALL=de_DE CI=1 LC_ALL=C"
        );
    }

    #[test]
    fn an_error_of_make_has_its_place() {
        for (err, expected) in [
            ("Makefile:3: *** missing separator.  Stop.\n", "sub/Makefile:3: missing separator"),
            ("Makefile:1: a warning\n../a.mk:12: *** boo: hoo.  Stop.\n", "a.mk:12: boo: hoo"),
            (
                "B.mk:2: missing.mk: No such file or directory\nmake: *** No rule to make target 'missing.mk'.  Stop.\n",
                "sub/B.mk:2: missing.mk: No such file or directory",
            ),
            ("/srv/a b.mk:7: *** unterminated.  Stop.", "/srv/a b.mk:7: unterminated"),
            ("make: *** virtual memory exhausted.  Stop.\n", "virtual memory exhausted"),
            ("x\nmake: unknown option -- R\n\n", "make: unknown option -- R"),
            ("a:b: *** \u{1b}[2Jx\u{202e}y\n", "[2Jxy"),
            ("", "it ended with code 2"),
            ("*** ", "it ended with code 2"),
            (":: ***", ":: ***"),
        ] {
            let problem = rejected(&project("sub", "sub/Makefile"), 2, err);
            let place = problem.location.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
            let said = problem.message.rsplit_once("may fail: ").unwrap().1;
            assert_eq!(format!("{place}{said}"), expected, "{err:?}");
        }
    }
}
