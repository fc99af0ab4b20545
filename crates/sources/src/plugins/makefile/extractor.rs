//! Which of the two readings of a Makefile holds: its text, or make's own database.

use std::collections::{HashMap, HashSet};

use super::config::{DESCRIPTION_PREFIX, EXTRACTOR, trusts_makefile};
use super::database::Database;
use super::project::MakefileProject;
use super::simple::{self, MakefileReading};
use super::targets::{MakeTarget, Makefile};
use super::{database, probe, unsettled};
use crate::model::{ErrorCode, Files, Location, Probed, Problem, Values, Want};

/// Of so many files that make read, a change is noticed: a tree that was built may include thousands of its own making.
const MOST_WATCHED: usize = 500;

/// The result of reading, and the way to it.
#[derive(Debug)]
pub(super) struct Extraction {
    /// The best that is known so far. Its wants are those for a better result, and those of this result.
    pub(super) reading: MakefileReading,
    /// Which reading it is, and why, in one sentence without a full stop.
    pub(super) note: String,
    /// The way to have make settle the open questions of the text.
    pub(super) remedy: &'static str,
    /// The targets of the text that make says are not there, since their conditions do not hold.
    pub(super) absent: Vec<MakeTarget>,
    /// The places of the recipes of each target, if make was asked.
    pub(super) recipes: Option<HashMap<String, Vec<Location>>>,
}

/// The help if the settings do not let make be asked.
const ASK: &str =
    "set `extractor: auto` to have make say which, which runs what the Makefile runs while it is read";
const TRUST: &str =
    "set `trust_makefile: true` to have make say which, which runs what the Makefile runs while it is read";
const NAMES: &str =
    "set `trust: names` to have make say which, which runs what the Makefile runs while it is read";
/// The help if there are no settings.
const INIT: &str = "write settings with `cuff init` to have make say which, which runs what the Makefile runs while it is read";
/// The help if make gave no answer, which is a problem of its own.
const MEND: &str = "mend what keeps make from saying which";

/// Reads the Makefile as far as it was seen: the text first, then, where settings and the text ask for it, by make.
pub(super) fn extract(project: &MakefileProject, config: &Values, files: &Files) -> Extraction {
    settle(project, config, files, simple::read(project, config.text(&DESCRIPTION_PREFIX), files))
}

/// Chooses the reading, given that of the text.
fn settle(
    project: &MakefileProject,
    config: &Values,
    files: &Files,
    mut text: MakefileReading,
) -> Extraction {
    // Make is asked once the text is read completely, so that all includes and doubts are known.
    let unseen = files.file(&project.file).is_none() || text.wants.iter().any(|want| !files.answers(want));
    let choice =
        if unseen { Err("not all of it was seen".into()) } else { choose(config, &mut text.makefile) };
    match choice {
        Ok(why) => ask(project, config, files, text, &why),
        Err(why) => {
            let remedy = match config.text(&EXTRACTOR) {
                "simple" => ASK,
                _ if config.pins_texts() => NAMES,
                _ => TRUST,
            };
            as_text(text, format!("read as text: {why}"), remedy)
        }
    }
}

/// Why make is asked.
///
/// # Errors
/// Why the text holds.
fn choose(config: &Values, makefile: &mut Makefile) -> Result<String, String> {
    let trusted = trusts_makefile(config);
    match (config.text(&EXTRACTOR), trusted, unsettled::summary(makefile)) {
        ("simple", ..) => Err("the settings say `extractor: simple`".into()),
        ("make_database", true, _) => Ok("the settings say `extractor: make_database`".into()),
        // Make would run commands that nobody has approved.
        (_, _, open) if config.pins_texts() => {
            let open = open.map_or_else(String::new, |open| format!(", though it leaves open {open}"));
            Err(format!("the settings say `trust: pinned`{open}"))
        }
        ("make_database", false, _) => {
            makefile.problems.push(untrusted());
            Err("make is not trusted with the Makefile".into())
        }
        (_, _, None) => Err("it leaves no doubt about its targets".into()),
        (_, true, Some(open)) => Ok(format!("the text leaves open {open}")),
        (_, false, Some(open)) => {
            Err(format!("the settings say `trust_makefile: false`, though it leaves open {open}"))
        }
    }
}

