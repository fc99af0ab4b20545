//! The reason of a test's failure in few lines: the error, and the different lines of a difference. A note
//! names the lines of the log that are left out.

use std::fmt::Write as _;

use crate::model::counted;

/// The number of first lines that are always kept: the error, and the expected value.
const WHOLE: usize = 12;
/// How many lines above a difference are kept.
const HEAD: usize = 4;
/// The most bytes that are kept.
const MOST: usize = 3000;
/// How many lines, and how many bytes, are held until it is known which of them say something.
const HELD: usize = 1000;
const HELD_BYTES: usize = 64 * 1024;
/// The longest line that is kept as it is, and how much of a longer one is, in bytes.
const LONG: usize = 600;
const BEFORE: usize = 40;
const BEHIND: usize = 200;

/// The mark for lines that are left out in front of, between or behind kept ones.
const LEFT_OUT: &str = "…";

/// A reason while it is read.
#[derive(Debug, Default)]
pub(super) struct Reason {
    held: Vec<StatedReason>,
    bytes: usize,
    left: Left,
}

#[derive(Debug)]
struct StatedReason {
    text: String,
    /// Its line in the log.
    at: u64,
    /// It shows a difference and is always kept.
    kept: bool,
}

impl StatedReason {
    fn sign(&self) -> Option<char> {
        sign(&self.text).filter(|_| !self.kept)
    }
}

/// Lines that are left out.
#[derive(Debug, Default)]
struct Left {
    count: usize,
    first: u64,
    last: u64,
}

impl Left {
    fn out(&mut self, at: u64) {
        self.first = if self.count == 0 { at } else { self.first.min(at) };
        self.count += 1;
        self.last = self.last.max(at);
    }

    /// The lines, in the form of `runs log --lines`.
    fn place(&self) -> String {
        if self.first == self.last {
            format!("log line {}", self.first)
        } else {
            format!("log lines {}..{}", self.first, self.last)
        }
    }
}

impl Reason {
    /// Adds this line of the log.
    pub(super) fn say(&mut self, text: &str, at: u64) {
        self.hold(text, at, false);
    }

    /// Adds a line that shows a difference, though it has no sign.
    pub(super) fn keep(&mut self, text: &str, at: u64) {
        self.hold(text, at, true);
    }

    fn hold(&mut self, text: &str, at: u64, kept: bool) {
        let text = text.trim_end();
        if text.is_empty() {
        } else if self.held.len() < HELD && self.bytes + text.len() <= HELD_BYTES {
            self.bytes += text.len();
            self.held.push(StatedReason { text: text.to_owned(), at, kept });
        } else {
            self.left.out(at);
        }
    }

    /// Before it belongs the class of the error.
    pub(super) fn lead(&mut self, class: &str) {
        if let Some(first) = self.held.first_mut() {
            first.text = format!("{class}: {}", first.text);
        }
    }

    /// Its last line ends before these words.
    pub(super) fn ends_before(&mut self, words: &str) {
        if let Some(last) = self.held.last_mut().filter(|last| last.text.ends_with(words)) {
            last.text.truncate(last.text.len() - words.len());
        }
    }

    /// Whether it has no line.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Its lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.held.iter().map(|said| &*said.text)
    }

    /// Its kept lines, each behind a line feed.
    pub(super) fn render(mut self) -> String {
        let shortened = self.shorten();
        let telling = if self.held.len() > WHOLE { self.telling() } else { vec![Worth::Said; WHOLE] };
        let (mut shown, mut gap) = (String::new(), false);
        for (said, worth) in self.held.iter().zip(telling) {
            let fits = shown.len() + said.text.len() < MOST;
            match worth {
                Worth::Alike => gap = true,
                Worth::Said if fits => {
                    let marked = matches!(&*said.text, "..." | LEFT_OUT);
                    if std::mem::take(&mut gap) && !marked {
                        shown.extend(["\n", LEFT_OUT]);
                    }
                    shown.extend(["\n", &said.text]);
                }
                Worth::Said | Worth::Beyond => self.left.out(said.at),
            }
        }
        if self.left.count > 0 {
            let more = counted(self.left.count as u64, "more line");
            let _ = write!(shown, "\n{LEFT_OUT} {more}, {}", self.left.place());
        } else if let Some(left) = shortened {
            let _ = write!(shown, "\n{LEFT_OUT} whole in {}", left.place());
        }
        shown
    }

    /// Decides for each of many lines whether it is kept.
    fn telling(&mut self) -> Vec<Worth> {
        let has = |wanted: char| self.held.iter().any(|said| said.sign() == Some(wanted));
        // If lists name the differences, one of the two values may have no line of its own.
        let listed = self.held.iter().any(|said| said.kept);
        let is_difference = if listed { has('-') || has('+') } else { has('-') && has('+') };
        self.held.retain(|said| !is_difference || !is_marks(&said.text));
        let signs: Vec<Option<char>> = self.held.iter().map(StatedReason::sign).collect();
        let Some(first) = signs.iter().position(Option::is_some).filter(|_| is_difference) else {
            let room = |(at, said): (usize, &StatedReason)| {
                if at < WHOLE || said.kept { Worth::Said } else { Worth::Beyond }
            };
            return self.held.iter().enumerate().map(room).collect();
        };
        let is_changed = |at: usize| signs.get(at).is_some_and(Option::is_some);
        // One line on either side, and one that alone stands between two of those.
        let is_near = |at: usize| is_changed(at) || is_changed(at + 1) || (at > 0 && is_changed(at - 1));
        let worth = |(at, said): (usize, &StatedReason)| {
            let head = at < first && (first <= HEAD || at + 1 < HEAD);
            let near = is_near(at) || (at > 0 && is_near(at - 1) && is_near(at + 1));
            if said.kept || head || near { Worth::Said } else { Worth::Alike }
        };
        self.held.iter().enumerate().map(worth).collect()
    }

    /// Shortens long lines. Of two that are compared, the different part is kept, of others the beginning.
    /// Returns the lines that are no longer whole.
    fn shorten(&mut self) -> Option<Left> {
        let bodies: Vec<Option<usize>> =
            self.held.iter().map(|said| Some(body(&said.text)).filter(|_| said.text.len() > LONG)).collect();
        let mut left = Left::default();
        let texts: Vec<Option<String>> = (0..bodies.len())
            .map(|at| {
                let from = (*bodies.get(at)?)?;
                let text = &self.held.get(at)?.text;
                let compared = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().find_map(|other| {
                    let begins = bodies.get(other).copied().flatten()?;
                    Some(alike(text.get(from..)?, self.held.get(other)?.text.get(begins..)?))
                });
                left.out(self.held.get(at)?.at);
                Some(around(text, from, compared.unwrap_or_default()))
            })
            .collect();
        for (said, text) in self.held.iter_mut().zip(texts) {
            said.text = text.unwrap_or_else(|| std::mem::take(&mut said.text));
        }
        Some(left).filter(|left| left.count > 0)
    }
}

