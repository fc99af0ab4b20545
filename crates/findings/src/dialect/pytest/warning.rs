//! The lines below `=== warnings summary ===`.

use crate::dialect::{Line, PendingFindings, place, traceback};
use crate::model::{Diagnostic, Severity};

/// `  /a.py:57: DeprecationWarning: old`.
pub(super) fn read(line: &Line<'_>, found: &mut PendingFindings) {
    let Some(text) = line.text.strip_prefix("  ").filter(|_| line.begins()) else { return };
    let Some((place, rest)) = place::with_colons(text).filter(|_| !text.starts_with(' ')) else { return };
    let category = rest.split_once(": ").map_or(rest, |(category, _)| category);
    if category.ends_with("Warning") && traceback::raised(category).is_some() {
        found
            .diagnostics
            .push(Diagnostic::new(Severity::Warning, rest, line.log, super::shapes::ID).at(place));
    }
}
