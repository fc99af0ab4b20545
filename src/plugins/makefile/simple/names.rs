//! A list of file names as make splits it: quoting taken away, leading `./` gone.

use super::scan::{is_space, until};

/// The names in a text, up to an unquoted one of these characters, and what follows that character.
pub(super) fn split<'t>(text: &'t str, stops: &[u8]) -> (Vec<String>, Option<&'t str>) {
    let ends: Vec<u8> = stops.iter().copied().chain(*b" \t").collect();
    let mut names = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while let Some(first) = rest.bytes().next() {
        if stops.contains(&first) {
            return (names, Some(&rest[1..]));
        }
        let (name, end) = until(rest, &ends, true);
        names.push(without_here(&name).to_owned());
        rest = rest[end.unwrap_or(rest.len())..].trim_start_matches(is_space);
    }
    (names, None)
}

/// The names in a text that nothing but blanks part.
pub(super) fn all(text: &str) -> Vec<String> {
    split(text, b"").0
}

/// The name without the `./` that it begins with, unless nothing else is left.
fn without_here(name: &str) -> &str {
    let mut name = name;
    while name.len() > 2
        && let Some(rest) = name.strip_prefix("./")
    {
        name = rest.trim_start_matches('/');
    }
    if name.is_empty() { "./" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parted_by_unquoted_blanks() {
        for (text, expected) in [
            ("", vec![]),
            (" a  b\tc ", vec!["a", "b", "c"]),
            (r"a\ b c\\ d", vec!["a b", r"c\", "d"]),
            ("./a .//b ././c ./ . .d", vec!["a", "b", "c", "./", ".", ".d"]),
            (r"a\:b", vec![r"a\:b"]),
        ] {
            assert_eq!(all(text), expected, "{text}");
        }
        assert_eq!(split("a b | c d", b"|"), (vec!["a".into(), "b".into()], Some(" c d")));
        assert_eq!(split("a|b", b"|"), (vec!["a".into()], Some("b")));
    }

    #[test]
    fn many_names_take_time_in_proportion() {
        let text = r"a\ b ".repeat(200_000);
        assert_eq!(all(&text).len(), 200_000);
    }
}
