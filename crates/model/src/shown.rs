//! Text from a project's files as people and agents are shown it: nothing in it may hide, reorder or flood the rest.

use std::borrow::Cow;

use super::visible::{is_hidden, visible};

/// Of a name that is longer than twice this, so many characters are shown of each end.
const END: usize = 40;

/// The longest line of a list, in characters.
const LONGEST_LINE: usize = 200;

/// A name as messages show it: invisible characters are escaped, and a long name keeps both ends. Rulers such
/// as `======== hygiene` differ at the end alone.
pub fn shown(name: &str) -> String {
    let letters = name.chars().count();
    if letters <= 2 * END {
        return visible(name).into_owned();
    }
    let start: String = name.chars().take(END).collect();
    let end: String = name.chars().skip(letters - END).collect();
    format!("{}…{}", visible(&start), visible(&end))
}

/// The first line of a text that says something, fit for a list; `None` when there is none.
pub fn one_line(text: &str) -> Option<Cow<'_, str>> {
    text.lines().find_map(|line| {
        if is_tidy(line) {
            return Some(Cow::Borrowed(line));
        }
        let is_seen = |letter: &char| *letter == '\t' || !is_hidden(*letter);
        let mut seen: Cow<'_, str> = Cow::Borrowed(line);
        if !line.chars().all(|letter| is_seen(&letter)) {
            seen = line.chars().filter(is_seen).collect();
        }
        let mut line = String::with_capacity(seen.len());
        for word in seen.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if line.len() <= LONGEST_LINE || line.chars().count() <= LONGEST_LINE {
            return (!line.is_empty()).then_some(Cow::Owned(line));
        }
        let kept: String = line.chars().take(LONGEST_LINE - 1).collect();
        Some(format!("{}…", kept.trim_end()).into())
    })
}

/// Whether a line can stay as it is.
fn is_tidy(line: &str) -> bool {
    let bytes = line.as_bytes();
    let is_apart = |ends: &[u8]| ends != b"  ";
    !line.is_empty()
        && line.len() <= LONGEST_LINE
        && bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
        && bytes.first() != Some(&b' ')
        && bytes.last() != Some(&b' ')
        && bytes.windows(2).all(is_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_fool_a_reader_are_escaped() {
        assert_eq!(shown("a/b c's \"é\" 🚀.sh"), "a/b c's \"é\" 🚀.sh");
        assert_eq!(shown("a\n\u{1b}[2J\u{202e}b\u{e0041}"), r"a\u{a}\u{1b}[2J\u{202e}b\u{e0041}");
        let long = format!("{}hygiene", "=".repeat(1_000_000));
        assert_eq!(shown(&long), format!("{}…{}hygiene", "=".repeat(40), "=".repeat(33)));
        assert_eq!(shown(&"é".repeat(80)), "é".repeat(80));
    }

    #[test]
    fn the_first_line_that_says_something() {
        for (text, expected) in [
            (" \n\u{1b}[1mBuild\u{7} it \nmore", Some("[1mBuild it")),
            ("a\tb   c", Some("a b c")),
            ("\u{200b}\n\u{202e}evil\u{202c}", Some("evil")),
            ("\n \u{7}\n", None),
            ("", None),
        ] {
            assert_eq!(one_line(text).as_deref(), expected, "{text:?}");
        }
        assert_eq!(one_line(&"é".repeat(200)).unwrap(), "é".repeat(200));
        assert_eq!(one_line(&"é".repeat(1000)).unwrap(), format!("{}…", "é".repeat(199)));
    }
}
