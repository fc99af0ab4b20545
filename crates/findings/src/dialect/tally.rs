//! The count at the end of a run as node's own runner and writers of TAP print it: `tests 10`, `pass 1`, `fail 6` ….

use crate::model::TestSummary;

/// Puts together one count, a line for each number.
#[derive(Debug, Default)]
pub(super) struct CountReader {
    tests: Option<TestSummary>,
    /// The number of passed tests has been read.
    has_passed: bool,
}

impl CountReader {
    /// Whether a text is part of a count: the first is the number of tests.
    pub(super) fn read(&mut self, text: &str) -> bool {
        let Some((what, number)) = text.split_once(' ') else { return false };
        let number = number.trim();
        if what == "duration_ms" {
            return self.is_open();
        }
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let Some(number) = number.parse::<u64>().ok().filter(|_| digits) else { return false };
        if what == "tests" {
            *self = Self {
                tests: Some(TestSummary { total: number, ..TestSummary::default() }),
                has_passed: false,
            };
            return true;
        }
        let Some(tests) = &mut self.tests else { return false };
        let sum = match what {
            "pass" => &mut tests.passed,
            "fail" | "cancelled" => &mut tests.failed,
            "skip" | "skipped" | "todo" => &mut tests.skipped,
            _ => return what == "suites",
        };
        *sum = sum.saturating_add(number);
        self.has_passed |= what == "pass";
        true
    }

    /// A count has begun.
    pub(super) fn is_open(&self) -> bool {
        self.tests.is_some()
    }

    /// Nothing of it follows.
    pub(super) fn take(&mut self) -> Option<TestSummary> {
        let Self { tests, has_passed } = std::mem::take(self);
        tests.filter(|_| has_passed)
    }
}
