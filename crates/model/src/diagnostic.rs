//! Problems of the project, read from a run's log: findings, each with its place in a file and in the log.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Location, Severity};

/// The longest message that is kept, in bytes; a longer one is cut and says so.
pub const LONGEST_MESSAGE: usize = 4000;

/// One thing that a tool found, as the tool itself counts things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters, as the tool says.
    pub severity: Severity,
    /// The message: plain text, in as many lines as the tool wrote.
    pub message: String,
    /// The tool's own name for this kind of finding: `TS2322`, `no-undef`.
    pub code: Option<String>,
    /// Its place in a file, as far as the tool names it. Paths inside the project are relative to it.
    pub place: Option<Location>,
    /// Its lines in the log.
    pub log: LogRange,
    /// The reader of this finding: the id of a dialect, or the owner of a problem matcher.
    pub dialect: String,
    /// How many equal findings it stands for, itself included.
    pub times: u64,
}

impl Diagnostic {
    /// A finding without a place or a code.
    pub fn new(severity: Severity, message: impl Into<String>, log: LogRange, dialect: &str) -> Self {
        let (message, place) = (message.into(), None);
        Self { severity, message, code: None, place, log, dialect: dialect.to_owned(), times: 1 }
    }

    /// The same finding, at a place.
    #[must_use]
    pub fn at(self, place: Location) -> Self {
        Self { place: Some(place), ..self }
    }

    /// The same finding, with its code; an empty one is none.
    #[must_use]
    pub fn coded(self, code: &str) -> Self {
        Self { code: Some(code.to_owned()).filter(|code| !code.is_empty()), ..self }
    }

    /// Everything that makes it another finding than others.
    fn identity(&self) -> (Severity, Option<&Location>, Option<&str>, &str) {
        (self.severity, self.place.as_ref(), self.code.as_deref(), &self.message)
    }

    /// The message goes on in a line.
    pub fn extend(&mut self, text: &str, log: LogRange) {
        if self.message.len() < LONGEST_MESSAGE {
            self.message.push('\n');
            self.message.push_str(text);
        }
        self.log = self.log.to(log);
    }
}

/// Whole lines of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct LogRange {
    /// The offset of its first line, in bytes from the log's beginning.
    pub start: u64,
    /// Behind the last line's end, its line feed included.
    pub end: u64,
    /// The first line, counted from 1.
    pub start_line: u64,
    /// The last line.
    pub end_line: u64,
}

impl LogRange {
    /// From the beginning of this one to the end of that one.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        Self { end: last.end.max(self.end), end_line: last.end_line.max(self.end_line), ..self }
    }
}

/// The counts of a test runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TestSummary {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that were not run: skipped, ignored, to do.
    pub skipped: u64,
    /// All of them.
    pub total: u64,
    /// Files, suites or projects that did not build or load, so that their tests are in none of these numbers.
    pub broken: u64,
}

impl TestSummary {
    /// Two runs of tests as one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            passed: self.passed.saturating_add(other.passed),
            failed: self.failed.saturating_add(other.failed),
            skipped: self.skipped.saturating_add(other.skipped),
            total: self.total.saturating_add(other.total),
            broken: self.broken.saturating_add(other.broken),
        }
    }
}

/// The counts of files in a linter's report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LintSummary {
    /// The files that it names; linters that are asked for errors alone name no others.
    pub files: u64,
    /// Those of them with findings.
    pub affected: u64,
    /// Errors in them, as the report counts.
    pub errors: u64,
    /// Warnings in them.
    pub warnings: u64,
    /// The first of the files that the linter changed.
    pub fixed: Vec<String>,
    /// How many it changed.
    pub fixed_total: u64,
}

/// The most changed files that are named.
const MOST_FIXED: usize = 100;

impl LintSummary {
    /// One more file was changed.
    pub fn fixes(&mut self, file: String) {
        self.fixed_total += 1;
        if self.fixed.len() < MOST_FIXED {
            self.fixed.push(file);
        }
    }

    /// Two reports as one.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.fixed.extend(other.fixed);
        self.fixed.truncate(MOST_FIXED);
        Self {
            files: self.files.saturating_add(other.files),
            affected: self.affected.saturating_add(other.affected),
            errors: self.errors.saturating_add(other.errors),
            warnings: self.warnings.saturating_add(other.warnings),
            fixed: self.fixed,
            fixed_total: self.fixed_total.saturating_add(other.fixed_total),
        }
    }
}

