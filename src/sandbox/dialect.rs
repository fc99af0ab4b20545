//! The ways in which models hand a program over.

use std::borrow::Cow;

/// The program inside a fence of three backticks; every byte stays where it is. Any other text is a program as it is.
pub fn unfenced(source: &str) -> Cow<'_, str> {
    let Some((open, close)) = fence(source) else { return source.into() };
    let blank = |text: &str| text.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>();
    // The fences are ASCII, and so are the spaces in their place.
    (blank(&source[..open]) + &source[open..close] + &blank(&source[close..])).into()
}

/// The bytes between the fences.
fn fence(source: &str) -> Option<(usize, usize)> {
    let begin = source.len() - source.trim_ascii_start().len();
    let end = source.trim_ascii_end().len();
    // Of nothing but white space, all is at its begin and at its end.
    let inner = source.get(begin..end)?.strip_prefix("```")?.strip_suffix("```")?;
    let (language, _) = inner.split_once('\n')?;
    let is_plain = language.trim().chars().all(|c| c.is_ascii_alphanumeric());
    (is_plain && inner.ends_with('\n')).then(|| (begin + 3 + language.len(), end - 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_blanked_and_nothing_moves() {
        for (source, expected) in [
            ("return 1", "return 1"),
            ("```ts\nreturn `a`\n```", "     \nreturn `a`\n   "),
            (" ```\nx\n```\n", "    \nx\n   \n"),
            ("```ts\nx", "```ts\nx"),
            ("```not a fence```", "```not a fence```"),
            ("`a`", "`a`"),
            ("", ""),
            (" \n ", " \n "),
            ("```", "```"),
        ] {
            assert_eq!(unfenced(source), expected, "{source:?}");
        }
    }
}
