//! Bun's test runner: each error, the `(fail) name [0.15ms]` that it belongs to below it, and the count.

use super::failure::TestFailure;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, Severity, TestSummary};

/// Version 1.
pub(super) const FORMAT: Format = Format {
    id: "bun_test",
    triggers: &[".js:", ".jsx:", ".ts:", ".tsx:", ".mjs:", ".cjs:", ".mts:", ".cts:", FILTERS],
    programs: &["bun"],
    reader: || Box::<BunTest>::default(),
};

/// The message for arguments that match no test file.
const FILTERS: &str = "The following filters did not match any test files";
/// The name of an error outside of tests.
const BETWEEN: &str = "Unhandled error between tests";
/// The most lines of one error.
const LONGEST: usize = 2000;

#[derive(Debug, Default)]
struct BunTest {
    /// The file whose tests follow.
    file: Option<String>,
    /// The last error, until the test that it belongs to is named.
    error: Option<Error>,
    /// A failed test; the next line may add to it.
    failed: Option<TestFailure>,
    /// The beginning of a name of two lines.
    name: Option<String>,
    /// The error is outside of tests.
    between: bool,
    /// The line before marked a place in the source.
    marked: bool,
    counts: TestSummary,
}

/// An error while it is read.
#[derive(Debug)]
struct Error {
    failure: TestFailure,
    /// It is no mere line that a test printed.
    sure: bool,
    lines: usize,
}

impl Dialect for BunTest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            if let Some(file) = header(line) {
                self.close(found);
                (self.file, self.error) = (Some(file), None);
            } else if self.file.is_some() {
                self.line(line, found);
            } else if line.text.starts_with(FILTERS) {
                found.diagnostics.push(Diagnostic::new(Severity::Error, line.text, line.log, FORMAT.id));
            }
        }
        if self.file.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl BunTest {
    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text;
        if let Some(said) = text.strip_prefix("  ^ ")
            && let Some(failed) = &mut self.failed
        {
            failed.reason(said, line);
            return;
        }
        self.close(found);
        let marked = std::mem::replace(&mut self.marked, text.trim() == "^");
        if let Some(name) = self.failing(text) {
            self.fail(&name, line);
        } else if marked || (self.between && self.error.is_none() && is_text(text)) {
            self.begin(line, true);
        } else if text == format!("# {BETWEEN}") {
            (self.between, self.error) = (true, None);
        } else if self.between && text.starts_with("-----") {
            if self.error.is_some() {
                self.fail(BETWEEN, line);
                self.between = false;
            }
        } else if is_end_of_test(text) {
            self.error = None;
        } else if self.count(text, found) {
        } else if !self.goes_on(line) && is_error(text) {
            self.begin(line, false);
        }
    }

    /// The name of a failing test: `(fail) tide > is high [0.15ms]`.
    fn failing(&mut self, text: &str) -> Option<String> {
        let begun = self.name.take();
        let named = text.strip_prefix("(fail) ").or_else(|| text.strip_prefix("✗ "));
        match (timed(named.unwrap_or(text)), begun) {
            (Some(name), _) if named.is_some() => Some(name.to_owned()),
            (Some(rest), Some(begun)) if !is_end_of_test(text) => Some(format!("{begun} {rest}")),
            _ => {
                self.name = named.map(str::to_owned);
                None
            }
        }
    }

    fn fail(&mut self, name: &str, line: &Line<'_>) {
        let mut failure = match self.error.take() {
            Some(error) => error.failure.renamed(name.to_owned()),
            None => TestFailure::new(name, line),
        };
        failure.within(line);
        let home = self.file.clone().map(Location::file);
        self.failed = Some(failure.of(home));
    }

    fn begin(&mut self, line: &Line<'_>, sure: bool) {
        let mut failure = TestFailure::new("", line);
        failure.reason(line.text, line);
        self.error = Some(Error { failure, sure, lines: 0 });
    }

    /// Whether a line belongs to the error that is read.
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(error) = &mut self.error else { return false };
        error.lines += 1;
        if let Some(frame) = frame::at(line.text) {
            error.failure.frame(frame, line);
            error.sure = true;
        } else if !error.sure || error.lines > LONGEST {
            self.error = None;
            return false;
        } else if error.failure.is_stacked() {
            return false;
        } else {
            error.failure.reason(line.text, line);
        }
        true
    }

    /// ` 4 fail`, and at last `Ran 7 tests across 2 files. [16.00ms]`
    fn count(&mut self, text: &str, found: &mut PendingFindings) -> bool {
        if let Some(rest) = text.strip_prefix("Ran ").and_then(place::number) {
            let whole = rest.1.contains(" across ") && rest.1.contains(" file");
            if whole && let Ok(total) = u64::try_from(rest.0) {
                found.tests.push(TestSummary { total, ..std::mem::take(&mut self.counts) });
                *self = Self::default();
            }
            return whole;
        }
        let Some((number, what)) = text.strip_prefix(' ').and_then(place::number) else {
            if !text.is_empty() {
                self.counts = TestSummary::default();
            }
            return false;
        };
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        match what {
            " pass" => self.counts.passed = number,
            " fail" => self.counts.failed = number,
            " skip" | " todo" => self.counts.skipped = self.counts.skipped.saturating_add(number),
            " error" | " errors" => self.counts.broken = number,
            " expect() calls" => {}
            _ => return false,
        }
        true
    }

    fn close(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.failed.take().map(|failed| failed.finish(FORMAT.id)));
    }
}

/// The files of tests have one of these in their names.
const NAMES: [&str; 6] = [".test.", ".spec.", "_test_", "_spec_", "_test.", "_spec."];

