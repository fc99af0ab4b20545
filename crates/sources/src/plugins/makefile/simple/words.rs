//! Characters, words and names in a line: backslashes quote them, and those in `$(…)` do not count.

/// The mark in a text for a part that only make knows. No text that make reads holds a NUL.
pub(in crate::plugins::makefile) const HOLE: char = '\0';

/// Whether make takes a character for space between words.
pub(super) fn is_space(character: char) -> bool {
    character.is_ascii_whitespace() || character == '\u{b}'
}

/// The place of the first of these ASCII characters that is neither quoted nor within a reference.
pub(super) fn find(text: &str, wanted: &[u8]) -> Option<usize> {
    unquoted(text, wanted, true)
}

/// The same in a text that has no references any more.
pub(super) fn find_expanded(text: &str, wanted: &[u8]) -> Option<usize> {
    unquoted(text, wanted, false)
}

fn unquoted(text: &str, wanted: &[u8], has_references: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if wanted.contains(byte) {
            return Some(at);
        }
        at = match byte {
            b'$' if has_references => at + 1 + reference(&text[at + 1..]).map_or(1, |inner| inner.len() + 2),
            b'\\' => at + 2,
            _ => at + 1,
        };
    }
    None
}

/// The text within the parentheses or braces that this text begins with, up to its end where they are not closed.
pub(super) fn reference(text: &str) -> Option<&str> {
    let open = *text.as_bytes().first()?;
    let close = match open {
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    let mut depth = 0_usize;
    for (place, byte) in text.bytes().enumerate() {
        depth += usize::from(byte == open);
        depth -= usize::from(byte == close);
        if depth == 0 {
            return Some(&text[1..place]);
        }
    }
    Some(&text[1..])
}

/// The first word and the rest, without the blanks between them.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(is_space);
    let (word, rest) = text.split_at(text.find(is_space).unwrap_or(text.len()));
    (word, rest.trim_start_matches(is_space))
}

/// The names in a text, unquoted, without the `./` that they begin with; and whether an unquoted `%` makes it a pattern.
pub(super) fn names(text: &str) -> Vec<(String, bool)> {
    let mut names = vec![(String::new(), false)];
    let mut letters = text.chars().peekable();
    let mut backslashes = 0;
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            backslashes += 1;
            if letters.peek().is_some() {
                continue;
            }
        }
        let is_sign = is_space(letter) || ":#%|;".contains(letter);
        let (kept, is_quoted) =
            if is_sign { (backslashes / 2, backslashes % 2 == 1) } else { (backslashes, false) };
        backslashes = 0;
        let Some((name, is_pattern)) = names.last_mut() else { break };
        name.extend(std::iter::repeat_n('\\', kept));
        match letter {
            '\\' => {}
            _ if is_space(letter) && !is_quoted => names.push((String::new(), false)),
            _ => {
                *is_pattern |= letter == '%' && !is_quoted;
                name.push(letter);
            }
        }
    }
    names.retain(|(name, _)| !name.is_empty());
    for (name, _) in &mut names {
        while let Some(rest) = name.strip_prefix("./").map(|rest| rest.trim_start_matches('/'))
            && !rest.is_empty()
        {
            *name = rest.to_owned();
        }
    }
    names
}

/// The names alone, patterns among them.
pub(super) fn plain_names(text: &str) -> Vec<String> {
    names(text).into_iter().map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_characters_and_those_of_references_are_passed_over() {
        for (text, expected) in [
            ("a:b", Some(1)),
            (r"a\:b:", Some(4)),
            (r"a\\:b", Some(3)),
            ("$(a:b)c:", Some(7)),
            ("${a:(}:", Some(6)),
            ("$(a (b:) c):", Some(11)),
            ("$::", Some(2)),
            ("é$é:", Some(5)),
            ("$(a:", None),
            ("a$", None),
            ("a\\", None),
        ] {
            assert_eq!(find(text, b":"), expected, "{text}");
        }
    }

    #[test]
    fn names_are_parted_by_unquoted_blanks() {
        for (text, expected) in [
            ("", vec![]),
            (" a  b\tc ", vec!["a", "b", "c"]),
            (r"a\ b c\\ d e\:f g\h\", vec!["a b", r"c\", "d", "e:f", r"g\h\"]),
            ("./a .//b ././c ./ . .d", vec!["a", "b", "c", "./", ".", ".d"]),
            (r"f\%g %.o", vec!["f%g", "%.o|"]),
        ] {
            let found =
                names(text).into_iter().map(|(name, is_pattern)| name + if is_pattern { "|" } else { "" });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        }
        assert_eq!(plain_names(&r"a\ b ".repeat(200_000)).len(), 200_000, "in time in proportion");
    }
}
