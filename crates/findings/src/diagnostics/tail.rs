//! The last lines of one stream, and where in the log they stand.

use std::collections::VecDeque;

use memchr::{memchr, memrchr_iter};

use crate::dialect::plain;
use crate::model::line_feeds;

/// How many lines are kept.
const LINES: usize = 16;
/// How much of each is kept, in bytes.
const LONGEST: usize = 1000;

/// Keeps the last lines while they are printed.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// With the line of the log that each begins in; the last one may go on.
    lines: VecDeque<(u64, Vec<u8>)>,
    goes_on: bool,
}

impl Tail {
    /// The next bytes of the stream; so many line feeds stand before them in the log.
    pub(super) fn push(&mut self, bytes: &[u8], before: u64) {
        // The last line feed may be the end of the last line.
        let passed = memrchr_iter(b'\n', bytes).nth(LINES).map_or(0, |end| end + 1);
        let (passed, last) = bytes.split_at(passed);
        let mut number = before + line_feeds(passed);
        self.goes_on &= passed.is_empty();
        let mut rest = last;
        while !rest.is_empty() {
            let (line, behind) = rest.split_at(memchr(b'\n', rest).map_or(rest.len(), |end| end + 1));
            rest = behind;
            number += 1;
            if !self.goes_on {
                if self.lines.len() == LINES {
                    self.lines.pop_front();
                }
                self.lines.push_back((number, Vec::new()));
            }
            if let Some((_, begun)) = self.lines.back_mut() {
                let room = LONGEST.saturating_sub(begun.len());
                begun.extend_from_slice(&line[..line.len().min(room)]);
            }
            self.goes_on = !line.ends_with(b"\n");
        }
    }

    /// Those that say something, as a person would read them.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u64, String)> {
        let text = |(number, line): &(u64, Vec<u8>)| (*number, plain(line).trim_end().to_owned());
        self.lines.iter().map(text).filter(|(_, text)| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use memchr::memchr_iter;

    use super::*;

    #[test]
    fn the_last_lines_wherever_they_are_cut() {
        let lines = (1..100).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
        let text = lines + "\n\u{1b}[31mlast\u{1b}[0m";
        for size in [1, 7, 50, 400, 10_000] {
            let mut tail = Tail::default();
            let mut before = 0;
            for chunk in text.as_bytes().chunks(size) {
                tail.push(chunk, before);
                before += memchr_iter(b'\n', chunk).count() as u64;
            }
            let lines: Vec<(u64, String)> = tail.lines().collect();
            assert_eq!(lines.len(), LINES - 1, "{size}");
            assert_eq!(lines[0], (86, "line 86".into()), "{size}");
            assert_eq!(lines[14], (101, "last".into()), "{size}");
        }
    }

    #[test]
    fn the_other_stream_counts() {
        let mut tail = Tail::default();
        tail.push(b"one\ntwo ", 0);
        tail.push(b"goes on\nthree\n", 7);
        assert_eq!(
            tail.lines().collect::<Vec<_>>(),
            [(1, "one".into()), (2, "two goes on".into()), (9, "three".into())]
        );
    }

    #[test]
    fn long_lines_are_not_held() {
        let mut tail = Tail::default();
        (0..100).for_each(|_| tail.push(&[b'x'; 1000], 0));
        assert_eq!(tail.lines().next().map(|(_, text)| text.len()), Some(LONGEST));
    }
}
