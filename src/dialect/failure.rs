//! A failing test while it is put together: its name, the reason, and where.

use super::Line;
use super::frame::{self, Frame};
use crate::model::{Diagnostic, LONGEST_MESSAGE, Location, LogRange, Severity};

/// How many lines of a reason are kept: the error, and what was expected.
const REASON: usize = 12;

/// A test that failed, or a file of tests that could not be read.
#[derive(Debug)]
pub(super) struct Failure {
    name: String,
    reason: String,
    lines: usize,
    /// The stack has begun: what follows is no reason.
    stacked: bool,
    place: Option<Location>,
    /// Where the test itself is.
    home: Option<Location>,
    log: LogRange,
}

impl Failure {
    pub(super) fn new(name: &str, line: &Line<'_>) -> Self {
        Self {
            name: name.to_owned(),
            reason: String::new(),
            lines: 0,
            stacked: false,
            place: None,
            home: None,
            log: line.log,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Where it stands in the log.
    pub(super) fn log(&self) -> LogRange {
        self.log
    }

    /// Where the test itself is.
    #[must_use]
    pub(super) fn of(self, home: Option<Location>) -> Self {
        Self { home, ..self }
    }

    /// Where it failed, unless its stack says so.
    #[must_use]
    pub(super) fn or_at(mut self, place: Option<Location>) -> Self {
        self.place = self.place.or(place);
        self
    }

    /// The same under another name.
    #[must_use]
    pub(super) fn renamed(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// The name goes on.
    pub(super) fn rename(&mut self, more: &str, line: &Line<'_>) {
        if self.name.len() < LONGEST_MESSAGE {
            self.name.push(' ');
            self.name.push_str(more);
        }
        self.log = self.log.to(line.log);
    }

    /// A line of the reason, as long as the stack has not begun.
    pub(super) fn reason(&mut self, text: &str, line: &Line<'_>) {
        if line.begins() && !self.stacked && !text.trim_end().is_empty() {
            self.log = self.log.to(line.log);
            self.say(text);
        }
    }

    /// What is said of the reason elsewhere.
    pub(super) fn say(&mut self, text: &str) {
        if self.lines < REASON && self.reason.len() < LONGEST_MESSAGE {
            self.reason.push('\n');
            self.reason.push_str(text.trim_end());
            self.lines += 1;
        }
    }

    /// Before its reason belongs the class of the error.
    pub(super) fn lead(&mut self, class: &str) {
        if let Some(reason) = self.reason.strip_prefix('\n') {
            self.reason = format!("\n{class}: {reason}");
        }
    }

    /// A line that belongs to it, though nothing is kept of it.
    pub(super) fn within(&mut self, line: &Line<'_>) {
        self.log = self.log.to(line.log);
    }

    /// Whether there is a reason.
    pub(super) fn has_reason(&self) -> bool {
        self.lines > 0
    }

    /// The lines of its reason.
    pub(super) fn reasons(&self) -> impl Iterator<Item = &str> {
        self.reason.lines()
    }

    /// A line of the stack; the first place that is the user's own is where it failed.
    pub(super) fn frame(&mut self, frame: Frame, line: &Line<'_>) {
        self.stacked = true;
        if let (None, Frame::Own(place)) = (&self.place, frame) {
            self.log = self.log.to(line.log);
            self.place = Some(place);
        }
    }

    /// What follows is no reason, though there may be a stack.
    pub(super) fn stop(&mut self) {
        self.stacked = true;
    }

    /// Whether its stack has begun.
    pub(super) fn is_stacked(&self) -> bool {
        self.stacked
    }

    /// The finding. Where a test fails in another file than its own, its name says which that is: tests of the same name
    /// may fail at the same place.
    pub(super) fn finish(mut self, dialect: &str) -> Diagnostic {
        let place = self.place.or_else(|| timed_out_in(&self.reason));
        if let (Some(place), Some(home)) = (&place, &self.home)
            && !is_same(&place.file, &home.file)
            && !self.name.contains(&home.file)
        {
            let home = Location { column: None, ..home.clone() };
            self.name = format!("{} ({home})", self.name);
        }
        let message = self.name + &self.reason;
        Diagnostic {
            place: place.or(self.home),
            ..Diagnostic::new(Severity::Error, message, self.log, dialect)
        }
    }
}

/// Whether two names may be those of one file, of which one begins further up.
fn is_same(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
    };
    ends(one, other) || ends(other, one)
}

/// Mocha has no stack for a test that takes too long, but says in which file it is.
fn timed_out_in(reason: &str) -> Option<Location> {
    let line = reason.lines().find(|line| line.contains("Timeout of ") && line.ends_with(')'))?;
    let file = line.rsplit_once(" (")?.1.strip_suffix(')')?;
    let fits = file.contains(['/', '\\']) && frame::is_own(file);
    fits.then(|| Location { file: file.to_owned(), line: None, column: None })
}
