//! Rust's own test runner, which `cargo test` calls for each binary: the blocks below `failures:`, and `test result:`.

mod block;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::draft::Draft;
use super::panic::Panic;
use super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity, TestSummary};

pub(super) use block::TestOutput;

/// The runner of Rust 1.30 and later, and cargo's messages about failed binaries.
pub(super) const FORMAT: Format = Format {
    id: "cargo_test",
    triggers: &[
        "running ",
        "FAILED",
        "failures:",
        "test result: ",
        " stdout ----",
        "test failed, to rerun pass ",
        " panicked at ",
    ],
    programs: &["cargo"],
    reader: || Box::<CargoTest>::default(),
};

/// How many tests are remembered by name.
const MOST_NAMES: usize = 10_000;

#[derive(Debug, Default)]
struct CargoTest {
    /// How many tests were announced and have not been summed up.
    running: Option<u64>,
    /// The tests that are listed as failed.
    failed: HashSet<u64>,
    /// Those whose output was shown.
    shown: HashSet<u64>,
    part: OutputPart,
    draft: Draft,
    block: TestOutput,
    uncaptured: Uncaptured,
    /// cargo's message about a failed binary, and the number of lines since then.
    binary: Option<(Diagnostic, usize)>,
}

/// A part of a test binary's output.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum OutputPart {
    /// Before the failures.
    #[default]
    Tests,
    /// Below the first `failures:`: the output of each.
    Failures,
    /// Below the second: their names.
    Names,
}

impl Dialect for CargoTest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.cargo(line, found);
            match self.part {
                OutputPart::Tests => self.test(line),
                OutputPart::Failures => self.failure(line, found),
                OutputPart::Names => self.name(line, found),
            }
            self.result(line.text, found);
        }
        let is_open = self.draft.open().is_some() || self.uncaptured.is_open();
        let listens = is_open || self.part == OutputPart::Names || self.binary.is_some();
        if listens { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
        self.close_binary(found);
    }
}

impl CargoTest {
    /// A line before the failures.
    fn test(&mut self, line: &Line<'_>) {
        let text = line.text;
        if self.running.is_some() {
            self.uncaptured.read(line, FORMAT.id);
        }
        if let Some(count) = announced(text) {
            self.running = Some(count);
            self.failed.clear();
            self.shown.clear();
            self.uncaptured = Uncaptured::default();
        } else if text == "failures:" && self.running.is_some() {
            self.part = OutputPart::Failures;
        } else if let Some(name) = failed(text)
            && self.failed.len() < MOST_NAMES
        {
            self.failed.insert(key(name));
        }
    }

    /// A line below the first `failures:`.
    fn failure(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let name = line.text.strip_prefix("---- ").and_then(|text| text.strip_suffix(" stdout ----"));
        if let Some(name) = name.filter(|name| self.failed.is_empty() || self.failed.contains(&key(name))) {
            let next = Diagnostic::new(Severity::Error, name, line.log, FORMAT.id);
            let documented = place_of(name);
            self.block = TestOutput::new(name, documented.is_some());
            let place = documented.or_else(|| self.uncaptured.take(name)?.place);
            self.draft.begin(Diagnostic { place, ..next }, found);
            if self.shown.len() < MOST_NAMES {
                self.shown.insert(key(name));
            }
        } else if line.text == "failures:" {
            self.draft.close(found);
            self.part = OutputPart::Names;
        } else if self.block.is_too_long() {
            self.draft.close(found);
        } else if let Some(open) = self.draft.open() {
            self.block.read(line, open);
        }
    }

    /// A line below the second `failures:`.
    fn name(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        if let Some(name) = line.text.strip_prefix("    ") {
            if self.shown.len() < MOST_NAMES && self.shown.insert(key(name)) {
                let next = Diagnostic::new(Severity::Error, name, line.log, FORMAT.id);
                let alone = Diagnostic { place: place_of(name), ..next };
                found.diagnostics.push(self.uncaptured.take(name).unwrap_or(alone));
            }
        } else if !line.text.is_empty() {
            self.part = OutputPart::Tests;
            self.test(line);
        }
    }

    /// The sums. They count only if they match the announced number: tests print such lines, too.
    fn result(&mut self, text: &str, found: &mut PendingFindings) {
        let Some(sums) = sums(text).filter(|sums| self.running == Some(sums.total)) else { return };
        self.draft.close(found);
        self.part = OutputPart::Tests;
        self.running = None;
        found.tests.push(sums);
    }

