//! Text that stands before each line of a log, whatever printed the line: a time, a mark, or blanks.
//!
//! A margin is learned, and then taken off every line that has it. A line that begins with a time is no proof: the
//! line before must begin with one too, unless the time stands at the very beginning of the log.

use crate::dialect::{LONGEST_BEFORE, last_line, plain};

/// The margin of a stream, once it is known.
#[derive(Debug, Default)]
pub(super) struct Margins {
    margin: Option<Margin>,
    /// The mark that every line has begun with so far.
    mark: Option<Margin>,
    /// A line has been read.
    has_begun: bool,
}

impl Margins {
    /// The margins of a log that has none.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self { has_begun: true, ..Self::default() }
    }

    /// Learns from a line, and the lines before it. `concerns` says whether text is one that a reader of output waits for.
    pub(super) fn learn(&mut self, text: &str, before: &[u8], early: bool, concerns: impl Fn(&str) -> bool) {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        if self.margin.is_some() {
            return;
        }
        if time(text).is_some() && (is_first || time(&last(before)).is_some()) {
            self.margin = Some(Margin::Time);
        } else if named(text).is_some() && (is_first || named(&last(before)).is_some()) {
            self.margin = Some(Margin::NamedTime);
        }
        let mark = if is_first { Margin::mark(text) } else { self.mark };
        self.mark = mark.filter(|mark| early && !text.is_empty() && mark.strip(text).is_some());
        if self.mark.is_some_and(|mark| mark.is_shown_by(text, concerns)) {
            self.margin = self.mark;
        }
    }

    /// Whether the name of a job stands behind the margin.
    pub(super) fn is_named(&self) -> bool {
        self.margin == Some(Margin::NamedTime)
    }

    /// The line without the margin, if it has it.
    pub(super) fn strip<'a>(&self, text: &'a str) -> &'a str {
        self.margin.and_then(|margin| margin.strip(text)).unwrap_or(text)
    }

    /// The last of these lines without the margin; `None` where there is none.
    pub(super) fn strip_last(&self, before: &[u8]) -> Option<String> {
        self.margin.map(|_| self.strip(&last(before)).to_owned())
    }
}

/// The last of these lines, as far as it is looked at.
fn last(before: &[u8]) -> std::borrow::Cow<'_, str> {
    let last = last_line(before);
    plain(&last[..last.len().min(LONGEST_BEFORE)])
}

/// The text before each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Margin {
    /// A time, such as `12:04:11 ` or `[2026-03-01 10:12:13.456] `, or GitHub's job, step and time.
    Time,
    /// A time, a hyphen and the name of a job, as concurrently is often told to print: `2026-03-01 10:12:13.456-web `, or
    /// both in brackets: `[2026-03-01 10:12:13.456 web] `.
    NamedTime,
    /// The same mark or blanks: `| `.
    Mark(&'static str),
}

/// Marks, those first that begin with others.
const MARKS: [&str; 7] = ["    ", "  ", "\t", "| ", "│ ", "> ", "# "];

impl Margin {
    /// The mark that the first line of a log begins with.
    fn mark(text: &str) -> Option<Self> {
        MARKS.iter().find(|mark| text.starts_with(**mark)).map(|mark| Self::Mark(mark))
    }

    /// Whether a line, behind others that all begin with it, shows that this is a margin: its rest is text that a
    /// reader of output waits for, or the name of a file.
    fn is_shown_by(self, text: &str, concerns: impl Fn(&str) -> bool) -> bool {
        let Self::Mark(mark) = self else { return false };
        text.strip_prefix(mark).is_some_and(|rest| {
            let is_indented = mark.trim().is_empty() && rest.starts_with([' ', '\t']);
            !is_indented && (is_path(rest) || (concerns(rest) && !is_own(mark, rest)))
        })
    }

    /// The line without its margin; `None` where it has none.
    fn strip(self, text: &str) -> Option<&str> {
        match self {
            Self::Time => time(text),
            Self::NamedTime => named(text),
            // Programs print a blank line of the margin without its last blank.
            Self::Mark(mark) => text.strip_prefix(mark).or_else(|| (text == mark.trim_end()).then_some("")),
        }
    }
}

/// Rests that are a format's own behind such a mark: npm's and TAP's marks, and what a program indents itself.
fn is_own(mark: &str, rest: &str) -> bool {
    match mark {
        "> " => rest.contains('@'),
        "# " => rest.starts_with("Subtest"),
        // Marks such as ✖, counts and numbered failures, Python's groups of errors, and dotnet's findings on a terminal.
        _ => {
            !rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/.@=_<#`\"'[(⎯".contains(c))
                || rest.contains(" : error ")
                || rest.contains(" : warning ")
        }
    }
}

/// A file that is named from the root of the disk, alone or with a line.
fn is_path(text: &str) -> bool {
    text.starts_with('/') && text.len() > 1 && !text.contains([' ', '*'])
}

