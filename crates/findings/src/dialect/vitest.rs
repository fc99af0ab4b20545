//! Vitest: failing tests and files below `⎯⎯ Failed Tests 6 ⎯⎯`, unhandled errors below banners of their own, the count.

use super::failure::TestFailure;
use super::frame::{self, Frame};
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity, TestSummary};

/// Every reporter that lists failures at the end; versions 3 to 5.
pub(super) const FORMAT: Format = Format {
    id: "vitest",
    triggers: &[
        " FAIL  ",
        "⎯⎯⎯",
        " Test Files  ",
        "      Tests  ",
        "No test files found",
        "ERROR: Coverage for ",
    ],
    programs: &["vitest"],
    reader: || Box::<Vitest>::default(),
};

/// The most lines of one error.
const LONGEST: usize = 2000;
/// The most tests that share one error, and the most files that are kept apart.
const MOST: usize = 100;

#[derive(Debug, Default)]
struct Vitest {
    /// The banner of failed tests has been read, and each follows with its name.
    listing: bool,
    /// The tests of which the error is read.
    failures: Vec<TestFailure>,
    /// The error has begun, so that no other test shares it.
    begun: bool,
    lines: usize,
    /// The file that the error is about: names of files may hold blanks.
    file: String,
    /// The first frame of the stack that is the user's own, as it is written.
    own: Option<String>,
    /// The place of source that cannot be read.
    source: Option<Location>,
    /// The files that did not load.
    broken: Vec<String>,
    /// The number of files has been read, and that of tests follows.
    counting: bool,
}

impl Dialect for Vitest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.line(line, found);
        }
        if self.failures.is_empty() { Next::Trigger } else { Next::Line }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Vitest {
    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text;
        if text.starts_with('⎯') {
            self.close(found);
            self.banner(line);
        } else if let Some((home, name)) = self.header(text) {
            if self.begun || self.failures.len() == MOST {
                self.close(found);
            }
            self.failed(home, name.as_deref(), line, found);
        } else if self.count(text, found) {
        } else if !self.failures.is_empty() {
            self.error(line, found);
        } else if is_fault(text) {
            found.diagnostics.push(Diagnostic::new(Severity::Error, text.trim(), line.log, FORMAT.id));
        }
    }

    /// `⎯⎯ Failed Tests 6 ⎯⎯`, `⎯⎯ Unhandled Rejection ⎯⎯`
    fn banner(&mut self, line: &Line<'_>) {
        let Some(title) = line.text.trim().strip_suffix('⎯') else { return };
        let title = title.trim_matches('⎯');
        let Some(title) = title.strip_prefix(' ').and_then(|title| title.strip_suffix(' ')) else { return };
        let counted = |what: &str| title.strip_prefix(what).is_some_and(|rest| place::number(rest).is_some());
        if counted("Failed Suites ") || counted("Failed Tests ") {
            self.listing = true;
        } else if title.ends_with(" Error") || matches!(title, "Unhandled Rejection" | "Uncaught Exception") {
            self.listing = false;
            self.failures.push(TestFailure::new(title, line));
        }
    }

    /// ` FAIL  |project| file.test.ts > name`, ` FAIL  file.test.ts [ file.test.ts ]`
    fn header(&self, text: &str) -> Option<(Location, Option<String>)> {
        let text = text.strip_prefix(" FAIL  ").filter(|_| self.listing)?;
        let text =
            text.strip_prefix('|').and_then(|text| text.split_once("| ")).map_or(text, |(_, text)| text);
        if let Some((file, _)) = text.split_once(" [ ").filter(|_| text.ends_with(" ]")) {
            return Some((Location::file(file), None));
        }
        let (file, name) = text.split_once(" > ")?;
        Some((place::whole(file).unwrap_or(Location::file(file)), Some(name.to_owned())))
    }

    /// A test has failed, or without a name the file itself.
    fn failed(&mut self, home: Location, name: Option<&str>, line: &Line<'_>, found: &mut PendingFindings) {
        if name.is_none() && !self.broken.contains(&home.file) && self.broken.len() < MOST {
            self.broken.push(home.file.clone());
            found.tests.push(TestSummary { broken: 1, ..TestSummary::default() });
        }
        self.file.clone_from(&home.file);
        self.failures.push(TestFailure::new(name.unwrap_or(&home.file), line).of(Some(home)));
    }

    /// A line of an error, its stack, or the source between.
    fn error(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text.trim();
        self.lines += 1;
        if self.lines > LONGEST {
            self.close(found);
        } else if self.is_listed(text) {
            // The errors of esbuild are read as its own.
            self.failures.clear();
            self.close(found);
        } else if let Some(frame) = frame::marked(text, &self.file).or_else(|| frame::at(text)) {
            self.begun = true;
            if self.failures.iter().any(TestFailure::in_cause) {
                self.failures.iter_mut().for_each(|failure| failure.frame(frame.clone(), line));
                return;
            }
            let own = if self.own.is_none() && frame != Frame::Foreign { Some(text) } else { None };
            for failure in &mut self.failures {
                failure.stop();
                if own.is_some() {
                    failure.within(line);
                }
            }
            self.own = self.own.take().or_else(|| own.map(str::to_owned));
        } else if let Some(file) = text.strip_prefix("This error originated in \"") {
            file.split_once("\" test file").map_or("", |(file, _)| file).clone_into(&mut self.file);
            self.failures.iter_mut().for_each(TestFailure::stop);
        } else if let Some(source) = unreadable(text) {
            self.source = place::whole(source).or(self.source.take());
            self.failures.iter_mut().for_each(TestFailure::stop);
        } else if text == "{" && !self.begun {
            // All fields of an error without a message.
            self.failures.iter_mut().for_each(TestFailure::stop);
        } else {
            self.begun |= !text.is_empty();
            self.failures.iter_mut().for_each(|failure| failure.reason(line.text, line));
        }
    }

    /// Whether a line is one of the errors of a build for which Vitest could not start.
    fn is_listed(&self, text: &str) -> bool {
        let fails = |failure: &TestFailure| {
            failure.name() == "Startup Error"
                && failure.reasons().all(|reason| reason.starts_with("Error: Build failed with "))
                && failure.has_reason()
        };
        let is_error = text.contains(": ERROR: ") || text.starts_with("error: ");
        is_error && self.failures.iter().all(fails)
    }

    fn close(&mut self, found: &mut PendingFindings) {
        let own = self.own.take().and_then(|own| frame::marked(&own, &self.file).or_else(|| frame::at(&own)));
        let place = own.and_then(Frame::own).or(self.source.take());
        for failure in self.failures.drain(..) {
            found.diagnostics.push(failure.or_at(place.clone()).finish(FORMAT.id));
        }
        (self.begun, self.lines) = (false, 0);
        self.file.clear();
    }

    /// ` Test Files  4 failed (4)`, and `      Tests  6 failed | 2 passed (10)` below it.
    fn count(&mut self, text: &str, found: &mut PendingFindings) -> bool {
        if let Some(files) = text.strip_prefix(" Test Files  ").and_then(counted) {
            self.counting = files.total > 0;
            return true;
        }
        let Some(tests) = text.strip_prefix("      Tests  ").and_then(counted).filter(|_| self.counting)
        else {
            return false;
        };
        found.tests.push(tests);
        self.counting = false;
        self.broken.clear();
        true
    }
}

