//! The contract of a dialect: its input lines, and its findings.

use std::borrow::Cow;
use std::fmt::Debug;

use crate::model::{Diagnostic, LintSummary, LogRange, Plain, Stream, TestSummary};

/// The most bytes of a line that the reader of the next line can see.
pub const LONGEST_BEFORE: usize = 4 * 1024;

/// A format of output, and its reader.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name: `tsc`.
    pub id: &'static str,
    /// One of these is in each line that a reader must see while it asks for [`Next::Trigger`]. Few ordinary lines should
    /// have one: all others are passed over at the speed of memory.
    pub triggers: &'static [&'static str],
    /// The programs that write it, as scripts name them.
    pub programs: &'static [&'static str],
    /// A reader for one stream.
    pub reader: fn() -> Box<dyn Dialect>,
}

/// Reads one format in one stream.
pub trait Dialect: Debug + Send {
    /// Reads a line, and says which one it wants next.
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next;

    /// Ends the stream: completes the finding that is still being read.
    #[expect(unused_variables, reason = "its name is for those who answer more")]
    fn end(&mut self, found: &mut PendingFindings) {}
}

/// Which line a reader wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The next one that has one of its format's triggers.
    Trigger,
    /// The next line, with any content.
    Line,
}

/// A line, or a part of one that is too long to be held.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The text as a person would see it: without controls, colours, overwritten parts, and the line's end.
    pub text: &'a str,
    /// The line, or the part, in the log.
    pub log: LogRange,
    /// The part of the line. Readers of whole lines ignore all but beginnings.
    pub part: LinePart,
    /// The stream of the line.
    pub stream: Stream,
    before: &'a [u8],
}

/// Which part of its line a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinePart {
    /// All of it.
    Whole,
    /// The beginning of a line that goes on.
    Beginning,
    /// A middle part of the line; more of the same line follows.
    Middle,
    /// The end of a line that was begun.
    End,
}

impl<'a> Line<'a> {
    /// A line of standard output; the bytes `before` it in the same stream end with the last line there.
    pub fn new(text: &'a str, log: LogRange, part: LinePart, before: &'a [u8]) -> Self {
        Self { text, log, part, stream: Stream::Out, before }
    }

    /// The same line of this stream.
    #[must_use]
    pub fn of(self, stream: Stream) -> Self {
        Self { stream, ..self }
    }

    /// Whether this is where a line begins.
    pub fn begins(&self) -> bool {
        matches!(self.part, LinePart::Whole | LinePart::Beginning)
    }

    /// The line before it in the same stream; empty for the first.
    pub fn before(&self) -> Cow<'a, str> {
        let last = last_line(self.before);
        plain(&last[..last.len().min(LONGEST_BEFORE)])
    }

    /// The same line, of which only this text is read.
    #[must_use]
    pub fn with(&self, text: &'a str) -> Self {
        Self { text, ..*self }
    }
}

/// The last of these lines.
pub fn last_line(lines: &[u8]) -> &[u8] {
    let inner = lines.strip_suffix(b"\n").unwrap_or(lines);
    memchr::memrchr(b'\n', inner).map_or(lines, |end| &lines[end + 1..])
}

/// Bytes of one line as a person would read them.
pub fn plain(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    // Marks of the byte order, as some programs begin their output.
    let bytes = [&b"\xef\xbb\xbf"[..], b"\xff\xfe"]
        .iter()
        .find_map(|mark| bytes.strip_prefix(*mark))
        .unwrap_or(bytes);
    // A return to the first column overwrites the text before it.
    let bytes =
        memchr::memmem::rfind(bytes, FIRST_COLUMN).map_or(bytes, |last| &bytes[last + FIRST_COLUMN.len()..]);
    // Most lines have no controls at all.
    let mut bytes = match Plain::default().strip(bytes) {
        Cow::Owned(_) if memchr::memchr(BACKSPACE, bytes).is_some() => {
            Cow::Owned(Plain::default().strip(&without_backspaces(bytes)).into_owned())
        }
        stripped => stripped,
    };
    while bytes.last() == Some(&b'\r') {
        match &mut bytes {
            Cow::Borrowed(bytes) => *bytes = &bytes[..bytes.len() - 1],
            Cow::Owned(bytes) => bytes.truncate(bytes.len() - 1),
        }
    }
    // A progress bar has overwritten the text before.
    if let Some(last) = memchr::memrchr(b'\r', &bytes) {
        bytes = match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[last + 1..]),
            Cow::Owned(mut bytes) => Cow::Owned(bytes.split_off(last + 1)),
        };
    }
    match bytes {
        // All of it at once where it is sound: the other way looks at one character after the other.
        Cow::Borrowed(bytes) => {
            str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
        }
        Cow::Owned(bytes) => String::from_utf8(bytes)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned())
            .into(),
    }
}

const BACKSPACE: u8 = 0x08;
const FIRST_COLUMN: &[u8] = b"\x1b[1G";

/// The bytes of a line, of which each backspace has taken the one before it.
fn without_backspaces(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if *byte == BACKSPACE {
            kept.pop();
        } else {
            kept.push(*byte);
        }
    }
    kept
}

/// The findings of readers, until they are taken.
#[derive(Debug, Default)]
pub struct PendingFindings {
    /// Findings, in the order they were complete.
    pub diagnostics: Vec<Diagnostic>,
    /// The counts of test runners.
    pub tests: Vec<TestSummary>,
    /// The counts of files in complete linter reports.
    pub lints: Vec<LintSummary>,
    /// Failures that were named without a reason.
    pub consequences: Vec<Consequence>,
}

/// A failure without a reason of its own, as make's `*** [all] Error 2`. It is a finding only if no error
/// explains it.
#[derive(Debug, Clone)]
pub struct Consequence {
    /// The finding that it is then.
    pub failure: Diagnostic,
    /// An error explains it that stands before it, and not before this byte of the log.
    pub since: u64,
    /// An error explains it as well that stands below it, before the next failure of its format.
    pub is_heading: bool,
}

impl PendingFindings {
    /// Nothing was found.
    pub fn is_empty(&self) -> bool {
        let Self { diagnostics, tests, lints, consequences } = self;
        diagnostics.is_empty() && tests.is_empty() && lints.is_empty() && consequences.is_empty()
    }
}
