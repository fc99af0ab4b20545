//! Mocha, and Cypress, which reports as it does: the count, then each failing test with its titles, error and stack.

use super::crash::{Crash, Crashed};
use super::failure::TestFailure;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, Severity, TestSummary};

/// Every reporter that ends with a list of failures; versions 11 and 12.
pub(super) const FORMAT: Format = Format {
    id: "mocha",
    triggers: &[" passing (", "Exception during run:", "✖ ERROR:", "Error: No test files found"],
    programs: &["mocha", "cypress", "electron-mocha"],
    reader: || Box::<Mocha>::default(),
};

/// The most lines of a test's titles.
const TITLES: usize = 40;
/// The most lines of an error.
const LONGEST: usize = 2000;

#[derive(Debug, Default)]
struct Mocha {
    state: MochaState,
    tests: TestSummary,
    /// The number of the failing test that is read, from 1; none yet is 0.
    number: usize,
    failure: Option<TestFailure>,
    lines: usize,
    blank: bool,
    crash: Crash,
}

#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
enum MochaState {
    #[default]
    Nothing,
    /// Below the number of those that passed.
    Count,
    /// Before the first failing test, or behind one that is complete.
    List,
    Titles,
    Error,
    /// Something died before there were tests.
    Crash,
    /// In the fields of a crash.
    Fields,
}

impl Dialect for Mocha {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.lines += 1;
            self.line(line, found);
        }
        if self.state == MochaState::Nothing { Next::Trigger } else { Next::Line }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Mocha {
    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text;
        match self.state {
            MochaState::Nothing => self.begin(line, found),
            MochaState::Count => match counted(text) {
                Some((count, "pending")) => self.tests.skipped = count,
                Some((count, "failing")) => self.tests.failed = count,
                _ => {
                    self.close(found);
                    self.state = if self.tests.failed > 0 { MochaState::List } else { MochaState::Nothing };
                    // Some runners of tasks leave out blank lines.
                    if self.state == MochaState::List && self.is_next(text) {
                        self.next(line, found);
                    }
                }
            },
            MochaState::List | MochaState::Titles | MochaState::Error if self.is_next(text) => {
                self.next(line, found);
            }
            MochaState::List if text.trim().is_empty() => {}
            MochaState::Titles if text.trim().is_empty() => self.state = MochaState::Error,
            MochaState::Titles if text.starts_with("       ") || !text.starts_with("     ") => {
                self.title(line, found);
            }
            MochaState::Titles | MochaState::Error => self.error(line, found),
            MochaState::List => self.close(found),
            MochaState::Crash | MochaState::Fields => self.crash(line, found),
        }
    }

    fn begin(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text.trim();
        let died = ["Exception during run: ", "✖ ERROR: "].iter().find_map(|died| text.strip_prefix(died));
        if let Some((passed, _)) = counted(text).filter(|(_, rest)| is_passing(rest)) {
            *self = Self { state: MochaState::Count, ..Self::default() };
            self.tests.passed = passed;
        } else if let Some(error) = died {
            self.crash.error(line, error);
            (self.state, self.lines) = (MochaState::Crash, 0);
        } else if text.starts_with("Error: No test files found") {
            found.diagnostics.push(Diagnostic::new(Severity::Error, text, line.log, FORMAT.id));
        }
    }

    /// Whether the next failing test begins: `  2) log book`.
    fn is_next(&self, text: &str) -> bool {
        let number = text.strip_prefix("  ").and_then(place::number);
        let all = usize::try_from(self.tests.failed).unwrap_or(usize::MAX);
        number.is_some_and(|(number, rest)| {
            number == self.number + 1 && number <= all && rest.starts_with(") ")
        })
    }

    fn next(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let title = line.text.split_once(") ").map_or("", |(_, title)| title);
        found.diagnostics.extend(self.failure.take().map(finished));
        self.failure = Some(TestFailure::new(title, line));
        self.number += 1;
        (self.state, self.lines) = (MochaState::Titles, 0);
    }

    fn title(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        if self.lines > TITLES {
            self.close(found);
        } else if let Some(failure) = &mut self.failure {
            failure.rename(line.text.trim(), line);
        }
    }

    /// A line of the error; the last test's error ends where there is nothing of it any more.
    fn error(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        self.state = MochaState::Error;
        let Some(failure) = &mut self.failure else { return };
        let text = line.text;
        let blank = text.trim().is_empty();
        let last = u64::try_from(self.number).is_ok_and(|number| number == self.tests.failed);
        if self.lines > LONGEST || (last && blank && (failure.is_stacked() || self.blank)) {
            self.close(found);
            return;
        }
        self.blank = blank;
        match frame::at(text) {
            Some(frame) => failure.frame(frame, line),
            None => failure.reason(outdented(text), line),
        }
    }

    /// Reads a crash, which ends with its stack or with the fields below it.
    fn crash(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let stacked = self.crash.is_stacked();
        let of_stack = frame::at(line.text).is_some();
        let field = self.state == MochaState::Fields && line.text.starts_with("  ");
        if stacked && !of_stack && !field {
            self.close(found);
            return;
        }
        self.crash.read(line, line.text);
        if of_stack && line.text.ends_with('{') {
            self.state = MochaState::Fields;
        }
        if !self.crash.is_open() {
            self.state = MochaState::Nothing;
        }
    }

    /// Ends the block that is being read.
    fn close(&mut self, found: &mut PendingFindings) {
        match self.state {
            MochaState::Count => {
                let TestSummary { passed, failed, skipped, .. } = self.tests;
                self.tests.total = passed.saturating_add(failed).saturating_add(skipped);
                found.tests.push(self.tests);
            }
            MochaState::Crash | MochaState::Fields => found.diagnostics.extend(self.crash.end().map(died)),
            _ => found.diagnostics.extend(self.failure.take().map(finished)),
        }
        self.state = MochaState::Nothing;
    }
}

