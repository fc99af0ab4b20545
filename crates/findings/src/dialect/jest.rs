//! Jest: `FAIL file`, below it `● name` with the error of each test that failed, and the count.

use super::failure::TestFailure;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, Severity, TestSummary};

/// Versions 29 and 30.
pub(super) const FORMAT: Format = Format {
    id: "jest",
    triggers: &[
        "FAIL ",
        "● ",
        "Test Suites: ",
        "Tests:  ",
        "No tests found, exiting",
        "Jest: ",
        WITHOUT_SETTINGS[0],
        WITHOUT_SETTINGS[1],
    ],
    programs: &["jest", "react-scripts", "craco"],
    reader: || Box::<Jest>::default(),
};

/// The errors of a run whose settings are nowhere.
const WITHOUT_SETTINGS: [&str; 2] = [
    "Error: Can't find a root directory while resolving a config file path.",
    "Error: Could not find a config file based on provided values:",
];
/// The most lines of one failure.
const LONGEST: usize = 2000;
/// The headings of links below an error of the settings.
const DOCUMENTED: [&str; 2] = ["Configuration Documentation:", "CLI Options Documentation:"];
/// The most lines of a test's name.
const NAME: usize = 20;

#[derive(Debug, Default)]
struct Jest {
    /// The file whose failures follow, as its line names it, and whether one has been there.
    file: Option<(String, bool)>,
    open: Option<JestBlock>,
    broken: u64,
    /// The number of files has been read, and that of tests follows.
    counting: bool,
}

/// The block that is being read.
#[derive(Debug)]
enum JestBlock {
    Test(TestFailure, JestPart, usize),
    /// An error of the settings.
    Settings(Diagnostic, usize),
}

/// The part of a failing test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JestPart {
    Name,
    Reason,
    /// In advice of many lines, behind which the reason goes on.
    Advice,
}

impl Dialect for Jest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.line(line, found);
        }
        if self.open.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Jest {
    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text;
        if let Some(file) = text.strip_prefix("FAIL ").or_else(|| text.strip_prefix(" FAIL  ")) {
            self.close(found);
            self.file = Some((file_of(file), false));
        } else if let Some(name) = text.strip_prefix("  ● ").filter(|_| self.file.is_some()) {
            self.close(found);
            self.test(name, line);
        } else if !self.goes_on(line) {
            self.close(found);
            self.between(line, found);
        }
    }

    fn test(&mut self, name: &str, line: &Line<'_>) {
        let Some((file, begun)) = &mut self.file else { return };
        let home = Location::file(file.clone());
        // Output of tests, and activity after a file's end, is no failing test.
        if name == "Console" || name.starts_with(' ') || name.trim().is_empty() {
            return;
        }
        self.broken += u64::from(!*begun && name == "Test suite failed to run");
        *begun = true;
        self.open = Some(JestBlock::Test(TestFailure::new(name, line).of(Some(home)), JestPart::Name, 0));
    }

    /// Whether a line belongs to the current block.
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let text = line.text;
        match &mut self.open {
            None => false,
            Some(JestBlock::Settings(found, lines)) => {
                *lines += 1;
                let over = *lines > NAME || DOCUMENTED.contains(&text.trim());
                if !over && !text.trim().is_empty() {
                    found.extend(text.trim_end().strip_prefix("  ").unwrap_or(text), line.log);
                }
                !over && (text.starts_with("  ") || text.is_empty())
            }
            Some(JestBlock::Test(failure, within, lines)) => {
                *lines += 1;
                if *lines > LONGEST {
                    return false;
                }
                let inner = text.strip_prefix("    ").unwrap_or_default();
                if *within == JestPart::Name && !text.trim().is_empty() && *lines < NAME {
                    failure.rename(text.trim(), line);
                    return true;
                }
                *within = read(failure, *within, inner, line);
                text.trim().is_empty() || !inner.is_empty()
            }
        }
    }

    fn between(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text;
        if let Some(suites) = text.strip_prefix("Test Suites: ") {
            self.counting = counted(suites).is_some();
            self.file = None;
        } else if let Some(tests) = text.strip_prefix("Tests:  ").filter(|_| self.counting).and_then(counted)
        {
            found.tests.push(TestSummary { broken: self.broken, ..tests });
            (self.counting, self.broken) = (false, 0);
        } else if let Some(severity) = settings(text) {
            let text = text.trim_end().trim_start_matches("● ");
            let found = Diagnostic::new(severity, text, line.log, FORMAT.id);
            self.open = Some(JestBlock::Settings(found, 0));
        } else if text == "No tests found, exiting with code 1"
            || is_coverage(text)
            || WITHOUT_SETTINGS.contains(&text)
        {
            found.diagnostics.push(Diagnostic::new(Severity::Error, text, line.log, FORMAT.id));
        }
    }

    fn close(&mut self, found: &mut PendingFindings) {
        match self.open.take() {
            None => {}
            Some(JestBlock::Settings(settings, _)) => found.diagnostics.push(settings),
            Some(JestBlock::Test(failure, ..)) => {
                let place = failure.reasons().find_map(unreadable);
                // The stack is that of the file that loads the one that cannot be read.
                let failure = match place {
                    Some(place) => failure.thrown_at(place),
                    None => failure,
                };
                found.diagnostics.push(failure.finish(FORMAT.id));
            }
        }
    }
}

