//! Looks for a word in a line. The standard library prepares each search for texts of any length, which takes longer than a line is
//! read.

use memchr::{memchr_iter, memrchr_iter, memrchr2};

/// The first place where a word stands.
#[inline]
pub fn find(text: &str, word: &str) -> Option<usize> {
    let (before, rare) = rare(word)?;
    let mut places = memchr_iter(rare, text.as_bytes()).filter_map(|at| at.checked_sub(before));
    places.find(|at| text.as_bytes()[*at..].starts_with(word.as_bytes()))
}

/// The byte of a word that is looked for, and how many are before it: the first that is no blank, of which texts are full.
#[inline]
fn rare(word: &str) -> Option<(usize, u8)> {
    let bytes = || word.bytes().enumerate();
    bytes().find(|(_, byte)| *byte != b' ').or_else(|| bytes().next())
}

/// The texts before the first such word and behind it.
#[inline]
pub fn split_once<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, word)?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// The same of the last.
#[inline]
pub fn rsplit_once<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let (before, rare) = rare(word)?;
    let mut places = memrchr_iter(rare, text.as_bytes()).filter_map(|at| at.checked_sub(before));
    let at = places.find(|at| text.as_bytes()[*at..].starts_with(word.as_bytes()))?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// The last part of a path, with slashes of either kind.
pub fn base(path: &str) -> &str {
    memrchr2(b'/', b'\\', path.as_bytes()).map_or(path, |at| &path[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_the_library_finds_them() {
        for text in ["", ":", ": ", "a: b: c", "a:: b", ":: : ", "é: é", "::: ", "b  :  b", " b", "no word"]
        {
            for word in [": ", ":: ", "b", "é", " b", " :", "  "] {
                assert_eq!(find(text, word), text.find(word), "{word:?} in {text:?}");
                assert_eq!(split_once(text, word), text.split_once(word), "{word:?} in {text:?}");
                assert_eq!(rsplit_once(text, word), text.rsplit_once(word), "{word:?} in {text:?}");
            }
        }
    }
}
