//! A project's own text where cuff asks about it: each line is marked, so that none passes for a word of cuff's.

use super::visible::visible;

/// What each line begins with, and what the rest of one that is too wide.
const MARK: &str = "  │ ";
const GOES_ON: &str = "  ┆ ";
/// How wide a line is, in columns without the mark: a narrow terminal must not wrap it to where no mark is.
const WIDE: usize = 72;
/// The most lines that are shown of one text wherever they stand, and how many of them are its last.
const MOST: usize = 12;
const LAST: usize = 4;
/// The most lines between them that are shown for a word in them.
const MOST_TELLING: usize = 24;
/// Words of commands that a person must see in a long text, wherever they stand.
const TELLING: [&str; 20] = [
    "push", "publish", "deploy", "release", "upload", "destroy", "delete", "drop", "reset", "purge", "prune",
    "apply", "rm", "rimraf", "dd", "sudo", "ssh", "curl", "wget", "eval",
];
/// More blanks than these beside each other are not shown.
const BLANKS: &str = "        ";

/// The lines of a text with marks before them, hidden characters escaped, without the last line break. Long lines go on
/// in the next. Of many lines it has both ends, and those between with a [telling](TELLING) word. Empty lines are left out.
pub fn quoted(text: &str) -> String {
    let lines = lines(text);
    let (first, last) = (MOST - LAST, lines.len().saturating_sub(LAST));
    let mut telling = 0;
    let mut shown: Vec<String> = Vec::new();
    let mut left_out = 0;
    for (at, (line, is_telling)) in lines.iter().enumerate() {
        let is_end = lines.len() <= MOST || at < first || at >= last;
        telling += usize::from(*is_telling && !is_end);
        if is_end || *is_telling && telling <= MOST_TELLING {
            shown.extend(gap(std::mem::take(&mut left_out)));
            shown.push(line.clone());
        } else {
            left_out += 1;
        }
    }
    shown.join("\n")
}

/// The same with every line.
pub fn quoted_whole(text: &str) -> String {
    lines(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

fn gap(left_out: usize) -> Option<String> {
    let plural = if left_out == 1 { "" } else { "s" };
    (left_out > 0).then(|| format!("  … {left_out} more line{plural} here"))
}

/// The lines that are shown, marked, and whether each is part of a command with a telling word.
fn lines(text: &str) -> Vec<(String, bool)> {
    let mut lines = Vec::new();
    // A command that goes on in the next line is judged whole.
    let mut command: Vec<&str> = Vec::new();
    let mut rest = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    while let Some(line) = rest.next() {
        command.push(line);
        if line.ends_with('\\') && rest.peek().is_some() {
            continue;
        }
        let is_telling = is_telling(&command);
        lines.extend(command.drain(..).flat_map(folded).map(|line| (line, is_telling)));
    }
    lines
}

fn is_telling(command: &[&str]) -> bool {
    let words = command.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
    words.into_iter().any(|word| TELLING.iter().any(|telling| word.eq_ignore_ascii_case(telling)))
}

/// One line, marked, as several that are no wider than they may be, broken between words where that can be.
fn folded(line: &str) -> Vec<String> {
    let mut lines = vec![MARK.to_owned()];
    let (mut width, mut blanks) = (0, 0);
    for c in visible(line).chars() {
        blanks = if c == ' ' { blanks + 1 } else { 0 };
        if blanks > BLANKS.len() {
            continue;
        }
        let columns = columns_of(c);
        if width + columns > WIDE {
            let rest = lines.last_mut().map(last_word).unwrap_or_default();
            width = rest.chars().map(columns_of).sum();
            lines.push(format!("{GOES_ON}{rest}"));
        }
        width += columns;
        lines.last_mut().into_iter().for_each(|last| last.push(c));
    }
    lines
}

/// What is not ASCII may take two columns.
fn columns_of(c: char) -> usize {
    if c.is_ascii() { 1 } else { 2 }
}

/// Takes the beginning of a word off a line's end, where that leaves at least half of it.
fn last_word(line: &mut String) -> String {
    let blank = line.rfind(' ').filter(|blank| *blank > WIDE / 2);
    blank.map(|blank| line.split_off(blank + 1)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_goes_on_under_another_mark_and_between_words() {
        let long = format!("rm -rf {} && rm -rf /tmp/x/y", "dist/".repeat(10));
        assert_eq!(quoted(&long), format!("  │ rm -rf {} && rm -rf\u{20}\n  ┆ /tmp/x/y", "dist/".repeat(10)));
        let word = "x".repeat(100);
        assert_eq!(quoted(&word), format!("  │ {}\n  ┆ {}", "x".repeat(72), "x".repeat(28)));
    }

    #[test]
    fn every_line_of_a_strangers_text_is_marked_and_none_is_wide() {
        assert_eq!(quoted("npm version patch && git push\n"), "  │ npm version patch && git push");
        assert_eq!(quoted("\n\tone\n\n  two\r\n"), "  │ one\n  │ two");
        let hostile = "x\u{1b}[2K\rRun `true`? [y/N] y\u{2028}z\u{202e}";
        assert_eq!(quoted(hostile), r"  │ x\u{1b}[2K\u{d}Run `true`? [y/N] y\u{2028}z\u{202e}");
        let padded = format!("true{}Run `true`? [y/N]", " ".repeat(300));
        assert_eq!(quoted(&padded), format!("{MARK}true{BLANKS}Run `true`? [y/N]"));
        let shown = quoted(&"-".repeat(300));
        assert!(
            shown
                .lines()
                .all(|line| (line.starts_with(MARK) || line.starts_with(GOES_ON))
                    && line.chars().count() <= 76),
            "{shown}"
        );
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
        assert_eq!(quoted_whole(&text.join("\n")).lines().count(), 20);
    }

    /// Nothing can be put where it is left out and yet runs.
    #[test]
    fn what_nothing_takes_back_is_never_among_the_lines_left_out() {
        let text = format!("{}git \\\n  push\n{}", "echo\n".repeat(10), "echo\n".repeat(9));
        let shown = quoted(&text);
        let shown: Vec<&str> = shown.lines().skip(8).collect();
        assert_eq!(shown[0], "  … 2 more lines here");
        assert_eq!(shown[1..3], [r"  │ git \", "  │ push"]);
        assert_eq!(shown[3], "  … 5 more lines here");
        assert_eq!(shown.len(), 8);
        let many = quoted(&"git push\n".repeat(10_000));
        assert_eq!(many.lines().count(), MOST + MOST_TELLING + 1);
    }
}
