//! Text from strangers as it may be shown: nothing in it hides, reorders or repaints the rest, or drives a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character is not seen itself but changes how others are: controls, direction marks, zero widths,
/// fillers, tags. Variation selectors of emoji and letters are left alone.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{13430}'..='\u{1343f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A text of one line: hidden characters are escaped, as `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, is_hidden, |c, out| out.extend(c.escape_unicode()))
}

/// A text of many lines: the same, but line breaks and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escape(text, hides_in_lines, |c, out| out.extend(c.escape_unicode()))
}

/// A JSON document: the same document, with escapes such as `\u202e` for hidden characters that JSON allows.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    escape(text, hides_in_lines, |c, out| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn hides_in_lines(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\n' | '\t')
}

fn escape(text: &str, hidden: fn(char) -> bool, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let is_plain = || text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain() || !text.contains(hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if hidden(c) { write(c, &mut out) } else { out.push(c) }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_visible_ones_stay() {
        let hostile = "a\u{1b}[8m\u{9b}b\u{202e}c\u{200b}\u{e0041}\u{61c}\r\n\td";
        assert_eq!(visible(hostile), r"a\u{1b}[8m\u{9b}b\u{202e}c\u{200b}\u{e0041}\u{61c}\u{d}\u{a}\u{9}d");
        assert_eq!(
            visible_lines(hostile),
            "a\\u{1b}[8m\\u{9b}b\\u{202e}c\\u{200b}\\u{e0041}\\u{61c}\\u{d}\n\td"
        );
        for text in ["", "plain \\ \"text\"", "é日本 🚀 ❤️ שלום", "a\u{a0}b"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn json_stays_the_same_document() {
        let value = serde_json::json!({"a\u{202e}": ["\u{1b}\u{9b}\u{7f}\n", "\u{e0041}", "é"]});
        for text in [value.to_string(), format!("{value:#}")] {
            let shown = visible_json(&text);
            assert!(!shown.contains(hides_in_lines), "{shown}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
    }
}
