//! Which of the two readings of a Makefile holds: its text, or make's own database.

use std::sync::Arc;

use super::project::Project;
use super::simple::{self, Reading};
use super::targets::{Doubt, Makefile};
use super::{database, probe};
use crate::model::{Default, Fault, Field, Files, Kind, Probed, Problem, Values, Want};

pub(super) const EXTRACTOR: Field = Field {
    name: "extractor",
    kind: Kind::Choice(&["simple", "make_database", "auto"]),
    default: Default::Text("auto"),
    about: "How targets are found.",
};
pub(super) const TRUST_MAKEFILE: Field = Field {
    name: "trust_makefile",
    kind: Kind::Flag,
    default: Default::Flag(true),
    about: "Whether make may read the Makefile.",
};
pub(super) const DESCRIPTION_PREFIX: Field = Field {
    name: "description_prefix",
    kind: Kind::Text,
    default: Default::Text("##"),
    about: "What begins a comment that describes a target.",
};

/// What was found out, and how.
#[derive(Debug)]
pub(super) struct Extraction {
    /// The best that is known so far.
    pub(super) makefile: Makefile,
    /// What must be seen to know more, and what was seen to know this.
    pub(super) wants: Vec<Want>,
    /// Which reading it is, and why, in one sentence without a full stop.
    pub(super) note: String,
}

/// Reads the Makefile as far as it was seen: the text first, then, where settings and the text ask for it, by make.
pub(super) fn extract(project: &Project, config: &Values, files: &Files) -> Extraction {
    let text = simple::read(project, config.text(&DESCRIPTION_PREFIX), files);
    // Make is asked once the text has said all that it can: which includes there are, and whether it leaves doubts.
    let unseen = text.wants.iter().any(|want| !files.answers(want));
    match if unseen { Choice::Text("not all of it was seen".into()) } else { choose(config, &text.makefile) }
    {
        Choice::Text(why) => as_text(text, format!("read as text: {why}")),
        Choice::Refused(problem) => {
            let note = "read as text: make is not trusted with the Makefile".into();
            with_problem(as_text(text, note), problem)
        }
        Choice::Ask(why) => ask(project, config, files, text, &why),
    }
}

/// What the settings and the text lead to.
enum Choice {
    /// The text holds, and why.
    Text(String),
    /// The text holds, since what the settings ask for is not allowed by others of them.
    Refused(Problem),
    /// Make is asked, and why.
    Ask(String),
}

fn choose(config: &Values, makefile: &Makefile) -> Choice {
    let trusted = config.flag(&TRUST_MAKEFILE);
    match (config.text(&EXTRACTOR), trusted, first_doubt(makefile)) {
        ("simple", ..) => Choice::Text("the settings say `extractor: simple`".into()),
        ("make_database", true, _) => Choice::Ask("the settings say `extractor: make_database`".into()),
        ("make_database", false, _) => Choice::Refused(untrusted()),
        (_, _, None) => Choice::Text("it leaves no doubt about its targets".into()),
        (_, true, Some(doubt)) => Choice::Ask(told(doubt)),
        (_, false, Some(doubt)) => {
            Choice::Text(format!("the settings say `trust_makefile: false`, though {}", told(doubt)))
        }
    }
}

/// The first thing that reading could not know, be it of one target only.
fn first_doubt(makefile: &Makefile) -> Option<&Doubt> {
    let conditions = makefile.targets.iter().filter_map(|target| target.only_if.as_ref());
    makefile.doubts.iter().chain(conditions).next()
}

fn told(doubt: &Doubt) -> String {
    format!("{}: {}", doubt.at, doubt.what)
}

fn untrusted() -> Problem {
    let what = "`extractor: make_database` needs `trust_makefile: true`, so the Makefile was read as text: make runs \
                what a Makefile says while it reads it";
    let problem = Problem { fault: Some(Fault::InvalidConfig), ..Problem::warning(what) };
    problem.help("set `trust_makefile: true` if you trust it, else `extractor: simple`")
}

/// Make's answer, as far as it gave one; else the text.
fn ask(project: &Project, config: &Values, files: &Files, text: Reading, why: &str) -> Extraction {
    let probe = probe::probe(project, config, &text.wants);
    let answer = files.probes.get(&probe);
    let stays = |mut text: Reading, probe, note| {
        text.wants.push(Want::Probe(probe));
        as_text(text, note)
    };
    match answer {
        None => stays(text, probe, format!("read as text until make answers: {why}")),
        // No settings allow it: `cuff make list` without a settings file. Nothing is wrong.
        Some(Probed::Nothing { fault: Fault::NotReady, why: refused }) => {
            let note = format!("read as text, since {refused}: {why}");
            stays(text, probe, note)
        }
        Some(Probed::Nothing { fault, why: failed }) => {
            let problem = probe::unanswered(*fault, failed);
            with_problem(
                stays(text, probe, format!("read as text, since make gave no answer: {why}")),
                problem,
            )
        }
        Some(Probed::Ended { code, out, err }) => match accept(project, *code, out, err, &text) {
            Ok(makefile) => {
                let mut wants = text.wants;
                wants.push(Want::Probe(probe));
                let watched = database::files_read(project, out).into_iter().map(Want::File);
                wants.extend(watched.collect::<Vec<_>>());
                Extraction { makefile, wants, note: format!("read with make's own database: {why}") }
            }
            Err(problem) => {
                let note = format!("read as text, since make has no database of it: {why}");
                with_problem(stays(text, probe, note), *problem)
            }
        },
    }
}

/// The database, when make read the whole Makefile and printed it whole.
fn accept(
    project: &Project,
    code: i32,
    out: &Arc<[u8]>,
    err: &str,
    text: &Reading,
) -> Result<Makefile, Box<Problem>> {
    // 1: something is out of date, which is no error under `-q`.
    if !matches!(code, 0 | 1) {
        return Err(probe::rejected(project, code, err).into());
    }
    database::read(project, out, text).ok_or_else(|| probe::no_database().into())
}

fn as_text(text: Reading, note: String) -> Extraction {
    Extraction { makefile: text.makefile, wants: text.wants, note }
}

fn with_problem(mut extraction: Extraction, problem: Problem) -> Extraction {
    extraction.makefile.problems.push(problem);
    extraction
}
