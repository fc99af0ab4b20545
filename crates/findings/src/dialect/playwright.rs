//! Playwright: each failing test below its number, file and titles, and the counts at the end.

use super::failure::TestFailure;
use super::frame::{self, Frame};
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity, TestSummary};

/// The reporters `list`, `line` and `dot`; version 1.
pub(super) const FORMAT: Format = Format {
    id: "playwright",
    triggers: &[
        " using ",
        " ────",
        "SyntaxError: ",
        "Error: Cannot find module ",
        "Error: duplicate test title ",
    ],
    programs: &["playwright"],
    reader: || Box::<Playwright>::default(),
};

/// The most lines of one failing test.
const LONGEST: usize = 2000;
/// The beginning of the message for a module that is not there.
const MISSING: &str = "Error: Cannot find module '";
/// How many blank lines may stand between a file that cannot be used and its place.
const PLACE: usize = 2;
/// The most lines from the announcement of the tests to their counts.
const MOST: usize = 1_000_000;

#[derive(Debug, Default)]
struct Playwright {
    /// How many lines have been read since tests were announced; `None` outside of a run.
    running: Option<usize>,
    failure: Option<PlaywrightTest>,
    /// A file that cannot be used, whose place may follow, and how many lines may until then.
    unloaded: Option<(Diagnostic, usize)>,
    /// Tests that were listed as failing, each with its retries once.
    tests: TestSummary,
    /// The last count is one of tests that the runner lists below it, and none has come.
    unlisted: bool,
}

/// A failing test that is read.
#[derive(Debug)]
struct PlaywrightTest {
    failure: TestFailure,
    /// In an error behind the first, as of soft assertions, whose place has not come yet.
    is_further: bool,
    within: PlaywrightPart,
    lines: usize,
}

/// The part of a failing test.
#[derive(Debug, PartialEq, Eq)]
enum PlaywrightPart {
    Error,
    /// The source, the stack, or what is attached; another error may follow.
    Below,
    /// Another attempt of the same test.
    Retry,
}

impl Dialect for Playwright {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.line(line, found);
        }
        if self.running.is_some() || self.unloaded.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.leave(found);
        self.close(found);
        self.sum(found);
    }
}

impl Playwright {
    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text;
        if is_announcement(text) {
            self.end(found);
            self.running = Some(0);
            return;
        }
        let Some(lines) = &mut self.running else {
            self.load(line, found);
            return;
        };
        *lines += 1;
        let over = *lines > MOST;
        let lists = is_listed(text);
        if std::mem::take(&mut self.unlisted) && !lists {
            // A test has printed that count.
            self.tests = TestSummary::default();
        }
        if over || self.tests.total > 0 && !lists && counted(text).is_none() {
            self.end(found);
        } else if let Some((name, home)) = header(text) {
            self.close(found);
            let failure = TestFailure::new(&name, line).of(Some(home));
            self.failure =
                Some(PlaywrightTest { failure, within: PlaywrightPart::Error, is_further: false, lines: 0 });
        } else if let Some((count, what)) = counted(text) {
            self.close(found);
            self.count(count, what);
            self.unlisted = ["failed", "flaky", "interrupted"].contains(&what);
        } else if let Some(test) = &mut self.failure {
            let ends = !text.is_empty() && !text.starts_with("    ") || test.lines > LONGEST;
            if ends {
                self.close(found);
            } else {
                test.read(line);
            }
        }
    }

    /// A line before any test runs.
    fn load(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let at = line.text.strip_prefix("   at ").and_then(place::whole);
        match (&mut self.unloaded, at) {
            (Some((unloaded, _)), Some(at)) => {
                unloaded.log = unloaded.log.to(line.log);
                unloaded.place.get_or_insert(at);
                self.leave(found);
            }
            (Some((_, left)), None) if *left > 0 && line.text.is_empty() => *left -= 1,
            (Some(_), None) if line.text == "Require stack:" || line.text.starts_with("- /") => {}
            _ => {
                self.leave(found);
                self.unloaded = unloaded(line).map(|unloaded| (unloaded, PLACE));
            }
        }
    }

    /// Nothing follows about a file that cannot be used.
    fn leave(&mut self, found: &mut PendingFindings) {
        let unloaded = self.unloaded.take().map(|(unloaded, _)| unloaded);
        // Node says of a module alone what Playwright says above a place.
        let is_certain = |found: &Diagnostic| found.place.is_some() || !found.message.starts_with(MISSING);
        found.diagnostics.extend(unloaded.filter(is_certain));
    }

    fn count(&mut self, count: u64, what: &str) {
        let sum = match what {
            "passed" | "flaky" => &mut self.tests.passed,
            "failed" | "interrupted" => &mut self.tests.failed,
            _ => &mut self.tests.skipped,
        };
        *sum = sum.saturating_add(count);
        self.tests.total = self.tests.total.saturating_add(count);
    }

    fn close(&mut self, found: &mut PendingFindings) {
        if let Some(PlaywrightTest { failure, .. }) = self.failure.take() {
            found.diagnostics.push(failure.finish(FORMAT.id));
        }
    }

    /// Ends a run.
    fn sum(&mut self, found: &mut PendingFindings) {
        let tests = std::mem::take(&mut self.tests);
        found.tests.extend(Some(tests).filter(|tests| tests.total > 0));
        self.running = None;
    }
}

