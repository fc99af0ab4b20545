//! Rust programs that panicked: `thread 'main' panicked at src/main.rs:3:5:`, and the reason on the next
//! lines.
//!
//! A program may survive the panics of other threads than the first, so these count only where no error explains the failure. The
//! readers of test runners report the panics of tests.

use super::draft::Draft;
use super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity, Stream};

/// Rust 1.0 and later.
pub(super) const FORMAT: Format = Format {
    id: "panic",
    triggers: &["thread 'main' ", " panicked at "],
    programs: &[],
    reader: || Box::<Panicked>::default(),
};

/// How many lines a reason may have.
const LONGEST_REASON: usize = 8;

/// The line that says where a thread panicked.
#[derive(Debug)]
pub(super) struct Panic<'a> {
    /// The thread's name.
    pub(super) thread: &'a str,
    /// Its place.
    pub(super) place: Location,
    /// The reason, if it is on the same line.
    pub(super) reason: Option<&'a str>,
}

impl<'a> Panic<'a> {
    /// `thread 'a' (7) panicked at src/a.rs:3:5:`, or before Rust 1.73 `thread 'a' panicked at 'why', src/a.rs:3:5`.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let (thread, at) = text.strip_prefix("thread '")?.split_once(" panicked at ")?;
        let (thread, number) = thread.rsplit_once('\'')?;
        let numbered = number.strip_prefix(" (").and_then(|number| number.strip_suffix(')'));
        let is_number = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
        if !number.is_empty() && !numbered.is_some_and(is_number) {
            return None;
        }
        let (reason, at) = match at.strip_prefix('\'') {
            Some(quoted) => quoted.rsplit_once("', ").map(|(reason, at)| (Some(reason), at))?,
            None => (None, at.strip_suffix(':')?),
        };
        let place = place::whole(at).filter(|place| place.column.is_some())?;
        Some(Self { thread, place, reason })
    }
}

/// Whether a line stands behind the reason of a panic.
pub(super) fn ends_reason(text: &str) -> bool {
    text.is_empty() || text.starts_with("note: run with `RUST_BACKTRACE") || text == "stack backtrace:"
}

#[derive(Debug, Default)]
struct Panicked {
    draft: Draft,
    lines: usize,
    /// The panic that is read is one of another thread.
    is_other: bool,
}

impl Dialect for Panicked {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let panic = Panic::of(line.text).filter(|_| line.begins() && line.stream != Stream::Out);
        if let Some(panic) = panic {
            let message = panic.reason.unwrap_or("panicked");
            let next = Diagnostic::new(Severity::Error, message, line.log, FORMAT.id).at(panic.place);
            self.close(found);
            self.draft.begin(next, found);
            self.is_other = panic.thread != "main";
            self.lines = if panic.reason.is_some() { LONGEST_REASON } else { 0 };
        } else if let Some(open) = self.draft.open() {
            let goes_on = self.lines < LONGEST_REASON && !ends_reason(line.text);
            if goes_on && self.lines == 0 {
                line.text.clone_into(&mut open.message);
                open.log = open.log.to(line.log);
            } else if goes_on {
                self.draft.add(line, line.text);
            }
            self.lines += 1;
            if !goes_on {
                self.close(found);
                return Next::Trigger;
            }
        } else {
            return Next::Trigger;
        }
        Next::Line
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Panicked {
    /// The panic is complete.
    fn close(&mut self, found: &mut PendingFindings) {
        let before = found.diagnostics.len();
        self.draft.close(found);
        if std::mem::take(&mut self.is_other) {
            let failures = found.diagnostics.drain(before..).map(|failure| Consequence {
                failure,
                since: 0,
                is_heading: false,
            });
            found.consequences.extend(failures);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings_on;

    #[test]
    fn programs() {
        for (log, expected) in [
            (
                "\nthread 'main' (77) panicked at src/main.rs:3:5:\nassertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\nmore",
                vec!["error src/main.rs:3:5 assertion `left == right` failed\n  left: 1\n right: 2 [2-5]"],
            ),
            (
                "thread 'main' panicked at 'it's, well', src/main.rs:3:5\nnote: run with",
                vec!["error src/main.rs:3:5 it's, well [1-1]"],
            ),
            ("thread 'worker' (9) panicked at src/main.rs:3:5:\nx", vec!["error src/main.rs:3:5 x [1-2]"]),
            (
                "thread 'worker' (9) panicked at src/main.rs:3:5:\nx\n\nthread 'main' (8) panicked at src/main.rs:9:5:\ny",
                vec!["error src/main.rs:3:5 x [1-2]", "error src/main.rs:9:5 y [4-5]"],
            ),
            (
                "thread 'main' (8) panicked at src/main.rs:9:5:\ny\n\nthread 'worker' (9) panicked at src/main.rs:3:5:\nx\n",
                vec!["error src/main.rs:9:5 y [1-2]"],
            ),
            ("thread 'main' has panicked at src/main.rs:3:5:\nx", vec![]),
            ("thread 'main' panicked at noon", vec![]),
            ("thread 'main' panicked at src/main.rs:3:5:", vec!["error src/main.rs:3:5 panicked [1-1]"]),
        ] {
            assert_eq!(findings_on(Stream::Err, &FORMAT, log), expected, "{log}");
        }
    }
}
