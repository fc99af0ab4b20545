//! A text as the lines that make reads: joined where a backslash ends them, carriage returns gone.

use std::borrow::Cow;

/// One line of make's, which may be several of the file's: `\` and line feeds between them are still there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// The number of its first line in the file, from 1.
    pub(super) number: usize,
    /// Without the line feed at its end.
    pub(super) text: Cow<'t, str>,
    /// Whether a NUL character hid a part of it, as it does from make.
    pub(super) cut: bool,
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    rest: &'t str,
    number: usize,
}

impl<'t> Lines<'t> {
    /// The lines of this text, which begins at this line of its file.
    pub(super) fn of(text: &'t str, number: usize) -> Self {
        Self { rest: text, number }
    }

    /// One line of the file, without its line feed and the carriage return before it; and whether a line feed
    /// ended it.
    fn physical(&mut self) -> (&'t str, bool) {
        self.number += 1;
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let ended = line.len() < self.rest.len();
        self.rest = rest;
        (if ended { line.strip_suffix('\r').unwrap_or(line) } else { line }, ended)
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let number = self.number;
        let mut cut = false;
        let mut text = Cow::Borrowed("");
        loop {
            let (physical, ended) = self.physical();
            let (seen, hidden) = match physical.split_once('\0') {
                Some((seen, _)) => (seen, true),
                None => (physical, false),
            };
            cut |= hidden;
            if text.is_empty() {
                text = Cow::Borrowed(seen);
            } else {
                text.to_mut().push_str(seen);
            }
            // Behind a NUL make never sees the line's end, so it takes the next line for the rest of this one.
            let goes_on = if hidden { !seen.is_empty() } else { is_continued(&text) };
            // A backslash before the line feed that ends the file joins nothing to the line, and is gone.
            if goes_on && ended && !hidden {
                text.to_mut().push('\n');
            }
            if !goes_on || self.rest.is_empty() {
                return Some(Line { number, text, cut });
            }
        }
    }
}

/// Whether an odd number of backslashes ends the text.
fn is_continued(text: &str) -> bool {
    text.len().wrapping_sub(text.trim_end_matches('\\').len()) % 2 == 1
}

/// The line with each backslash and line feed, and the blanks around them, made one blank.
pub(super) fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('\n').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            out.push_str(piece);
            break;
        }
        let body = piece.trim_end_matches('\\');
        let backslashes = piece.len() - body.len();
        out.push_str(body);
        out.extend(std::iter::repeat_n('\\', backslashes / 2));
        if backslashes % 2 == 1 {
            let kept = out.trim_end_matches([' ', '\t']).len();
            out.truncate(kept);
            out.push(' ');
            if let Some(next) = pieces.peek_mut() {
                *next = next.trim_start_matches([' ', '\t']);
            }
        } else {
            out.push('\n');
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, String)> {
        Lines::of(text, 1).map(|line| (line.number, line.text.into_owned())).collect()
    }

    #[test]
    fn backslashes_join_lines_where_their_number_is_odd() {
        let line = |number, text: &str| (number, text.to_owned());
        assert_eq!(lines(""), []);
        assert_eq!(lines("a\n\nb"), [line(1, "a"), line(2, ""), line(3, "b")]);
        assert_eq!(lines("a\\\n  b\\\\\nc\r\n"), [line(1, "a\\\n  b\\\\"), line(3, "c")]);
        assert_eq!(lines("a \\\r\nb\r\n\tc\\"), [line(1, "a \\\nb"), line(3, "\tc\\")]);
        assert_eq!(lines("a \\\n"), [line(1, "a \\\n")]);
        assert_eq!(lines("a\0b\nc\nd"), [line(1, "ac"), line(3, "d")]);
        assert_eq!(lines("\0b\nc"), [line(1, ""), line(2, "c")]);
    }

    #[test]
    fn joins_leave_one_blank() {
        for (text, expected) in [
            ("a \\\n\t b", "a b"),
            ("a\\\nb", "a b"),
            ("a \\\n \\\n b", "a b"),
            ("a\\\\\\\nb", "a\\ b"),
            ("a\\\\\nb", "a\\\nb"),
        ] {
            assert_eq!(joined(text), expected, "{text:?}");
        }
    }
}
