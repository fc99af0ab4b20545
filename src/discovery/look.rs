//! The fixpoint: wants are answered until nothing new is wanted.

use std::collections::VecDeque;

use super::Place;
use crate::model::{Fault, Files, Probe, Probed, Problem, Seen, Want};
use crate::sys;

/// How often a plugin may want more after it saw something.
const MOST_ROUNDS: usize = 16;
/// How many wants one discovery may have.
const MOST_WANTS: usize = 2_000;
/// The largest file that is read whole, in bytes.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;
/// How many bytes one discovery may read, give or take its last file: a repository of a few packed kilobytes can name
/// a hundred files of the largest size.
const MOST_BYTES: usize = 128 * 1024 * 1024;

/// A look under way. It stands still at each probe, which somebody else must answer: that takes time.
pub(super) struct Look<'a, Wants> {
    place: Place<'a>,
    wants: Wants,
    files: Files,
    open: VecDeque<Want>,
    rounds: usize,
    answered: usize,
    bytes: usize,
    cut: Option<Problem>,
}

impl<'a, Wants: Fn(&Files) -> Vec<Want>> Look<'a, Wants> {
    pub(super) fn new(place: Place<'a>, wants: Wants) -> Self {
        let (files, open) = (Files::default(), VecDeque::new());
        Self { place, wants, files, open, rounds: 0, answered: 0, bytes: 0, cut: None }
    }

    /// Answers wants up to the next probe; `None` when it is over.
    pub(super) fn go_on(&mut self) -> Option<Probe> {
        while self.cut.is_none() {
            let Some(want) = self.open.pop_front() else {
                if self.ask() {
                    continue;
                }
                return None;
            };
            self.answered += 1;
            if self.answered > MOST_WANTS {
                self.cut = Some(cut_short("it names too many files"));
            } else if self.bytes > MOST_BYTES {
                self.cut = Some(cut_short("the files it names are too large together"));
            } else if !self.files.answers(&want)
                && let Some(probe) = answer(self.place, want, &mut self.files, &mut self.bytes)
            {
                return Some(probe);
            }
        }
        None
    }

    /// Takes the answer to the probe that it stands at.
    pub(super) fn answer(&mut self, probe: Probe, probed: Probed) {
        self.files.probes.insert(probe, probed);
    }

    /// What was seen; the problem says when it was cut short.
    pub(super) fn end(self) -> (Files, Option<Problem>) {
        (self.files, self.cut)
    }

    /// Whether anything new is wanted.
    fn ask(&mut self) -> bool {
        let files = &self.files;
        self.open = (self.wants)(files).into_iter().filter(|want| !files.answers(want)).collect();
        if self.open.is_empty() {
            return false;
        }
        self.rounds += 1;
        if self.rounds > MOST_ROUNDS {
            self.cut = Some(cut_short("each file it names leads to another"));
        }
        true
    }
}

/// A whole look where no probe may be carried out.
pub(super) fn without_probes(
    place: Place<'_>,
    wants: impl Fn(&Files) -> Vec<Want>,
) -> (Files, Option<Problem>) {
    let mut look = Look::new(place, wants);
    while let Some(probe) = look.go_on() {
        look.answer(probe, not_allowed());
    }
    look.end()
}

/// The answer to a probe where nobody may carry it out.
pub(super) fn not_allowed() -> Probed {
    Probed::Nothing { fault: Fault::NotReady, why: "there is no settings.yml that allows it".into() }
}

fn cut_short(why: &str) -> Problem {
    Problem::error(
        Fault::SourceInvalid,
        format!("discovery was cut short: {why}; what was found until then is offered"),
    )
}

/// Answers at once, unless it is a probe; counts what is read.
fn answer(place: Place<'_>, want: Want, files: &mut Files, bytes: &mut usize) -> Option<Probe> {
    match want {
        Want::File(path) => {
            let seen = sys::look::file(&place.root.join(&path), LARGEST_FILE);
            *bytes += read_of(&seen);
            files.files.insert(path, seen);
        }
        Want::Glob(glob) => {
            let matches = sys::glob::search(place.root, &glob, sys::glob::Limits::default());
            *bytes += matches.found.iter().map(|(_, seen)| read_of(seen)).sum::<usize>();
            files.globs.insert(glob, matches);
        }
        Want::Program(name) => {
            let path = place.environment.get("PATH").unwrap_or(sys::programs::DEFAULT_SEARCH_PATH.as_ref());
            let found = sys::programs::find(&name, path, place.root);
            files.programs.insert(name, found);
        }
        Want::Probe(probe) => return Some(probe),
    }
    None
}

fn read_of(seen: &Seen) -> usize {
    match seen {
        Seen::File(file) => file.bytes.len(),
        Seen::Missing | Seen::Unreadable(_) => 0,
    }
}
