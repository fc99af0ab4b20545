//! The cost of a text for a model, and the two ends of a text that a model can afford.

use super::chunk::line_feeds;
use super::report::Clipped;

/// About how many tokens a model reads in a text: for logs within a fifth of `o200k_base`, and rather more than fewer.
pub fn tokens(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut before = TokenKind::Space;
    let mut count = 0;
    for run in bytes.chunk_by(|one, next| TokenKind::of(*one) == TokenKind::of(*next)) {
        let (kind, length) = (TokenKind::of(run[0]), run.len());
        count += match kind {
            TokenKind::Letter => length.div_ceil(6),
            TokenKind::Digit => length.div_ceil(3) + usize::from(before == TokenKind::Space),
            TokenKind::Sign => length.div_ceil(2),
            TokenKind::Other => length.div_ceil(3),
            TokenKind::Space => usize::from(length > 1),
            TokenKind::LineEnd => usize::from(before != TokenKind::Sign),
        };
        before = kind;
    }
    count
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Letter,
    Digit,
    Sign,
    Space,
    LineEnd,
    /// A byte of a character beyond ASCII.
    Other,
}

impl TokenKind {
    const fn of(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Self::Letter,
            b'0'..=b'9' => Self::Digit,
            b' ' | b'\t' => Self::Space,
            b'\n' | b'\r' => Self::LineEnd,
            0x80.. => Self::Other,
            _ => Self::Sign,
        }
    }
}

/// The share of the beginning in what is kept of a text: most logs say at their end how it went.
const HEAD: usize = 3;

/// The beginning and the end of a text, together about so many tokens: whole lines, or parts of lines that are too long.
/// The text and nothing, if all of it fits.
fn ends(text: &str, most: usize) -> (&str, &str) {
    if tokens(text) <= most {
        return (text, "");
    }
    let head = beginning(text, most / HEAD);
    (head, end(&text[head.len()..], most - most / HEAD))
}

fn beginning(text: &str, most: usize) -> &str {
    let (mut left, mut length) = (most, 0);
    for line in text.split_inclusive('\n') {
        let Some(rest) = left.checked_sub(tokens(line)) else { break };
        (left, length) = (rest, length + line.len());
    }
    if length == 0 {
        longest(text.len(), |length| text.split_at(text.floor_char_boundary(length)).0, most)
    } else {
        &text[..length]
    }
}

fn end(text: &str, most: usize) -> &str {
    let (mut left, mut length) = (most, 0);
    for line in text.split_inclusive('\n').rev() {
        let Some(rest) = left.checked_sub(tokens(line)) else { break };
        (left, length) = (rest, length + line.len());
    }
    let part = |length| text.split_at(text.ceil_char_boundary(text.len() - length)).1;
    if length == 0 { longest(text.len(), part, most) } else { part(length) }
}

/// The longest part, of one that has at most `most` bytes, that costs no more.
fn longest<'t>(bytes: usize, part: impl Fn(usize) -> &'t str, most: usize) -> &'t str {
    let (mut fits, mut too_long) = (0, bytes + 1);
    while too_long - fits > 1 {
        let middle = usize::midpoint(fits, too_long);
        if tokens(part(middle)) <= most { fits = middle } else { too_long = middle }
    }
    part(fits)
}

/// Both ends of a text, about so many tokens, with a line between them where the rest is left out.
pub fn affordable(text: &str, most: usize) -> String {
    match ends(text, most) {
        (whole, "") => whole.to_owned(),
        (head, tail) => {
            let left_out = text.len() - head.len() - tail.len();
            format!("{head}{}[… {left_out} bytes left out …]\n{tail}", break_after(head))
        }
    }
}

const fn break_after(head: &str) -> &'static str {
    match head.as_bytes() {
        [] | [.., b'\n'] => "",
        _ => "\n",
    }
}

/// An output in about so many tokens, with its ends as they are.
pub fn within(output: Clipped, most: usize) -> Clipped {
    if tokens(&output.text) <= most {
        return output;
    }
    let (first, last) = halves(&output);
    let (head, tail) = if last.is_empty() {
        ends(first, most)
    } else {
        (beginning(first, most / HEAD), end(last, most - most / HEAD))
    };
    let source = if last.is_empty() { first } else { last };
    let left_out = &source[..source.len() - tail.len()];
    let is_within_line = !left_out.ends_with('\n');
    let feeds = |text: &str| line_feeds(text.as_bytes());
    let before = output.lines.map_or_else(|| feeds(left_out), |(_, to)| to + feeds(left_out));
    let omitted = output.omitted + (first.len() + last.len() - head.len() - tail.len()) as u64;
    let is_counted = output.omitted == 0 || output.lines.is_some();
    let lines = is_counted.then(|| (feeds(head) + 1, before + u64::from(is_within_line)));
    let all = omitted + (head.len() + tail.len()) as u64;
    let text = format!("{head}{}[… {omitted} of {all} bytes left out …]\n{tail}", break_after(head));
    Clipped { text, omitted, lines, bytes: output.bytes }
}

/// The texts before and behind what is left out; all of the text and nothing, if nothing is.
fn halves(output: &Clipped) -> (&str, &str) {
    let mark = format!("[… {} of ", output.omitted);
    let cut = (output.omitted > 0).then(|| output.text.find(&mark)).flatten();
    let rest = |at: usize| output.text[at..].split_once('\n').map(|(_, tail)| (&output.text[..at], tail));
    cut.and_then(rest).unwrap_or((&output.text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_costs_about_what_a_tokenizer_counts() {
        // The first number is that of o200k_base.
        let counted = [
            ("", 0),
            ("Tests: 2 failed, 41 passed\n", 10),
            ("src/moon.ts:42:7 - error TS2345: no\n", 16),
            ("    at Object.<anonymous> (/home/x/a.test.js:3:9)\n", 17),
            ("größer als 7 µm", 7),
        ];
        assert_eq!(
            counted.map(|(text, exactly)| (exactly, tokens(text))),
            [(0, 0), (10, 10), (16, 17), (17, 22), (7, 9)]
        );
    }

    #[test]
    fn what_is_shown_and_the_named_lines_are_together_complete() {
        let text = (1..=500).map(|number| format!("line {number}")).collect::<Vec<_>>().join("\n") + "\n";
        let cut = within(Clipped::whole(text), 60);
        assert_eq!(
            cut.text,
            "line 1\nline 2\nline 3\nline 4\nline 5\n[… 4267 of 4392 bytes left out …]\n\
             line 491\nline 492\nline 493\nline 494\nline 495\nline 496\nline 497\nline 498\nline 499\nline 500\n"
        );
        assert_eq!((cut.bytes, cut.omitted, cut.lines), (4392, 4267, Some((6, 490))));
        let again = within(cut, 20);
        assert_eq!(again.lines, Some((2, 497)));
    }

    #[test]
    fn lines_that_are_too_long_are_cut() {
        let cut = within(Clipped::whole("é".repeat(1000)), 12);
        assert_eq!(cut.text, "éééééé\n[… 1964 of 2000 bytes left out …]\néééééééééééé");
        assert_eq!(cut.lines, Some((1, 1)));
        assert_eq!(affordable("one\ntwo\nthree\nfour\n", 6), "one\n[… 4 bytes left out …]\nthree\nfour\n");
        assert_eq!(affordable("one\n", 6), "one\n");
    }
}
