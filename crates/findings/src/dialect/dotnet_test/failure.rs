//! One failed .NET test, as printed by `VSTest`, `MSBuild`'s terminal logger, or Microsoft's testing
//! platform.

use crate::dialect::{Line, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// The most lines about one test.
const LONGEST: usize = 5000;
/// The most lines of a message that no stack follows.
const LONGEST_MESSAGE: usize = 300;
/// The longest line of a reason, in characters.
const WIDEST: usize = 500;

/// A failed test while its lines are read.
#[derive(Debug)]
pub(super) struct DotnetFailure {
    name: String,
    teller: Teller,
    part: DotnetPart,
    /// The first line of the message, the expected value, and the actual one.
    reason: Vec<String>,
    place: Option<Location>,
    /// A frame was in a file of the user's own.
    framed: bool,
    log: LogRange,
    lines: usize,
}

/// The program that prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Teller {
    /// `  Failed Name [12 ms]`; whether that was believed yet, without a time behind it.
    Console { sure: bool },
    /// `a.cs(18): error TESTERROR:`, all below further in than this.
    Logger { indent: usize },
    /// `failed Name (12ms)`; whether that was believed yet.
    Platform { sure: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DotnetPart {
    Head,
    Message,
    Stack,
    /// The output of the test.
    Output,
}

impl DotnetFailure {
    /// The line that begins one.
    pub(super) fn head(line: &Line<'_>, text: &str) -> Option<Self> {
        let found = console(text).or_else(|| platform(text)).map(|(name, teller)| (name, teller, None, ""));
        let (name, teller, place, rest) = found.or_else(|| logger(text))?;
        let part =
            if matches!(teller, Teller::Platform { .. }) { DotnetPart::Message } else { DotnetPart::Head };
        let (framed, reason) = (false, Vec::new());
        let name = name.chars().take(WIDEST).collect();
        let mut failure = Self { name, teller, part, reason, place, framed, log: line.log, lines: 0 };
        failure.named(rest);
        Some(failure)
    }

    /// Reads a line, and says whether it belongs to the test.
    pub(super) fn read(&mut self, line: &Line<'_>, text: &str) -> bool {
        self.lines += 1;
        let indent = text.len() - text.trim_start().len();
        let own = text.trim();
        let belongs = match self.teller {
            Teller::Console { .. } if self.part == DotnetPart::Stack => !own.is_empty(),
            Teller::Console { .. } => self.lines < LONGEST_MESSAGE,
            Teller::Logger { indent: least } => indent > least,
            Teller::Platform { .. } => indent >= 2 || own.is_empty(),
        };
        if !belongs || self.lines > LONGEST {
            return false;
        }
        let banner = self.banner(own);
        match &mut self.teller {
            Teller::Console { sure } => {
                *sure |= banner;
                if !banner && self.part == DotnetPart::Head {
                    return false;
                }
            }
            Teller::Platform { sure } => *sure |= own.starts_with("at ") || own.starts_with("from "),
            Teller::Logger { .. } => {}
        }
        if !banner {
            self.tell(own);
        }
        if self.part != DotnetPart::Output && !own.is_empty() {
            self.log = self.log.to(line.log);
        }
        true
    }

    /// Whether the test is one at all.
    pub(super) fn is_sure(&self) -> bool {
        match self.teller {
            Teller::Console { sure } | Teller::Platform { sure } => sure,
            Teller::Logger { .. } => !self.name.is_empty(),
        }
    }

    pub(super) fn finish(self, dialect: &str) -> Diagnostic {
        let mut found = Diagnostic::new(Severity::Error, self.name, self.log, dialect);
        for line in &self.reason {
            found.extend(line, self.log);
        }
        Diagnostic { place: self.place, ..found }
    }

    /// `Error Message:`, `Stack Trace:` and the text behind them.
    fn banner(&mut self, own: &str) -> bool {
        self.part = match own {
            "Error Message:" => DotnetPart::Message,
            "Stack Trace:" => DotnetPart::Stack,
            "Standard Output Messages:"
            | "Standard Error Messages:"
            | "Debug Traces Messages:"
            | "Additional Information Messages:"
            | "Standard output"
            | "Error output" => DotnetPart::Output,
            _ => return false,
        };
        true
    }

    fn tell(&mut self, own: &str) {
        if self.name.is_empty() {
            return self.named(own);
        }
        if let Some(message) = own.strip_prefix("Error Message: ").filter(|_| self.part == DotnetPart::Head) {
            self.part = DotnetPart::Message;
            return self.tell(message);
        }
        if let Some(frame) = frame(own) {
            if !self.framed && self.part != DotnetPart::Output {
                (self.place, self.framed) = (Some(frame), true);
            }
        } else if self.part == DotnetPart::Message && !own.is_empty() && !own.starts_with("at ") {
            let first = self.reason.is_empty() && !own.starts_with("from ");
            let compared = ["Expected:", "Actual:", "But was:"].iter().find(|word| own.starts_with(**word));
            let new = compared.is_some_and(|word| !self.reason.iter().any(|known| known.starts_with(word)));
            if first || (new && !self.reason.is_empty()) {
                self.reason.push(own.chars().take(WIDEST).collect());
            }
        }
    }

    /// `Name (8ms): Error Message: …`: the text behind the place of the terminal logger.
    fn named(&mut self, own: &str) {
        let named = own.match_indices(" (").find_map(|(open, between)| {
            let time = &own[open + between.len()..];
            let end = time.find(|c: char| !(c.is_ascii_digit() || " .<dhms".contains(c)))?;
            let rest = time[end..].strip_prefix("):").filter(|_| is_time(&time[..end]))?;
            Some((&own[..open], rest.trim_start()))
        });
        if let Some((name, rest)) = named {
            name.clone_into(&mut self.name);
            self.tell(rest);
        }
    }
}

/// `  Failed Name [12 ms]`, of old `Failed   Name`.
fn console(text: &str) -> Option<(&str, Teller)> {
    let name = text.strip_prefix("  Failed ").or_else(|| text.strip_prefix("Failed   "))?;
    let timed =
        name.strip_suffix(']').and_then(|name| name.rsplit_once(" [")).filter(|(_, time)| is_time(time));
    let (name, sure) = timed.map_or((name, false), |(name, _)| (name, true));
    let name = name.trim();
    (!name.is_empty()).then_some((name, Teller::Console { sure }))
}

/// `failed Name (12ms)`.
fn platform(text: &str) -> Option<(&str, Teller)> {
    let (name, time) = text.strip_prefix("failed ")?.strip_suffix(')')?.rsplit_once(" (")?;
    (is_time(time) && !name.contains(" error(s)") && !name.is_empty())
        .then_some((name, Teller::Platform { sure: false }))
}

/// `  a.cs(18): error TESTERROR: …`.
fn logger(text: &str) -> Option<(&str, Teller, Option<Location>, &str)> {
    let (before, rest) = text.split_once(" error TESTERROR:")?;
    let indent = text.len() - text.trim_start().len();
    let place = place::in_parentheses(text.trim_start()).map(|(place, _)| place);
    let rest = rest.trim();
    let rest = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")).map_or(rest, |(rest, _)| rest);
    before.ends_with(':').then_some(("", Teller::Logger { indent }, place, rest))
}

/// `12 ms`, `< 1 ms`, `1 m 4 s`, `1s 023ms`.
fn is_time(text: &str) -> bool {
    let text = text.strip_prefix("< ").unwrap_or(text);
    let mut units = 0;
    for part in text.split(' ') {
        let unit = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if !matches!(unit, "" | "ms" | "s" | "m" | "h" | "d") {
            return false;
        }
        units += usize::from(!unit.is_empty());
    }
    units > 0 && text.starts_with(|c: char| c.is_ascii_digit())
}

/// `at A.B() in /x/y.cs:line 12`, in the user's own code.
pub(in super::super) fn frame(own: &str) -> Option<Location> {
    let (_, at) = own.strip_prefix("at ")?.split_once(") in ")?;
    let (file, line) = at.rsplit_once(":line ").or_else(|| at.rsplit_once(':'))?;
    let (line, _) = place::number(line).filter(|(_, rest)| rest.is_empty())?;
    // The build paths of packages do not exist on this machine.
    let file = place::file(file).filter(|file| !file.starts_with("/_/"))?;
    Some(Location::line(file, line))
}
