//! Lines of source as tools draw them: `> 2 |   phase: ,`.

use super::place;

/// Whether a line shows one of a file, or marks something in the one above it.
pub(super) fn is_source(text: &str) -> bool {
    let text = text.trim_start_matches(['>', ' ']);
    text.starts_with('|') || place::number(text).is_some_and(|(_, rest)| rest.trim_start().starts_with('|'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_source() {
        for (text, expected) in [
            ("> 2 |   phase: ,", true),
            ("   10 | a", true),
            ("    |   ^", true),
            ("2 errors", false),
            ("> build", false),
            ("", false),
        ] {
            assert_eq!(is_source(text), expected, "{text}");
        }
    }
}
