//! `INTERNALERROR> Traceback …`: pytest itself, or a plugin of it, failed.

use crate::dialect::traceback::Traceback;
use crate::dialect::{Found, Line};
use crate::model::{Diagnostic, LogRange, Severity};

/// Such a traceback while it is read.
#[derive(Debug, Default)]
pub(super) struct Internal(Option<(Traceback, LogRange)>);

impl Internal {
    /// Reads a line, and says whether it belongs to one.
    pub(super) fn read(&mut self, line: &Line<'_>, found: &mut Found) -> bool {
        let Some(text) = line.text.strip_prefix("INTERNALERROR> ").filter(|_| line.begins()) else {
            self.close(found);
            return false;
        };
        let (traceback, log) = self.0.get_or_insert_with(|| (Traceback::default(), line.log));
        traceback.read(text);
        *log = log.to(line.log);
        true
    }

    /// Nothing follows.
    pub(super) fn close(&mut self, found: &mut Found) {
        let Some((traceback, log)) = self.0.take() else { return };
        let mut finding =
            Diagnostic::new(Severity::Error, "internal error of pytest", log, super::shapes::ID);
        finding.extend(traceback.raised().unwrap_or_default(), log);
        finding.place = traceback.place().cloned();
        found.diagnostics.push(finding);
    }
}
