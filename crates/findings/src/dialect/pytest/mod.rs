//! pytest: the blocks below `=== FAILURES ===` and `=== ERRORS ===`, else the short summary, and its counts.
//!
//! ```text
//! === FAILURES ===
//! ___ test_high ___ a block for each, with --tb=line no more than its reason and place
//! === short test summary info ===
//! FAILED a.py::test_high the same again in the same order, or all that there is
//! === 1 failed in 0.12s ===
//! ```

mod block;
mod explanation;
mod killed;
mod shapes;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use block::PytestBlock;
use killed::Killed;
use shapes::Short;

use super::traceback::{self, Traceback};
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// Versions 6 to 9.
pub(super) const FORMAT: Format = Format {
    id: shapes::ID,
    triggers: &[
        "= test session starts =",
        "= FAILURES =",
        "= ERRORS =",
        "= short test summary info =",
        "= warnings summary",
        "INTERNALERROR> ",
        "ImportError while loading conftest '",
        "ERROR: file or directory not found: ",
        "ERROR: not found: ",
        " passed in ",
        " failed in ",
        " skipped in ",
        " error in ",
        " errors in ",
        " warning in ",
        " warnings in ",
        " xfailed in ",
        " xpassed in ",
        " deselected in ",
        " rerun in ",
        " subtests passed in ",
        "no tests ran in ",
        UNCOVERED,
        killed::TRIGGER,
        SUGAR,
        SUGAR_RULE,
    ],
    programs: &["pytest", "py.test"],
    reader: || Box::<Pytest>::default(),
};

/// pytest-cov's message, which may come although all tests passed.
const UNCOVERED: &str = "FAIL Required test coverage of ";
/// In the first line of a run with pytest-sugar, which reports each failure at once.
const SUGAR: &str = ", pytest-sugar ";
/// The beginning of a rule about the name of one.
const SUGAR_RULE: &str = "――― ";
/// The most failures that wait for the short summary to name them.
const MOST_WAITING: usize = 256;
/// The most lines of one failure in the short summary.
const MOST_OTHER: usize = 1000;

#[derive(Debug, Default)]
struct Pytest {
    section: Section,
    /// Of the section's heading, in characters.
    width: usize,
    block: Option<PytestBlock>,
    /// Findings without a name or a place yet.
    waiting: VecDeque<Waiting>,
    /// Failures and errors, each.
    failures: PytestProgress,
    errors: PytestProgress,
    /// Files that could not be read.
    broken: u64,
    /// Lines since the last one of the short summary: the counts may be missing.
    other: usize,
    /// Failures come between the marks of tests.
    is_sugar: bool,
    internal: Internal,
    killed: Killed,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Section {
    #[default]
    Outside,
    Errors,
    Failures,
    Warnings,
    Short,
    /// Passed tests, durations, and the like.
    Other,
    /// A file of settings that could not be loaded.
    Conftest,
}

/// How far blocks and the short summary came.
#[derive(Debug, Default)]
struct PytestProgress {
    blocks: u64,
    /// The number of findings without a name, since too many waited for one.
    nameless: u64,
    shorts: u64,
}

#[derive(Debug)]
struct Waiting {
    is_error: bool,
    /// Which block it was; `None` where it has no name.
    number: Option<u64>,
    found: Diagnostic,
}

impl Dialect for Pytest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if self.internal.read(line, found) || self.killed.read(line, found) {
            return Next::Line;
        }
        if line.begins() && self.heading(line, found) {
            return self.next();
        }
        let outside = matches!(self.section, Section::Outside | Section::Other);
        if line.begins() && line.text.starts_with(UNCOVERED) && outside {
            let text = line.text.trim_start_matches("FAIL ");
            found.diagnostics.push(Diagnostic::new(Severity::Error, text, line.log, shapes::ID));
            return self.next();
        }
        match self.section {
            Section::Outside => self.usage(line, found),
            Section::Errors | Section::Failures => self.within(line, found),
            Section::Warnings => warning(line, found),
            Section::Short => {
                self.other += 1;
                if let Some(short) = shapes::short(line.text).filter(|_| line.begins()) {
                    self.other = 0;
                    self.short(&short, line, found);
                } else if self.other > MOST_OTHER {
                    self.section = Section::Outside;
                }
            }
            Section::Conftest => self.conftest(line, found),
            Section::Other => {}
        }
        self.next()
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(false, found);
        self.internal.close(found);
        self.killed.close(found);
        self.release(found);
    }
}

impl Pytest {
    fn next(&self) -> Next {
        if matches!(self.section, Section::Outside | Section::Other) { Next::Trigger } else { Next::Line }
    }

