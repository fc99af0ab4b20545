//! Text as agents receive it: without controls, terminal sequences and invisible characters.

use std::borrow::Cow;

use super::plain::Plain;
use super::visible::visible_lines;

/// The text without terminal sequences, the 8-bit ones (U+009B) included. Of a line that carriage returns write over,
/// the last version stays, and `\r\n` is a line end. Other controls and invisible characters are escaped: `\u{202e}`.
pub fn agent_text(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b'\t' | b'\n' | b' '..=b'~')) {
        return text.into();
    }
    let text = last_versions(without_sequences(text));
    match text {
        Cow::Borrowed(text) => visible_lines(text),
        Cow::Owned(text) => visible_lines(&text).into_owned().into(),
    }
}

fn without_sequences(text: &str) -> Cow<'_, str> {
    let is_c1 = |c| matches!(c, '\u{80}'..='\u{9f}');
    let spelled: Cow<'_, str> = if text.contains(is_c1) {
        // Each 8-bit control is short for the escape character and one of `@` to `_`.
        let mut seven_bit = String::with_capacity(text.len() + 8);
        for c in text.chars() {
            match u8::try_from(c) {
                Ok(byte @ 0x80..=0x9f) => seven_bit.extend(['\u{1b}', char::from(byte - 0x40)]),
                _ => seven_bit.push(c),
            }
        }
        seven_bit.into()
    } else {
        text.into()
    };
    if !spelled.contains('\u{1b}') {
        return spelled;
    }
    // Whole characters are left, since sequences are ASCII.
    let plain = Plain::default().strip(spelled.as_bytes()).into_owned();
    String::from_utf8_lossy(&plain).into_owned().into()
}

fn last_versions(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains('\r') {
        return text;
    }
    let lines: Vec<&str> = text.split('\n').map(last_version).collect();
    lines.join("\n").into()
}

/// The last version of a line that carriage returns write over.
pub fn last_version(line: &str) -> &str {
    let line = line.trim_end_matches('\r');
    line.rsplit_once('\r').map_or(line, |(_, last)| last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_a_reader_does_not_see() {
        for (text, expected) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("é 日本 🚀", "é 日本 🚀"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{9b}31mred\u{9b}0m", "red"),
            ("a\u{9d}0;title\u{9c}b\u{90}q\u{9c}c\u{85}d", "abcd"),
            ("\u{9d}never closed\nerror: x", "\nerror: x"),
            ("10%\r20%\r100%\n", "100%\n"),
            ("10%\r\u{1b}[K20%\r", "20%"),
            ("one\r\ntwo\r\r\n", "one\ntwo\n"),
            ("evil\rsafe", "safe"),
            (
                "a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{e0041}",
                "a\\u{202e}b\\u{2066}c\\u{200b}d\\u{feff}e\\u{e0041}",
            ),
            ("a\u{7}b\u{8}c\u{0}d\u{7f}", "a\\u{7}b\\u{8}c\\u{0}d\\u{7f}"),
            ("a\u{1bca0}b\u{1d173}", "a\\u{1bca0}b\\u{1d173}"),
        ] {
            assert_eq!(agent_text(text), expected, "{text:?}");
            assert_eq!(agent_text(expected), expected, "it is the same when it is cleaned again");
        }
        for c in (0..=0x9f).filter_map(char::from_u32) {
            let text = agent_text(&format!("a{c}")).into_owned();
            assert!(
                !text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'),
                "{c:?} became {text:?}"
            );
        }
    }
}
