//! The last line that a run printed, for those who watch it without a terminal.

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
    last: Option<String>,
}

#[derive(Debug, Default)]
struct Unfinished {
    plain: Plain,
    bytes: Vec<u8>,
}

impl LastLine {
    /// Takes the next bytes of a stream; every line with something in it is shown to `each`.
    pub(crate) fn push(&mut self, stream: Stream, bytes: &[u8], each: &mut dyn FnMut(&str)) {
        let unfinished = match stream {
            Stream::Out | Stream::Both => &mut self.out,
            Stream::Err => &mut self.err,
        };
        let text = unfinished.plain.strip(bytes);
        let mut parts = text.split(|byte| matches!(byte, b'\n' | b'\r'));
        unfinished.add(parts.next().unwrap_or_default());
        for part in parts {
            if let Some(line) = shown(&unfinished.bytes) {
                each(&line);
                self.last = Some(line);
            }
            unfinished.bytes.clear();
            unfinished.add(part);
        }
        if let Some(line) = shown(&unfinished.bytes) {
            each(&line);
            self.last = Some(line);
        }
    }

    /// The line, with what nobody sees escaped; `None` before anything was printed.
    pub(crate) fn text(&self) -> Option<String> {
        self.last.clone()
    }
}

impl Unfinished {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(MOST - self.bytes.len())]);
    }
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
        let mut seen = Vec::new();
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
        assert_eq!(seen[0], "one");
    }
}
