//! cargo nextest: a line for each try of a test, `TRY 2 FAIL [   0.006s] (2/3) shop::cart totals`, its output indented below,
//! and `Summary [   0.192s] 3 tests run: 2 passed, 1 failed, 0 skipped`.

use super::cargo_test::TestOutput;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Severity, TestSummary};

/// nextest of each version that shows the seconds of a test in brackets.
pub(super) const FORMAT: Format = Format {
    id: "nextest",
    triggers: &[
        "Nextest run ID ",
        "    Starting ",
        " FAIL [",
        " PASS [",
        " TIMEOUT [",
        " SIGABRT [",
        " SIGSEGV [",
        " Summary [",
    ],
    programs: &["cargo", "cargo-nextest"],
    reader: || Box::<Nextest>::default(),
};

/// How many failed tests are remembered until the summary.
const MOST_FAILED: usize = 10_000;

#[derive(Debug, Default)]
struct Nextest {
    /// Tests run: their lines stand between a beginning and a summary, which names them once more.
    is_running: bool,
    /// The last try of each test that failed.
    failed: Vec<Diagnostic>,
    /// The output of the last of them, while it is shown.
    block: Option<TestOutput>,
}

impl Dialect for Nextest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !line.begins() {
            return self.next();
        }
        let text = line.text.trim_start();
        if text.starts_with("Starting ") || text.starts_with("Nextest run ID ") {
            self.is_running = true;
        } else if let Some(sums) = text.strip_prefix("Summary [").and_then(sums).filter(|_| self.is_running) {
            self.close(found);
            found.tests.push(sums);
        } else if let Some((is_failed, name)) = status(text).filter(|_| self.is_running) {
            self.block = None;
            // Another try of the same test, or one that passes after all.
            self.failed.retain(|failed| failed.message.lines().next() != Some(name));
            if is_failed && self.failed.len() < MOST_FAILED {
                self.failed.push(Diagnostic::new(Severity::Error, name, line.log, FORMAT.id));
                let own = name.split_once(' ').map_or(name, |(_, own)| own);
                self.block = Some(TestOutput::new(own, false));
            }
        } else if let (Some(block), Some(failed)) = (&mut self.block, self.failed.last_mut()) {
            let own = line.text.strip_prefix("    ").unwrap_or_default();
            if block.is_too_long() {
                self.block = None;
            } else if line.text.is_empty() || !own.is_empty() {
                block.read(&line.with(own), failed);
            }
        }
        self.next()
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Nextest {
    fn next(&self) -> Next {
        if self.block.is_some() { Next::Line } else { Next::Trigger }
    }

    fn close(&mut self, found: &mut PendingFindings) {
        found.diagnostics.append(&mut self.failed);
        (self.is_running, self.block) = (false, None);
    }
}

/// Whether a test failed, and the names of its binary and itself: `TRY 1 FAIL [   0.006s] (2/3) shop::cart totals`.
fn status(text: &str) -> Option<(bool, &str)> {
    let text = match text.strip_prefix("TRY ") {
        Some(rest) => rest.split_once(' ')?.1,
        None => text,
    };
    let (word, rest) = text.split_once(" [")?;
    let is_failed = match word {
        "PASS" | "LEAK" | "FLAKY" => false,
        "FAIL" | "TIMEOUT" | "ABORT" | "LEAK-FAIL" => true,
        signal if signal.starts_with("SIG") => true,
        _ => return None,
    };
    let (seconds, rest) = rest.split_once("s] ")?;
    seconds.trim_start_matches(['>', ' ']).parse::<f64>().ok()?;
    let name = match rest.strip_prefix('(') {
        Some(numbered) => numbered.split_once(") ")?.1,
        None => rest,
    };
    let name = name.trim();
    (!name.is_empty()).then_some((is_failed, name))
}

/// The counts of `   0.192s] 3 tests run: 2 passed (1 flaky), 1 failed, 0 skipped`.
fn sums(text: &str) -> Option<TestSummary> {
    let (_, rest) = text.split_once("s] ")?;
    let (run, counts) = rest.split_once(" run: ")?;
    // Of a run that was stopped: `3/9 tests run`.
    let run = run.split('/').next()?;
    let (run, _) = place::number(run)?;
    let mut sums = TestSummary::default();
    for count in counts.split(", ") {
        let (number, what) = place::number(count.trim_start())?;
        let number = number as u64;
        match what.split([' ', '(']).find(|word| !word.is_empty())? {
            "passed" => sums.passed = number,
            "skipped" => sums.skipped = number,
            // `1 failed`, `1 timed out`, `1 exec failed`.
            _ => sums.failed = sums.failed.checked_add(number)?,
        }
    }
    sums.total = (run as u64).checked_add(sums.skipped)?;
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    /// Shaped after nextest's documentation and reports of failed tries.
    const RUN: &str = " Nextest run ID 37120dd7 with nextest profile: ci\n    Starting 3 tests across 1 binary\n        PASS [   0.003s] (1/3) shop::cart adds\n";

    fn failing(head: &str, reason: &str) -> String {
        format!(
            "{head} [   0.006s] (2/3) shop::cart totals\n  stdout ───\n\n    running 1 test\n    test totals ... FAILED\n\n    failures:\n\n    failures:\n        totals\n\n    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 2 filtered out\n\n  stderr ───\n\n    thread 'totals' (42) panicked at tests/cart.rs:21:9:\n    {reason}\n    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n"
        )
    }

    #[test]
    fn the_last_try_counts() {
        let (one, two) = (failing("  TRY 1 FAIL", "first"), failing("  TRY 2 FAIL", "left is not right"));
        let end = "────────────\n     Summary [   0.192s] 3 tests run: 2 passed, 1 failed, 4 skipped\n  TRY 2 FAIL [   0.006s] (2/3) shop::cart totals\nerror: test run failed\n";
        let log = format!("{RUN}{one}{two}        PASS [   0.003s] (3/3) shop::cart removes\n{end}");
        assert_eq!(
            findings(&FORMAT, &log),
            [
                "error tests/cart.rs:21:9 shop::cart totals\nleft is not right [23-40]",
                "tests: 2 passed, 1 failed, 4 skipped, 7 total, 0 broken"
            ]
        );
    }

    #[test]
    fn a_test_that_passes_at_last_is_no_error() {
        let one = failing("  TRY 1 FAIL", "first");
        let log = format!(
            "{RUN}{one}  TRY 2 PASS [   0.004s] (2/3) shop::cart totals\n     Summary [   0.1s] 2 tests run: 2 passed (1 flaky), 0 skipped\n   FLAKY 2/2 [   0.004s] shop::cart totals\n"
        );
        assert_eq!(findings(&FORMAT, &log), ["tests: 2 passed, 0 failed, 0 skipped, 2 total, 0 broken"]);
    }

    #[test]
    fn a_run_that_ends_early_keeps_its_failures() {
        let log = format!(
            "{RUN}     TIMEOUT [ 60.002s] (2/3) shop::cart hangs\n     SIGSEGV [   0.1s] shop bin::x crashes\n"
        );
        assert_eq!(
            findings(&FORMAT, &log),
            ["error shop::cart hangs [4-4]", "error shop bin::x crashes [5-5]"]
        );
    }

    #[test]
    fn lines_of_others_are_no_finding() {
        for log in [
            "        FAIL [   0.1s] a b\n",
            "    Starting the day\n  FAIL [soon] a b\n  FAIL [ 1s] \n  Summary [ 1s] none\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}: {:?}", findings(&FORMAT, log));
        }
    }
}