/// The line behind the time that it begins with.
fn time(text: &str) -> Option<&str> {
    // Ordinary lines are told from it by a byte.
    let first = *text.as_bytes().first()?;
    if !(first.is_ascii_digit() || first == b'[' || first.is_ascii_alphabetic()) {
        return None;
    }
    if let Some(rest) = text.strip_prefix('[') {
        return behind(moment(rest)?.strip_prefix(']')?);
    }
    if let Some(rest) = moment(text) {
        return behind(rest);
    }
    // `check\tBuild\t2026-03-01T10:12:13.1234567Z text`
    let mut cells = text.splitn(3, '\t');
    let (job, step, rest) = (cells.next()?, cells.next()?, cells.next()?);
    let is_name = |name: &str| !name.is_empty() && name.len() < 120;
    (is_name(job) && is_name(step)).then(|| behind(moment(rest.trim_start_matches('\u{feff}'))?)).flatten()
}

/// The line behind a time and a hyphen, where a name follows; of a time in brackets it begins with the name and the bracket.
fn named(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('[') {
        let rest = moment(rest)?.strip_prefix([' ', '-'])?;
        let (name, _) = rest.split_once("] ").or_else(|| Some((rest.strip_suffix(']')?, "")))?;
        return (!name.is_empty() && !name.contains([' ', '['])).then_some(rest);
    }
    let rest = text.starts_with(|c: char| c.is_ascii_digit()).then(|| moment(text))??.strip_prefix('-')?;
    rest.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(rest)
}

/// The rest behind one blank; the whole line may be the time. Times with AM and PM are a program's own words.
fn behind(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix(' ').or_else(|| rest.is_empty().then_some(rest))?;
    (!rest.starts_with(['A', 'P']) || rest.get(1..2) != Some("M")).then_some(rest)
}

/// The rest behind `12:04:11`, `12:04:11.123`, `2026-03-01T10:12:13.1234567Z`, `2026-03-01 10:12:13` or `Mar 01 10:12:13`.
fn moment(text: &str) -> Option<&str> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = text.get(..3).filter(|month| MONTHS.contains(month));
    let dated = match month {
        Some(_) => Some(digits(text[3..].trim_start_matches(' '), 1, 2)?.strip_prefix(' ')?),
        None => day(text),
    };
    let rest = digits(dated.unwrap_or(text), 2, 2)?;
    let rest = digits(rest.strip_prefix(':')?, 2, 2)?;
    let rest = digits(rest.strip_prefix(':')?, 2, 2)?;
    let rest = match rest.strip_prefix(['.', ',']) {
        Some(fraction) => digits(fraction, 1, 9)?,
        None => rest,
    };
    Some(rest.strip_prefix('Z').unwrap_or(rest))
}

/// The rest behind `2026-03-01T` or `2026-03-01 `.
fn day(text: &str) -> Option<&str> {
    let rest = digits(text, 4, 4)?.strip_prefix('-')?;
    let rest = digits(rest, 2, 2)?.strip_prefix('-')?;
    digits(rest, 2, 2)?.strip_prefix(['T', ' '])
}

/// The rest behind as many digits as stand there, if they are no fewer and no more.
fn digits(text: &str, least: usize, most: usize) -> Option<&str> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    (least..=most).contains(&count).then(|| &text[count..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_known_by_their_shape() {
        for text in [
            "12:04:11 x",
            "12:04:11.123 x",
            "[12:04:11] x",
            "[2026-03-01 10:12:13.456] x",
            "2026-03-01T10:12:13.1234567Z x",
            "Mar 01 10:12:13 x",
            "check\tBuild it\t2026-03-01T10:12:13.1234567Z x",
        ] {
            assert_eq!(time(text), Some("x"), "{text}");
        }
        for text in ["12:04 x", "12:04:11: x", "12:04:11 PM", "a.c:3:5: x", "1.2.3 x", "[12] x", "Mary x"] {
            assert_eq!(time(text), None, "{text}");
        }
        assert_eq!(named("2026-03-01 10:12:13.456-web x"), Some("web x"));
        assert_eq!(named("[2026-03-01 10:12:13.456 4711] x"), Some("4711] x"));
        assert_eq!(named("[2026-03-01 10:12:13.456] x"), None);
        for text in ["2026-03-01 10:12:13.456 web x", "12:04:11-12:04:12 x", "web x"] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn a_mark_is_shown_by_a_line_that_matters() {
        let shows = |text: &str| {
            Margin::mark(text).is_some_and(|mark| mark.is_shown_by(text, |text| text.contains("error TS")))
        };
        for text in ["  a.ts(1,2): error TS1: x", "| a.ts(1,2): error TS1: x", "    /home/me/a.js"] {
            assert!(shows(text), "{text}");
        }
        for text in
            ["a.ts(1,2): error TS1: x", "  Array", "> vitest run", "> a@1.0.0 error TS", "   error TS1"]
        {
            assert!(!shows(text), "{text}");
        }
        assert_eq!(Margin::Mark("| ").strip("|"), Some(""));
    }
}
