//! A line that may be a rule, token by token: make expands no more of it than it must.

use super::scan::{after_reference, is_space};

/// A part of a line between blanks, as far as recognising a rule needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// Nothing is left.
    End,
    /// `:`, `::`, `&:` or `&::`.
    Colon,
    /// `;`.
    Semicolon,
    /// Anything else.
    Word,
}

/// An operator at the beginning of a text, and its length.
fn operator(bytes: &[u8]) -> Option<(Token, usize)> {
    Some(match bytes {
        [b':', b':', b'=', ..] => (Token::Word, 3),
        [b'&', b':', b':', ..] => (Token::Colon, 3),
        [b':' | b'+' | b'?' | b'!', b'=', ..] => (Token::Word, 2),
        [b':' | b'&', b':', ..] => (Token::Colon, 2),
        [b':', ..] => (Token::Colon, 1),
        [b'=', ..] => (Token::Word, 1),
        [b';', ..] => (Token::Semicolon, 1),
        _ => return None,
    })
}

/// The next token from `at` on, and where it ends.
pub(super) fn token(text: &str, at: usize) -> (Token, usize, usize) {
    let bytes = text.as_bytes();
    let begin = at + text[at..].len() - text[at..].trim_start_matches(is_space).len();
    let rest = &bytes[begin..];
    if rest.is_empty() {
        return (Token::End, begin, begin);
    }
    if let Some((found, length)) = operator(rest) {
        return (found, begin, begin + length);
    }
    let mut end = begin;
    while let Some(byte) = bytes.get(end) {
        let next = bytes.get(end + 1);
        match byte {
            b' ' | b'\t' | b'=' | b':' => break,
            b'$' => end = after_reference(bytes, end),
            b'?' | b'+' if next == Some(&b'=') => break,
            b'&' if next == Some(&b':') => break,
            b'\\' if next.is_some_and(|next| b":;=\\".contains(next)) => end += 2,
            _ => end += 1,
        }
    }
    (Token::Word, begin, end.max(begin + 1).min(bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_end_words_unless_they_are_quoted() {
        for (line, expected) in [
            ("a b:c", "a|b|:|c"),
            ("a&:b &::c", "a|&:|b|&::|c"),
            (r"a\:b $(x:y=z)w::= d", r"a\:b|$(x:y=z)w|::=|d"),
            ("a::b ; c", "a|::|b|;|c"),
            ("a+=b c+d ?= e&f", "a|+=|b|c+d|?=|e&f"),
            ("$(a", "$(a"),
            ("a\\", "a\\"),
            ("é:ü$é", "é|:|ü$é"),
        ] {
            let (mut at, mut found) = (0, Vec::new());
            loop {
                let (token, begin, end) = token(line, at);
                if token == Token::End {
                    break;
                }
                found.push(&line[begin..end]);
                at = end;
            }
            assert_eq!(found.join("|"), expected, "{line}");
        }
    }
}
