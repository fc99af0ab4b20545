//! Deno itself: an uncaught error, its line of source, and its stack.

use super::{Dialect, Format, Line, Next, PendingFindings, frame};
use crate::model::{Diagnostic, Severity};

/// Version 2. Other errors of deno are rows of a table.
pub(super) const FORMAT: Format = Format {
    id: "deno",
    triggers: &[UNCAUGHT, PRINTED],
    programs: &["deno"],
    reader: || Box::<Deno>::default(),
};

const UNCAUGHT: &str = "error: Uncaught ";
/// The rules about the output of a test.
const PRINTED: &str = "------- output -------";
const PRINTED_END: &str = "----- output end -----";
/// The most lines of message and source.
const MOST_LINES: usize = 12;

#[derive(Debug, Default)]
struct Deno {
    finding: Option<Diagnostic>,
    /// The last line, which is source if marks stand below it.
    last: Option<String>,
    lines: usize,
    /// The stack has begun.
    stacked: bool,
    /// A test prints.
    printed: bool,
}

impl Dialect for Deno {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if self.printed && line.text != PRINTED_END || line.text == PRINTED {
            self.end(found);
            self.printed = true;
            return Next::Line;
        }
        if line.begins() && self.goes_on(line) {
            return Next::Line;
        }
        self.end(found);
        let Some(error) = line.text.strip_prefix(UNCAUGHT).filter(|_| line.begins()) else {
            return Next::Trigger;
        };
        let error = error.strip_prefix("(in promise) ").unwrap_or(error);
        self.finding = Some(Diagnostic::new(Severity::Error, error.trim_end(), line.log, FORMAT.id));
        Next::Line
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(std::mem::take(self).finding);
    }
}

impl Deno {
    /// Whether a line belongs to the error that is read.
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(finding) = &mut self.finding else { return false };
        let text = line.text.trim_end();
        if let Some(frame) = frame::at(text) {
            if let Some(last) = self.last.take() {
                finding.extend(&last, line.log);
            }
            finding.place = finding.place.take().or(frame.own());
            finding.log = finding.log.to(line.log);
            self.stacked = true;
            return true;
        }
        self.lines += 1;
        if self.stacked || text.is_empty() || self.lines > MOST_LINES {
            return false;
        }
        if text.trim_start().starts_with('^') {
            self.last = None;
        } else if let Some(last) = self.last.replace(text.to_owned()) {
            finding.extend(&last, line.log);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    /// Recorded: deno 2.9, `deno run r.ts`.
    #[test]
    fn an_uncaught_error() {
        let log = "error: Uncaught (in promise) RangeError: deep: failed\nfunction deep() { throw new RangeError(\"deep: failed\"); }\n\
                   \x20                       ^\n    at deep (file:///x/r.ts:1:25)\n    at file:///x/r.ts:2:1\n\
                   error: Uncaught Error: two\nlines\nthrow e;\n^\n    at ext:core/01_core.js:1:2\n    at file:///x/s.ts:3:4\n\n\
                   Stack backtrace:\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /x/r.ts:1:25 RangeError: deep: failed [1-5]",
                "error /x/s.ts:3:4 Error: two\nlines [6-11]"
            ]
        );
        let printed = format!("------- output -------\n{log}----- output end -----\n");
        assert!(findings(&FORMAT, &printed).is_empty());
        assert_eq!(findings(&FORMAT, &format!("{printed}{log}")).len(), 2);
    }
}