/// A line of an error, of the source, or of the stack.
fn read(failure: &mut TestFailure, within: JestPart, text: &str, line: &Line<'_>) -> JestPart {
    if let Some(frame) = frame::at(text) {
        failure.frame(frame, line);
    } else if is_source(text) {
        failure.stop();
    } else if text == "Cause:" || text == "Errors contained in AggregateError:" {
        failure.stop();
        failure.reason(text, line);
    } else if text == "Details:" && within == JestPart::Advice {
        return JestPart::Reason;
    } else if within != JestPart::Advice {
        let advice = text == "Jest encountered an unexpected token";
        failure.reason(text, line);
        return if advice { JestPart::Advice } else { JestPart::Reason };
    }
    within
}

/// `> 5 |   expect(…)`
fn is_source(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches(['>', ' ']);
    place::number(text).is_some_and(|(_, rest)| rest.trim_start().starts_with('|'))
}

/// `SyntaxError: /folder/a.test.js: Unexpected token (2:17)`, `a.test.ts:3:7 - error TS2322: …`: where source cannot be
/// read.
fn unreadable(reason: &str) -> Option<Location> {
    if let Some((at, _)) = reason.split_once(" - error TS") {
        return place::whole(at.trim());
    }
    let (file, rest) = reason.strip_prefix("SyntaxError: ")?.split_once(": ")?;
    let (line, column) = rest.strip_suffix(')')?.rsplit_once(" (")?.1.split_once(':')?;
    let file = place::file(file)?;
    Some(Location::at(file, line.parse::<usize>().ok()?, column.parse::<usize>().ok()?))
}

/// `unit ./src/a.test.js (5.2 s)`: before the file there may be the name of its project.
fn file_of(text: &str) -> String {
    let text = text.trim();
    let timed = text.strip_suffix(" s)").and_then(|text| text.rsplit_once(" ("));
    let text = timed.map_or(text, |(text, _)| text);
    let named = text.split_once(' ').filter(|(name, _)| !name.contains(['/', '\\', '.']));
    let file = named.map_or(text, |(_, file)| file.trim_start());
    file.strip_prefix("./").unwrap_or(file).to_owned()
}

/// `6 failed, 1 skipped, 1 todo, 1 passed, 9 total`
fn counted(text: &str) -> Option<TestSummary> {
    let mut tests = TestSummary::default();
    let mut total = None;
    for count in text.trim().split(", ") {
        let (number, what) = count.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        match what {
            "failed" => tests.failed = number,
            "passed" => tests.passed = number,
            "total" => total = Some(number),
            "skipped" | "todo" => tests.skipped = tests.skipped.saturating_add(number),
            // Of files, with `--bail`: `1 of 3 total`.
            _ => total = what.starts_with("of ").then_some(number),
        }
    }
    Some(TestSummary { total: total?, ..tests })
}