    /// A line between sections, or below them all: `=== FAILURES ===`, `=== 1 failed in 0.12s ===`.
    fn heading(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        if let Some(counts) = shapes::counts(line.text) {
            let ruled = shapes::ruled(line.text, '=').is_some();
            let is_own = !ruled || self.fits(line.text);
            let counted = counts != shapes::Counts::default();
            if is_own && (counted || ruled) {
                self.close(true, found);
                self.release(found);
                if counted {
                    found.tests.push(counts.summary(self.broken));
                }
                *self = Self::default();
                return true;
            }
        }
        if line.text.starts_with("Test session starts (platform: ") && line.text.contains(SUGAR) {
            self.close(true, found);
            self.release(found);
            *self = Self { is_sugar: true, ..Self::default() };
            return true;
        }
        if self.is_sugar
            && let Some(title) = shapes::ruled(line.text, '―')
        {
            // The short summary names all of them as failures, also those of fixtures.
            self.close(false, found);
            self.section = Section::Failures;
            self.block = Some(PytestBlock::new(title, line.log));
            return true;
        }
        let Some(title) = shapes::ruled(line.text, '=') else { return false };
        let section = match title {
            "FAILURES" => Section::Failures,
            "ERRORS" => Section::Errors,
            "short test summary info" => Section::Short,
            "warnings summary" | "warnings summary (final)" => Section::Warnings,
            _ => Section::Other,
        };
        // Output of a test is no heading.
        if self.section != Section::Outside && !self.fits(line.text) {
            return false;
        }
        self.close(!self.is_sugar, found);
        if title == "test session starts" {
            self.release(found);
            *self = Self { width: shapes::width(line.text), ..Self::default() };
            return true;
        }
        self.section = section;
        self.width = if self.is_sugar { 0 } else { shapes::width(line.text) };
        true
    }

    /// Whether a heading is as wide as the one before.
    fn fits(&self, text: &str) -> bool {
        self.width == 0 || shapes::width(text).abs_diff(self.width) <= 1 || shapes::width(text) > self.width
    }

    /// A line of a failure.
    fn within(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        if let Some(title) = shapes::title(line.text, self.width).filter(|_| line.begins()) {
            self.close(true, found);
            self.block = Some(PytestBlock::new(title, line.log));
            return;
        }
        let only_reasons = self.section == Section::Failures && self.failures.blocks == 0;
        let Some(block) = &mut self.block else {
            if only_reasons && !line.text.trim().is_empty() {
                let mut block = PytestBlock::new("", line.log);
                let ends = block.ends_with(line);
                block.read(line);
                self.block = Some(block);
                if ends {
                    self.close(true, found);
                }
            }
            return;
        };
        let ends = block.is_nameless() && block.ends_with(line);
        if ends || !block.read(line) {
            self.close(ends, found);
            if !ends {
                self.section = Section::Outside;
            }
        }
    }

    /// The block is over; `whole` where something else begins.
    fn close(&mut self, whole: bool, found: &mut PendingFindings) {
        let Some(block) = self.block.take() else { return };
        if self.section == Section::Conftest {
            found.diagnostics.push(block.finish(false, shapes::ID));
            return;
        }
        let is_error = self.section == Section::Errors;
        let (nameless, broken) = (block.is_nameless(), block.is_broken());
        let finding = block.finish(whole && !nameless, shapes::ID);
        if nameless && finding.place.is_none() {
            return;
        }
        self.broken += u64::from(broken);
        let tally = if is_error { &mut self.errors } else { &mut self.failures };
        let number = (!nameless).then_some(tally.blocks);
        tally.blocks += u64::from(!nameless);
        if number.is_some() && finding.place.is_some() {
            found.diagnostics.push(finding);
            return;
        }
        self.waiting.push_back(Waiting { is_error, number, found: finding });
        if self.waiting.len() > MOST_WAITING
            && let Some(first) = self.waiting.pop_front()
        {
            let tally = if first.is_error { &mut self.errors } else { &mut self.failures };
            tally.nameless += u64::from(first.number.is_none());
            found.diagnostics.push(nameless_as_well(first.found));
        }
    }

    /// Reads a line of the short summary: adds a failure that no block reported.
    fn short(&mut self, short: &Short<'_>, line: &Line<'_>, found: &mut PendingFindings) {
        let tally = if short.is_error { &mut self.errors } else { &mut self.failures };
        // Part of a test has no block of its own there.
        let is_alone = self.is_sugar && line.text.starts_with("SUBFAIL");
        let number = tally.shorts;
        tally.shorts += u64::from(!is_alone);
        let is_reported = !is_alone && number < tally.blocks + tally.nameless;
        let at = self.waiting.iter().position(|waiting| {
            waiting.is_error == short.is_error
                && !is_alone
                && match waiting.number {
                    Some(waits) => waits == number,
                    None => !is_reported && is_reason(&waiting.found.message, short.reason),
                }
        });
        let waited = at.and_then(|at| self.waiting.remove(at)).map(|waiting| waiting.found);
        if is_reported && waited.is_none() {
            return;
        }
        if !is_reported && short.is_error && short.name.is_empty() {
            self.broken += 1;
        }
        // A test may have failed, and its teardown as well.
        let name = match (short.name.as_str(), short.is_error) {
            ("", _) => short.file.to_owned(),
            (name, true) => format!("{name} (error)"),
            (name, false) => name.to_owned(),
        };
        let mut finding = waited.unwrap_or_else(|| {
            let reason = Some(short.reason.trim_end()).filter(|reason| !reason.is_empty());
            let message = reason.map_or_else(String::new, |reason| format!("\n{reason}"));
            Diagnostic::new(Severity::Error, message, line.log, shapes::ID)
        });
        if !is_reported {
            finding.message.insert_str(0, &name);
        }
        finding.place.get_or_insert_with(|| Location::file(short.file));
        found.diagnostics.push(finding);
    }