    /// Reads cargo's message about a binary whose tests failed, or that ended before its summary.
    fn cargo(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        if let Some((failure, lines)) = &mut self.binary {
            *lines += 1;
            if let Some(how) = line.text.strip_prefix("  process didn't exit successfully: ") {
                failure.extend(how, line.log);
                found.tests.push(TestSummary { broken: 1, ..TestSummary::default() });
                found.diagnostics.extend(self.binary.take().map(|(failure, _)| failure));
            } else if *lines > 2 || !matches!(line.text, "" | "Caused by:") {
                self.close_binary(found);
            }
        }
        if let Some(text) = line.text.strip_prefix("error: ")
            && (text.starts_with("test failed, to rerun pass ")
                || text.starts_with("doctest failed, to rerun pass "))
        {
            self.close_binary(found);
            self.binary = Some((Diagnostic::new(Severity::Error, text, line.log, FORMAT.id), 0));
        }
    }

    fn close_binary(&mut self, found: &mut PendingFindings) {
        let failure =
            self.binary.take().map(|(failure, _)| Consequence { failure, since: 0, is_heading: false });
        found.consequences.extend(failure);
    }
}

/// `running 3 tests`.
fn announced(text: &str) -> Option<u64> {
    let (count, rest) = place::number(text.strip_prefix("running ")?)?;
    matches!(rest, " test" | " tests").then_some(count as u64)
}

/// The name in `test a::b - should panic ... FAILED` and, in short, `a::b --- FAILED`.
fn failed(text: &str) -> Option<&str> {
    let name = match text.strip_prefix("test ").and_then(|text| text.split_once(" ... FAILED")) {
        Some((name, _)) => name,
        None => text.strip_suffix(" --- FAILED")?,
    };
    let modes = [" - should panic", " - compile fail", " - compile"];
    Some(modes.iter().find_map(|mode| name.strip_suffix(mode)).unwrap_or(name))
}

/// `test result: FAILED. 1 passed; 8 failed; 1 ignored; 0 measured; …`.
fn sums(text: &str) -> Option<TestSummary> {
    let rest = text.strip_prefix("test result: ")?;
    let mut rest = rest.strip_prefix("ok. ").or_else(|| rest.strip_prefix("FAILED. "))?;
    let mut next = |what: &str| {
        let (count, behind) = place::number(rest)?;
        rest = behind.strip_prefix(what)?.trim_start();
        Some(count as u64)
    };
    let (passed, failed) = (next(" passed;")?, next(" failed;")?);
    let (skipped, measured) = (next(" ignored;")?, next(" measured;")?);
    let passed = passed.checked_add(measured)?;
    let total = passed.checked_add(failed)?.checked_add(skipped)?;
    Some(TestSummary { passed, failed, skipped, total, broken: 0 })
}

/// The place of a test in documentation, by its name: `src/lib.rs - add (line 6)`.
fn place_of(name: &str) -> Option<Location> {
    let (file, item) = name.split_once(" - ")?;
    let (_, line) = item.rsplit_once("(line ")?;
    let (line, rest) = place::number(line)?;
    let file = place::file(file).filter(|_| rest == ")")?;
    Some(Location::line(file, line))
}

