//! Problem matchers as dialects: those of the settings, and the formats of `table`, which are data of the same shape.

use super::{Dialect, Line, Next, PendingFindings};
use crate::model::{Diagnostic, Location, LogRange, Matcher, Pattern};

/// The longest text that an expression is tried on, in bytes.
const LONGEST: usize = 4096;

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
        Self { matcher, next: 0, parts: Parts::default(), passed: 0 }
    }

    /// Begins with the line before, where that is the first of a finding.
    pub(super) fn look_back(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
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
        if self.next + 1 < self.matcher.patterns.len() {
            (self.parts, self.next) = (parts, self.next + 1);
            return true;
        }
        if repeats && self.matcher.between > 0 && parts.message.is_none() {
            // A line of the finding that only says where it is.
            self.parts = parts;
            return true;
        }
        found.diagnostics.push(parts.found(&self.matcher));
        if repeats {
            // The next finding is about the same file, and its place in the log is its own line.
            self.parts.log = None;
        } else {
            (self.parts, self.next) = (Parts::default(), 0);
        }
        true
    }
}

impl Dialect for Matched {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() && !self.takes(line, found) && self.next > 0 {
            self.passed += 1;
            let was = (std::mem::take(&mut self.parts), std::mem::take(&mut self.next));
            // Not the expected line: it may be the first line of another finding.
            if !self.takes(line, found) && self.passed <= self.matcher.between {
                (self.parts, self.next) = was;
            }
        }
        if self.next > 0 { Next::Line } else { Next::Trigger }
    }
}

impl Parts {
    fn add(&mut self, pattern: &Pattern, line: &Line<'_>) -> bool {
        let mut end = line.text.len().min(LONGEST);
        while !line.text.is_char_boundary(end) {
            end -= 1;
        }
        let Some(groups) = pattern.regexp.captures(&line.text[..end]) else { return false };
        let text = |group: Option<usize>| {
            let text = groups.get(group?)?.as_str().trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let number = |group: Option<usize>| text(group)?.parse::<usize>().ok();
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
        self.log = Some(self.log.map_or(line.log, |log| log.to(line.log)));
        true
    }

    fn found(self, matcher: &Matcher) -> Diagnostic {
        let severity =
            self.severity.as_deref().and_then(|word| matcher.severity_of(word)).unwrap_or(matcher.severity);
        let message = self.message.unwrap_or_default();
        let found = Diagnostic::new(severity, message, self.log.unwrap_or_default(), &matcher.owner);
        let found = found.coded(&self.code.unwrap_or_default());
        match self.file {
            Some(file) => {
                // Linters say 0 where they know no line.
                let line = self.line.filter(|line| *line > 0);
                let column = self.column.filter(|_| line.is_some() || self.line.is_none());
                found.at(Location::at(matcher.file(&file), line, column))
            }
            None => found,
        }
    }
}
