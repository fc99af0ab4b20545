//! A list of file names as make splits it: quoting taken away, leading `./` gone.

use super::scan::{is_space, until};

/// The names in a text, up to an unquoted one of this character, and the rest behind it.
pub(super) fn split(text: &str, stop: Option<u8>) -> (Vec<String>, Option<&str>) {
    let ends = [b' ', b'\t', stop.unwrap_or(b' ')];
    let mut names = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while let Some(first) = rest.bytes().next() {
        if Some(first) == stop {
            return (members(names), Some(&rest[1..]));
        }
        let (name, end) = until(rest, &ends, true);
        names.push(without_here(&name).to_owned());
        rest = rest[end.unwrap_or(rest.len())..].trim_start_matches(is_space);
    }
    (members(names), None)
}

/// Names with `lib(a b)` made `lib(a) lib(b)`: members of an archive are named in one go.
fn members(names: Vec<String>) -> Vec<String> {
    let Some(last) = names.iter().rposition(|name| name.ends_with(')')) else { return names };
    let mut out = Vec::with_capacity(names.len());
    let mut archive: Option<String> = None;
    for (place, name) in names.into_iter().enumerate() {
        let opens = || name.find('(').filter(|at| *at > 0 && !name.ends_with(')') && place < last);
        let (begin, member) = match (archive.take(), opens()) {
            (Some(begin), _) => (begin, name.as_str()),
            (None, Some(at)) => (name[..=at].to_owned(), &name[at + 1..]),
            (None, None) => {
                out.push(name);
                continue;
            }
        };
        let inner = member.strip_suffix(')');
        if !matches!((member, inner), ("", _) | (_, Some(""))) {
            out.push(format!("{begin}{})", inner.unwrap_or(member)));
        }
        archive = inner.is_none().then_some(begin);
    }
    out
}

/// The names in a text that nothing but blanks part.
pub(super) fn all(text: &str) -> Vec<String> {
    split(text, None).0
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
            ("l(a b) c", vec!["l(a)", "l(b)", "c"]),
            ("l( a b ) (c d)", vec!["l(a)", "l(b)", "(c", "d)"]),
            ("l(a b", vec!["l(a", "b"]),
            ("l(a) b)", vec!["l(a)", "b)"]),
        ] {
            assert_eq!(all(text), expected, "{text}");
        }
        assert_eq!(split("a b | c d", Some(b'|')), (vec!["a".into(), "b".into()], Some(" c d")));
        assert_eq!(split("a|b", Some(b'|')), (vec!["a".into()], Some("b")));
    }

    #[test]
    fn many_names_take_time_in_proportion() {
        let text = r"a\ b ".repeat(200_000);
        assert_eq!(all(&text).len(), 200_000);
    }
}
