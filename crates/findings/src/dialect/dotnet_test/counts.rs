//! The counts of .NET test runs, in the words of four writers.

use crate::model::TestSummary;

/// The least of a summary that is written over several lines.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Counting {
    counts: TestSummary,
    lines: usize,
}

/// How many lines a summary may have, those of single projects included.
const LONGEST: usize = 200;

impl Counting {
    /// `Total tests: 3`, or `Test run summary: Failed!`, and counts below.
    pub(super) fn begins(text: &str) -> Option<Self> {
        if text.starts_with("Test run summary: ") {
            return Some(Self::default());
        }
        let total = text.strip_prefix("Total tests: ")?.parse().ok()?;
        Some(Self { counts: TestSummary { total, ..TestSummary::default() }, lines: 0 })
    }

    /// Reads a line, and says whether the summary may go on.
    pub(super) fn read(&mut self, text: &str) -> bool {
        self.lines += 1;
        let Some((what, count)) = text.trim().split_once(": ") else {
            // Single projects are named between the head and the counts.
            return self.lines < LONGEST && (text.trim().is_empty() || text.starts_with(' '));
        };
        let is_count = text.starts_with(' ') && self.take(what, count);
        is_count && !what.eq_ignore_ascii_case("duration") && !what.eq_ignore_ascii_case("total time")
    }

    fn take(&mut self, what: &str, count: &str) -> bool {
        let number: Option<u64> = count.trim().parse().ok();
        let to = match what.trim().to_ascii_lowercase().as_str() {
            "passed" | "succeeded" => &mut self.counts.passed,
            "failed" => &mut self.counts.failed,
            "skipped" => &mut self.counts.skipped,
            "total" => &mut self.counts.total,
            // Durations and other entries in between.
            _ => return true,
        };
        *to = number.unwrap_or_default();
        number.is_some()
    }

    /// The summary, if it counts something.
    pub(super) fn finish(self) -> Option<TestSummary> {
        let (total, counts) = (self.counts.total, self.counts);
        (total > 0 && total >= counts.passed.max(counts.failed)).then_some(counts)
    }
}

/// A summary in one line, in one of these forms:
///
/// - `Failed!  - Failed: 1, Passed: 2, Skipped: 0, Total: 3, Duration: …`
/// - `Test summary: total: 3, failed: 1, succeeded: 2, skipped: 0, …`
/// - `Total tests: 3. Passed: 2. Failed: 1. Skipped: 0.`
pub(super) fn one_line(text: &str) -> Option<TestSummary> {
    let text = text.trim();
    let counts =
        if let Some(rest) = ["Failed!", "Passed!", "Skipped!"].iter().find_map(|w| text.strip_prefix(w)) {
            rest.trim_start().strip_prefix("- ").filter(|rest| rest.starts_with("Failed: "))?
        } else if let Some(rest) = text.strip_prefix("Test summary: ") {
            rest
        } else {
            text.strip_prefix("Total tests: ").filter(|rest| rest.contains(". Passed: "))?;
            text.strip_prefix("Total tests: ").map(|_| text)?
        };
    let mut counting = Counting::default();
    for part in counts.split([',', ';', '.']) {
        let Some((what, count)) = part.trim().split_once(": ") else { break };
        let what = if what == "Total tests" { "total" } else { what };
        if what.eq_ignore_ascii_case("duration") || !counting.take(what, count.split(" - ").next()?) {
            break;
        }
    }
    counting.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let render = |text| one_line(text).map(|t| (t.passed, t.failed, t.skipped, t.total));
        for (text, expected) in [
            (
                "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 29 ms - A.dll (net10.0)",
                Some((2, 1, 0, 3)),
            ),
            ("Passed!  - Failed: 0, Passed: 2, Skipped: 1, Total: 3 - A.dll (net8.0)", Some((2, 0, 1, 3))),
            (
                "Test summary: total: 31, failed: 1, succeeded: 30, skipped: 0, duration: 0.7s",
                Some((30, 1, 0, 31)),
            ),
            ("Test summary: total: 95; failed: 0; succeeded: 95; skipped: 0", Some((95, 0, 0, 95))),
            ("Total tests: 4. Passed: 2. Failed: 1. Skipped: 1.", Some((2, 1, 1, 4))),
            ("Total tests: Unknown. Passed: 2. Failed: 1. Skipped: 1.", None),
            ("Passed!  - all of them", None),
            ("Test summary: fine", None),
        ] {
            assert_eq!(render(text), expected, "{text}");
        }
    }
}