/// `src/tide.test.ts:` below an empty line: its tests follow.
fn header(line: &Line<'_>) -> Option<String> {
    let text = line.text.strip_prefix("::group::").unwrap_or(line.text);
    let file = text.strip_suffix(':')?;
    let named = NAMES.iter().any(|name| file.contains(name));
    let fits = named && !file.contains(": ") && !file.starts_with(' ') && !file.starts_with('/');
    (fits && line.before().trim().is_empty()).then(|| file.to_owned())
}

/// `name [0.15ms]`
fn timed(text: &str) -> Option<&str> {
    let (name, time) = text.strip_suffix("s]")?.rsplit_once(" [")?;
    let time = time.strip_suffix('m').unwrap_or(time);
    let (whole, part) = time.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(part)).then_some(name)
}

/// Whether a test is over that did not fail: the errors before it are its own business.
fn is_end_of_test(text: &str) -> bool {
    ["(pass) ", "(skip) ", "(todo) ", "✓ ", "» ", "✎ "].iter().any(|one| text.starts_with(one))
}

/// `error: `, `TypeError: ` at the beginning of a line.
fn is_error(text: &str) -> bool {
    let class = text.split_once(": ").map_or("", |(class, _)| class);
    class == "error" || (class.ends_with("Error") && class.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Whether it is no source, and no line between.
fn is_text(text: &str) -> bool {
    let source = place::number(text.trim_start()).is_some_and(|(_, rest)| rest.starts_with(" |"));
    !source && !text.trim().is_empty() && text.trim() != "^" && !text.starts_with("-----")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn failing_tests() {
        let log = "bun test v1.4.5\n\nsrc/tide.test.ts:\n3 | describe(\"tide\")\n5 |     expect(3).toBe(4);\n                  ^\n\
                   error: expect(received).toBe(expected)\n\nExpected: 4\nReceived: 3\n\n\
                   \x20     at <anonymous> (/x/src/tide.test.ts:5:15)\n(fail) tide > is high [0.15ms]\nerror: not really\n\
                   1 | deep();\n   ^\nRangeError: x\n\n(fail) y\nerror: z\n      at deep (/x/src/lib.ts:1:66)\n\
                   \x20     at <anonymous> (/x/src/tide.test.ts:7:2)\n(fail) suite > multi\nline [0.03ms]\n\
                   (fail) slow [20.00ms]\n  ^ this test timed out after 20ms.\n\
                   AssertionError: expected 2 assertions, but test ended with 1 assertion\n(fail) assertions [0.05ms]\n\
                   1 | logged\n  ^\nerror: logged\n      at f (/x/a.ts:1:2)\n(pass) calm [0.05ms]\n✗ coloured [1.05s]\n\n\
                   \x201 pass\n 1 skip\n 1 todo\n 5 fail\n 1 error\n 2 expect() calls\nRan 8 tests across 2 files. [16.00ms]\n\
                   (fail) later [0.05ms]\n";
        let expected = [
            "error /x/src/tide.test.ts:5:15 tide > is high\nerror: expect(received).toBe(expected)\nExpected: 4\nReceived: 3 [7-13]",
            "error /x/src/lib.ts:1:66 suite > multi line (src/tide.test.ts)\nRangeError: x\n(fail) y\nerror: z [17-24]",
            "error src/tide.test.ts slow\nthis test timed out after 20ms. [25-26]",
            "error src/tide.test.ts assertions\nAssertionError: expected 2 assertions, but test ended with 1 assertion [27-28]",
            "error src/tide.test.ts coloured [34-34]",
            "tests: 1 passed, 5 failed, 2 skipped, 8 total, 1 broken",
        ];
        assert_eq!(findings(&FORMAT, log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn errors_outside_of_tests_are_findings() {
        let log = "\nsrc/lost.test.ts:\n\n# Unhandled error between tests\n-------------------------------\n\
                   error: Cannot find module './nowhere' from '/x/src/lost.test.ts'\n-------------------------------\n\n\
                   \nsrc/load.test.ts:\n\n# Unhandled error between tests\n-------------------------------\n\
                   1 | throw new Error(\"at load\")\n              ^\nerror: at load\n      at /x/src/load.test.ts:1:11\n\
                   -------------------------------\n\n\n 0 pass\n 2 fail\n 2 errors\nRan 2 tests across 2 files. [3.00ms]\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error src/lost.test.ts Unhandled error between tests\nerror: Cannot find module './nowhere' from '/x/src/lost.test.ts' [6-7]",
                "error /x/src/load.test.ts:1:11 Unhandled error between tests\nerror: at load [16-18]",
                "tests: 0 passed, 2 failed, 0 skipped, 2 total, 2 broken",
            ]
        );
    }

    #[test]
    fn output_of_tests_is_no_finding() {
        let log = "\na.test.ts:\n(fail) not real\nerror: x\n 3 fail\nRan over\nerror: y\n      at f (a.ts:1:2)\n\
                   (pass) logs [0.03ms]\n\n 1 pass\n 0 fail\nRan 1 test across 1 file. [3.00ms]\n";
        assert_eq!(findings(&FORMAT, log), ["tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken"]);
        let log = "bun test v1.4.5\n\na.test.ts:\nerror: x\n at f (/a.ts:3:4)\n(fail) y\n(pass) (fail) x [0.10ms]\n\n 1 pass\n 0 fail\n\
                   Ran 1 test across 1 file. [151.00ms]\n";
        assert_eq!(findings(&FORMAT, log), ["tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken"]);
        let log = "I read\nsrc/a.test.ts:\n(fail) a [0.1ms]\n\n/a/b.test.ts:\n(fail) a [0.1ms]\n";
        assert!(findings(&FORMAT, log).is_empty());
    }

    #[test]
    fn no_file_of_tests() {
        let log = "The following filters did not match any test files:\n nope\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error The following filters did not match any test files: [1-1]"]
        );
    }
}