/// Everything that was read from a log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// The first of them, in the order of the log; errors have precedence where there are too many.
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors there are, those that are not kept included.
    pub errors: u64,
    /// How many warnings.
    pub warnings: u64,
    /// How many that are neither.
    pub infos: u64,
    /// The counts of all test runners together.
    pub tests: Option<TestSummary>,
    /// The counts of files of all complete linter reports together. The run store keeps none.
    pub lint: Option<LintSummary>,
    /// The last lines of standard error behind the last error read there, with their numbers in the log. No
    /// dialect read them. A program that buffers standard output prints its findings after the error that
    /// ended it.
    pub unread: Vec<(u64, String)>,
    /// How many of the errors say that something failed, and nothing says why.
    pub unexplained: u64,
    /// The tools found more errors than were read: `errors` is the least there are.
    pub incomplete: bool,
}

impl Findings {
    /// How many diagnostics are kept of a log.
    pub const KEPT: usize = 1000;

    /// How many there are, those that are not kept included.
    pub fn total(&self) -> u64 {
        self.errors + self.warnings + self.infos
    }

    /// How many are counted and not kept.
    pub fn not_kept(&self) -> u64 {
        self.total().saturating_sub(occurrences(&self.diagnostics))
    }

    /// Takes the findings of another log, which begins behind so many lines and bytes of this one.
    pub fn follow(&mut self, other: Self, (lines, bytes): (u64, u64)) {
        let moved = other.diagnostics.into_iter().map(|found| {
            let LogRange { start, end, start_line, end_line } = found.log;
            let (start, end) = (start + bytes, end + bytes);
            let log = LogRange { start, end, start_line: start_line + lines, end_line: end_line + lines };
            Diagnostic { log, ..found }
        });
        self.diagnostics.extend(moved);
        self.diagnostics = one_of_equal(std::mem::take(&mut self.diagnostics));
        if self.diagnostics.len() > Self::KEPT {
            self.diagnostics.sort_by_key(|found| found.severity != Severity::Error);
            self.diagnostics.truncate(Self::KEPT);
            self.diagnostics.sort_by_key(|found| found.log.start);
        }
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
        self.unexplained += other.unexplained;
        self.incomplete |= other.incomplete;
        self.tests = match (self.tests, other.tests) {
            (Some(mine), Some(theirs)) => Some(mine.and(theirs)),
            (mine, theirs) => mine.or(theirs),
        };
    }
}

/// How many findings these stand for.
pub fn occurrences(found: &[Diagnostic]) -> u64 {
    found.iter().fold(0, |sum, found| sum.saturating_add(found.times))
}

/// The same findings in their order, of those that are equal the first alone, which stands for all.
pub fn one_of_equal(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut first: HashMap<u64, usize> = HashMap::with_capacity(found.len());
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(found.len());
    for found in found {
        let mut hasher = DefaultHasher::new();
        found.identity().hash(&mut hasher);
        let at = *first.entry(hasher.finish()).or_insert(kept.len());
        match kept.get_mut(at).filter(|first| first.identity() == found.identity()) {
            Some(first) => first.times = first.times.saturating_add(found.times),
            None => kept.push(found),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_findings_of_two_logs_are_one_that_counts_as_all() {
        let found = |message: &str, line| {
            let log = LogRange { start_line: line, end_line: line, ..LogRange::default() };
            Diagnostic::new(Severity::Error, message, log, "shell")
        };
        let of = |diagnostics: Vec<Diagnostic>| Findings {
            errors: occurrences(&diagnostics) + 1,
            diagnostics,
            ..Findings::default()
        };
        let mut findings = of(vec![found("tsc: not found", 1), found("other", 2)]);
        findings.follow(of(vec![Diagnostic { times: 3, ..found("tsc: not found", 1) }]), (10, 100));
        let told: Vec<_> =
            findings.diagnostics.iter().map(|it| (&*it.message, it.log.start_line, it.times)).collect();
        assert_eq!(told, [("tsc: not found", 1, 4), ("other", 2, 1)]);
        assert_eq!((findings.errors, findings.not_kept()), (7, 2));
    }
}
