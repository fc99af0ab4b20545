//! `INTERNALERROR> Traceback …`: pytest itself, or a plugin of it, failed.

use crate::dialect::traceback::Traceback;
use crate::dialect::{Line, PendingFindings};
use crate::model::{Diagnostic, LogRange, Severity};

/// The first line of a traceback.
const HEAD: &str = "Traceback (most recent call last):";
/// The marks of tests that passed, failed and so on, which may stand before the first line.
const PROGRESS: &str = ".FEsxX";

/// Such a traceback while it is read.
#[derive(Debug, Default)]
pub(super) struct Internal {
    open: Option<(Traceback, LogRange)>,
    /// How far a traceback within the message of another is indented; xdist shows that of a worker so.
    indent: usize,
}

impl Internal {
    /// Reads a line, and says whether it belongs to one.
    pub(super) fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        let behind = line.text.trim_start_matches(|c| PROGRESS.contains(c));
        let Some(text) = behind.strip_prefix("INTERNALERROR> ").filter(|_| line.begins()) else {
            self.close(found);
            return false;
        };
        let own = if text.ends_with(HEAD) {
            self.indent = usize::MAX;
            Some(HEAD)
        } else if let Some(nested) = text.strip_prefix("E ") {
            self.nested(nested)
        } else {
            Some(text)
        };
        let (traceback, log) = self.open.get_or_insert_with(|| (Traceback::default(), line.log));
        if let Some(own) = own {
            traceback.read(own);
        }
        *log = log.to(line.log);
        true
    }

    /// A line of a traceback within a message, without its indent; `None` for other lines.
    fn nested<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let blanks = text.len() - text.trim_start_matches(' ').len();
        if text[blanks..].starts_with("File \"") {
            self.indent = blanks.saturating_sub(2);
        }
        text.get(self.indent..).filter(|_| blanks >= self.indent)
    }

    /// Nothing follows.
    pub(super) fn close(&mut self, found: &mut PendingFindings) {
        let Some((traceback, log)) = self.open.take() else { return };
        let mut finding =
            Diagnostic::new(Severity::Error, "internal error of pytest", log, super::shapes::ID);
        finding.extend(traceback.raised().unwrap_or_default(), log);
        finding.place = traceback.place().cloned();
        found.diagnostics.push(finding);
    }
}
