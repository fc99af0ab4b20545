//! The difference between two texts: removed and added lines, with a few around them.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use crate::model::visible_lines;

/// How many lines that stayed are shown around those that did not.
const AROUND: usize = 3;
/// The time for finding the smallest difference; texts with little in common are shown as replaced.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// The difference between two texts, a line each, marked as in a unified diff. Hidden characters and terminal
/// controls are escaped within each line, so that no line can pass for another; tabs are visible.
pub fn difference(before: &str, after: &str) -> Vec<String> {
    let (before, after) = (split(before), split(after));
    let difference = TextDiff::configure().timeout(LONGEST_LOOK).diff_slices(&before, &after);
    let mut shown = Vec::new();
    for group in difference.grouped_ops(AROUND) {
        let Some(first) = group.first() else { continue };
        let (old, new) = (first.old_range().start + 1, first.new_range().start + 1);
        shown.push(format!("@@ line {old}, now line {new} @@"));
        for change in group.iter().flat_map(|op| difference.iter_changes(op)) {
            let mark = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            shown.push(format!("{mark} {}", visible_lines(change.value())));
        }
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
    fn texts_too_long_to_compare_are_shown_whole() {
        let many = |mark: &str| format!("{mark}\n").repeat(5000);
        let shown = difference(&many("a"), &many("b"));
        assert_eq!(shown.len(), 1 + 10_000);
    }
}
