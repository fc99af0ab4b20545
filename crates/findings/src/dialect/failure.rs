//! A failing test while it is put together: its name, the reason, and where.

use super::Line;
use super::cause::CauseChain;
use super::frame::{self, Frame};
use super::reason::Reason;
use crate::model::path::may_be_one;
use crate::model::{Diagnostic, LONGEST_MESSAGE, Location, LogRange, Severity};

/// A test that failed, or a file of tests that could not be read.
#[derive(Debug)]
pub(super) struct TestFailure {
    name: String,
    reason: Reason,
    causes: CauseChain,
    /// The stack has begun, and the reason is over.
    stacked: bool,
    place: Option<Location>,
    /// The place of the test itself.
    home: Option<Location>,
    log: LogRange,
}

impl TestFailure {
    pub(super) fn new(name: &str, line: &Line<'_>) -> Self {
        Self {
            name: name.to_owned(),
            reason: Reason::default(),
            causes: CauseChain::default(),
            stacked: false,
            place: None,
            home: None,
            log: line.log,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its lines in the log.
    pub(super) fn log(&self) -> LogRange {
        self.log
    }

    /// Sets the place of the test itself.
    #[must_use]
    pub(super) fn of(self, home: Option<Location>) -> Self {
        Self { home, ..self }
    }

    /// Sets the place of the failure, unless its stack already names one.
    #[must_use]
    pub(super) fn or_at(mut self, place: Option<Location>) -> Self {
        self.place = self.place.or(place);
        self
    }

    /// Sets the place of the failure, whatever its stack names.
    #[must_use]
    pub(super) fn thrown_at(self, place: Location) -> Self {
        Self { place: Some(place), ..self }
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

    /// A line of the reason, as long as the stack has not begun; behind it, a cause.
    pub(super) fn reason(&mut self, text: &str, line: &Line<'_>) {
        if !line.begins() || text.trim_end().is_empty() {
            return;
        }
        if !self.stacked && CauseChain::is_head(text) {
            self.stacked = true;
            self.reason.ends_before(" {");
        }
        if !self.stacked {
            self.log = self.log.to(line.log);
            self.reason.say(text, line.log.start_line);
        } else if self.causes.read(text) {
            self.log = self.log.to(line.log);
        }
    }

    /// Adds a line to the reason that was printed elsewhere.
    pub(super) fn say(&mut self, text: &str) {
        self.reason.say(text, self.log.end_line);
    }

    /// Before its reason belongs the class of the error.
    pub(super) fn lead(&mut self, class: &str) {
        self.reason.lead(class);
    }

    /// A line that belongs to it, though nothing is kept of it.
    pub(super) fn within(&mut self, line: &Line<'_>) {
        self.log = self.log.to(line.log);
    }

    /// Whether there is a reason.
    pub(super) fn has_reason(&self) -> bool {
        !self.reason.is_empty()
    }

    /// The lines of its reason.
    pub(super) fn reasons(&self) -> impl Iterator<Item = &str> {
        self.reason.lines()
    }

    /// A line of the stack; the first place that is the user's own is where it failed.
    pub(super) fn frame(&mut self, frame: Frame, line: &Line<'_>) {
        self.stacked = true;
        if !self.causes.is_empty() {
            if self.causes.frame(frame) {
                self.log = self.log.to(line.log);
            }
        } else if let (None, Frame::Own(place)) = (&self.place, frame) {
            self.log = self.log.to(line.log);
            self.place = Some(place);
        }
    }

    /// Ends the reason; the stack may still follow.
    pub(super) fn stop(&mut self) {
        self.stacked = true;
    }

    /// Whether the next frames belong to a cause.
    pub(super) fn in_cause(&self) -> bool {
        !self.causes.is_empty()
    }

    /// Whether its stack has begun.
    pub(super) fn is_stacked(&self) -> bool {
        self.stacked
    }

    /// The finding. If a test fails in another file than its own, the name includes its own place: tests of
    /// the same name may fail at the same place.
    pub(super) fn finish(mut self, dialect: &str) -> Diagnostic {
        let place = self.place.or_else(|| self.reason.lines().find_map(timed_out_in));
        let place = place.or_else(|| self.causes.place().cloned());
        if let (Some(place), Some(home)) = (&place, &self.home)
            && !may_be_one(&place.file, &home.file)
            && !self.name.contains(&home.file)
        {
            let home = Location { column: None, ..home.clone() };
            self.name = format!("{} ({home})", self.name);
        }
        let reason = self.reason.render();
        let causes = self.causes.render(&reason);
        let message = self.name + &reason + &causes;
        Diagnostic {
            place: place.or(self.home),
            ..Diagnostic::new(Severity::Error, message, self.log, dialect)
        }
    }
}

/// Mocha has no stack for a test that takes too long, but says in which file it is.
fn timed_out_in(line: &str) -> Option<Location> {
    let file = line.contains("Timeout of ").then(|| line.rsplit_once(" ("))??.1.strip_suffix(')')?;
    let fits = file.contains(['/', '\\']) && frame::is_own(file);
    fits.then(|| Location::file(file))
}
