//! A project's own text where cuff asks about it: each line is marked, so that none passes for a word of cuff's.

use super::risky_lines::is_telling;
use super::visible::visible;

/// The marks of a line and of the continuation of a line that is too wide.
const MARK: &str = "  │ ";
const GOES_ON: &str = "  ┆ ";
/// How wide a line is, in columns without the mark: a narrow terminal must not wrap it to where no mark is.
const WIDE: usize = 72;
/// The most lines that are shown of one text wherever they stand, and how many of them are its last.
const MOST: usize = 12;
const LAST: usize = 4;
/// How many telling lines between them are shown as well.
const MOST_TELLING: usize = 40;
/// The longest run of blanks that is shown.
const BLANKS: &str = "        ";

/// A text as a question shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// The lines with marks before them, without the last line break.
    pub text: String,
    /// How many lines there are.
    lines: usize,
    /// How many of them are not in `text`.
    hidden: usize,
    /// How many of those are telling.
    hidden_telling: usize,
}

impl Quoted {
    /// The note that lines are hidden, with the command that shows them; `None` if none is.
    pub fn notice(&self, command: &str) -> Option<String> {
        let Self { lines, hidden, hidden_telling, .. } = self;
        let telling = match hidden_telling {
            0 => String::new(),
            some => format!(", {some} of them with words such as rm, push or publish"),
        };
        (*hidden > 0)
            .then(|| format!("  NOT SHOWN: {hidden} of its {lines} lines{telling}. `{command}` shows all."))
    }
}

/// The lines of a text with marks before them, hidden characters escaped. Long lines go on in the next. Of many lines
/// there are both ends and the telling ones between. Empty lines are left out.
pub fn quoted(text: &str) -> Quoted {
    let lines = lines(text);
    let (first, last) = (MOST - LAST, lines.len().saturating_sub(LAST));
    let (mut telling, mut hidden, mut hidden_telling) = (0, 0, 0);
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
            hidden += 1;
            hidden_telling += usize::from(*is_telling);
        }
    }
    Quoted { text: shown.join("\n"), lines: lines.len(), hidden, hidden_telling }
}

/// The same with every line.
pub fn quoted_whole(text: &str) -> String {
    lines(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

fn gap(left_out: usize) -> Option<String> {
    let plural = if left_out == 1 { "" } else { "s" };
    (left_out > 0).then(|| format!("  … {left_out} more line{plural} here"))
}

/// The lines that are shown, marked, and which are part of a telling command.
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
        let is_telling = command.iter().any(|line| is_telling(line));
        lines.extend(command.drain(..).flat_map(folded).map(|line| (line, is_telling)));
    }
    lines
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

/// A character that is not ASCII may take two columns.
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
    fn a_wide_line_continues_under_another_mark_and_breaks_between_words() {
        let long = format!("rm -rf {} && rm -rf /tmp/x/y", "dist/".repeat(10));
        assert_eq!(
            quoted(&long).text,
            format!("  │ rm -rf {} && rm -rf\u{20}\n  ┆ /tmp/x/y", "dist/".repeat(10))
        );
        let word = "x".repeat(100);
        assert_eq!(quoted(&word).text, format!("  │ {}\n  ┆ {}", "x".repeat(72), "x".repeat(28)));
    }

    #[test]
    fn every_line_of_a_strangers_text_is_marked_and_none_is_wide() {
        assert_eq!(quoted("npm version patch && git push\n").text, "  │ npm version patch && git push");
        assert_eq!(quoted("\n\tone\n\n  two\r\n").text, "  │ one\n  │ two");
        let hostile = "x\u{1b}[2K\rRun `true`? [y/N] y\u{2028}z\u{202e}";
        assert_eq!(quoted(hostile).text, r"  │ x\u{1b}[2K\u{d}Run `true`? [y/N] y\u{2028}z\u{202e}");
        let padded = format!("true{}Run `true`? [y/N]", " ".repeat(300));
        assert_eq!(quoted(&padded).text, format!("{MARK}true{BLANKS}Run `true`? [y/N]"));
        let shown = quoted(&"-".repeat(300)).text;
        assert!(
            shown
                .lines()
                .all(|line| (line.starts_with(MARK) || line.starts_with(GOES_ON))
                    && line.chars().count() <= 76),
            "{shown}"
        );
        assert_eq!(shown.lines().count(), 5);
        assert_eq!(quoted(&"語".repeat(40)).text.lines().count(), 2);
        assert_eq!(quoted(" \n").text, "");
    }

    #[test]
    fn of_many_lines_both_ends_are_there() {
        let text: Vec<String> = (1..=20).map(|line| line.to_string()).collect();
        let shown = quoted(&text.join("\n")).text;
        let shown: Vec<&str> = shown.lines().collect();
        assert_eq!(shown.len(), MOST + 1);
        assert_eq!(shown[7..10], ["  │ 8", "  … 8 more lines here", "  │ 17"]);
        assert_eq!(shown.last(), Some(&"  │ 20"));
        assert_eq!(quoted_whole(&text.join("\n")).lines().count(), 20);
    }

    /// Nothing can be put where it is left out and yet runs.
    #[test]
    fn a_telling_line_is_never_among_the_lines_left_out() {
        let text = format!("{}git \\\n  push\n{}", "echo\n".repeat(10), "echo\n".repeat(9));
        let shown = quoted(&text).text;
        let shown: Vec<&str> = shown.lines().skip(8).collect();
        assert_eq!(shown[0], "  … 2 more lines here");
        assert_eq!(shown[1..3], [r"  │ git \", "  │ push"]);
        assert_eq!(shown[3], "  … 5 more lines here");
        assert_eq!(shown.len(), 8);
        let many = quoted(&"git push\n".repeat(10_000));
        assert_eq!(many.text.lines().count(), MOST + MOST_TELLING + 1);
        assert_eq!(
            many.notice("cuff why x").unwrap(),
            "  NOT SHOWN: 9948 of its 10000 lines, 9948 of them with words such as rm, push or publish. `cuff why x` \
             shows all."
        );
        assert_eq!(quoted("git push").notice("cuff why x"), None);
    }
}
