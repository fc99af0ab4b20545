//! Lines of the user's own program, with a mark under what is meant.

use std::fmt::Write as _;
use std::ops::Range;

use crate::model::visible;

/// The name of a program in messages.
pub(crate) const NAME: &str = "script.ts";

/// The lines before the one that is meant.
const LINES_BEFORE: usize = 2;

/// The longest part of a line that is shown, in characters, and how much of it is before what is meant.
const LONGEST_LINE: usize = 160;
const BEFORE: usize = 60;

/// A place in a text: both count from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPosition {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// The place of a byte.
pub(super) fn place(source: &str, offset: usize) -> TextPosition {
    let before = &source[..source.floor_char_boundary(offset)];
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    TextPosition { line, column: before[begin..].chars().count() + 1 }
}

/// The byte at a line and a column, which count from zero, the column in UTF-16.
pub(crate) fn offset(source: &str, line: usize, column: usize) -> Option<usize> {
    let mut begin = 0;
    for _ in 0..line {
        begin += source[begin..].find('\n')? + 1;
    }
    let mut units = 0;
    let at = source[begin..].char_indices().find(|(_, c)| {
        let is_there = units >= column || *c == '\n';
        units += c.len_utf16();
        is_there
    });
    Some(begin + at.map_or(source.len() - begin, |(at, _)| at))
}

/// The line, those before it, and a mark under these bytes, of a program of this name.
pub(super) fn frame(name: &str, source: &str, span: &Range<usize>) -> String {
    let start = source.floor_char_boundary(span.start);
    let TextPosition { line, column } = place(source, start);
    let first = line.saturating_sub(LINES_BEFORE).max(1);
    let width = line.to_string().len();
    let mut text = format!("{:width$}--> {name}:{line}:{column}\n{:width$} |\n", "", "");
    for (number, content) in source.lines().enumerate().map(|(at, content)| (at + 1, content)) {
        if number > line {
            break;
        }
        if number >= first && number < line {
            let shown = shown(content, 0, LONGEST_LINE);
            // Writing to a string does not fail.
            let _ = writeln!(text, "{number:width$} | {}", shown.trim_end());
        }
    }
    let content = source.lines().nth(line - 1).unwrap_or_default();
    let skipped =
        if content.chars().count() > LONGEST_LINE { (column - 1).saturating_sub(BEFORE) } else { 0 };
    let in_line =
        source[start..source.floor_char_boundary(span.end.max(start))].lines().next().unwrap_or_default();
    let before = shown(content, skipped, column - 1 - skipped);
    let marked = shown(in_line, 0, LONGEST_LINE).chars().count().max(1);
    let _ = writeln!(text, "{line:width$} | {}", shown(content, skipped, LONGEST_LINE).trim_end());
    let _ = write!(text, "{:width$} | {}{}", "", " ".repeat(before.chars().count()), "^".repeat(marked));
    text
}

/// A part of a line: nothing in it hides, and a tab is as wide as a space.
fn shown(line: &str, skipped: usize, longest: usize) -> String {
    let part: String =
        line.chars().skip(skipped).take(longest).map(|c| if c == '\t' { ' ' } else { c }).collect();
    visible(&part).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(source: &str, part: &str) -> String {
        let start = source.find(part).unwrap();
        frame(NAME, source, &(start..start + part.len()))
    }

    #[test]
    fn the_part_is_marked_below_its_line() {
        let source = "a\nb\nconst é = 1;\n\tawait call({ title: 'x' });\n";
        assert_eq!(
            framed(source, "call({ title: 'x' })"),
            " --> script.ts:4:8\n  |\n2 | b\n3 | const é = 1;\n4 |  await call({ title: 'x' });\n  |        ^^^^^^^^^^^^^^^^^^^^"
        );
        assert_eq!(framed("x", "x"), " --> script.ts:1:1\n  |\n1 | x\n  | ^");
        assert_eq!(framed("a {\n b\n}", "{\n b\n}"), " --> script.ts:1:3\n  |\n1 | a {\n  |   ^");
        assert_eq!(frame(NAME, "", &(0..0)), " --> script.ts:1:1\n  |\n1 | \n  | ^");
        assert_eq!(frame(NAME, "ab\n", &(3..9)), " --> script.ts:2:1\n  |\n1 | ab\n2 | \n  | ^");
    }

    #[test]
    fn hidden_characters_are_shown_and_long_lines_cut_around_the_part() {
        assert_eq!(framed("a\u{202e}b", "b"), " --> script.ts:1:3\n  |\n1 | a\\u{202e}b\n  |          ^");
        let long = format!("{}HERE{}", "a".repeat(1000), "b".repeat(1000));
        let frame = framed(&long, "HERE");
        let lines: Vec<&str> = frame.lines().collect();
        assert_eq!(lines[0], " --> script.ts:1:1001");
        assert_eq!(lines[2].chars().count(), 4 + LONGEST_LINE);
        assert_eq!(lines[2].find("HERE"), lines[3].find('^'));
    }
}
