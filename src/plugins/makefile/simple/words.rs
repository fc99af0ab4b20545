//! Words in a value, and make's functions on single words.
//!
//! A word with a hole is any number of words, each with the known text around the hole.

use std::borrow::Cow;

use super::scan::{around_percent, is_space};
use super::variables::HOLE;

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Words as a text, a blank between them.
pub(super) fn joined<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut out = String::new();
    for word in words {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Each word made another.
pub(super) fn each(text: &str, change: impl Fn(&str) -> String) -> String {
    joined(words(text).map(change).collect::<Vec<_>>().iter().map(String::as_str))
}

/// `patsubst`: the words that match a pattern, with their stem put into the replacement.
pub(super) fn substituted(pattern: &str, replacement: &str, text: &str) -> String {
    let pattern = around_percent(pattern);
    let replacement = around_percent(replacement);
    each(text, |word| {
        if word.contains(HOLE) {
            return holed(pattern.as_ref().ok(), replacement.as_ref().ok());
        }
        let stem = match &pattern {
            Ok((before, behind)) => stem(word, before, behind),
            Err(whole) => (whole == word).then_some(""),
        };
        match (stem, &replacement) {
            (None, _) => word.to_owned(),
            (Some(_), Err(whole)) => whole.clone().into_owned(),
            (Some(stem), Ok((before, behind))) if pattern.is_ok() => format!("{before}{stem}{behind}"),
            (Some(_), Ok((before, behind))) => format!("{before}%{behind}"),
        }
    })
}

/// The result for unknown words: the text that the replacement puts around them, if every word is replaced.
fn holed(pattern: Option<&(Cow<'_, str>, &str)>, replacement: Option<&(Cow<'_, str>, &str)>) -> String {
    match (pattern, replacement) {
        (Some(_), Some((before, behind))) => format!("{before}{HOLE}{behind}"),
        _ => HOLE.to_string(),
    }
}

/// The part of a word between these two ends.
pub(super) fn stem<'w>(word: &'w str, before: &str, behind: &str) -> Option<&'w str> {
    word.strip_prefix(before)?.strip_suffix(behind)
}

/// The folder of a path, with its `/`; `./` where it has none.
pub(super) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("./", |slash| &path[..=slash])
}

/// The path without its folder.
pub(super) fn file(path: &str) -> &str {
    path.rfind('/').map_or(path, |slash| &path[slash + 1..])
}

/// The offset of the suffix of a path, with its dot.
pub(super) fn suffix_place(path: &str) -> Option<usize> {
    let name = path.len() - file(path).len();
    path[name..].rfind('.').map(|dot| name + dot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_replaced_word_by_word() {
        for (pattern, replacement, text, expected) in [
            ("%.c", "%.o", "a.c  b.h x.c.c", "a.o b.h x.c.o"),
            ("%.c", "out/%", "a.c", "out/a"),
            ("a", "b", "a aa", "b aa"),
            ("a%", "x", "a ab", "x x"),
            ("%", "%-%", "a", "a-%"),
            (r"\%%", "%", "%a", "a"),
            ("%.c", "%.o", "\0", "\0.o"),
            ("a", "b%", "a", "b%"),
        ] {
            assert_eq!(substituted(pattern, replacement, text), expected, "{pattern} {replacement} {text}");
        }
    }

    #[test]
    fn paths_are_taken_apart_as_make_does() {
        for (path, parts) in [
            ("a/b.c", ("a/", "b.c", Some(3))),
            ("b", ("./", "b", None)),
            ("a.d/b", ("a.d/", "b", None)),
            (".x", ("./", ".x", Some(0))),
            ("a/", ("a/", "", None)),
        ] {
            assert_eq!((folder(path), file(path), suffix_place(path)), parts, "{path}");
        }
    }
}