fn key(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// How many panics of one binary are remembered.
const MOST: usize = 1000;

/// The panics since a binary began, one a test.
#[derive(Debug, Default)]
struct Uncaptured {
    panics: Vec<Diagnostic>,
    /// The output of the last one, while its reason goes on.
    block: Option<TestOutput>,
}

impl Uncaptured {
    /// Whether the next line may belong to a panic.
    fn is_open(&self) -> bool {
        self.block.is_some()
    }

    /// Reads a line before the failures; `source` is the id of the format.
    fn read(&mut self, line: &Line<'_>, source: &str) {
        if let Some(panic) = Panic::of(line.text) {
            self.block = None;
            let is_known = self.panics.iter().any(|known| name(known) == panic.thread);
            if !is_known && self.panics.len() < MOST {
                self.panics.push(Diagnostic::new(Severity::Error, panic.thread, line.log, source));
                self.block = Some(TestOutput::new(panic.thread, false));
            }
        }
        if let (Some(block), Some(open)) = (&mut self.block, self.panics.last_mut()) {
            block.read(line, open);
            if !block.is_telling() {
                self.block = None;
            }
        }
    }

    /// The panic of the test of this name, which failed.
    fn take(&mut self, test: &str) -> Option<Diagnostic> {
        let at = self.panics.iter().position(|known| name(known) == test)?;
        Some(self.panics.swap_remove(at))
    }
}

fn name(known: &Diagnostic) -> &str {
    known.message.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    const RUN: &str = "\nrunning 3 tests\ntest tests::good ... ok\ntest tests::bad ... FAILED\ntest tests::sp - should panic ... FAILED\n\nfailures:\n\n";
    const SUM: &str = "\nfailures:\n    tests::bad\n    tests::sp\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n";
    const TESTS: &str = "tests: 1 passed, 2 failed, 0 skipped, 3 total, 0 broken";

    #[test]
    fn blocks() {
        let log = format!(
            "{RUN}---- tests::bad stdout ----\nsays\n---- other stdout ----\nrunning 9 tests\ntest result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\nthread '<unnamed>' (8) panicked at src/lib.rs:2:4:\ndeep\n\nthread 'tests::bad' (7) panicked at src/lib.rs:17:66:\nassertion `left == right` failed: sum of 3\n  left: 3\n right: 4\nstack backtrace:\n   0: x\n\n---- tests::sp stdout ----\nnote: test did not panic as expected at src/lib.rs:20:32\n{SUM}"
        );
        let expected = [
            "error src/lib.rs:17:66 tests::bad\ndeep\nassertion `left == right` failed: sum of 3\n  left: 3\n right: 4 [9-23]",
            "error src/lib.rs:20:32 tests::sp\ntest did not panic as expected [25-26]",
            TESTS,
        ];
        assert_eq!(findings(&FORMAT, &log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn nothing_but_names() {
        assert_eq!(
            findings(&FORMAT, &format!("{RUN}{SUM}")),
            ["error tests::bad [11-11]", "error tests::sp [12-12]", TESTS]
        );
    }

    #[test]
    fn output_that_is_not_captured() {
        let panic = |name: &str, why: &str| {
            format!(
                "\nthread '{name}' (7) panicked at src/lib.rs:8:21:\n{why}\nnote: run with `RUST_BACKTRACE=1`\n"
            )
        };
        let log = format!(
            "\nrunning 3 tests\n{}test tests::sp - should panic ... ok\n{}test tests::bad ... FAILED\n{}test tests::good ... ok\n\nfailures:\n\nfailures:\n    tests::bad\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
            panic("tests::sp", "as it should"),
            panic("tests::bad", "boom 1\n left: 1"),
            panic("<unnamed>", "of a thread"),
        );
        assert_eq!(
            findings(&FORMAT, &log),
            [
                "error src/lib.rs:8:21 tests::bad\nboom 1\n left: 1 [9-12]",
                "tests: 2 passed, 1 failed, 0 skipped, 3 total, 0 broken"
            ]
        );
    }

    #[test]
    fn before_rust_1_73_and_in_short() {
        let log = "running 1 test\ntests::bad --- FAILED\n\nfailures:\n\n---- tests::bad stdout ----\nthread 'tests::bad' panicked at 'no tide', src\\lib.rs:17:66\nnote: run with `RUST_BACKTRACE=1`\n\n\nfailures:\n    tests::bad\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 2 filtered out\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error src\\lib.rs:17:66 tests::bad\nno tide [6-8]",
                "tests: 0 passed, 1 failed, 0 skipped, 1 total, 0 broken"
            ]
        );
    }

    #[test]
    fn cut_in_half() {
        let log = format!("{RUN}---- tests::bad stdout ----\nError: \"no tide\"\n");
        assert_eq!(findings(&FORMAT, &log), ["error tests::bad\nError: \"no tide\" [9-10]"]);
    }

    #[test]
    fn binaries_that_come_to_no_end() {
        let log = "error: test failed, to rerun pass `--test b`\n\nCaused by:\n  process didn't exit successfully: `/x/b-1` (signal: 6, SIGABRT: process abort signal)\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error test failed, to rerun pass `--test b`\n`/x/b-1` (signal: 6, SIGABRT: process abort signal) [1-4]",
                "tests: 0 passed, 0 failed, 0 skipped, 0 total, 1 broken"
            ]
        );
        let alone = "error: test failed, to rerun pass `--test own`\nerror: 1 target failed:\n";
        assert_eq!(findings(&FORMAT, alone), ["error test failed, to rerun pass `--test own` [1-1]"]);
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "failures:\n\n---- a stdout ----\nthread 'a' panicked at src/lib.rs:1:1:\nx",
            "running 2 tests\ntest a ... ok\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "running late\nFAILED\n",
            "running 1 test\nsuccesses:\n\n---- a stdout ----\nerror: not really\n",
            "running 99999999999999999999 tests\ntest result: FAILED. 18446744073709551615 passed; 1 failed; 0 ignored; 0 measured;",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}: {:?}", findings(&FORMAT, log));
        }
    }
}
