//! A finding of several lines while it is put together.

use super::{Line, PendingFindings};
use crate::model::Diagnostic;

/// At most one finding that may go on in the next line.
#[derive(Debug, Default)]
pub(super) struct Draft(Option<Diagnostic>);

impl Draft {
    /// Begins the next one; the one before is complete.
    pub(super) fn begin(&mut self, next: Diagnostic, found: &mut PendingFindings) {
        self.close(found);
        self.0 = Some(next);
    }

    /// The finding goes on with this line, of which this text belongs to its message.
    pub(super) fn add(&mut self, line: &Line<'_>, text: &str) {
        if let Some(open) = &mut self.0 {
            open.extend(text, line.log);
        }
    }

    /// The finding that is put together.
    pub(super) fn open(&mut self) -> Option<&mut Diagnostic> {
        self.0.as_mut()
    }

    /// The finding is complete.
    pub(super) fn close(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.0.take());
    }
}
