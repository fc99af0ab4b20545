//! The report of a run: one value that every face renders (the truth contract).

use std::time::Duration;

use serde_json::{Map, Value};

use super::chunk::{Chunk, line_feeds};
use super::plain::Plain;
use super::{Answer, Contained, Denial, Ending, Findings, Leftovers, Rejection, RunId, Stream, ToolName};

/// Everything a face needs to say about a call that was planned and carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Which tool.
    pub tool: ToolName,
    /// The name that people see of it.
    pub shown: String,
    /// Whether the tool succeeded.
    pub success: bool,
    /// How the run ended; `None` when there was none (a list tool, a dry run).
    pub ending: Option<Ending>,
    /// How long the process ran.
    pub duration: Duration,
    /// The error, in one sentence without a full stop.
    pub error: Option<String>,
    /// The code of the error: `PKGJSON_302`.
    pub error_code: Option<String>,
    /// The next step for the caller.
    pub help: Option<String>,
    /// The findings that were read from its log.
    pub findings: Findings,
    /// The last lines of the log that nothing was read from, behind the last error.
    pub log_end: Option<String>,
    /// Whether a plugin worded the output from a report, so that the output already names the findings.
    pub is_told: bool,
    /// Both streams as they came, bounded.
    pub output: Clipped,
    /// The answer of a list tool, or the two streams apart.
    pub data: Option<Map<String, Value>>,
    /// The answer of another MCP server, without secrets.
    pub answer: Option<Answer>,
    /// The error of another MCP server, without secrets.
    pub rejection: Option<Rejection>,
    /// Processes that outlived the one that was started.
    pub leftovers: Leftovers,
    /// How far the kernel held its containment; `None` for a run that was to have none.
    pub contained: Option<Contained>,
    /// Things that it was refused.
    pub denials: Vec<Denial>,
    /// The run's id, when it was recorded.
    pub run_id: Option<RunId>,
    /// Why the run, or a part of its output, was not recorded.
    pub unrecorded: Option<String>,
    /// Why a change of approved files, put back before the end, may have gone unnoticed.
    pub unheld: Option<String>,
    /// The files that changed and by which other programs run something later, outside of the run.
    pub changed_later: Vec<String>,
    /// Command, directory and facts from the plugin.
    pub metadata: Map<String, Value>,
}

/// A run that goes on in the background.
#[derive(Debug, Clone, PartialEq)]
pub struct OngoingRun {
    /// Which tool.
    pub tool: ToolName,
    /// The run's id.
    pub run_id: RunId,
    /// Whether it said that it is ready.
    pub ready: bool,
    /// The output so far.
    pub output: Clipped,
    /// How long it has gone on.
    pub duration: Duration,
}

impl Report {
    /// Whether it is of a dry run, so that the tool itself was not run.
    pub fn is_rehearsal(&self) -> bool {
        self.metadata.get("dry_run") == Some(&Value::Bool(true))
    }
}

/// Bytes kept from the head and the tail of something longer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clipped {
    /// UTF-8 with replacement; a line in the middle counts the omitted bytes.
    pub text: String,
    /// How many bytes the process printed, escape sequences included.
    pub bytes: u64,
    /// How many bytes of plain text are not in `text`.
    pub omitted: u64,
    /// The first and the last omitted line, counted from 1; a part of each may be in `text`. `None` if
    /// nothing is omitted, and if `text` is not the output itself.
    pub lines: Option<(u64, u64)>,
}

impl Clipped {
    /// A text that is all there is.
    pub fn whole(text: String) -> Self {
        Self { bytes: text.len() as u64, text, omitted: 0, lines: None }
    }
}

/// Collects output in bounded memory: the first and the last bytes of each stream and of both together, without the
/// escape sequences that drive terminals. A terminal gets the bytes themselves, from the sink.
#[derive(Debug)]
pub struct Capture {
    both: Ends,
    out: Ends,
    err: Ends,
    plain_out: Plain,
    plain_err: Plain,
}

/// The most bytes that [`Capture`] keeps of each: hosts cut tool results at about 30,000 characters.
const KEPT: usize = 24 * 1024;

impl Default for Capture {
    fn default() -> Self {
        Self {
            both: Ends::new(KEPT),
            out: Ends::new(KEPT),
            err: Ends::new(KEPT),
            plain_out: Plain::default(),
            plain_err: Plain::default(),
        }
    }
}

impl Capture {
    /// Takes the next bytes of a stream.
    pub fn push(&mut self, chunk: Chunk<'_>) {
        let (plain, ends) = match chunk.stream() {
            Stream::Out | Stream::Both => (&mut self.plain_out, &mut self.out),
            Stream::Err => (&mut self.plain_err, &mut self.err),
        };
        // Line feeds stay, regardless of the bytes around them.
        let (text, line_feeds) = (plain.strip(chunk.bytes()), chunk.line_feeds());
        for ends in [ends, &mut self.both] {
            ends.push(&text, line_feeds);
            ends.printed += chunk.bytes().len() as u64;
        }
    }

    /// Both streams in order of arrival.
    pub fn output(&self) -> Clipped {
        self.both.clip()
    }

    /// One stream alone. Output through one pipe for both counts as standard output.
    pub fn stream(&self, stream: Stream) -> Clipped {
        match stream {
            Stream::Out | Stream::Both => self.out.clip(),
            Stream::Err => self.err.clip(),
        }
    }
}

/// The two ends of a byte stream.
#[derive(Debug)]
struct Ends {
    half: usize,
    head: Vec<u8>,
    tail: std::collections::VecDeque<u8>,
    /// Of plain text.
    bytes: u64,
    /// Escape sequences included.
    printed: u64,
    line_feeds: u64,
}

