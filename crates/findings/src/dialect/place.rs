//! Places in files as tools write them: `a.ts:3:5`, `a.ts(3,5)`.

use memchr::memchr;

use crate::model::Location;

/// The longest name of a file, in bytes.
const LONGEST: usize = 1024;
/// The name of a file in the expressions of rows: single blanks may stand in it, and a colon that neither a blank nor a number follows.
const NAME: &str = r#"[^\s`":(](?:[^\s`":]| [^\s`":]|:[^\s`":\d])*?"#;

/// An expression of a row, with what `{name}` in it stands for.
pub(super) fn expanded(expression: &str) -> String {
    expression.replace("{name}", NAME)
}

/// `FILE:LINE:COLUMN: rest`, or without the column: the place, and the rest behind its colon and blanks.
pub(super) fn with_colons(text: &str) -> Option<(Location, &str)> {
    // The first number between colons ends the name: names may hold colons and blanks.
    let mut from = 0;
    loop {
        let colon = from + memchr(b':', &text.as_bytes()[from..])?;
        from = colon + 1;
        let Some((line, rest)) = number(&text[from..]) else { continue };
        let name = name(&text[..colon])?;
        let (column, rest) = match rest.strip_prefix(':').and_then(number) {
            Some((column, rest)) => (Some(column), rest),
            None => (None, rest),
        };
        if let Some(rest) = rest.strip_prefix(':') {
            let file = name.to_owned();
            return Some((Location::at(file, line, column), rest.trim_start()));
        }
    }
}

/// `FILE(LINE,COLUMN): rest`, or without the column, or with where it ends: the place, and the rest.
pub(super) fn in_parentheses(text: &str) -> Option<(Location, &str)> {
    let mut from = 0;
    loop {
        let open = from + memchr(b'(', &text.as_bytes()[from..])?;
        from = open + 1;
        let Some((line, rest)) = number(&text[from..]) else { continue };
        let (column, rest) = match rest.strip_prefix(',').and_then(number) {
            Some((column, rest)) => (Some(column), rest),
            None => (None, rest),
        };
        let (inner, rest) = rest.split_once(')')?;
        if !inner.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-')) {
            continue;
        }
        if let Some(rest) = rest.trim_start_matches(' ').strip_prefix(':') {
            let file = file(&text[..open])?;
            return Some((Location::at(file, line, column), rest.trim_start()));
        }
    }
}

/// Whether a name is that of a file of JavaScript.
pub(super) fn is_script(name: &str) -> bool {
    ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue"].iter().any(|end| ends_in(name, end))
}

/// All of a text is `FILE:LINE:COLUMN`, or without the column.
pub(super) fn whole(text: &str) -> Option<Location> {
    let (rest, last) = text.rsplit_once(':')?;
    let last = all_digits(last)?;
    let (name, line, column) =
        match rest.rsplit_once(':').and_then(|(name, line)| Some((name, all_digits(line)?))) {
            Some((name, line)) => (name, line, Some(last)),
            None => (rest, last, None),
        };
    Some(Location::at(file(name)?, line, column))
}

/// A place of which linters say that it is 0 where they do not know it.
pub(super) fn counted(file: String, line: usize, column: usize) -> Location {
    let known = |number: usize| Some(number).filter(|number| *number > 0);
    Location::at(file, known(line), known(line).and(known(column)))
}

/// The number that a text begins with, and the rest.
pub(super) fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

fn all_digits(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Whether a file's name has this ending: `rs`.
pub(super) fn ends_in(file: &str, ending: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, known)| known == ending)
}

/// A file's name; `None` for a text that cannot be one.
pub(super) fn file(text: &str) -> Option<String> {
    name(text).map(str::to_owned)
}

fn name(text: &str) -> Option<&str> {
    let name = text.strip_prefix("file://").unwrap_or(text);
    // A quoted message or source is no file name, and neither is a sentence with a colon.
    let is_quoted = |name: &str| name.bytes().any(|byte| matches!(byte, b'`' | b'"'));
    let is_text = |name: &str| is_quoted(name) || name.contains(": ");
    (name.len() <= LONGEST && !name.trim_start().is_empty() && !is_text(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(found: Option<(Location, &str)>) -> String {
        found.map_or_else(|| "none".into(), |(place, rest)| format!("{place} | {rest}"))
    }

    #[test]
    fn colons() {
        for (text, expected) in [
            ("src/a.c:3:5: error: x", "src/a.c:3:5 | error: x"),
            ("src/a.py:3: error: x: y:4: z", "src/a.py:3 | error: x: y:4: z"),
            (r"C:\my files\a.c:3:5: error", r"C:\my files\a.c:3:5 | error"),
            ("a:b c.c:1:2: e", "a:b c.c:1:2 | e"),
            ("file:///a b.js:1:2: e", "/a b.js:1:2 | e"),
            ("a.c:3:5 error", "none"),
            ("log = \"a.c:3:5: error: x", "none"),
            ("it says `a.c:3:5: error: x`", "none"),
            ("E   OSError: down: see conf.py:3: error: no", "none"),
            ("12:30:01: starting", "12:30:1 | starting"),
            (":3:5: e", "none"),
            ("a.c:99999999999999999999:5: e", "a.c:99999999999999999999:5 | e"),
            ("", "none"),
        ] {
            assert_eq!(render(with_colons(text)), expected, "{text}");
        }
    }

    #[test]
    fn parentheses() {
        for (text, expected) in [
            ("src/a b.ts(3,5): error TS1: x", "src/a b.ts:3:5 | error TS1: x"),
            ("a(1).ts(3,5): x", "a(1).ts:3:5 | x"),
            ("a.cs(3,5,3,9): error", "a.cs:3:5 | error"),
            ("a.cs(3-4): error", "a.cs:3 | error"),
            ("a.cs(3) : error", "a.cs:3 | error"),
            ("f(x): y", "none"),
            ("(3,5): y", "none"),
        ] {
            assert_eq!(render(in_parentheses(text)), expected, "{text}");
        }
    }

    #[test]
    fn nothing_else() {
        let whole_place = |text| whole(text).map_or_else(|| "none".into(), |place| place.to_string());
        for (text, expected) in [
            ("/a/b.js:3:5", "/a/b.js:3:5"),
            ("a b.js:3", "a b.js:3"),
            ("a.js", "none"),
            ("a.js:x:3", "a.js:x:3"),
        ] {
            assert_eq!(whole_place(text), expected, "{text}");
        }
    }
}
