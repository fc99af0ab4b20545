//! The words of a justfile outside of recipes' lines, one item at a time.

/// One word of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JustToken<'t> {
    /// A name or a number.
    Name(&'t str),
    /// A string that says its value itself.
    Text(&'t str),
    /// A string that only just can read: a command in backticks, escapes, `x'…'`, `f'…'`.
    Computed,
    /// Any other character.
    Sign(char),
}

/// The words of the item that a text begins with, and the length of its text. `None`: a string or a bracket has no end.
pub(super) fn of_item(text: &str) -> Option<(Vec<JustToken<'_>>, usize)> {
    let (mut tokens, mut rest, mut depth) = (Vec::new(), text, 0_usize);
    while let Some(first) = rest.chars().next() {
        let skipped = match first {
            '\n' if depth == 0 => break,
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\\' if rest[1..].starts_with('\n') => 2,
            '\'' | '"' | '`' => {
                let (token, length) = string(rest)?;
                tokens.push(token);
                length
            }
            first if first.is_whitespace() => first.len_utf8(),
            first if is_of_name(first) => {
                let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
                let (name, behind) = rest.split_at(end);
                if matches!(name, "x" | "f") && behind.starts_with(['\'', '"']) {
                    tokens.push(JustToken::Computed);
                    end + string(behind)?.1
                } else {
                    tokens.push(JustToken::Name(name));
                    end
                }
            }
            first => {
                depth = match first {
                    '(' | '[' | '{' => depth + 1,
                    ')' | ']' | '}' => depth.saturating_sub(1),
                    _ => depth,
                };
                tokens.push(JustToken::Sign(first));
                first.len_utf8()
            }
        };
        rest = &rest[skipped..];
    }
    (depth == 0).then(|| (tokens, text.len() - rest.len()))
}

/// Whether a character belongs to names.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The string that a text begins with, and its length; `None`: it has no end.
fn string(text: &str) -> Option<(JustToken<'_>, usize)> {
    let mark = ["'''", "\"\"\"", "```", "'", "\"", "`"].into_iter().find(|mark| text.starts_with(mark))?;
    let inside = &text[mark.len()..];
    let has_escapes = mark.starts_with('"');
    let mut from = 0;
    let end = loop {
        let end = from + inside[from..].find(mark)?;
        let escape = inside[from..end].find('\\').filter(|_| has_escapes);
        match escape {
            Some(at) => from += at + 1 + inside[from + at + 1..].chars().next()?.len_utf8(),
            None => break end,
        }
    };
    let value = &inside[..end];
    // just removes the indentation of a string in triple quotes.
    let is_computed = mark.starts_with('`') || has_escapes && value.contains('\\');
    let is_indented = mark.len() == 3 && value.contains('\n');
    let token = if is_computed || is_indented { JustToken::Computed } else { JustToken::Text(value) };
    Some((token, end + 2 * mark.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_ends_with_its_line_unless_something_is_open() {
        for (text, expected) in [
            ("a := 'b' # c\nd", "Name(\"a\") Sign(':') Sign('=') Text(\"b\") | 12"),
            ("a x=\"\\\"\\n\": b\n", "Name(\"a\") Name(\"x\") Sign('=') Computed Sign(':') Name(\"b\") | 13"),
            (
                "v := (\n'x' + `ls\n-l`\n)\nw",
                "Name(\"v\") Sign(':') Sign('=') Sign('(') Text(\"x\") Sign('+') Computed Sign(')') | 22",
            ),
            (
                "v := '''\na'b\n''' \\\n + x'~'",
                "Name(\"v\") Sign(':') Sign('=') Computed Sign('+') Computed | 26",
            ),
            ("x: y", "Name(\"x\") Sign(':') Name(\"y\") | 4"),
            ("é: 'ü'", "Sign('é') Sign(':') Text(\"ü\") | 8"),
        ] {
            let (tokens, length) = of_item(text).unwrap();
            let words: Vec<String> = tokens.iter().map(|token| format!("{token:?}")).collect();
            assert_eq!(format!("{} | {length}", words.join(" ")), expected, "{text:?}");
        }
        for open in ["a := 'b\n", "a := (\nb\n", "a := \"\\\"", "a := \"\\", "`"] {
            assert_eq!(of_item(open), None, "{open:?}");
        }
    }
}
