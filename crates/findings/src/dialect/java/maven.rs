//! Maven: `[ERROR] /x/Tide.java:[3,5] cannot find symbol`, errors of a POM, and tests that Surefire ran.

use super::super::draft::Draft;
use super::super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use super::exception::called;
use super::with_code;
use crate::model::{Diagnostic, Location, Severity, TestSummary};

/// Maven 3 and 4.
pub(in super::super) const FORMAT: Format = Format {
    id: "maven",
    triggers: &["[ERROR] ", "[WARNING] ", "[INFO] ", "Tests run: "],
    programs: &["mvn", "mvnw", "mvnd"],
    reader: || Box::<Maven>::default(),
};

#[derive(Debug, Default)]
struct Maven {
    draft: Draft,
    /// Below the names of tests that failed.
    results: bool,
    /// Maven has reported its failure. The next error is the reason, if no error came before.
    over: bool,
    /// Tests with their stacks, above the list that names all that failed.
    failed: Vec<FailedTest>,
    /// The stack of the last one goes on.
    in_stack: bool,
}

/// A test that failed, with the first line of its reason, and its place.
#[derive(Debug)]
struct FailedTest {
    /// `TideTest.high`
    name: String,
    reason: String,
    place: Option<Location>,
}

/// The most failed tests whose stacks are remembered.
const MOST_FAILED: usize = 1000;

impl Dialect for Maven {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !line.begins() {
        } else if let Some((severity, text)) = level(line.text) {
            self.in_stack = false;
            self.message(line, severity, text, found);
        } else if self.draft.open().is_some() && !self.results && line.text.starts_with("  ") {
            self.draft.add(line, line.text.trim_end());
        } else if self.in_stack
            && let Some(failed) = self.failed.last_mut()
        {
            self.in_stack = failed.goes_on(line.text);
        } else {
            self.draft.close(found);
        }
        if self.in_stack || self.draft.open().is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

impl Maven {
    fn message(&mut self, line: &Line<'_>, severity: Severity, text: &str, found: &mut PendingFindings) {
        if let Some(sums) = sums(text) {
            self.draft.close(found);
            self.results = false;
            found.tests.push(sums);
            return;
        }
        if severity == Severity::Info {
            self.draft.close(found);
            self.results &= text.is_empty() || text == "Results:";
            self.over |= text == "BUILD FAILURE";
            return;
        }
        let new = |text: &str| {
            let (code, message) = with_code(text);
            Diagnostic::new(severity, message, line.log, FORMAT.id).coded(code)
        };
        if let Some(failed) = FailedTest::of(text).filter(|_| self.failed.len() < MOST_FAILED) {
            self.failed.push(failed);
            self.in_stack = true;
            return;
        }
        let trimmed = text.trim();
        if let Some((place, message)) = in_brackets(text).or_else(|| in_pom(trimmed)) {
            self.draft.begin(new(message).at(place), found);
        } else if matches!(trimmed, "Failures:" | "Errors:") {
            self.draft.close(found);
            self.results = true;
        } else if let Some((name, reason)) = self.results.then(|| test(text)).flatten() {
            let mut failure = new(name);
            let (called, at) = name.split_once(':').unwrap_or((name, ""));
            let known = self.failed.iter().find(|failed| failed.name == called);
            failure.extend(known.map_or(reason, |known| &known.reason), line.log);
            failure.place = known.and_then(|known| known.place.clone());
            if let (Some(place), Some((at, _))) = (&mut failure.place, place::number(at)) {
                place.line = Some(at);
            }
            self.draft.begin(failure, found);
        } else if text.starts_with("  ") && self.draft.open().is_some() && !self.results {
            self.draft.add(line, text.trim_end());
        } else {
            self.draft.close(found);
            self.other(severity, trimmed, new(trimmed), found);
        }
    }

    /// Reads a message without a place.
    fn other(&mut self, severity: Severity, text: &str, next: Diagnostic, found: &mut PendingFindings) {
        let failed = severity == Severity::Error && !text.is_empty();
        if failed && (self.over || text.starts_with("The build could not read ")) {
            // The lines behind it explain how to get more output.
            self.over = false;
            found.consequences.push(Consequence { failure: next, since: 0, is_heading: false });
        } else if severity == Severity::Warning
            && (text.starts_with("The POM for ") || text.starts_with("Using platform encoding "))
        {
            found.diagnostics.push(next);
        }
    }
}

impl FailedTest {
    /// `high(org.example.TideTest)  Time elapsed: 0.007 s  <<< FAILURE!`, or since version 3 of Surefire
    /// `org.example.TideTest.high -- Time elapsed: 0.007 s <<< ERROR!`.
    fn of(text: &str) -> Option<Self> {
        let text = text.strip_suffix(" <<< FAILURE!").or_else(|| text.strip_suffix(" <<< ERROR!"))?;
        let (name, _) = text.split_once("Time elapsed: ")?;
        let name = name.trim_end_matches(['-', ' ']);
        let (class, method) = match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
            Some((method, class)) => (class, method),
            None => name.rsplit_once('.')?,
        };
        let class = class.rsplit('.').next().unwrap_or(class);
        Some(Self { name: format!("{class}.{method}"), reason: String::new(), place: None })
    }

