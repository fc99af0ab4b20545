//! A run's output as people may see it: text, and colours if the reader wants them.

use std::borrow::Cow;

use super::plain::{ESCAPE, Plain, drives};
use super::visible::visible_lines;

/// Removes all terminal control from a stream except colours, and shows hidden characters as `\u{202e}`. A
/// carriage return that would overwrite a line shows as `\u{d}`, and invalid UTF-8 as U+FFFD. Memory is
/// bounded for lines of any length.
#[derive(Debug, Default)]
pub struct Legible {
    colours: bool,
    plain: Plain,
    /// An escape sequence under way, as long as it may be a colour.
    sequence: Vec<u8>,
    /// The first bytes of a character whose others have not come yet.
    partial: Vec<u8>,
    /// The last character was a carriage return; the next one decides whether it ends a line.
    returned: bool,
    painted: bool,
}

/// The longest escape sequence that can be a colour, in bytes.
const LONGEST: usize = 128;

impl Legible {
    /// A filter that keeps colours, or removes them.
    pub fn new(colours: bool) -> Self {
        Self { colours, ..Self::default() }
    }

    /// All of a text that is short, without colours.
    pub fn whole(bytes: &[u8]) -> String {
        let mut legible = Self::new(false);
        let mut text = legible.push(bytes).into_owned();
        text.extend(legible.finish());
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The next bytes as they may be shown. Most are plain ASCII, which is looked through once and not copied.
    pub fn push<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let is_special = |byte: &u8| drives(*byte) || *byte == b'\r';
        let waits = !self.plain.is_text() || !self.partial.is_empty() || self.returned;
        if !waits && bytes.is_ascii() && !bytes.iter().any(is_special) {
            return Cow::Borrowed(bytes);
        }
        let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
        let mut rest = bytes;
        while let Some((byte, after)) = rest.split_first() {
            let text =
                if self.plain.is_text() { rest.iter().position(is_special).unwrap_or(rest.len()) } else { 0 };
            if text > 0 {
                self.text(&rest[..text], &mut out);
                rest = &rest[text..];
            } else {
                self.special(*byte, &mut out);
                rest = after;
            }
        }
        Cow::Owned(out)
    }

    /// The end: the held back bytes, and the terminal's own colours again.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.give_up_partial(&mut out);
        if std::mem::take(&mut self.returned) {
            show_return(&mut out);
        }
        if std::mem::take(&mut self.painted) {
            out.extend_from_slice(b"\x1b[0m");
        }
        out
    }

    /// Bytes of text, without controls other than tabs and line feeds.
    fn text(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if std::mem::take(&mut self.returned) && !bytes.starts_with(b"\n") {
            show_return(out);
        }
        if self.partial.is_empty() && bytes.is_ascii() {
            out.extend_from_slice(bytes);
            return;
        }
        let all = [self.partial.as_slice(), bytes].concat();
        self.partial.clear();
        let mut left = all.len();
        for chunk in all.utf8_chunks() {
            out.extend_from_slice(visible_lines(chunk.valid()).as_bytes());
            let invalid = chunk.invalid();
            left -= chunk.valid().len() + invalid.len();
            let is_cut = std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            match invalid {
                [] => {}
                cut if left == 0 && is_cut => self.partial.extend_from_slice(cut),
                _ => replace(out),
            }
        }
    }

    /// A control, or a byte of an escape sequence.
    fn special(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.give_up_partial(out);
        if byte == b'\r' && self.plain.is_text() {
            if std::mem::replace(&mut self.returned, true) {
                show_return(out);
            }
            return;
        }
        if self.plain.keeps(byte) {
            self.sequence.clear();
            return self.text(&[byte], out);
        }
        if byte == ESCAPE {
            self.sequence.clear();
        }
        if self.sequence.len() < LONGEST {
            self.sequence.push(byte);
        }
        if self.plain.is_text() {
            if let Some(colour) = colour(&self.sequence).filter(|_| self.colours) {
                self.painted = !matches!(colour, b"" | b"0");
                out.extend_from_slice(&self.sequence);
            }
            self.sequence.clear();
        }
    }

    /// A character that never came to its end.
    fn give_up_partial(&mut self, out: &mut Vec<u8>) {
        if !self.partial.is_empty() {
            self.partial.clear();
            replace(out);
        }
    }
}

