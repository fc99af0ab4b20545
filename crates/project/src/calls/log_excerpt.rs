//! Some lines of a run's log, as many as a reply may have.

use std::io;
use std::ops::ControlFlow;

use crate::model::{Legible, Stream, agent_text};
use crate::store::Log;

/// The most text of a passage, in bytes.
const MOST: usize = 24 * 1024;
/// The most of a line that is shown, in bytes.
const LONGEST: usize = 4 * 1024;

/// Which lines of a log are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogQuery {
    /// From this line, counted from 1.
    pub from: Option<u64>,
    /// To this line, which is included.
    pub to: Option<u64>,
    /// Only the last so many of them.
    pub tail: Option<u64>,
    /// Only what one of the streams printed.
    pub stream: Option<Stream>,
    /// Only lines that contain this, in capital or small letters.
    pub containing: Option<String>,
    /// As [`agent_text`] has it, not as people see it who look for what overwrites what.
    pub for_agents: bool,
}

/// Some lines of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogExcerpt {
    /// The lines, each with its number where only those that contain something are wanted.
    pub text: String,
    /// How many lines there are in it.
    pub shown: u64,
    /// How many lines the log has.
    pub lines: u64,
    /// The line to go on from, where not everything that is wanted fits.
    pub next: Option<u64>,
}

impl LogQuery {
    /// The first and the last line among so many that may be wanted; where none may, the first is behind the last.
    pub fn among(&self, lines: u64) -> (u64, u64) {
        let to = self.to.unwrap_or(lines).min(lines);
        let last = self.tail.map_or(1, |tail| (to + 1).saturating_sub(tail));
        (self.from.unwrap_or(1).max(last).max(1), to)
    }
}

/// The lines that are wanted, as many as fit.
///
/// # Errors
/// The operating system's.
pub fn log_excerpt(log: &Log, wanted: &LogQuery) -> io::Result<LogExcerpt> {
    let lines = log.lines()?;
    let (from, to) = wanted.among(lines);
    let needle = wanted.containing.as_ref().map(|text| text.to_lowercase());
    let for_agents = wanted.for_agents;
    let mut page = LogPassage { needle, for_agents, line: from, ..LogPassage::default() };
    if from <= to {
        log.each_with_stream(log.line(from)?..log.line(to + 1)?, &mut |stream, bytes| {
            page.take(bytes, wanted.stream.is_none_or(|only| only.may_be(stream)))
        })?;
    }
    page.end_of_line(false);
    Ok(LogExcerpt { text: page.text, shown: page.shown, lines, next: page.next })
}

/// A passage while it is read.
#[derive(Default)]
struct LogPassage {
    needle: Option<String>,
    for_agents: bool,
    text: String,
    shown: u64,
    /// The number of the line that is read.
    line: u64,
    /// The wanted bytes of that line; `None` if it has none.
    bytes: Option<Vec<u8>>,
    /// A carriage return was last: what comes next in the line is written over it.
    returned: bool,
    next: Option<u64>,
}

impl LogPassage {
    fn take(&mut self, bytes: &[u8], is_wanted: bool) -> ControlFlow<()> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = piece.strip_suffix(b"\n").map_or((piece, false), |text| (text, true));
            if is_wanted {
                self.add(text);
            }
            if ends {
                self.end_of_line(true);
            }
            if self.next.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn add(&mut self, text: &[u8]) {
        let line = self.bytes.get_or_insert_default();
        let mut text = text;
        if self.for_agents {
            let end = text.iter().rposition(|byte| *byte != b'\r').map_or(0, |last| last + 1);
            let returns = text.len() > end;
            let begins = text[..end].iter().rposition(|byte| *byte == b'\r').map_or(0, |last| last + 1);
            text = &text[begins..end];
            if begins > 0 || self.returned && !text.is_empty() {
                line.clear();
            }
            self.returned = returns || self.returned && text.is_empty();
        }
        // One more than is shown tells that there was more.
        line.extend_from_slice(&text[..text.len().min(LONGEST + 1 - line.len().min(LONGEST + 1))]);
    }