    /// Releases findings that no short summary names.
    fn release(&mut self, found: &mut PendingFindings) {
        for waiting in std::mem::take(&mut self.waiting) {
            let tally = if waiting.is_error { &self.errors } else { &self.failures };
            if waiting.number.is_some() {
                found.diagnostics.push(waiting.found);
            } else if tally.shorts == 0 {
                found.diagnostics.push(nameless_as_well(waiting.found));
            }
        }
    }

    /// `ERROR: file or directory not found: a.py` and the like, which end the run.
    fn usage(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        if !line.begins() {
            return;
        }
        let text = line.text.trim_end();
        if text.starts_with("ImportError while loading conftest '") && text.ends_with("'.") {
            self.section = Section::Conftest;
            self.block = Some(PytestBlock::new(text, line.log));
        } else if let Some(what) = text.strip_prefix("ERROR: ")
            && ["file or directory not found: ", "not found: "].iter().any(|start| what.starts_with(start))
        {
            found.diagnostics.push(Diagnostic::new(Severity::Error, what, line.log, shapes::ID));
        }
    }

    /// Reads the traceback of a `conftest.py`, up to its reason.
    fn conftest(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let is_reported =
            self.block.as_ref().is_none_or(|block| block.has_reason() && !line.text.starts_with('E'));
        let over = is_reported || line.text.trim().is_empty();
        if over || self.block.as_mut().is_none_or(|block| !block.read(line)) {
            self.close(true, found);
            self.section = Section::Outside;
        }
    }
}

/// A finding that says its reason alone where it has no name.
fn nameless_as_well(found: Diagnostic) -> Diagnostic {
    Diagnostic { message: found.message.trim_start().to_owned(), ..found }
}

/// Whether the short summary may speak of this nameless failure.
fn is_reason(message: &str, reason: &str) -> bool {
    message.trim_start().starts_with(reason.trim_end())
}

/// `  /a.py:57: DeprecationWarning: old`.
fn warning(line: &Line<'_>, found: &mut PendingFindings) {
    let Some(text) = line.text.strip_prefix("  ").filter(|_| line.begins()) else { return };
    let Some((place, rest)) = place::with_colons(text).filter(|_| !text.starts_with(' ')) else { return };
    let category = rest.split_once(": ").map_or(rest, |(category, _)| category);
    if category.ends_with("Warning") && traceback::raised(category).is_some() {
        found.diagnostics.push(Diagnostic::new(Severity::Warning, rest, line.log, shapes::ID).at(place));
    }
}

/// The first line of a traceback.
const HEAD: &str = "Traceback (most recent call last):";
/// The marks of tests that passed, failed and so on, which may stand before the first line.
const PROGRESS: &str = ".FEsxX";

/// Such a traceback while it is read.
#[derive(Debug, Default)]
struct Internal {
    open: Option<(Traceback, LogRange)>,
    /// How far a traceback within the message of another is indented; xdist shows that of a worker so.
    indent: usize,
}

impl Internal {
    /// Reads a line, and says whether it belongs to one.
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        let behind = line.text.trim_start_matches(|c| PROGRESS.contains(c));
        let Some(text) = behind.strip_prefix("INTERNALERROR> ").filter(|_| line.begins()) else {
            self.close(found);
            return false;
        };
        let own = if text.ends_with(HEAD) {
            self.indent = usize::MAX;
            Some(HEAD)
        } else if let Some(nested) = text.strip_prefix("E ") {
            self.nested(nested)
        } else {
            Some(text)
        };
        let (traceback, log) = self.open.get_or_insert_with(|| (Traceback::default(), line.log));
        if let Some(own) = own {
            traceback.read(own);
        }
        *log = log.to(line.log);
        true
    }

    /// A line of a traceback within a message, without its indent; `None` for other lines.
    fn nested<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let blanks = text.len() - text.trim_start_matches(' ').len();
        if text[blanks..].starts_with("File \"") {
            self.indent = blanks.saturating_sub(2);
        }
        text.get(self.indent..).filter(|_| blanks >= self.indent)
    }

    /// Nothing follows.
    fn close(&mut self, found: &mut PendingFindings) {
        let Some((traceback, log)) = self.open.take() else { return };
        let mut finding = Diagnostic::new(Severity::Error, "internal error of pytest", log, shapes::ID);
        finding.extend(traceback.raised().unwrap_or_default(), log);
        finding.place = traceback.place().cloned();
        found.diagnostics.push(finding);
    }
}