    /// Whether a line belongs to the stack, or the reason above it.
    fn goes_on(&mut self, text: &str) -> bool {
        if self.reason.is_empty() {
            text.trim().clone_into(&mut self.reason);
        } else if let (None, Some(call)) = (&self.place, text.trim_start().strip_prefix("at ")) {
            let class = self.name.split('.').next().unwrap_or_default();
            let stem = |file: &str| {
                let name = file.rsplit('/').next().unwrap_or(file);
                name.rsplit_once('.').is_some_and(|(stem, _)| stem == class)
            };
            self.place = called(call).filter(|place| stem(&place.file));
        }
        !text.trim().is_empty()
    }
}

/// `[ERROR] …`: how much it matters, and the text.
fn level(text: &str) -> Option<(Severity, &str)> {
    let levels =
        [("[ERROR] ", Severity::Error), ("[WARNING] ", Severity::Warning), ("[INFO] ", Severity::Info)];
    levels.into_iter().find_map(|(word, severity)| Some((severity, text.strip_prefix(word)?)))
}

/// `/x/Tide.java:[3,5] cannot find symbol`.
fn in_brackets(text: &str) -> Option<(Location, &str)> {
    let (file, rest) = text.split_once(":[")?;
    let (line, rest) = place::number(rest)?;
    let (column, rest) = place::number(rest.strip_prefix(',')?)?;
    let message = rest.strip_prefix("] ")?;
    let file = place::file(file).filter(|file| file.contains('.') && !file.starts_with(' '))?;
    Some((Location::at(file, line, column), message))
}

/// `'version' is missing. @ line 6, column 29`, or `@ group:name:1.0, /x/pom.xml, line 6, column 29`.
fn in_pom(text: &str) -> Option<(Location, &str)> {
    let (message, at) = text.rsplit_once(" @ ")?;
    let (from, at) = match at.strip_prefix("line ") {
        Some(at) => ("", at),
        None => at.rsplit_once(", line ")?,
    };
    let (line, rest) = place::number(at)?;
    let (column, rest) = place::number(rest.strip_prefix(", column ")?)?;
    let file = from.rsplit_once(", ").map_or("pom.xml", |(_, file)| file);
    let place = Location::at(place::file(file)?, line, column);
    rest.is_empty().then_some((place, message))
}

/// `  TideTest.high:12 expected: <4> but was: <3>`: the name with its line, and the reason. The file is not named.
fn test(text: &str) -> Option<(&str, &str)> {
    let (name, reason) = text.strip_prefix("  ")?.split_once(' ')?;
    let (method, line) = name.split_once("->").map_or(name, |(name, _)| name).rsplit_once(':')?;
    let (_, rest) = place::number(line)?;
    (method.contains('.') && rest.is_empty()).then_some((name, reason.trim()))
}

/// `Tests run: 5, Failures: 1, Errors: 1, Skipped: 0` without a time behind it; lines with a time are of
/// single classes.
fn sums(text: &str) -> Option<TestSummary> {
    let (run, rest) = place::number(text.strip_prefix("Tests run: ")?)?;
    let (failures, rest) = place::number(rest.strip_prefix(", Failures: ")?)?;
    let (errors, rest) = place::number(rest.strip_prefix(", Errors: ")?)?;
    let (skipped, rest) = place::number(rest.strip_prefix(", Skipped: ")?)?;
    let failed = failures.checked_add(errors)?;
    let passed = run.checked_sub(failed)?.checked_sub(skipped)?;
    let [passed, failed, skipped, total] = [passed, failed, skipped, run].map(|count| count as u64);
    rest.trim().is_empty().then_some(TestSummary { passed, failed, skipped, total, broken: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn compiler() {
        let log = "[INFO] Compiling 2 source files\n[ERROR] COMPILATION ERROR : \n[ERROR] /x/src/A b.java:[3,5] cannot find symbol\n[ERROR]   symbol:   variable heigth\n[WARNING] /x/src/C.java:[1,2] [deprecation] old() in Tide has been deprecated\n[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.1:compile (default-compile) on project tides: Compilation failure: \n[ERROR] /x/src/A b.java:[3,5] cannot find symbol\n[ERROR]   symbol:   variable heigth\n[ERROR] -> [Help 1]\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /x/src/A b.java:3:5 cannot find symbol\n  symbol:   variable heigth [3-4]",
                "warning /x/src/C.java:1:2 deprecation old() in Tide has been deprecated [5-5]",
            ]
        );
        let alone = "[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal a:b:1:exec on project tides: Command execution failed. -> [Help 1]\n";
        assert_eq!(
            findings(&FORMAT, alone),
            [
                "error Failed to execute goal a:b:1:exec on project tides: Command execution failed. -> [Help 1] [2-2]"
            ]
        );
    }

    #[test]
    fn tests() {
        let log = "[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! - in TideTest\n[INFO] \n[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   TideTest.high:12 expected: <4> but was: <3>\n[ERROR] Errors: \n[ERROR]   TideTest.low:15 » IllegalState no tide\n[INFO] \n[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0\n[INFO] \n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error TideTest.high:12\nexpected: <4> but was: <3> [6-6]",
                "error TideTest.low:15\n» IllegalState no tide [8-8]",
                "tests: 1 passed, 2 failed, 0 skipped, 3 total, 0 broken",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "[ERROR] not really",
            "[ERROR] ",
            "[WARNING] ",
            "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.",
            "[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/PluginResolutionException",
            "Tests run: 1, Failures: 2, Errors: 0, Skipped: 0",
            "[INFO] /x/A.java:[3,5] fine",
            "[ERROR] Failures: \n[ERROR]   of all kinds",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}: {:?}", findings(&FORMAT, log));
        }
    }
}