/// `● Validation Error:`
fn settings(text: &str) -> Option<Severity> {
    match text.trim_end().strip_prefix("● ")? {
        "Validation Error:" | "Unrecognized CLI Parameter:" => Some(Severity::Error),
        "Validation Warning:" | "Deprecation Warning:" => Some(Severity::Warning),
        _ => None,
    }
}

/// `Jest: "global" coverage threshold for lines (99%) not met: 50%`, and how version 30 says it.
fn is_coverage(text: &str) -> bool {
    text.strip_prefix("Jest: ").is_some_and(|rest| {
        rest.contains(" coverage threshold for ")
            || rest.starts_with("Coverage for ")
            || rest.starts_with("Coverage data for ")
            || rest.starts_with("Uncovered count for ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn failing_tests() {
        let log = "FAIL ./tide.test.js (5.2 s)\n  ● Console\n\n    console.log\n      ● tide › fake\n\n\
                   \x20     at Object.log (tide.test.js:10:15)\n\n\
                   \x20 ● tide › is high\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 4\n\
                   \x20   Received: 3\n\n      3 | describe(\"tide\")\n    > 5 |     expect(\n        |      ^\n\n\
                   \x20     at f (node_modules/a/b.js:1:2)\n      at Object.toBe (tide.test.js:5:50)\n\n\
                   \x20 ● tide › of two\nlines\n\n    a\n\n      ● looks like another\n\n      at g (../lib.js:1:2)\n\n\
                   \x20 ● tide › slow\n\n    thrown: \"late\"\n\n      at h (node_modules/c.js:1:2)\n\n    Cause:\n\
                   \x20       thrown: \"late\"\n\n        > 26 |   test(\n\n          at test (tide.test.js:26:3)\n\n\
                   \x20 ● tide › object\n\n    obj\n\n › 1 snapshot failed.\n  ●  process.exit called with \"3\"\n\n    x\n\n\
                   Test Suites: 1 failed, 1 of 3 total\nTests:       4 failed, 1 skipped, 1 todo, 1 passed, 7 total\n\
                   \x20 ● after it\n\n    x\n";
        let expected = [
            "error tide.test.js:5:50 tide › is high\nexpect(received).toBe(expected) // Object.is equality\nExpected: 4\nReceived: 3 [9-21]",
            "error ../lib.js:1:2 tide › of two lines (tide.test.js)\na\n  ● looks like another [23-30]",
            "error tide.test.js:26:3 tide › slow\nthrown: \"late\" [32-43]",
            "error tide.test.js tide › object\nobj [45-47]",
            "tests: 1 passed, 4 failed, 2 skipped, 7 total, 0 broken",
        ];
        assert_eq!(findings(&FORMAT, log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
        assert_eq!(findings(&FORMAT, &log.replace("FAIL ./", " FAIL  ./")), expected);
    }

    #[test]
    fn files_that_do_not_load() {
        let log = "FAIL unit src/broken.test.js\n  ● Test suite failed to run\n\n    Jest encountered an unexpected token\n\n\
                   \x20   Here's what you can do:\n     • Much.\n\n    Details:\n\n\
                   \x20   SyntaxError: /x/src/broken.test.js: Unexpected token (2:17)\n\n    > 2 |   expect(\n\n\
                   \x20     at constructor (node_modules/@babel/parser/src/parse-error.ts:96:45)\n\n\
                   FAIL unit src/empty.test.js\n  ● Test suite failed to run\n\n    Your test suite must contain at least one test.\n\n\
                   FAIL src/a.test.ts\n  ● Test suite failed to run\n\n    src/a.ts:3:7 - error TS2322: No.\n\n    3 const x = 1;\n\n\
                   FAIL src/b.test.ts\n  ● x\n\n    No.\n\n\n  ● Test suite failed to run\n\n    afterAll broke\n\n\
                   Test Suites: 4 failed, 4 total\nTests:       1 failed, 1 total\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /x/src/broken.test.js:2:17 Test suite failed to run\nJest encountered an unexpected token\nSyntaxError: /x/src/broken.test.js: Unexpected token (2:17) [2-11]",
                "error src/empty.test.js Test suite failed to run\nYour test suite must contain at least one test. [18-20]",
                "error src/a.ts:3:7 Test suite failed to run (src/a.test.ts)\nsrc/a.ts:3:7 - error TS2322: No.\n3 const x = 1; [23-27]",
                "error src/b.test.ts x\nNo. [30-32]",
                "error src/b.test.ts Test suite failed to run\nafterAll broke [35-37]",
                "tests: 0 passed, 1 failed, 0 skipped, 1 total, 3 broken",
            ]
        );
    }

    /// Recorded: jest 30.5.2, of a test that loads a file with a mistake; the text between is shorter.
    #[test]
    fn a_file_that_a_test_loads_cannot_be_read() {
        let log = "FAIL ./b.test.js\n  ● Test suite failed to run\n\n    Jest encountered an unexpected token\n\n    Details:\n\n\
                   \x20   SyntaxError: /boats/m.js: Unexpected token (2:11)\n\n      1 | const a = 1;\n    > 2 | const b = {;\n\n\
                   \x20   > 1 | const x = require(\"./m\");\n        |           ^\n\n\
                   \x20     at constructor (node_modules/@babel/parser/src/parse-error.ts:96:45)\n      at Object.require (b.test.js:1:11)\n\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /boats/m.js:2:11 Test suite failed to run (b.test.js)\nJest encountered an unexpected token\nSyntaxError: /boats/m.js: Unexpected token (2:11) [2-17]"
            ]
        );
    }

    #[test]
    fn failures_without_a_failed_test_are_findings() {
        let log = "● Validation Error:\n\n  Module ./nope was not found.\n         <rootDir> is: /x\n\n\
                   \x20 Configuration Documentation:\n  https://jestjs.io/docs/configuration\n\n\
                   ● Unrecognized CLI Parameter:\n\n  Unrecognized option \"nope\".\n\n  CLI Options Documentation:\n  https://jestjs.io/docs/cli\n\n\
                   No tests found, exiting with code 1\nJest: \"global\" coverage threshold for lines (99%) not met: 50%\n\
                   Jest: Coverage for lines (7.14%) does not meet \"global\" threshold (100%)\n\
                   Error: Can't find a root directory while resolving a config file path.\nProvided path to resolve: nope.js\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error Validation Error:\nModule ./nope was not found.\n       <rootDir> is: /x [1-4]",
                "error Unrecognized CLI Parameter:\nUnrecognized option \"nope\". [9-11]",
                "error No tests found, exiting with code 1 [16-16]",
                "error Jest: \"global\" coverage threshold for lines (99%) not met: 50% [17-17]",
                "error Jest: Coverage for lines (7.14%) does not meet \"global\" threshold (100%) [18-18]",
                "error Error: Can't find a root directory while resolving a config file path. [19-19]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        let log = "  ● tide › without a file\n\n    Error: no\n\nPASS ./a.test.js\n  errors\n    ✓ Tests: 1 failed, 2 total\n\
                   Tests:       1 failed, 2 total\nNo tests found, exiting with code 0\nJest: the book\nFAIL ./b.test.js\n\n";
        assert!(findings(&FORMAT, log).is_empty());
    }

    #[test]
    fn an_error_that_does_not_end() {
        let log = format!("FAIL a.test.js\n  ● a\n\n{}", "    x\n".repeat(5000));
        assert_eq!(findings(&FORMAT, &log).len(), 1);
    }
}