    fn end_of_line(&mut self, ended: bool) {
        self.returned = false;
        if let Some(bytes) = self.bytes.take().filter(|_| self.next.is_none()) {
            self.show(&bytes);
        }
        self.line += u64::from(ended);
    }

    fn show(&mut self, bytes: &[u8]) {
        let shown = &bytes[..bytes.len().min(LONGEST)];
        let mut line = if self.for_agents {
            agent_text(&String::from_utf8_lossy(shown)).into_owned()
        } else {
            Legible::whole(shown)
        };
        if bytes.len() > LONGEST {
            line.push_str(" […]");
        }
        if let Some(needle) = &self.needle {
            if !line.to_lowercase().contains(needle) {
                return;
            }
            line.insert_str(0, &format!("{}: ", self.line));
        }
        // One line is shown in any case: a reader who goes on from it would come to it again.
        if self.text.len() + line.len() >= MOST && self.shown > 0 {
            self.next = Some(self.line);
            return;
        }
        self.text.push_str(&line);
        self.text.push('\n');
        self.shown += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(needle: Option<&str>, pieces: &[(&str, bool)]) -> LogPassage {
        let mut page = LogPassage { needle: needle.map(str::to_owned), line: 1, ..LogPassage::default() };
        for (piece, is_wanted) in pieces {
            let _ = page.take(piece.as_bytes(), *is_wanted);
        }
        page.end_of_line(false);
        page
    }

    #[test]
    fn lines_are_whole_whatever_pieces_they_come_in() {
        assert_eq!(
            page(None, &[("on", true), ("e\ntwo", true), ("\n\nfour", true)]).text,
            "one\ntwo\n\nfour\n"
        );
        let mixed: &[(&str, bool)] =
            &[("out ", true), ("err\n", false), ("err\nerr", false), ("out\n", true)];
        assert_eq!(page(None, mixed).text, "out \nout\n", "one stream alone");
        let found = page(Some("error"), &[("ok\nAn Error\n", true), ("error: 2", true)]);
        assert_eq!((found.text.as_str(), found.shown), ("2: An Error\n3: error: 2\n", 2));
    }

    #[test]
    fn agents_have_the_last_version_of_a_line_whatever_pieces_it_comes_in() {
        let text = b"0%\r50%\r100%\r\nsafe\r\n\xc2\x9b31mred \xe2\x80\xae\nlong\r";
        let expected = "100%\nsafe\nred \\u{202e}\nlong\n";
        for size in [1, 2, 3, 5, 99] {
            let mut page = LogPassage { for_agents: true, line: 1, ..LogPassage::default() };
            for piece in text.chunks(size) {
                let _ = page.take(piece, true);
            }
            page.end_of_line(false);
            assert_eq!(page.text, expected, "pieces of {size}");
        }
        let mut page = LogPassage { for_agents: true, line: 1, ..LogPassage::default() };
        let _ = page.take("x\r".repeat(1 << 20).as_bytes(), true);
        let _ = page.take(b"done\n", true);
        assert_eq!(page.text, "done\n", "the last version, not the beginning of all");
    }

    #[test]
    fn an_excerpt_that_does_not_fit_says_where_to_go_on() {
        let long = "x".repeat(LONGEST) + "\n";
        let full = page(None, &[(&long.repeat(20), true)]);
        assert!(full.text.len() < MOST);
        assert_eq!((full.shown, full.next), (5, Some(6)));
        let cut = page(None, &[(&"y".repeat(LONGEST), true), ("yyy\nz\n", true)]);
        assert!(cut.text.ends_with("y […]\nz\n"), "{}", &cut.text[LONGEST - 5..]);
    }

    #[test]
    fn nothing_in_it_drives_a_terminal() {
        assert_eq!(page(None, &[("\u{1b}[31mred\u{1b}[0m\u{202e}\n", true)]).text, "red\\u{202e}\n");
    }
}
