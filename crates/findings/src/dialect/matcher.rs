//! Problem matchers as dialects: those of the settings, and the formats of `table`, which are data of the same shape.

use std::borrow::Cow;

use regex::bytes::Captures;

use super::{Consequence, Dialect, Line, Next, PendingFindings};
use crate::model::{Diagnostic, Location, LogRange, Matcher, Pattern};

/// The longest text that an expression is tried on, in bytes.
const LONGEST: usize = 4096;
/// The most lines behind a complete finding that belong to it.
const MOST_LINES: usize = 100;

/// Reads one stream by a problem matcher.
#[derive(Debug)]
pub struct Matched {
    matcher: Matcher,
    /// The next pattern to match.
    next: usize,
    /// The parts from the lines before.
    parts: Parts,
    /// Lines since the last one that matched.
    passed: usize,
    /// The complete finding that may go on.
    open: Option<UnfinishedFinding>,
}

#[derive(Debug)]
struct UnfinishedFinding {
    found: Diagnostic,
    /// The earliest of the later patterns that its next line may match.
    next: usize,
    lines: usize,
}

#[derive(Debug, Clone, Default)]
struct Parts {
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    severity: Option<String>,
    code: Option<String>,
    message: Option<String>,
    log: Option<LogRange>,
}

impl Matched {
    /// A reader for this matcher.
    pub fn new(matcher: Matcher) -> Self {
        Self { matcher, next: 0, parts: Parts::default(), passed: 0, open: None }
    }

    /// Begins with the line before, where that is the first of a finding.
    fn look_back(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        if self.next == 0 && self.matcher.patterns.len() > 1 {
            self.takes(&line.with(&line.before()), found);
        }
    }

    /// Whether the line is the one that is due.
    fn takes(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        let Some(pattern) = self.matcher.patterns.get(self.next) else { return false };
        let mut parts = self.parts.clone();
        if !parts.add(pattern, line) {
            return false;
        }
        let repeats = pattern.repeats;
        self.passed = 0;
        self.close(found);
        if self.next + 1 < self.matcher.patterns.len() {
            (self.parts, self.next) = (parts, self.next + 1);
            return true;
        }
        let says_nothing = parts.message.is_none() && self.matcher.defaults.1.is_empty();
        if repeats && self.matcher.between > 0 && says_nothing {
            // A line of the finding that only says where it is.
            self.parts = parts;
            return true;
        }
        parts.log.get_or_insert(line.log);
        self.open = Some(UnfinishedFinding { found: parts.found(&self.matcher), next: 0, lines: 0 });
        if self.matcher.more.is_empty() {
            self.close(found);
        }
        if repeats {
            // The next finding is about the same file, and its place in the log is its own line.
            self.parts.log = None;
        } else {
            (self.parts, self.next) = (Parts::default(), 0);
        }
        true
    }

    /// Whether the line belongs to the complete finding.
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(open) = self.open.as_mut().filter(|open| open.lines < MOST_LINES) else { return false };
        let later = self.matcher.more.iter().enumerate().skip(open.next);
        let Some(at) = later.into_iter().find_map(|(at, pattern)| open.add(pattern, line).then_some(at))
        else {
            return false;
        };
        (open.next, open.lines) = (at, open.lines + 1);
        true
    }

    fn close(&mut self, found: &mut PendingFindings) {
        let Some(UnfinishedFinding { found: failure, .. }) = self.open.take() else { return };
        if self.matcher.is_consequence {
            found.consequences.push(Consequence { failure, since: 0, is_heading: self.matcher.is_heading });
        } else {
            found.diagnostics.push(failure);
        }
    }
}

