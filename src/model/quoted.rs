//! A project's own text where cuff asks about it: each line is marked, so that none passes for a word of cuff's.

use super::visible::visible;

/// What each line begins with.
const MARK: &str = "  │ ";
/// How wide a line is, in columns without the mark: a narrow terminal must not wrap it to where no mark is.
const WIDE: usize = 72;
/// The most lines that are shown of one text, and how many of them are its last.
const MOST: usize = 12;
const LAST: usize = 4;

/// The lines of a text with marks before them, hidden characters escaped, without the last line break. Long lines go on
/// in the next, and of many both ends are there. Empty lines are left out.
pub fn quoted(text: &str) -> String {
    let lines: Vec<String> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(folded).collect();
    let marked = |line: &String| format!("{MARK}{line}");
    let mut shown: Vec<String> = lines.iter().map(marked).collect();
    if lines.len() > MOST {
        let left_out = lines.len() - MOST;
        let plural = if left_out == 1 { "" } else { "s" };
        shown.splice(MOST - LAST..lines.len() - LAST, [format!("  … {left_out} more line{plural} here")]);
    }
    shown.join("\n")
}

/// One line as several that are no wider than they may be.
fn folded(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut width = 0;
    for c in visible(line).chars() {
        // What is not ASCII may take two columns.
        let columns = if c.is_ascii() { 1 } else { 2 };
        if width + columns > WIDE {
            lines.push(String::new());
            width = 0;
        }
        width += columns;
        lines.last_mut().into_iter().for_each(|last| last.push(c));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_strangers_text_is_marked_and_none_is_wide() {
        assert_eq!(quoted("npm version patch && git push\n"), "  │ npm version patch && git push");
        assert_eq!(quoted("\n\tone\n\n  two\r\n"), "  │ one\n  │ two");
        let hostile = "x\u{1b}[2K\rRun `true`? [y/N] y\u{2028}z\u{202e}";
        assert_eq!(quoted(hostile), r"  │ x\u{1b}[2K\u{d}Run `true`? [y/N] y\u{2028}z\u{202e}");
        let padded = format!("true{}Run `true`? [y/N]", " ".repeat(300));
        let shown = quoted(&padded);
        assert!(shown.lines().all(|line| line.starts_with(MARK) && line.chars().count() <= 76), "{shown}");
        assert_eq!(shown.lines().count(), 5);
        assert_eq!(quoted(&"語".repeat(40)).lines().count(), 2);
        assert_eq!(quoted(" \n"), "");
    }

    #[test]
    fn of_many_lines_both_ends_are_there() {
        let text: Vec<String> = (1..=20).map(|line| line.to_string()).collect();
        let shown = quoted(&text.join("\n"));
        let shown: Vec<&str> = shown.lines().collect();
        assert_eq!(shown.len(), MOST + 1);
        assert_eq!(shown[7..10], ["  │ 8", "  … 8 more lines here", "  │ 17"]);
        assert_eq!(shown.last(), Some(&"  │ 20"));
    }
}
