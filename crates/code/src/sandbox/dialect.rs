//! The ways in which models hand a program over.

use std::borrow::Cow;

/// The program inside a fence of three backticks, without the prose around it; every byte stays where it is. Any other text
/// is a program as it is.
pub fn unfenced(source: &str) -> Cow<'_, str> {
    let Some((open, close)) = fence(source) else { return source.into() };
    let blank =
        |text: &str| text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
    (blank(&source[..open]) + &source[open..close] + &blank(&source[close..])).into()
}

/// The mark of a fence.
const FENCE: &str = "```";

/// The bytes between the fences: of the first block, whatever prose stands before and after it. A fence within a
/// comment of the program is none.
fn fence(source: &str) -> Option<(usize, usize)> {
    let mut open = None;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let (begin, end) = (at, at + line.len());
        at = end;
        let Some(rest) = line.trim().strip_prefix(FENCE) else { continue };
        match open {
            None if is_language(rest) && line.ends_with('\n') && is_prose(&source[..begin]) => {
                open = Some(end);
            }
            Some(open) if rest.is_empty() => return Some((open, begin)),
            _ => {}
        }
    }
    None
}

fn is_language(rest: &str) -> bool {
    rest.trim().chars().all(|c| c.is_ascii_alphanumeric())
}

/// Whether no comment of a program has begun that holds the fence. A text cannot: three marks would end it.
fn is_prose(before: &str) -> bool {
    before.rfind("/*") <= before.rfind("*/")
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
            ("Hé:\n\n```ts\nx\n```\nIt is `x`.\n", "    \n\n     \nx\n   \n          \n"),
            ("Run `x`:\n```\nx\n```\n```ts\ny\n```", "        \n   \nx\n   \n     \n \n   "),
            ("It`s:\n```js\na = `\\`\\`\\``\n```", "     \n     \na = `\\`\\`\\``\n   "),
            ("/*\n```ts\nx\n```\n*/ return 1", "/*\n```ts\nx\n```\n*/ return 1"),
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
