//! Removes terminal control from a stream of bytes, so that the text that a person would read remains.

use std::borrow::Cow;

/// Removes escape sequences, and all controls but tab and line ends, regardless of chunk borders.
///
/// No other byte is changed, UTF-8 or not. A sequence ends with its line at the latest. One that is never
/// closed must not swallow the next line, which may hold the error.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain(EscapeState);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum EscapeState {
    #[default]
    Text,
    /// After the escape character.
    Escape,
    /// In an escape sequence of several bytes: `ESC ( B`.
    Intermediate,
    /// In `ESC [ … letter`.
    Sequence,
    /// In a string that a bell or `ESC \` ends: a window's title, a hyperlink.
    String,
    /// In a string, after the escape character.
    StringEscape,
}

pub(super) const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;

/// Whether this byte, or a sequence that it begins, is removed from text.
pub(super) fn drives(byte: u8) -> bool {
    (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0x7f
}

/// The byte in each of eight places.
const fn eight(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

const HIGH: u64 = eight(0x80);

/// Whether some of eight bytes may be below a space, or are a delete; a space may count in after one that is below.
fn may_drive(eight_bytes: u64) -> bool {
    let delete = eight_bytes ^ eight(0x7f);
    let below = eight_bytes.wrapping_sub(eight(b' ')) & !eight_bytes;
    (below | delete.wrapping_sub(eight(1)) & !delete) & HIGH != 0
}

/// Which of eight bytes drive a terminal: the highest bit of each. No place carries into the next, so this is exact.
fn driving(eight_bytes: u64) -> u64 {
    let is_zero = |bytes: u64| !((bytes & !HIGH) + eight(0x7f)) & !bytes & HIGH;
    let is = |byte| is_zero(eight_bytes ^ eight(byte));
    let below_space = !((eight_bytes & !HIGH) + eight(0x60)) & !eight_bytes & HIGH;
    (below_space & !(is(b'\t') | is(b'\n') | is(b'\r'))) | is(0x7f)
}

impl Plain {
    /// The next bytes without terminal control. Most output has none, and is searched in one step.
    pub fn strip<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if self.is_plain(bytes) {
            return Cow::Borrowed(bytes);
        }
        let (mut text, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
        while !rest.is_empty() {
            let (piece, stays) = self.piece(rest);
            let (now, later) = rest.split_at(piece);
            if stays {
                text.extend_from_slice(now);
            }
            rest = later;
        }
        Cow::Owned(text)
    }

    /// How many of these bytes, of which there is one at least, all stay or all go, and which of the two.
    pub fn piece(&mut self, bytes: &[u8]) -> (usize, bool) {
        if self.is_text() {
            // Text is taken in runs, colours whole, and everything else byte by byte.
            match (run(bytes), sequence(bytes)) {
                (0, 0) => {}
                (0, sequence) => return (sequence, false),
                (run, _) => return (run, true),
            }
        }
        (1, bytes.first().is_some_and(|byte| self.keeps(*byte)))
    }

    /// Whether all of these bytes are text that stays.
    pub fn is_plain(self, bytes: &[u8]) -> bool {
        self.is_text() && run(bytes) == bytes.len()
    }

    /// The state after these bytes.
    #[must_use]
    pub fn behind(mut self, bytes: &[u8]) -> Self {
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = &rest[self.piece(rest).0..];
        }
        self
    }

    /// Whether the next byte is text, and not within a sequence.
    pub(super) fn is_text(self) -> bool {
        self.0 == EscapeState::Text
    }

    /// Takes the next byte; whether it stays.
    pub(super) fn keeps(&mut self, byte: u8) -> bool {
        if byte == b'\n' {
            self.0 = EscapeState::Text;
            return true;
        }
        if matches!(byte, CANCEL | SUBSTITUTE) {
            self.0 = EscapeState::Text;
            return false;
        }
        self.0 = match (self.0, byte) {
            (EscapeState::Text, ESCAPE) => EscapeState::Escape,
            (EscapeState::Text, _) => return matches!(byte, b'\t' | b'\r') || !byte.is_ascii_control(),
            (EscapeState::String, BELL) | (EscapeState::StringEscape, b'\\') => EscapeState::Text,
            (EscapeState::String | EscapeState::StringEscape, ESCAPE) => EscapeState::StringEscape,
            (EscapeState::String, _) => EscapeState::String,
            (
                EscapeState::StringEscape
                | EscapeState::Escape
                | EscapeState::Intermediate
                | EscapeState::Sequence,
                _,
            ) => {
                return self.within(byte);
            }
        };
        false
    }

    /// A byte of a sequence that is not a string.
    fn within(&mut self, byte: u8) -> bool {
        self.0 = match (self.0, byte) {
            (_, ESCAPE) => EscapeState::Escape,
            // Terminals carry these out in the middle of a sequence.
            (state, 0..0x20 | 0x7f) => state,
            (EscapeState::Escape | EscapeState::StringEscape, b'[')
            | (EscapeState::Sequence, b' '..=b'?') => EscapeState::Sequence,
            (EscapeState::Escape | EscapeState::StringEscape, b']' | b'P' | b'X' | b'^' | b'_') => {
                EscapeState::String
            }
            (EscapeState::Escape | EscapeState::StringEscape | EscapeState::Intermediate, b' '..=b'/') => {
                EscapeState::Intermediate
            }
            (_, 0x80..) => {
                // Text after all.
                self.0 = EscapeState::Text;
                return true;
            }
            _ => EscapeState::Text,
        };
        false
    }
}

/// How many bytes of text there are before something drives a terminal.
fn run(bytes: &[u8]) -> usize {
    let may_drive = |piece: &&[u8; PIECE]| {
        let eights = piece.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        eights.fold(false, |any, eight| any | may_drive(eight))
    };
    let mut at = 0;
    while let Some(piece) = bytes[at..].first_chunk::<PIECE>() {
        if let Some(drives) = Some(piece).filter(may_drive).and_then(|piece| driver(piece)) {
            return at + drives;
        }
        at += PIECE;
    }
    let rest = &bytes[at..];
    let in_eights = driver(rest).or_else(|| {
        let at = rest.len() - rest.len() % 8;
        Some(at + rest[at..].iter().position(|byte| drives(*byte))?)
    });
    in_eights.map_or(bytes.len(), |drives| at + drives)
}

/// The first byte that drives a terminal, looked for in eights alone.
fn driver(bytes: &[u8]) -> Option<usize> {
    let eights = bytes.as_chunks().0.iter().map(|bytes| driving(u64::from_le_bytes(*bytes)));
    let (before, driving) = eights.enumerate().find(|(_, driving)| *driving != 0)?;
    Some(before * 8 + driving.trailing_zeros() as usize / 8)
}

/// How many bytes a whole `ESC [ … letter` has that these begin with; 0 where they do not.
fn sequence(bytes: &[u8]) -> usize {
    let Some(rest) = bytes.strip_prefix(b"\x1b[") else { return 0 };
    let inner = rest.iter().take_while(|byte| matches!(byte, b' '..=b'?')).count();
    if rest.get(inner).is_some_and(|last| matches!(last, b'@'..=b'~')) { inner + 3 } else { 0 }
}

/// How many bytes are looked at together, eight in a number: link-time optimization at "s" makes no vectors of loops.
const PIECE: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_bytes_are_found_at_every_position() {
        for around in [b'a', b' ', b'\n', 0x80, 0xff] {
            for byte in 0..=u8::MAX {
                for place in [0, 1, PIECE - 1, PIECE, 2 * PIECE - 1, 2 * PIECE, 2 * PIECE + 1] {
                    let mut bytes = [around; 2 * PIECE + 2];
                    bytes[place] = byte;
                    let expected = if drives(byte) { place } else { bytes.len() };
                    assert_eq!(run(&bytes), expected, "{byte:#x} at {place} among {around:#x}");
                }
            }
        }
        let driving: Vec<u8> = (0..=u8::MAX).filter(|byte| drives(*byte)).collect();
        assert!(driving.iter().all(u8::is_ascii_control) && driving.len() == 33 - 3, "{driving:?}");
    }

    #[test]
    fn sequences_go_and_text_stays() {
        for (bytes, left) in [
            (&b"plain\ttext\r\n"[..], &b"plain\ttext\r\n"[..]),
            (b"\x1b[31mred\x1b[0m", b"red"),
            (b"\x1b[1;38:2::1:2:3mx\x1b[?25l\x1b[ q", b"x"),
            (b"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", b"alink"),
            (b"\x1bPq#0\x1b\\a\x1b_x\x1b\\b\x1b(Bc\x1b=d\x1bcE", b"abcdE"),
            (b"a\x07b\x08c\x00d\x7fe", b"abcde"),
            (b"\x1b]0;never closed\nerror: x", b"\nerror: x"),
            (b"\x1b[31\nx", b"\nx"),
            (b"\x1b]0;a\x1b[31mx", b"x"),
            (b"\x1b]0;a\x18x", b"x"),
            (b"\x1b\xc3\xa9", b"\xc3\xa9"),
            (b"caf\xe9 \xff\xfe \xf0\x9f\x9a\x80", b"caf\xe9 \xff\xfe \xf0\x9f\x9a\x80"),
            (b"\x1b", b""),
        ] {
            let shown = String::from_utf8_lossy(bytes);
            assert_eq!(Plain::default().strip(bytes), left, "{shown:?}");
            let mut plain = Plain::default();
            let one_by_one: Vec<u8> =
                bytes.iter().flat_map(|byte| plain.strip(&[*byte]).into_owned()).collect();
            assert_eq!(one_by_one, left, "{shown:?} byte by byte");
        }
    }
}