/// The decision about a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worth {
    Said,
    /// The same in the expected and the actual value.
    Alike,
    /// There is no room for it.
    Beyond,
}

/// Whether a line of a difference is in one of both alone.
fn sign(text: &str) -> Option<char> {
    let text = text.trim_start();
    let sign = text.chars().next().filter(|sign| matches!(sign, '-' | '+'))?;
    (!text[1..].starts_with(['-', '+'])).then_some(sign)
}

/// Python's `?      ^` below the differences within a line.
fn is_marks(text: &str) -> bool {
    text.trim_start().strip_prefix('?').is_some_and(|rest| rest.chars().all(|c| " ^+-".contains(c)))
}

/// The offset of the compared value in a line: behind its sign, or behind `Expected: `.
fn body(text: &str) -> usize {
    let signed = text.len() - text.trim_start_matches([' ', '-', '+']).len();
    ["Expected: ", "Received: "]
        .iter()
        .find(|word| text.starts_with(**word))
        .map_or(signed, |word| word.len())
}

/// How many bytes two texts begin with alike.
fn alike(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// The beginning of a line, and the text around this byte of its body.
fn around(text: &str, body: usize, at: usize) -> String {
    let from = text.floor_char_boundary(body + at.saturating_sub(BEFORE));
    let to = text.floor_char_boundary(body + at + BEHIND);
    let start = if from > body + BEFORE { from } else { body };
    let dots = |left_out: bool| if left_out { LEFT_OUT } else { "" };
    let (before, behind) = (dots(start > body), dots(to < text.len()));
    [&text[..body], before, &text[start..to], behind].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
        let mut reason = Reason::default();
        for (line, at) in lines.into_iter().zip(10..) {
            reason.say(line, at);
        }
        reason.render()
    }

    #[test]
    fn all_that_is_different_is_kept() {
        let same: Vec<String> = (0..40).map(|n| format!("    \"same{n}\": {n},")).collect();
        let same: Vec<&str> = same.iter().map(String::as_str).collect();
        let mut log = vec!["Error: not equal", "- Expected", "+ Received", "  {"];
        log.extend(&same[..10]);
        log.extend(["-   \"currency\": \"GBP\",", "+   \"currency\": \"EUR\","]);
        log.extend(&same[10..39]);
        log.extend(["-   \"total\": 99,", "+   \"total\": 100,", "  }"]);
        let expected = "\nError: not equal\n- Expected\n+ Received\n  {\n…\n    \"same9\": 9,\n\
                        -   \"currency\": \"GBP\",\n+   \"currency\": \"EUR\",\n    \"same10\": 10,\n…\n    \"same38\": 38,\n\
                        -   \"total\": 99,\n+   \"total\": 100,\n  }";
        assert_eq!(render(log), expected);
    }

    #[test]
    fn left_out_lines_are_counted_and_located() {
        let dump: Vec<String> = (0..30).map(|n| format!("<p>{n}</p>")).collect();
        let text = render(dump.iter().map(String::as_str));
        assert!(text.ends_with("<p>11</p>\n… 18 more lines, log lines 22..39"), "{text}");
        let changed: Vec<String> =
            (0..4000).map(|n| format!("{} {n}", if n % 2 == 0 { '-' } else { '+' })).collect();
        let text = render(changed.iter().map(String::as_str));
        assert!(text.len() < MOST + 60 && text.ends_with(" more lines, log lines 528..4009"), "{text}");
        assert_eq!(render(["one", "", "two"]), "\none\ntwo");
    }

    #[test]
    fn long_lines_are_kept_where_they_differ() {
        let same = "x".repeat(5000);
        let text = render([
            "AssertionError: no",
            &format!("Expected: \"{same}a{same}\""),
            &format!("Received: \"{same}é{same}\""),
        ]);
        let (before, behind) = ("x".repeat(BEFORE), "x".repeat(BEHIND - 1));
        assert_eq!(
            text,
            format!(
                "\nAssertionError: no\nExpected: …{before}a{behind}…\nReceived: …{before}é{}…\n… whole in log lines 11..12",
                &behind[1..]
            )
        );
        let text = render([&*same]);
        assert_eq!(text, format!("\n{}…\n… whole in log line 10", "x".repeat(BEHIND)));
    }
}
