//! Looks for a word in a line. The standard library prepares each search for texts of any length, which takes longer than a line is
//! read.

use memchr::{memchr_iter, memrchr_iter};

/// The first place where a word stands.
pub fn find(text: &str, word: &str) -> Option<usize> {
    let (bytes, word) = (text.as_bytes(), word.as_bytes());
    memchr_iter(*word.first()?, bytes).find(|at| bytes[*at..].starts_with(word))
}

/// What is before the first such word, and behind it.
pub fn split_once<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, word)?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// The same of the last.
pub fn rsplit_once<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let (bytes, wanted) = (text.as_bytes(), word.as_bytes());
    let at = memrchr_iter(*wanted.first()?, bytes).find(|at| bytes[*at..].starts_with(wanted))?;
    Some((&text[..at], &text[at + word.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_the_library_finds_them() {
        for text in ["", ":", ": ", "a: b: c", "a:: b", ":: : ", "é: é", "::: ", "no word"] {
            for word in [": ", ":: ", "b", "é"] {
                assert_eq!(find(text, word), text.find(word), "{word:?} in {text:?}");
                assert_eq!(split_once(text, word), text.split_once(word), "{word:?} in {text:?}");
                assert_eq!(rsplit_once(text, word), text.rsplit_once(word), "{word:?} in {text:?}");
            }
        }
    }
}
