//! What is another in a text: the lines that went and came, with a few around them.

use crate::model::visible_lines;

/// How many lines that stayed are shown around those that did not.
const AROUND: usize = 3;
/// How many pairs of lines are compared before all that is between the common ends counts as replaced.
const MOST_PAIRS: usize = 16_000_000;

/// One line of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Stayed(&'a str),
    Went(&'a str),
    Came(&'a str),
}

/// The difference between two texts, a line each, marked as in a unified diff. What would hide or drive a terminal is
/// escaped within each line, so that no line can pass for another; tabs are seen.
pub(super) fn difference(before: &str, after: &str) -> Vec<String> {
    let lines = compare(&split(before), &split(after));
    let is_near = |at: usize| {
        let around = at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len());
        lines[around].iter().any(|line| !matches!(line, Line::Stayed(_)))
    };
    let mut shown = Vec::new();
    let (mut old, mut new, mut gap) = (1, 1, true);
    for (at, line) in lines.iter().enumerate() {
        if is_near(at) {
            if gap {
                shown.push(format!("@@ line {old}, now line {new} @@"));
            }
            shown.push(match line {
                Line::Stayed(text) => format!("  {}", visible_lines(text)),
                Line::Went(text) => format!("- {}", visible_lines(text)),
                Line::Came(text) => format!("+ {}", visible_lines(text)),
            });
        }
        gap = !is_near(at);
        old += usize::from(!matches!(line, Line::Came(_)));
        new += usize::from(!matches!(line, Line::Went(_)));
    }
    shown
}

/// The lines with their ends, which may differ as well; only the line feed of each is left out.
fn split(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

fn compare<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<Line<'a>> {
    let head = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut lines: Vec<Line<'a>> = before[..head].iter().map(|line| Line::Stayed(line)).collect();
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        lines.extend(old.iter().map(|line| Line::Went(line)));
        lines.extend(new.iter().map(|line| Line::Came(line)));
    } else {
        align(old, new, &mut lines);
    }
    lines.extend(before[before.len() - tail..].iter().map(|line| Line::Stayed(line)));
    lines
}

/// Keeps as many lines as possible.
fn align<'a>(old: &[&'a str], new: &[&'a str], lines: &mut Vec<Line<'a>>) {
    // How many lines the rests from here on have in common.
    let width = new.len() + 1;
    let mut shared = vec![0_u32; (old.len() + 1) * width];
    for (i, before) in old.iter().enumerate().rev() {
        for (j, after) in new.iter().enumerate().rev() {
            shared[i * width + j] = if before == after {
                shared[(i + 1) * width + j + 1] + 1
            } else {
                shared[(i + 1) * width + j].max(shared[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push(Line::Stayed(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (i < old.len() && shared[(i + 1) * width + j] >= shared[i * width + j + 1])
        {
            lines.push(Line::Went(old[i]));
            i += 1;
        } else {
            lines.push(Line::Came(new[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_went_and_came_are_shown_with_those_around_them() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n";
        let after = before.replace("2\n3\n", "2\n2a\n3\n").replacen("12\n", "", 1);
        insta::assert_snapshot!(difference(before, &after).join("\n"), @r"
        @@ line 1, now line 1 @@
          1
          2
        + 2a
          3
          4
          5
        @@ line 9, now line 10 @@
          9
          10
          11
        - 12
          13
        ");
        assert_eq!(difference(before, before), [""; 0]);
        assert_eq!(difference("", "a\nb"), ["@@ line 1, now line 1 @@", "+ a", "+ b"]);
        assert_eq!(difference("a\n", ""), ["@@ line 1, now line 1 @@", "- a"]);
        assert_eq!(difference("x\na\n", "a\ny\n"), ["@@ line 1, now line 1 @@", "- x", "  a", "+ y"]);
    }

    #[test]
    fn no_line_hides_and_none_passes_for_another() {
        let hostile = "a:\t1\r\n\u{1b}[2K+ forged\u{2028}- forged\n\u{202e}b\n";
        let shown = difference("a: 1\n", hostile);
        let expected = [
            "@@ line 1, now line 1 @@",
            "- a: 1",
            "+ a:\t1\\u{d}",
            r"+ \u{1b}[2K+ forged\u{2028}- forged",
            r"+ \u{202e}b",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_too_much_to_compare_is_shown_whole() {
        let many = |mark: &str| format!("{mark}\n").repeat(5000);
        let shown = difference(&many("a"), &many("b"));
        assert_eq!(shown.len(), 1 + 10_000);
    }
}