impl PlaywrightTest {
    fn read(&mut self, line: &Line<'_>) {
        self.lines += 1;
        let text = line.text.strip_prefix("    ").unwrap_or_default();
        if text.starts_with("Retry #") {
            self.within = PlaywrightPart::Retry;
        }
        if self.within == PlaywrightPart::Retry {
            return;
        }
        let begins = is_error(text);
        if begins && self.within == PlaywrightPart::Below {
            (self.within, self.is_further) = (PlaywrightPart::Error, true);
            self.failure.say(text);
            return;
        }
        if let Some(frame) = frame::at(text) {
            if let (true, Frame::Own(place)) = (self.is_further, &frame) {
                self.failure.say(&format!("at {place}"));
                self.is_further = false;
            }
            self.failure.frame(frame, line);
            self.within = PlaywrightPart::Below;
        } else if is_source(text) || is_attachment(text) {
            self.failure.stop();
            self.within = PlaywrightPart::Below;
        } else if self.within == PlaywrightPart::Error && !is_box(text) {
            if self.failure.is_stacked() { self.failure.say(text) } else { self.failure.reason(text, line) }
        }
    }
}

/// `Running 18 tests using 1 worker, shard 1 of 2`
fn is_announcement(text: &str) -> bool {
    let tests = text.strip_prefix("Running ").and_then(place::number);
    tests.is_some_and(|(_, rest)| {
        let rest = rest.strip_prefix(" tests using ").or_else(|| rest.strip_prefix(" test using "));
        rest.and_then(place::number).is_some_and(|(_, rest)| rest.starts_with(" worker"))
    })
}

/// `  2) [project] › two words/a.spec.ts:13:3 › titles › of it ─────`
fn header(text: &str) -> Option<(String, Location)> {
    let text = text.strip_prefix("  ")?.trim_start();
    let (_, rest) = place::number(text)?;
    let rest = rest.strip_prefix(") ")?.trim_end().trim_end_matches('─').strip_suffix(' ')?;
    let (project, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once("] › ")) {
        Some((project, rest)) => (Some(project), rest),
        None => (None, rest),
    };
    let (at, titles) = rest.split_once(" › ")?;
    let home = place::whole(at)?;
    let name = project.map_or_else(|| titles.to_owned(), |project| format!("[{project}] {titles}"));
    Some((name, home))
}

