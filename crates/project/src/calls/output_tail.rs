//! The last line that a run printed, for those who watch it without a terminal.

use memchr::{memchr2, memrchr2};

use crate::model::{Plain, Stream, visible};

/// The longest line that is shown, in characters.
const LONGEST: usize = 200;
/// The most bytes of an unfinished line that are kept; what comes after them in it is not looked at.
const MOST: usize = 4096;

/// The last line with something in it; of lines that a carriage return overwrites, what was written last.
#[derive(Debug, Default)]
pub(crate) struct LastLine {
    out: Unfinished,
    err: Unfinished,
    /// Its bytes, as far as they are kept.
    last: Vec<u8>,
}

#[derive(Debug, Default)]
struct Unfinished {
    plain: Plain,
    bytes: Vec<u8>,
}

impl LastLine {
    /// Takes the next bytes of a stream. Each piece of text without terminal control is shown to `each`: one line
    /// or several whole ones.
    pub(crate) fn push(&mut self, stream: Stream, bytes: &[u8], each: &mut dyn FnMut(&[u8])) {
        let unfinished = match stream {
            Stream::Out | Stream::Both => &mut self.out,
            Stream::Err => &mut self.err,
        };
        let text = unfinished.plain.strip(bytes);
        let mut rest: &[u8] = &text;
        if let Some(first) = memchr2(b'\n', b'\r', rest) {
            let last = memrchr2(b'\n', b'\r', rest).unwrap_or(first);
            unfinished.add(&rest[..first]);
            let whole = &rest[first..last];
            each(&unfinished.bytes);
            each(whole);
            let mut lines = whole.rsplit(|byte| matches!(byte, b'\n' | b'\r'));
            let last_shown = lines.find(|line| !is_blank(line)).unwrap_or(&unfinished.bytes);
            if !is_blank(last_shown) {
                keep(&mut self.last, last_shown);
            }
            unfinished.bytes.clear();
            rest = &rest[last + 1..];
        }
        unfinished.add(rest);
        if !is_blank(&unfinished.bytes) {
            each(&unfinished.bytes);
            keep(&mut self.last, &unfinished.bytes);
        }
    }

    /// The line, with what nobody sees escaped; `None` before anything was printed.
    pub(crate) fn text(&self) -> Option<String> {
        shown(&self.last)
    }
}

impl Unfinished {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(MOST - self.bytes.len())]);
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

fn keep(last: &mut Vec<u8>, line: &[u8]) {
    last.clear();
    last.extend_from_slice(&line[..line.len().min(MOST)]);
}

fn shown(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = visible(text.trim()).into_owned();
    if text.is_empty() {
        return None;
    }
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_plain_visible_and_short() {
        let mut line = LastLine::default();
        let mut seen: Vec<Vec<u8>> = Vec::new();
        assert_eq!(line.text(), None);
        for (stream, bytes, expected) in [
            (Stream::Out, "one\ntw", "tw"),
            (Stream::Err, "\u{1b}[31merr\u{1b}[0m\n", "err"),
            (Stream::Out, "o\n\n  \n", "two"),
            (Stream::Out, "10%\r20%\r", "20%"),
            (Stream::Out, "a\u{202e}b\n", "a\\u{202e}b"),
        ] {
            line.push(stream, bytes.as_bytes(), &mut |line| seen.push(line.to_owned()));
            assert_eq!(line.text().as_deref(), Some(expected), "after {bytes:?}");
        }
        line.push(Stream::Out, "x".repeat(100_000).as_bytes(), &mut |_| {});
        assert_eq!(line.text().map(|text| text.chars().count()), Some(LONGEST + 1));
        assert!(line.out.bytes.len() <= MOST);
        assert_eq!(seen[0], b"one");
    }
}
