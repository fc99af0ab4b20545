//! A test that pytest-timeout ended together with the whole run: the stack of the main thread, between two rules.
//!
//! Where a signal ends the test alone, pytest reports it as any other, and only the stacks of other threads stand there.

use crate::dialect::traceback;
use crate::dialect::{Line, PendingFindings};
use crate::model::{Diagnostic, Location, Severity};

use super::shapes;

/// The trigger of the stack's first line.
pub(super) const TRIGGER: &str = "~ Stack of MainThread (";
const TITLE: &str = "Stack of MainThread (";
/// The most lines of the stack.
const LONGEST: usize = 2000;

/// Such a stack while it is read.
#[derive(Debug, Default)]
pub(super) struct Killed {
    open: Option<Diagnostic>,
    /// The first own function since pytest's: the test.
    test: Option<String>,
    lines: usize,
}

impl Killed {
    /// Reads a line, and says whether it belongs to one.
    pub(super) fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        if !line.begins() {
            return self.open.is_some();
        }
        if shapes::ruled(line.text, '~').is_some_and(|title| title.starts_with(TITLE)) {
            self.close(found);
            self.open = Some(Diagnostic::new(Severity::Error, "", line.log, shapes::ID));
            return true;
        }
        let Some(finding) = &mut self.open else { return false };
        self.lines += 1;
        if !line.text.starts_with("  ") || self.lines > LONGEST {
            self.close(found);
            return false;
        }
        finding.log = finding.log.to(line.log);
        if let Some(place) = traceback::frame(line.text) {
            self.frame(line.text, place);
        }
        true
    }

    fn frame(&mut self, text: &str, place: Location) {
        if place.file.contains("_pytest") {
            self.test = None;
        }
        if let Some(finding) = self.open.as_mut().filter(|_| traceback::is_own(&place.file)) {
            let name = || text.trim_end().rsplit_once(", in ").map(|(_, name)| name.to_owned());
            self.test = self.test.take().or_else(name);
            finding.place = Some(place);
        }
    }

    /// Nothing follows.
    pub(super) fn close(&mut self, found: &mut PendingFindings) {
        let Self { open, test, .. } = std::mem::take(self);
        let Some(mut finding) = open else { return };
        if let Some(test) = test {
            finding.message = test;
        }
        finding.extend("Timeout", finding.log);
        found.diagnostics.push(finding);
    }
}