/// `  12 failed`, `  2 passed (7.2s)`
fn counted(text: &str) -> Option<(u64, &str)> {
    let text = text.strip_prefix("  ")?;
    let (count, what) = text.split_once(' ')?;
    let what = what.split_once(" (").map_or(what, |(what, time)| if time.ends_with(')') { what } else { "" });
    let what = what.trim_end();
    let known = ["failed", "flaky", "interrupted", "skipped", "did not run", "passed"].contains(&what);
    let digits = count.bytes().all(|byte| byte.is_ascii_digit());
    count.parse().ok().filter(|_| known && digits).map(|count| (count, what))
}

/// A test below its count, or the blank line before what follows.
fn is_listed(text: &str) -> bool {
    text.starts_with("    ")
}

/// `Error: …`, `TypeError: …`, `Test timeout of 300ms exceeded.`
fn is_error(text: &str) -> bool {
    let class = text.split_once(": ").map_or("", |(class, _)| class);
    let is_class = class.ends_with("Error") && class.chars().all(|c| c.is_alphanumeric() || c == '.');
    is_class || (text.starts_with("Test timeout of ") && text.contains("ms exceeded"))
}

/// `> 6 |   expect(…)`, `   at ../tide.ts:3`
fn is_source(text: &str) -> bool {
    let bare = text.trim_start();
    let numbered = place::number(bare.trim_start_matches(['>', ' ']));
    let is_line = numbered.is_some_and(|(_, rest)| rest.trim_start().starts_with('|'));
    let is_marks = bare.strip_prefix('|').is_some_and(|rest| rest.trim().starts_with('^'));
    is_line || is_marks || bare.strip_prefix("at ").is_some_and(|at| place::whole(at).is_some())
}

/// `Error Context: test-results/…`, `attachment #1: …`
fn is_attachment(text: &str) -> bool {
    text.starts_with("Error Context: ") || text.starts_with("attachment #") || text.starts_with("────")
}

/// A part of the box that advice stands in.
fn is_box(text: &str) -> bool {
    text.starts_with(['╔', '║', '╚'])
}