/// Errors with a difference are indented by one more than others.
fn outdented(text: &str) -> &str {
    text.strip_prefix("      ").or_else(|| text.strip_prefix("     ")).unwrap_or(text)
}

/// The titles end with a colon that is not theirs.
fn finished(failure: TestFailure) -> Diagnostic {
    let name = failure.name().strip_suffix(':').unwrap_or(failure.name()).to_owned();
    failure.renamed(name).finish(FORMAT.id)
}

/// `SyntaxError[ @/folder/file.mjs ]: …` has its place in it.
fn died(crashed: Crashed) -> Diagnostic {
    let found = Diagnostic { dialect: FORMAT.id.to_owned(), ..crashed.found };
    let file = found.message.split_once("[ @").and_then(|(_, rest)| rest.split_once(" ]"));
    match file {
        Some((file, _)) if found.place.is_none() => {
            let place = Location::file(file);
            found.at(place)
        }
        _ => found,
    }
}

/// `5 failing`
fn counted(text: &str) -> Option<(u64, &str)> {
    let (count, what) = text.trim().split_once(' ')?;
    let digits = count.bytes().all(|byte| byte.is_ascii_digit());
    count.parse().ok().filter(|_| digits).map(|count| (count, what))
}

/// `passing (61ms)`
fn is_passing(text: &str) -> bool {
    let time = text.strip_prefix("passing (").and_then(|text| text.strip_suffix(')')).unwrap_or_default();
    time.starts_with(|c: char| c.is_ascii_digit()) && time.ends_with(['s', 'm', 'h'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn failing_tests() {
        let log = "  tide\n    1) is high\n\n\n  1 passing (61ms)\n  2 pending\n  3 failing\n\n\
                   \x20 1) outer:\n       inner\n         long\nname:\n\n      AssertionError [ERR_ASSERTION]: not equal:\n\n\
                   3 !== 4\n\n      + expected - actual\n\n      -3\n      +4\n      \n\
                   \x20     at Context.<anonymous> (test/tide.js:5:12)\n      at process.processImmediate (node:internal/timers:483:21)\n\n\
                   \x20 2) top: with colon::\n     Error\n      at f (node_modules/a.js:1:2)\n      at g (two words/a.js:3:4)\n\
                   \x20    Caused by: Error: inner err\n      at h (b.js:3:4)\n\n\
                   \x20 3) log book\n       \"before all\" hook:\n     objmsg\n       3) not another\n\x20 \n\n\
                   npm error code 1\n  4) later\n";
        let expected = [
            "error test/tide.js:5:12 outer: inner long name\nAssertionError [ERR_ASSERTION]: not equal:\n3 !== 4\n\
             + expected - actual\n-3\n+4 [9-23]",
            "error two words/a.js:3:4 top: with colon:\nError\ncaused by Error: inner err (b.js:3:4) [26-31]",
            "error log book \"before all\" hook\nobjmsg\n 3) not another [33-36]",
            "tests: 1 passed, 3 failed, 2 skipped, 6 total, 0 broken",
        ];
        assert_eq!(findings(&FORMAT, log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
    }

    /// As nx and lerna pass it on, without blank lines.
    #[test]
    fn without_blank_lines() {
        let log = "  1 passing (24ms)\n  2 failing\n  1) rs\n       fails:\n      AssertionError [ERR_ASSERTION]: 1 == 2\n      -1\n      +2\n\
                   \x20     at Context.<anonymous> (t.spec.js:1:67)\n  2) rs\n       throws:\n     Error: boom\n      at Context.<anonymous> (t.spec.js:2:9)\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error t.spec.js:1:67 rs fails\nAssertionError [ERR_ASSERTION]: 1 == 2\n-1\n+2 [3-8]",
                "error t.spec.js:2:9 rs throws\nError: boom [9-12]",
                "tests: 1 passed, 2 failed, 0 skipped, 3 total, 0 broken",
            ]
        );
    }

    #[test]
    fn crashes_before_the_first_test_are_findings() {
        for (log, expected) in [
            (
                "\n Exception during run: /x/test/tide.js:3\n    assert(;\n           ^\n\nSyntaxError: Unexpected token ';'\n\
              \x20   at wrapSafe (node:internal/modules/cjs/loader:1464:18)\nnpm error code 1\n",
                "error /x/test/tide.js:3 SyntaxError: Unexpected token ';' [2-7]",
            ),
            (
                "\n Exception during run: Error: Cannot find module './nope'\nRequire stack:\n- /x/t2/b.js\n\
              \x20   at require (node:internal/modules/helpers:152:16)\n    at Object.<anonymous> (/x/t2/b.js:1:1) {\n\
              \x20 code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/x/t2/b.js' ]\n}\nafter\n",
                "error /x/t2/b.js:1:1 MODULE_NOT_FOUND Error: Cannot find module './nope'\nRequire stack:\n- /x/t2/b.js [2-8]",
            ),
            (
                "\n Exception during run: SyntaxError[ @/x/t2/d.mjs ]: Unexpected token ';'\n    at a (node:b:1:2)\n",
                "error /x/t2/d.mjs SyntaxError[ @/x/t2/d.mjs ]: Unexpected token ';' [2-3]",
            ),
            ("Error: No test files found: \"x\"\n", "error Error: No test files found: \"x\" [1-1]"),
        ] {
            assert_eq!(findings(&FORMAT, log), [expected]);
        }
    }

    #[test]
    fn a_message_is_bounded() {
        let endless = "x".repeat(60_000);
        let log = format!(
            "  0 passing (1s)\n  1 failing\n\n  1) a\n       b:\n     Error: {endless}\n{}",
            format!("{endless}\n").repeat(20)
        );
        assert!(findings(&FORMAT, &log)[0].len() < 5000);
    }

    #[test]
    fn nothing_failed() {
        let log = "    ✔ says 2 passing (3ms)\n  2 passing (soon)\n\n  2 passing (3s)\n  1 pending\n\n  1) tide\n       is high:\n     Error: x\n";
        assert_eq!(findings(&FORMAT, log), ["tests: 2 passed, 0 failed, 1 skipped, 3 total, 0 broken"]);
    }

    #[test]
    fn a_list_that_is_cut() {
        let log = "  1 passing (61ms)\n  9 failing\n\n  1) tide\n       is high:\n     Error: x\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error tide is high\nError: x [4-6]",
                "tests: 1 passed, 9 failed, 0 skipped, 10 total, 0 broken"
            ]
        );
    }
}