impl Dialect for Matched {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if self.matcher.is_headed {
            self.look_back(line, found);
        }
        if line.begins() && !self.takes(line, found) && !self.goes_on(line) {
            self.close(found);
            if self.next > 0 {
                self.passed += 1;
                let was = (std::mem::take(&mut self.parts), std::mem::take(&mut self.next));
                // Not the expected line: it may be the first line of another finding.
                if !self.takes(line, found) && self.passed <= self.matcher.between {
                    (self.parts, self.next) = was;
                }
            }
        }
        if self.next > 0 || self.open.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl UnfinishedFinding {
    /// Adds what a line says, if it has this pattern.
    fn add(&mut self, pattern: &Pattern, line: &Line<'_>) -> bool {
        let Some(groups) = pattern.regexp.captures(short(line.text)) else { return false };
        let group = |group: Option<usize>| Some(String::from_utf8_lossy(groups.get(group?)?.as_bytes()));
        let number = |group: Option<Cow<'_, str>>| group?.parse().ok();
        let found = &mut self.found;
        if let Some(message) = group(pattern.message) {
            let message = message.replace('\u{a0}', " ");
            if found.message.is_empty() {
                message.trim().clone_into(&mut found.message);
            } else {
                found.extend(message.trim_end(), line.log);
            }
        } else if let Some(wrapped) = group(pattern.wrapped) {
            if !found.message.is_empty() {
                found.message.push(' ');
            }
            found.message.push_str(wrapped.trim());
        }
        if let (None, Some(code)) = (&found.code, group(pattern.code)) {
            found.code = Some(code.into_owned());
        }
        if let Some(file) = group(pattern.file) {
            let (line, column) = (number(group(pattern.line)), number(group(pattern.column)));
            // A frame of the same file says more.
            let is_better = |place: &Location| place.line.is_none() && place.file == file;
            if found.place.as_ref().is_none_or(is_better) {
                found.place = Some(Location::at(file.into_owned(), line, column));
            }
        }
        if says(&groups) {
            found.log = found.log.to(line.log);
        }
        true
    }
}

/// Whether a line says something: one without a group is passed over.
fn says(groups: &Captures<'_>) -> bool {
    groups.iter().skip(1).any(|group| group.is_some())
}

/// As much of a text as expressions are tried on.
fn short(text: &str) -> &[u8] {
    &text.as_bytes()[..text.floor_char_boundary(LONGEST)]
}

impl Parts {
    fn add(&mut self, pattern: &Pattern, line: &Line<'_>) -> bool {
        let Some(groups) = pattern.regexp.captures(short(line.text)) else { return false };
        let text = |group: Option<usize>| {
            let text = String::from_utf8_lossy(groups.get(group?)?.as_bytes());
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let number = |group: Option<usize>| text(group)?.parse::<usize>().ok();
        // A colon and a blank are of a sentence in which a place stands.
        if text(pattern.file).is_some_and(|file| file.contains(": ")) {
            return false;
        }
        if let Some(place) = text(pattern.location) {
            let mut numbers = place.split([',', '.', ':']).map(|part| part.trim().parse().ok());
            self.line = numbers.next().flatten().or(self.line);
            self.column = numbers.next().flatten().or(self.column);
        }
        self.file = text(pattern.file).or_else(|| self.file.take());
        self.line = number(pattern.line).or(self.line);
        self.column = number(pattern.column).or(self.column);
        self.severity = text(pattern.severity).or_else(|| self.severity.take());
        self.code = text(pattern.code).or_else(|| self.code.take());
        self.message = text(pattern.message).or_else(|| self.message.take());
        if says(&groups) || pattern.message.is_some() {
            self.log = Some(self.log.map_or(line.log, |log| log.to(line.log)));
        }
        true
    }

    fn found(self, matcher: &Matcher) -> Diagnostic {
        let severity =
            self.severity.as_deref().and_then(|word| matcher.severity_of(word)).unwrap_or(matcher.severity);
        let (code, message) = matcher.defaults;
        let message = self.message.map_or_else(|| message.to_owned(), matcher.decode);
        let found = Diagnostic::new(severity, message, self.log.unwrap_or_default(), &matcher.owner);
        let found = found.coded(self.code.as_deref().unwrap_or(code).trim_end_matches(':'));
        match self.file {
            Some(file) => {
                // Linters say 0 where they know no line.
                let line = self.line.filter(|line| *line > 0);
                let column = self.column.filter(|_| line.is_some() || self.line.is_none());
                found.at(Location::at(matcher.file(&(matcher.decode)(file)), line, column))
            }
            None => found,
        }
    }
}