/// A file of tests that cannot be used: `SyntaxError: /a.spec.ts: Unexpected token (4:15)`, `Error: Cannot find module
/// '/b' imported from /a.spec.ts`, `Error: duplicate test title …`.
fn unloaded(line: &Line<'_>) -> Option<Diagnostic> {
    let text = line.text.trim_end();
    let found = |text: &str| Diagnostic::new(Severity::Error, text, line.log, FORMAT.id);
    if let Some(rest) = text.strip_prefix("SyntaxError: ") {
        let (file, message) = rest.split_once(": ")?;
        let (message, at) = message.strip_suffix(')')?.rsplit_once(" (")?;
        let (row, column) = at.split_once(':')?;
        let place =
            Location::at(place::file(file)?, row.parse::<usize>().ok()?, column.parse::<usize>().ok()?);
        return Some(found(&format!("SyntaxError: {message}")).at(place));
    }
    if text.starts_with("Error: duplicate test title ") {
        return Some(found(text));
    }
    match text.strip_prefix(MISSING)?.split_once("' imported from ") {
        // Libraries are not among its tests.
        Some((_, file)) if !frame::is_own(file) => None,
        Some((_, file)) => Some(found(text).at(Location::file(place::file(file)?))),
        None => Some(found(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    const LOG: &str = "\nRunning 5 tests using 1 worker\n\n  ✘   1 [calm] › a.spec.ts:5:3 › tide › is high (13ms)\nerror: not really\n\n\n\
        \x20 1) [calm] › tests/a.spec.ts:5:3 › tide › is high ─────────\n\n    Error: expect(received).toBe(expected)\n\n\
        \x20   Expected: 4\n    Received: 3\n\n      4 | x\n    > 6 |     expect(1)\n        |      ^\n      7 |   });\n\
        \x20       at /x/tests/a.spec.ts:6:26\n\n    Error: the sum\n\n    Expected: 5\n\n    > 9 | y\n\
        \x20       at /x/tests/a.spec.ts:9:28\n\n    Error Context: test-results/a/error-context.md\n\n\
        \x20   Retry #1 ────────\n\n    Error: again\n        at /x/tests/a.spec.ts:10:28\n\n\
        \x20 2) two words/b.spec.ts:24:3 › is slow ───────\n\n    Test timeout of 300ms exceeded.\n\n\
        \x20   Error: browserType.launch: no browser\n    ╔═══╗\n    ║ Look ║\n    ╚═══╝\n\n\
        \x20 2 failed\n    [calm] › tests/a.spec.ts:5:3 › tide › is high ─────\n    two words/b.spec.ts:24:3 › is slow ────\n\
        \x20 1 flaky\n    c.spec.ts:1:1 › x ────\n  1 skipped\n  1 did not run\n  1 passed (7.2s)\n";

    #[test]
    fn failing_tests() {
        let expected = [
            "error /x/tests/a.spec.ts:6:26 [calm] tide › is high\nError: expect(received).toBe(expected)\nExpected: 4\nReceived: 3\nError: the sum\nExpected: 5\nat /x/tests/a.spec.ts:9:28 [8-19]",
            "error two words/b.spec.ts:24:3 is slow\nTest timeout of 300ms exceeded.\nError: browserType.launch: no browser [35-39]",
            "tests: 2 passed, 2 failed, 2 skipped, 6 total, 0 broken",
        ];
        assert_eq!(findings(&FORMAT, LOG), expected);
        assert_eq!(findings(&FORMAT, &LOG.replace('\n', "\r\n")), expected);
        let twice = format!("{LOG}\nRunning 1 test using 1 worker\n\n  1 passed (3s)\nto be read\n");
        assert_eq!(findings(&FORMAT, &twice)[2], "tests: 3 passed, 2 failed, 2 skipped, 7 total, 0 broken");
    }

    #[test]
    fn a_test_may_print_a_count() {
        let log = "Running 1 test using 1 worker\n\n  1 failed\n  ✓  1 a.spec.js:2:1 › x (14ms)\n\n  1 passed (1.7s)\n";
        assert_eq!(findings(&FORMAT, log), ["tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken"]);
    }

    #[test]
    fn tests_that_cannot_be_loaded() {
        let log = "SyntaxError: /x/a.spec.ts: Unexpected token (4:15)\n\n   at a.spec.ts:4\n\n  2 |\n> 4 | x\n\
                   Error: Cannot find module '/x/nowhere' imported from /x/b.spec.ts\n\
                   Error: duplicate test title \"is twice\", first declared in c.spec.ts:3\n\n   at c.spec.ts:4\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /x/a.spec.ts:4:15 SyntaxError: Unexpected token [1-3]",
                "error /x/b.spec.ts Error: Cannot find module '/x/nowhere' imported from /x/b.spec.ts [7-7]",
                "error c.spec.ts:4 Error: duplicate test title \"is twice\", first declared in c.spec.ts:3 [8-10]",
            ]
        );
        assert_eq!(findings(&FORMAT, "SyntaxError: Unexpected token ')'\n   at a.ts:4\n"), [""; 0]);
        let required = "Error: Cannot find module './nope'\nRequire stack:\n- /x/bad/b.spec.ts\n- /x/node_modules/playwright/lib/program.js\n";
        let log = format!("{required}\n   at b.spec.ts:1\n\n> 1 | import \"./nope\";\n");
        assert_eq!(findings(&FORMAT, &log), ["error b.spec.ts:1 Error: Cannot find module './nope' [1-6]"]);
        assert_eq!(findings(&FORMAT, &format!("{required}    at f (/x/a.js:1:2)\n")), [""; 0]);
    }

    #[test]
    fn other_output_is_no_finding() {
        let log = "  1) a.spec.ts:3:5 › is in a log ──────\n\n    Error: no\n\n  1 failed\nRunning 3 tests with 1 worker\n\
                   Running 2 tests using 1 worker\n  2 passed (3s)\n  1) a.spec.ts:3:5 › after it ──────\n    Error: no\n";
        assert_eq!(findings(&FORMAT, log), ["tests: 2 passed, 0 failed, 0 skipped, 2 total, 0 broken"]);
    }
}