fn untrusted() -> Problem {
    let what = "`extractor: make_database` needs `trust_makefile: true`, so the Makefile was read as text: make runs \
                what a Makefile says while it reads it";
    Problem::warning(what)
        .numbered(ErrorCode::InvalidConfig)
        .help("set `trust_makefile: true` if you trust it, else `extractor: simple`")
}

/// Make's answer, as far as it gave one; else the text.
fn ask(
    project: &MakefileProject,
    config: &Values,
    files: &Files,
    mut text: MakefileReading,
    why: &str,
) -> Extraction {
    let probe = probe::probe(project, config, &text.includes);
    let answer = files.probes.get(&probe);
    text.wants.push(Want::Probe(probe));
    let (how, problem, remedy) = match answer {
        None => ("read as text until make answers".to_owned(), None, MEND),
        // Without settings make may not be asked. `cuff makefile list` says so, and nothing is wrong.
        Some(Probed::Nothing { fault: ErrorCode::NotReady, why: refused }) => {
            (format!("read as text, since {refused}"), None, INIT)
        }
        Some(Probed::Nothing { fault, why: failed }) => {
            let problem = probe::unanswered(*fault, failed);
            ("read as text, since make gave no answer".to_owned(), Some(problem), MEND)
        }
        Some(Probed::Ended { code, out, err }) => match accept(project, *code, out, err, &text) {
            Ok(database) => return as_database(text, database, why),
            Err(problem) => {
                // If the text stops at the same place, its problem is enough.
                let is_known = problem.location.is_some()
                    && text.makefile.problems.iter().any(|known| known.location == problem.location);
                let how = "read as text, since make has no database of it".to_owned();
                (how, (!is_known).then_some(*problem), MEND)
            }
        },
    };
    text.makefile.problems.extend(problem);
    as_text(text, format!("{how}: {why}"), remedy)
}

/// The database, when make read the whole Makefile and printed it whole.
fn accept(
    project: &MakefileProject,
    code: i32,
    out: &[u8],
    err: &str,
    text: &MakefileReading,
) -> Result<Database, Box<Problem>> {
    // 1: something is out of date, which is no error under `-q`.
    if !matches!(code, 0 | 1) {
        return Err(probe::rejected(project, code, err).into());
    }
    database::read(project, out, text).ok_or_else(|| probe::no_database().into())
}

fn as_text(text: MakefileReading, note: String, remedy: &'static str) -> Extraction {
    Extraction { reading: text, note, remedy, absent: Vec::new(), recipes: None }
}

