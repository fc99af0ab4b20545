//! Finding characters that are not quoted by a backslash, and not inside a variable reference.

use std::borrow::Cow;

use memchr::memchr3;

/// Splits a text before the first unquoted one of at most three of these ASCII characters. Returns the text before it
/// without quoting backslashes, and the character's offset; all of the text if there is none. `through_references`: also
/// looks inside `$(…)` and `${…}`; otherwise there are at most two characters.
pub(super) fn until<'t>(
    text: &'t str,
    stops: &[u8],
    through_references: bool,
) -> (Cow<'t, str>, Option<usize>) {
    let bytes = text.as_bytes();
    let (first, last) = (stops[0], stops[stops.len() - 1]);
    let other = if through_references { stops[stops.len() / 2] } else { b'$' };
    let mut out = Cow::Borrowed("");
    let (mut at, mut copied) = (0, 0);
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr3(first, last, other, rest)) {
        at += next;
        if bytes[at] == b'$' && !through_references {
            at = after_reference(bytes, at);
            continue;
        }
        out += &text[copied..at];
        copied = at;
        let backslashes = out.len() - out.trim_end_matches('\\').len();
        if backslashes > 0 {
            let kept = out.len() - backslashes.div_ceil(2);
            out.to_mut().truncate(kept);
        }
        if backslashes.is_multiple_of(2) {
            return (out, Some(at));
        }
        at += 1;
    }
    out += &text[copied..];
    (out, None)
}

/// The place behind the variable reference that begins at `at`.
pub(super) fn after_reference(bytes: &[u8], at: usize) -> usize {
    let Some(open) = bytes.get(at + 1) else { return bytes.len() };
    let Some(close) = closing(*open) else { return at + 2 };
    let mut depth = 0_usize;
    for (offset, byte) in bytes[at + 1..].iter().enumerate() {
        if byte == open {
            depth += 1;
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return at + 1 + offset + 1;
            }
        }
    }
    bytes.len()
}

/// The character that closes a reference.
pub(super) fn closing(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

/// Whether make takes a character for space between words.
pub(super) fn is_space(byte: char) -> bool {
    byte.is_ascii_whitespace() || byte == '\u{b}'
}

/// The text without a comment at its end, and the comment with its `#`.
pub(super) fn without_comment(text: &str) -> (Cow<'_, str>, Option<&str>) {
    let (kept, place) = until(text, b"#", false);
    (kept, place.map(|place| &text[place..]))
}

/// The first word and the rest, without the blanks between them.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(is_space);
    let end = text.find(is_space).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start_matches(is_space))
}

/// The text before and behind the first unquoted `%`. Without one, the text without its quoting.
pub(super) fn around_percent(text: &str) -> Result<(Cow<'_, str>, &str), Cow<'_, str>> {
    match until(text, b"%", true) {
        (before, Some(place)) => Ok((before, &text[place + 1..])),
        (whole, None) => Err(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_quote_and_are_halved_up_to_the_place() {
        for (text, before, place) in [
            ("a:b", "a", Some(1)),
            (r"a\:b:c\:", "a:b", Some(4)),
            (r"a\\:b", r"a\", Some(3)),
            (r"a\\\:b", r"a\:b", None),
            (r"\:", ":", None),
            ("$(a:b)c:", "$(a:b)c", Some(7)),
            ("${a:(}:", "${a:(}", Some(6)),
            ("$::", "$:", Some(2)),
            ("$(a", "$(a", None),
            ("a$", "a$", None),
        ] {
            assert_eq!(until(text, b":", false), (before.into(), place), "{text}");
        }
        assert_eq!(until("$(a:b)", b":", true).1, Some(3));
        assert_eq!(around_percent(r"a\%b%c%"), Ok(("a%b".into(), "c%")));
        assert_eq!(around_percent(r"a\%"), Err("a%".into()));
    }
}
