//! The output of a failed test: the reason and the place.

use super::super::panic::{Panic, ends_reason};
use super::super::{Line, place};
use crate::model::{Diagnostic, Location};

/// How many lines of one test's output are read.
const LONGEST: usize = 20_000;
/// The most of these lines that a message contains.
const MOST_TOLD: usize = 10;

/// The output of a test that failed.
#[derive(Debug, Default)]
pub(in crate::dialect) struct TestOutput {
    name: String,
    /// The test is in documentation.
    documented: bool,
    lines: usize,
    shown: usize,
    /// The next lines belong to a reason.
    telling: bool,
}

impl TestOutput {
    /// The output of the test of this name. `documented`: the test is in documentation.
    pub(in crate::dialect) fn new(name: &str, documented: bool) -> Self {
        Self { name: name.to_owned(), documented, ..Self::default() }
    }

    /// Whether the next line goes on with a reason.
    pub(super) fn is_telling(&self) -> bool {
        self.telling
    }

    /// Whether more of it is not read.
    pub(in crate::dialect) fn is_too_long(&self) -> bool {
        self.lines >= LONGEST
    }

    /// Reads a line into the finding that the test is.
    pub(in crate::dialect) fn read(&mut self, line: &Line<'_>, open: &mut Diagnostic) {
        self.lines += 1;
        if line.text.is_empty() {
            self.telling = false;
            return;
        }
        open.log = open.log.to(line.log);
        if self.documented {
            refine(&mut open.place, line.text.trim_start().strip_prefix("--> ").and_then(place::whole));
        }
        if let Some(panic) = Panic::of(line.text) {
            if self.documented {
                refine(&mut open.place, Some(panic.place));
            } else if !panic.place.file.starts_with("/rustc/")
                && (panic.thread == self.name || open.place.is_none())
            {
                open.place = Some(panic.place);
            }
            self.telling = panic.reason.is_none();
            if let Some(reason) = panic.reason {
                self.tell(line, reason, open);
            }
            return;
        }
        if let Some(note) =
            line.text.strip_prefix("note: ").filter(|note| !ends_reason(line.text) && of_runner(note))
        {
            let (said, at) = note.split_once(" at ").unwrap_or((note, ""));
            open.place = open.place.take().or_else(|| place::whole(at));
            self.tell(line, said, open);
            self.telling = true;
        } else if ends_reason(line.text) || line.text.starts_with("note: ") {
            self.telling = false;
        } else if self.telling {
            self.tell(line, line.text, open);
        } else if self.shown == 0
            && (line.text.starts_with("Error: ") || self.documented && of_documentation(line.text))
        {
            self.tell(line, line.text, open);
            self.telling = !self.documented;
        }
    }

    fn tell(&mut self, line: &Line<'_>, text: &str, open: &mut Diagnostic) {
        if self.shown < MOST_TOLD {
            self.shown += 1;
            open.extend(text, line.log);
        }
    }
}

/// A place in documentation is known by its line; a message may say more of the same file.
fn refine(known: &mut Option<Location>, said: Option<Location>) {
    if let (Some(known), Some(said)) = (known, said)
        && known.column.is_none()
        && known.file == said.file
    {
        *known = said;
    }
}

/// Whether a line is the runner's note on a test that should panic.
fn of_runner(note: &str) -> bool {
    note.starts_with("test did not panic as expected")
        || note.starts_with("panic did not contain expected string")
}

/// Whether a line is an error of a test in documentation before it runs.
fn of_documentation(text: &str) -> bool {
    let begins = [
        "error: ",
        "error[E",
        "Test compiled successfully, but ",
        "Some expected error codes were not found",
    ];
    begins.iter().any(|begin| text.starts_with(begin))
}