/// The parameters of a sequence that sets colours: `ESC [ 1 ; 31 m`, and nothing that only ends like one.
fn colour(sequence: &[u8]) -> Option<&[u8]> {
    let parameters = sequence.strip_prefix(b"\x1b[")?.strip_suffix(b"m")?;
    parameters.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).then_some(parameters)
}

fn show_return(out: &mut Vec<u8>) {
    out.extend_from_slice(br"\u{d}");
}

fn replace(out: &mut Vec<u8>) {
    out.extend_from_slice("\u{fffd}".as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(colours: bool, chunks: &[&[u8]]) -> String {
        let mut legible = Legible::new(colours);
        let mut out: Vec<u8> = chunks.iter().flat_map(|chunk| legible.push(chunk).into_owned()).collect();
        out.extend(legible.finish());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn colours_pass_where_they_may_and_nothing_else_acts() {
        for (bytes, coloured, plain) in [
            (&b"plain\ttext\n"[..], "plain\ttext\n", "plain\ttext\n"),
            (b"\x1b[1;31mred\x1b[0m\n", "\x1b[1;31mred\x1b[0m\n", "red\n"),
            (b"\x1b[38:2::1:2:3mx\x1b[m", "\x1b[38:2::1:2:3mx\x1b[m", "x"),
            (b"\x1b[32mleft on", "\x1b[32mleft on\x1b[0m", "left on"),
            (b"\x1b[2J\x1b[H\x1b[1Ax\x1b[?25l\x1b[6n\x1bc\x1b7y", "xy", "xy"),
            (b"\x1b[>4;2mx\x1b[?4my\x1b[3 mz\x1b[3\x08mw", "xyzw", "xyzw"),
            (
                b"\x1b]0;title\x07a\x1b]52;c;aGk=\x1b\\b\x1b]8;;http://x\x1b\\c\x1bP1$r0m\x1b\\d",
                "abcd",
                "abcd",
            ),
            (b"\x1b]0;never closed\nerror\x1b[31", "\nerror", "\nerror"),
            (
                b"safe\revil\r\nnext\r\r\nend\r",
                "safe\\u{d}evil\nnext\\u{d}\nend\\u{d}",
                "safe\\u{d}evil\nnext\\u{d}\nend\\u{d}",
            ),
            (b"a\x08\x08b\x07\x00\x7f\x0e", "ab", "ab"),
            (
                "\u{9b}31m\u{9d}0;t\u{9c} \u{202e}x é 🚀".as_bytes(),
                "\\u{9b}31m\\u{9d}0;t\\u{9c} \\u{202e}x é 🚀",
                "\\u{9b}31m\\u{9d}0;t\\u{9c} \\u{202e}x é 🚀",
            ),
            (
                b"caf\xe9 \x9b31m \xf0\x9f",
                "caf\u{fffd} \u{fffd}31m \u{fffd}",
                "caf\u{fffd} \u{fffd}31m \u{fffd}",
            ),
            (b"\xc3\x1b[31m\xa9", "\u{fffd}\x1b[31m\u{fffd}\x1b[0m", "\u{fffd}\u{fffd}"),
        ] {
            for (colours, expected) in [(true, coloured), (false, plain)] {
                assert_eq!(shown(colours, &[bytes]), expected, "{bytes:?}");
                let one_by_one: Vec<&[u8]> = bytes.chunks(1).collect();
                assert_eq!(shown(colours, &one_by_one), expected, "{bytes:?} byte by byte");
            }
        }
        assert_eq!(Legible::whole(b"\x1b[31ma\r\nb"), "a\nb");
    }

    #[test]
    fn nothing_that_never_ends_is_held() {
        let mut legible = Legible::new(true);
        let mut length = 0;
        for _ in 0..1000 {
            length += legible.push(b"\x1b[31;31;31;31;31;31;31;31;31;31").len();
            length += legible.push(&b"1;".repeat(100)).len();
        }
        assert_eq!((length, legible.sequence.capacity() <= 2 * LONGEST), (0, true));
        assert!(matches!(Legible::new(true).push(&b"x".repeat(1 << 16)), Cow::Borrowed(_)));
    }
}