/// Behind the error, where source cannot be read: the place of it, or which plugin could not.
fn unreadable(text: &str) -> Option<&str> {
    let framed = text.strip_prefix("╭─[ ").and_then(|text| text.strip_suffix(" ]"));
    framed.or_else(|| text.strip_prefix("File: ")).or_else(|| text.strip_prefix("Plugin: "))
}

/// `6 failed | 2 passed | 1 skipped | 1 todo (10)`, `no tests`
fn counted(text: &str) -> Option<TestSummary> {
    if text == "no tests" {
        return Some(TestSummary::default());
    }
    let (counts, total) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let mut tests = TestSummary { total: total.parse().ok()?, ..TestSummary::default() };
    for count in counts.split(" | ") {
        let (number, what) = count.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        match what {
            "failed" => tests.failed = number,
            "passed" => tests.passed = number,
            _ => tests.skipped = tests.skipped.saturating_add(number),
        }
    }
    Some(tests)
}

/// Whether a line fails a run without a failed test.
fn is_fault(text: &str) -> bool {
    text == "No test files found, exiting with code 1"
        || (text.trim().starts_with("ERROR: Coverage for ") && text.contains(" does not meet "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    const TESTS: &str = "⎯⎯⎯⎯⎯⎯⎯ Failed Tests 3 ⎯⎯⎯⎯⎯⎯⎯\n\n";
    const RULE: &str = "⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/8]⎯\n\n";

    #[test]
    fn failing_tests() {
        let log = format!(
            "{TESTS} FAIL  |unit| a b/tide.test.ts > tide > is high\nAssertionError: expected 3 to be 4\n\n- Expected\n\
             + Received\n\n- 4\n+ 3\n\n ❯ deep node_modules/x/y.js:1:2\n ❯ a b/tide.test.ts:6:50\n      4| describe\n       | ^\n\n\
             Caused by: Error: inner\n ❯ other.ts:1:1\n\n{RULE}\
             \x20FAIL  x.ts > p\n FAIL  x.ts:7 > q\nError: shared\nof two lines\n\n{RULE}"
        );
        let expected = [
            "error a b/tide.test.ts:6:50 tide > is high\nAssertionError: expected 3 to be 4\n- Expected\n+ Received\n- 4\n+ 3\ncaused by Error: inner (other.ts:1:1) [3-18]",
            "error x.ts p\nError: shared\nof two lines [22-25]",
            "error x.ts:7 q\nError: shared\nof two lines [23-25]",
        ];
        assert_eq!(findings(&FORMAT, &log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn all_of_a_difference() {
        let same = (0..9).fold(String::new(), |all, n| all + &format!("    \"same{n}\": {n},\n"));
        let log = format!(
            "{TESTS} FAIL  a.test.ts > order\nAssertionError: expected {{ …(10) }} to deeply equal {{ …(10) }}\n\n- Expected\n+ Received\n\n\
             \x20 {{\n-   \"currency\": \"GBP\",\n+   \"currency\": \"EUR\",\n{same}-   \"paid\": false,\n+   \"paid\": true,\n{same}\
             -   \"total\": 99,\n+   \"total\": 100,\n  }}\n\n ❯ a.test.ts:4:6\n{RULE}"
        );
        let lines = findings(&FORMAT, &log);
        for changed in ["GBP", "EUR", "\"paid\": false", "\"paid\": true", "99", "100"] {
            assert!(lines[0].contains(changed), "{lines:?}");
        }
        assert!(lines[0].contains("same8\": 8,\n-   \"paid\"") && !lines[0].contains("same4"), "{lines:?}");
    }

    #[test]
    fn files_that_do_not_load() {
        let log = format!(
            "⎯⎯⎯⎯ Failed Suites 2 ⎯⎯⎯⎯\n\n FAIL  broken.test.ts [ broken.test.ts ]\nError: Transform failed with 1 error:\n\n\
             \x1b[31m[PARSE_ERROR] \x1b[0mUnexpected token\n   \x1b[38;5;246m╭\x1b[0m─[ broken.test.ts:4:18 ]\n 4 │   expect(;\n\n\
             \x20 Plugin: vite:oxc\n  File: /x/broken.test.ts\n ❯ transform node_modules/vite/node.js:1:2\n\n{RULE}\
             \x20FAIL  a.test.ts > before\nError: hook\n ❯ a.test.ts:1:2\n\n{RULE}\
             \x20FAIL  broken.test.ts [ broken.test.ts ]\nError: No test suite found in file /x/broken.test.ts\n{RULE}\
             \n Test Files  2 failed (2)\n      Tests  no tests\n"
        );
        assert_eq!(
            findings(&FORMAT, &log),
            [
                "error broken.test.ts:4:18 broken.test.ts\nError: Transform failed with 1 error:\n[PARSE_ERROR] Unexpected token [3-6]",
                "error a.test.ts:1:2 before\nError: hook [16-18]",
                "error broken.test.ts broken.test.ts\nError: No test suite found in file /x/broken.test.ts [22-23]",
                "tests: 0 passed, 0 failed, 0 skipped, 0 total, 1 broken",
            ]
        );
    }

    #[test]
    fn errors_that_nobody_caught() {
        let log = "⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nVitest caught 2 unhandled errors during the test run.\n\n\
                   ⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯\nError: late\n ❯ two w/b.test.ts:3:46\n      1| import\n\n\
                   This error originated in \"two w/b.test.ts\" test file. It doesn't mean the error was thrown inside.\n\
                   ⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯\nSerialized Error: { code: 1 }\n\n⎯⎯⎯ Unhandled Source Error ⎯⎯⎯\nTypeCheckError: no\n ❯ lib.ts:1:14\n\n\
                   ⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯\n\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  2 errors\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error two w/b.test.ts:3:46 Unhandled Rejection\nError: late [5-7]",
                "error lib.ts:1:14 Unhandled Source Error\nTypeCheckError: no [14-16]",
                "tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken",
            ]
        );
    }

    /// As Vitest 3 prints it.
    #[test]
    fn errors_of_esbuild_are_left_to_it() {
        let error = "cfg/v1.config.ts:1:240: ERROR: Could not resolve \"./gone\"\n";
        let log = |error: &str| {
            format!(
                "⎯⎯⎯⎯⎯⎯⎯ Startup Error ⎯⎯⎯⎯⎯⎯⎯⎯\nError: Build failed with 1 error:\n{error}    at f (/p/node_modules/a.js:1:2)\n"
            )
        };
        assert_eq!(findings(&FORMAT, &log(error)), [""; 0]);
        let other = "error Startup Error\nError: Build failed with 1 error:\nno [1-3]";
        assert_eq!(findings(&FORMAT, &log("no\n")), [other]);
    }

    #[test]
    fn failures_without_a_failed_test_are_findings() {
        let log = "No test files found, exiting with code 1\n\
                   ERROR: Coverage for lines (50%) does not meet global threshold (80%)\n";
        assert_eq!(findings(&FORMAT, log).len(), 2);
    }

    #[test]
    fn output_of_tests_is_no_finding() {
        let log = "stdout | a.test.ts > prints\n\n FAIL  src/x.test.ts > not real\nAssertionError: no\n\n\
                   ⎯⎯⎯ Failed Tests of today ⎯⎯⎯\n FAIL  src/x.test.ts > not real\n      Tests  1 failed (2)\n\
                   ⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\nError: x\n FAIL  Tests failed. Watching for file changes...\n\
                   No test files found, exiting with code 0\n";
        assert!(findings(&FORMAT, log).is_empty());
    }

    #[test]
    fn an_error_that_does_not_end() {
        let log = format!("{TESTS} FAIL  a.ts > b\n{}", "x\n".repeat(5000));
        assert_eq!(findings(&FORMAT, &log).len(), 1);
    }
}