impl Ends {
    fn new(kept: usize) -> Self {
        Self {
            half: kept / 2,
            head: Vec::new(),
            tail: std::collections::VecDeque::new(),
            bytes: 0,
            printed: 0,
            line_feeds: 0,
        }
    }

    fn push(&mut self, mut bytes: &[u8], line_feeds: u64) {
        self.bytes += bytes.len() as u64;
        self.line_feeds += line_feeds;
        let room = self.half - self.head.len();
        if room > 0 {
            let (first, rest) = bytes.split_at(room.min(bytes.len()));
            self.head.extend_from_slice(first);
            bytes = rest;
        }
        if bytes.len() >= self.half {
            self.tail.clear();
            bytes = &bytes[bytes.len() - self.half..];
        }
        let excess = (self.tail.len() + bytes.len()).saturating_sub(self.half);
        self.tail.drain(..excess);
        self.tail.extend(bytes);
    }

    fn clip(&self) -> Clipped {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let whole = self.head.len() + tail.len();
        if self.bytes == whole as u64 {
            let text = String::from_utf8_lossy(&[self.head.as_slice(), &tail].concat()).into_owned();
            return Clipped { text, bytes: self.printed, omitted: 0, lines: None };
        }
        // Cut at line ends where there are some, so that no half line is taken for a whole one.
        let head_end = self.head.iter().rposition(|b| *b == b'\n').map_or(self.head.len(), |at| at + 1);
        let line_end = tail.iter().position(|b| *b == b'\n').map(|at| at + 1);
        let (head, tail) = (&self.head[..head_end], &tail[line_end.unwrap_or(0)..]);
        // A tail without a line end is of one line, the last.
        let last = self.line_feeds - line_feeds(tail) + u64::from(line_end.is_none());
        let lines = Some((line_feeds(head) + 1, last));
        let omitted = self.bytes - (head.len() + tail.len()) as u64;
        let text = format!(
            "{}{}[… {omitted} of {} bytes left out …]\n{}",
            String::from_utf8_lossy(head),
            if head.ends_with(b"\n") { "" } else { "\n" },
            self.bytes,
            String::from_utf8_lossy(tail)
        );
        Clipped { text, bytes: self.printed, omitted, lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(kept: usize, chunks: &[&str]) -> Clipped {
        let mut ends = Ends::new(kept);
        for chunk in chunks {
            ends.push(chunk.as_bytes(), line_feeds(chunk.as_bytes()));
            ends.printed += chunk.len() as u64;
        }
        ends.clip()
    }

    #[test]
    fn a_text_that_fits_is_whole_and_a_cut_one_says_so() {
        assert_eq!(clip(16, &["abc\n", "def\n"]), Clipped::whole("abc\ndef\n".into()));
        let cut = clip(8, &["ab\ncdef\n", "ghij\nkl\n"]);
        assert_eq!(cut.text, "ab\n[… 10 of 16 bytes left out …]\nkl\n");
        assert_eq!((cut.bytes, cut.omitted, cut.lines), (16, 10, Some((2, 3))));
    }

    /// These lines of the log and the shown text are together complete.
    #[test]
    fn a_cut_text_names_the_lines_that_it_leaves_out() {
        for (text, lines) in [
            ("a long line\n2\n3\n", (1, 2)),
            ("1\na long line\n3\n", (2, 2)),
            ("1\n2\n3\nlonger\n5\n6\n", (3, 5)),
            ("1\n2\na long line", (3, 3)),
            ("1\n2\na long line\n", (3, 3)),
            ("one line alone", (1, 1)),
            ("1\n2\n3\n4\n5\n6", (3, 4)),
        ] {
            let cut = clip(8, &[text]);
            assert_eq!(cut.lines, Some(lines), "{text:?} became {:?}", cut.text);
            let all: Vec<&str> = text.split_inclusive('\n').collect();
            let (head, tail) = cut.text.split_once("[… ").unwrap();
            let tail = tail.split_once("…]\n").unwrap().1;
            let number = |number: u64| usize::try_from(number).unwrap();
            let (before, after) = (all[..number(lines.0) - 1].concat(), all[number(lines.1)..].concat());
            assert!(head.trim_end().starts_with(before.trim_end()) && tail.ends_with(&after), "{text:?}");
        }
    }

    #[test]
    fn chunk_borders_do_not_matter() {
        let text = (0..100).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n") + "\n";
        let whole = clip(64, &[&text]);
        for size in [1, 2, 3, 7, 31, 33, 64, 500] {
            let chunks: Vec<&str> =
                text.as_bytes().chunks(size).map(|chunk| std::str::from_utf8(chunk).unwrap()).collect();
            assert_eq!(clip(64, &chunks), whole, "chunks of {size}");
        }
        assert!(whole.text.ends_with("line 99\n"));
        assert!(whole.text.starts_with("line 0\n"));
    }

    /// A sequence of one stream goes on after bytes of the other came between.
    #[test]
    fn escape_sequences_are_left_out_of_each_stream_and_counted() {
        let mut capture = Capture::default();
        for (stream, bytes) in [
            (Stream::Out, "\u{1b}[3"),
            (Stream::Err, "\u{1b}]0;title"),
            (Stream::Out, "1mred\u{1b}[0m\n"),
            (Stream::Err, "\u{7}error\n"),
        ] {
            capture.push(Chunk::new(stream, bytes.as_bytes()));
        }
        assert_eq!(capture.stream(Stream::Out).text, "red\n");
        assert_eq!(capture.stream(Stream::Err).text, "error\n");
        assert_eq!(capture.output(), Clipped { bytes: 29, ..Clipped::whole("red\nerror\n".into()) });
    }
}
