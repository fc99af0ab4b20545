//! The words of a justfile outside of recipes' lines, one item at a time.

/// The words of the item that a text begins with, as they are written, and the length of its text. A string is a word, and so
/// is a path such as `ci::all`. `None`: a string or a bracket has no end.
pub(super) fn of_item(text: &str) -> Option<(Vec<&str>, usize)> {
    let (mut words, mut rest, mut depth) = (Vec::new(), text, 0_usize);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' if depth == 0 => break,
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\\' if rest[1..].starts_with('\n') => 2,
            first if first.is_whitespace() => first.len_utf8(),
            first => {
                let length = length_of_word(rest, first)?;
                words.push(&rest[..length]);
                match first {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                length
            }
        };
        rest = &rest[length..];
    }
    (depth == 0).then(|| (words, text.len() - rest.len()))
}

fn length_of_word(text: &str, first: char) -> Option<usize> {
    let quoted = text.strip_prefix(['x', 'f']).unwrap_or(text);
    if quoted.starts_with(['\'', '"', '`']) {
        return Some(text.len() - quoted.len() + length_of_string(quoted)?);
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut length = 0;
    loop {
        let name = &text[length..];
        let end = name.find(|c| !is_of_name(c)).unwrap_or(name.len());
        length += end;
        match text[length..].strip_prefix("::") {
            Some(more) if end > 0 && more.starts_with(is_of_name) => length += 2,
            _ => break,
        }
    }
    Some(if length == 0 { first.len_utf8() } else { length })
}

/// The length of the string that a text begins with; `None`: it has no end.
fn length_of_string(text: &str) -> Option<usize> {
    let mark = ["'''", "\"\"\"", "```", "'", "\"", "`"].into_iter().find(|mark| text.starts_with(mark))?;
    let mut letters = text.char_indices().skip(mark.len());
    while let Some((at, letter)) = letters.next() {
        if text[at..].starts_with(mark) {
            return Some(at + mark.len());
        }
        if letter == '\\' && mark.starts_with('"') {
            letters.next();
        }
    }
    None
}

/// The value of a string that says it itself. Others only just can read: a command in backticks, escapes, `x'…'`, indented
/// lines in triple quotes.
pub(super) fn literal(word: &str) -> Option<&str> {
    let mark = ["'''", "\"\"\"", "'", "\""].into_iter().find(|mark| word.starts_with(mark))?;
    let value = word.get(mark.len()..word.len().checked_sub(mark.len())?)?;
    let is_computed =
        mark.starts_with('"') && value.contains('\\') || mark.len() == 3 && value.contains('\n');
    (!is_computed).then_some(value)
}

/// Whether a word is a string.
pub(super) fn is_string(word: &str) -> bool {
    word.ends_with(['\'', '"', '`'])
}

/// Whether a word can be nothing but the name of a recipe or module.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_ends_with_its_line_unless_something_is_open() {
        for (text, expected) in [
            ("a := 'b' # c\nd", "a : = 'b' | 12"),
            ("a x=\"\\\"\\n\": b::c\n", "a x = \"\\\"\\n\" : b::c | 16"),
            ("v := (\n'x' + `ls\n-l`\n)\nw", "v : = ( 'x' + `ls\n-l` ) | 22"),
            ("v := '''\na'b\n''' \\\n + x'~'", "v : = '''\na'b\n''' + x'~' | 26"),
            ("x: y", "x : y | 4"),
            ("é: 'ü'", "é : 'ü' | 8"),
        ] {
            let (words, length) = of_item(text).unwrap();
            assert_eq!(format!("{} | {length}", words.join(" ")), expected, "{text:?}");
        }
        for open in ["a := 'b\n", "a := (\nb\n", "a := \"\\\"", "a := \"\\", "`"] {
            assert_eq!(of_item(open), None, "{open:?}");
        }
    }

    #[test]
    fn a_string_without_escapes_says_its_value() {
        for (word, expected) in [
            ("'a\\b'", Some("a\\b")),
            ("'''a'''", Some("a")),
            ("\"a\"", Some("a")),
            ("\"a\\n\"", None),
            ("'''\na'''", None),
            ("''", Some("")),
            ("`a`", None),
            ("x'a'", None),
            ("a", None),
        ] {
            assert_eq!(literal(word), expected, "{word}");
        }
    }
}