fn as_database(mut reading: MakefileReading, database: Database, why: &str) -> Extraction {
    let Database { makefile, files: read, recipes } = database;
    let mut absent = std::mem::replace(&mut reading.makefile, makefile).targets;
    let there: HashSet<&str> = reading.makefile.targets.iter().map(|target| target.name.as_str()).collect();
    absent.retain(|target| target.only_if.is_some() && !there.contains(target.name.as_str()));
    // An answer holds for as long as nothing that make read is another.
    reading.wants.extend(read.into_iter().take(MOST_WATCHED).map(Want::File));
    let note = format!("read with make's own database: {why}");
    Extraction { reading, note, remedy: MEND, absent, recipes: Some(recipes) }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;
    use crate::model::{File, Location, Probe, Seen, Word};
    use crate::plugins::makefile::config::TRUST_MAKEFILE;
    use crate::plugins::makefile::targets::Doubt;

    /// The output of make 4.3 for `$(shell echo a): ; x`, without the parts that are never read.
    const DATABASE: &str = "\
# Make data base, printed on Sat Nov 21 09:29:21 2026

# Variables

MAKEFILE_LIST := Makefile more.mk

# Implicit Rules

# No implicit rules.

# Files

a:
#  Implicit rule search has not been done.
#  recipe to execute (from 'Makefile', line 1):
\t x

# files hash-table stats:
# Finished Make data base on Sat Nov 21 09:29:21 2026
";

    fn project() -> MakefileProject {
        MakefileProject {
            file: "sub/Makefile".into(),
            folder: "sub".into(),
            words: vec![Word::settings("make"), Word::settings("--posix")],
            goal: None,
        }
    }

    /// The Makefile alone.
    fn seen() -> Files {
        let file = File::new("/project/sub/Makefile", *b"$(shell echo a): ; x\n");
        Files { files: [("sub/Makefile".into(), Seen::File(file))].into(), ..Files::default() }
    }

    fn values(extractor: &str, trust: bool) -> Values {
        Values::of([(&EXTRACTOR, json!(extractor)), (&TRUST_MAKEFILE, json!(trust))])
    }

    /// A reading of the text that found `of the text`, after it had asked for one include.
    fn text(doubts: bool, withheld: bool) -> MakefileReading {
        let doubt = |line, what: &str| Doubt::new(Location::line("sub/Makefile", line), what);
        let wants = vec![Want::File("sub/inc.mk".into())];
        let mut reading =
            MakefileReading { wants, includes: ["inc.mk".into()].into(), ..MakefileReading::default() };
        reading.makefile.targets = vec![MakeTarget {
            name: "of the text".into(),
            phony: false,
            description: None,
            prerequisites: false,
            recipe: true,
            needed: false,
            aliased: false,
            stands_for: None,
            source: Location::file("sub/Makefile"),
            only_if: withheld.then(|| doubt(3, "ifdef CI").into()),
        }];
        if doubts {
            reading.makefile.doubts = vec![doubt(1, "the names of these targets depend on $(shell echo a)")];
        }
        reading
    }

    /// The note, the wants that are not answered, the targets, and the problems.
    fn outcome(config: &Values, reading: (bool, bool), answer: Option<Probed>) -> String {
        let mut files = seen();
        _ = files.files.insert("sub/inc.mk".into(), Seen::Missing);
        if let Some(answer) = answer {
            let asked = settle(&project(), config, &files, text(reading.0, reading.1));
            let Some(Want::Probe(probe)) = asked.reading.wants.last() else { panic!("make is asked") };
            _ = files.probes.insert(probe.clone(), answer);
        }
        let found = settle(&project(), config, &files, text(reading.0, reading.1));
        assert_eq!(found.reading.wants[0], Want::File("sub/inc.mk".into()), "what was seen stays wanted");
        let mut lines = vec![found.note];
        for want in found.reading.wants.iter().filter(|want| !files.answers(want)) {
            lines.push(match want {
                Want::Probe(Probe { command }) => format!("probe: {}", command.line()),
                other => format!("{other:?}"),
            });
        }
        lines.extend(found.reading.makefile.targets.iter().map(|target| format!("target: {}", target.name)));
        lines.extend(found.reading.makefile.doubts.iter().map(|doubt| format!("doubt: {}", doubt.what)));
        for problem in &found.reading.makefile.problems {
            let (code, help) = (problem.fault.unwrap().number(), problem.help.as_deref().unwrap());
            lines.push(format!("{code}: {problem}\n  {help}"));
        }
        lines.join("\n")
    }

    fn ended(code: i32, out: &str, err: &str) -> Probed {
        Probed::Ended { code, out: out.as_bytes().into(), err: err.into() }
    }

    fn nothing(fault: ErrorCode, why: &str) -> Probed {
        Probed::Nothing { fault, why: why.into() }
    }

    #[test]
    fn the_choice() {
        let mut lines = String::new();
        for (extractor, trust, reading) in [
            ("simple", true, (true, true)),
            ("auto", true, (false, false)),
            ("auto", true, (true, false)),
            ("auto", true, (false, true)),
            ("auto", false, (true, false)),
            ("make_database", true, (false, false)),
            ("make_database", false, (false, false)),
        ] {
            let outcome = outcome(&values(extractor, trust), reading, None);
            writeln!(lines, "{extractor}, trust {trust}, doubts and withheld {reading:?}\n{outcome}\n")
                .unwrap();
        }
        assert_snapshot!(lines, @r#"
        simple, trust true, doubts and withheld (true, true)
        read as text: the settings say `extractor: simple`
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)

        auto, trust true, doubts and withheld (false, false)
        read as text: it leaves no doubt about its targets
        target: of the text

        auto, trust true, doubts and withheld (true, false)
        read as text until make answers: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        probe: make --posix -pRrq -o Makefile -o inc.mk -o cuff-only-reads cuff-only-reads
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)

        auto, trust true, doubts and withheld (false, true)
        read as text until make answers: the text leaves open sub/Makefile:3: ifdef CI
        probe: make --posix -pRrq -o Makefile -o inc.mk -o cuff-only-reads cuff-only-reads
        target: of the text

        auto, trust false, doubts and withheld (true, false)
        read as text: the settings say `trust_makefile: false`, though it leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)

        make_database, trust true, doubts and withheld (false, false)
        read as text until make answers: the settings say `extractor: make_database`
        probe: make --posix -pRrq -o Makefile -o inc.mk -o cuff-only-reads cuff-only-reads
        target: of the text

        make_database, trust false, doubts and withheld (false, false)
        read as text: make is not trusted with the Makefile
        target: of the text
        201: `extractor: make_database` needs `trust_makefile: true`, so the Makefile was read as text: make runs what a Makefile says while it reads it
          set `trust_makefile: true` if you trust it, else `extractor: simple`
        "#);
    }

    #[test]
    fn make_is_not_asked_before_the_text_has_said_all() {
        let files = seen();
        let found = settle(&project(), &values("make_database", true), &files, text(true, true));
        assert_eq!(found.reading.wants, [Want::File("sub/inc.mk".into())]);
        assert_eq!(found.reading.makefile, text(true, true).makefile);
        let found =
            settle(&project(), &values("make_database", true), &Files::default(), MakefileReading::default());
        assert_eq!(found.reading.wants, [], "nor before there is a text");
    }

    #[test]
    fn the_answers() {
        let auto = values("auto", true);
        let mut lines = String::new();
        for answer in [
            ended(0, DATABASE, "Makefile:1: a warning"),
            ended(1, DATABASE, ""),
            ended(2, DATABASE, "Makefile:3: *** missing separator.  Stop.\n"),
            ended(0, &DATABASE[..DATABASE.len() / 2], ""),
            nothing(ErrorCode::NotReady, "there is no settings.yml that allows it"),
            nothing(ErrorCode::TimedOut, "make -pRrq did not end within 10 seconds"),
            nothing(ErrorCode::ProgramNotFound, "make is not installed"),
            nothing(ErrorCode::NotStarted, "\u{1b}[2J"),
        ] {
            writeln!(lines, "{}\n", outcome(&auto, (true, false), Some(answer))).unwrap();
        }
        assert_snapshot!(lines, @r#"
        read with make's own database: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        File("sub/more.mk")
        target: a

        read with make's own database: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        File("sub/more.mk")
        target: a

        read as text, since make has no database of it: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)
        102: sub/Makefile:3: make cannot read the Makefile, so it was read as text and its tools may fail: missing separator
          try `make -n` to see it, and mend it; or set `extractor: simple`

        read as text, since make has no database of it: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)
        102: make printed no database, so the Makefile was read as text
          cuff reads what GNU make 4 prints: name it in make_command, or set `extractor: simple`

        read as text, since there is no settings.yml that allows it: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)

        read as text, since make gave no answer: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)
        303: make did not say what it knows of the Makefile, so that was read as text: make -pRrq did not end within 10 seconds
          see what the Makefile runs while it is read ($(shell …), !=), or set `extractor: simple`

        read as text, since make gave no answer: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)
        103: make did not say what it knows of the Makefile, so that was read as text: make is not installed
          install make, name it in make_command, or set `extractor: simple`

        read as text, since make gave no answer: the text leaves open sub/Makefile:1: the names of these targets depend on $(shell echo a)
        target: of the text
        doubt: the names of these targets depend on $(shell echo a)
        403: make did not say what it knows of the Makefile, so that was read as text: [2J
          set `extractor: simple` to read the Makefile as text alone
        "#);
    }
}
