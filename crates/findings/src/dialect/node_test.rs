//! Node's own test runner, as it reports to people: a tree of tests, the count, then each failing test once more.

use super::crash::{self, Crash, Crashed};
use super::failure::TestFailure;
use super::tally::CountReader;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// The spec and dot reporters of versions 20 and later.
pub(super) const FORMAT: Format = Format {
    id: "node_test",
    triggers: &crash::triggers::<5, 13>(["ℹ tests ", "✖ ", "▶ ", "node:", ALONE]),
    programs: &["node", "tsx"],
    reader: || Box::<NodeTest>::default(),
};

/// The line above the list of the dot reporter, which prints no tree and no count.
const ALONE: &str = "Failed tests:";
/// The most tests that are kept until the count says that they are listed again.
const MOST: usize = 100;
/// The most lines of a test's name.
const NAME: usize = 5;

#[derive(Debug, Default)]
struct NodeTest {
    crash: Crash,
    /// The file that died last, until the test that it was is named.
    crashed: Option<Crashed>,
    /// The files that died and were reported.
    reported: Vec<String>,
    tally: CountReader,
    /// The tree above the count.
    live: Live,
    list: List,
}

/// The list of failing tests below the count.
#[derive(Debug, Default)]
struct List {
    state: NodeTestState,
    place: Option<Location>,
    failure: Option<TestFailure>,
}

#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
enum NodeTestState {
    /// There was no count yet, so that no list of failing tests can begin.
    #[default]
    Uncounted,
    Counted,
    /// Between tests.
    Listing,
    /// In the name of one, which has had so many lines.
    Name(usize),
    /// In its error.
    Error,
    /// In a test that is none: still to be done.
    Todo,
}

impl Dialect for NodeTest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.line(line, found);
        }
        let listing = !matches!(self.list.state, NodeTestState::Uncounted | NodeTestState::Counted);
        if listing || self.tally.is_open() || self.crash.is_open() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close_tally(found);
        self.close_failure(found);
        self.live.end(found);
    }
}

impl NodeTest {
    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        if let Some(crashed) = self.crash.read(line, line.text) {
            self.crashed = Some(crashed);
        }
        if line.text.strip_prefix("ℹ ").is_some_and(|rest| self.tally.read(rest)) {
            return;
        }
        self.close_tally(found);
        match self.list.state {
            NodeTestState::Counted if line.text == "✖ failing tests:" => {
                self.list.state = NodeTestState::Listing;
            }
            NodeTestState::Uncounted if line.text == ALONE => self.list.state = NodeTestState::Listing,
            NodeTestState::Uncounted | NodeTestState::Counted => self.tree(line, found),
            _ => self.list(line, found),
        }
    }

    fn close_tally(&mut self, found: &mut PendingFindings) {
        if self.tally.is_open()
            && let Some(tests) = self.tally.take()
        {
            found.tests.push(tests);
            self.live = Live::default();
            self.list.state = NodeTestState::Counted;
        }
    }

    /// Reads a line of the tree. The output of a file that died comes before its name.
    fn tree(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        self.live.read(line);
        let Some((name, _)) = line.text.strip_prefix("✖ ").and_then(timed) else { return };
        if let Some(crashed) = self.crashed.take_if(|crashed| crashed.names(name)) {
            self.live.forget();
            found.diagnostics.push(crashed.of_test(name, line.log, FORMAT.id));
            if self.reported.len() < MOST {
                self.reported.push(name.to_owned());
            }
        }
    }

    /// A line of the list of failing tests.
    fn list(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text;
        if let Some(at) = text.strip_prefix("test at ") {
            self.close_failure(found);
            self.list.place = place::whole(at);
            self.list.state = NodeTestState::Listing;
        } else if let (Some(name), NodeTestState::Listing | NodeTestState::Error | NodeTestState::Todo) =
            (text.strip_prefix("✖ "), self.list.state)
        {
            self.close_failure(found);
            self.list.name(name, line);
        } else if let Some(error) = text.strip_prefix("  ") {
            self.list.error(error, line);
        } else if let NodeTestState::Name(lines) = self.list.state
            && lines < NAME
        {
            self.list.name(text, line);
        } else if !text.is_empty() {
            self.close_failure(found);
            self.list.state = NodeTestState::Counted;
        }
    }

    fn close_failure(&mut self, found: &mut PendingFindings) {
        let Some(failure) = self.list.failure.take() else { return };
        // The dot reporter lists suites that failed because of what is in them.
        if failure.reasons().all(is_of_subtests) && failure.has_reason() {
            return;
        }
        if !self.reported.iter().any(|name| name == failure.name()) {
            found.diagnostics.push(failure.finish(FORMAT.id));
        }
    }
}

/// A file that died is reported as a test of its name.
fn is_script(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    ["js", "mjs", "cjs", "ts", "mts", "cts"].contains(&end)
}

/// `2 subtests failed`
fn is_of_subtests(reason: &str) -> bool {
    let rest = place::number(reason).map(|(_, rest)| rest);
    rest.is_some_and(|rest| matches!(rest, " subtests failed" | " subtest failed"))
}

impl List {
    /// A line of a test's name: the last one says how long it took, unless it never ran.
    fn name(&mut self, text: &str, line: &Line<'_>) {
        let (name, rest) = timed(text).unwrap_or((text, ""));
        if let Some(failure) = &mut self.failure {
            failure.rename(name, line);
        } else {
            let file = || is_script(name).then(|| Location::file(name));
            let home = self.place.take().or_else(file);
            self.failure = Some(TestFailure::new(name, line).of(home));
        }
        let lines = if let NodeTestState::Name(lines) = self.state { lines + 1 } else { 1 };
        self.state = match rest {
            "" if name.len() == text.len() => NodeTestState::Name(lines),
            "" => NodeTestState::Error,
            _ => {
                self.failure = None;
                NodeTestState::Todo
            }
        };
    }

    fn error(&mut self, text: &str, line: &Line<'_>) {
        if let NodeTestState::Name(_) = self.state {
            self.state = NodeTestState::Error;
        }
        if let Some(failure) = &mut self.failure {
            // A thrown value that is no error is printed as a JavaScript string.
            let string = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
            let text = string.filter(|_| !failure.has_reason()).unwrap_or(text);
            match frame::at(text) {
                Some(frame) => failure.frame(frame, line),
                None => failure.reason(text, line),
            }
        }
    }
}

/// The failures in the tree, in case the runner dies before it lists them.
#[derive(Debug, Default)]
struct Live {
    failed: Vec<(String, LogRange)>,
    /// The tests with tests of their own that are open: how far they are indented, and how many had failed before.
    open: Vec<(usize, usize)>,
}

impl Live {
    fn read(&mut self, line: &Line<'_>) {
        let text = line.text.trim_start();
        let indent = line.text.len() - text.len();
        if text.starts_with("▶ ") && self.open.len() < MOST {
            self.open.retain(|(other, _)| *other < indent);
            self.open.push((indent, self.failed.len()));
        } else if let Some((name, "")) = text.strip_prefix("✖ ").filter(|text| is_exact(text)).and_then(timed)
        {
            // It failed because of others that are here already.
            let own = self.open.iter().position(|(other, _)| *other == indent);
            let before = own.map(|own| self.open.swap_remove(own).1);
            if self.failed.len() < MOST && before.is_none_or(|before| before == self.failed.len()) {
                self.failed.push((name.to_owned(), line.log));
            }
        }
    }

    /// The last one is known otherwise.
    fn forget(&mut self) {
        self.failed.pop();
    }

    fn end(&mut self, found: &mut PendingFindings) {
        for (name, log) in self.failed.drain(..) {
            found.diagnostics.push(Diagnostic::new(Severity::Error, name, log, FORMAT.id));
        }
    }
}

/// `name (1.437591ms) # TODO`: the name, and the rest.
fn timed(text: &str) -> Option<(&str, &str)> {
    let (before, rest) = text.rsplit_once("ms)")?;
    let (name, time) = before.rsplit_once(" (")?;
    let (whole, part) = time.split_once('.').unwrap_or((time, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits(whole) && digits(part) && (rest.is_empty() || rest.starts_with(" #"));
    fits.then_some((name, rest))
}

/// Whether a time at the end is as exact as only this runner prints it.
fn is_exact(text: &str) -> bool {
    let part = text.strip_suffix("ms)").and_then(|text| text.rsplit_once('.'));
    part.is_some_and(|(_, part)| part.len() > 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    const COUNT: &str = "ℹ tests 3\nℹ suites 1\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\n\
                         ℹ duration_ms 322.781917\n";

    #[test]
    fn the_list_counts_and_not_the_tree() {
        let log = format!(
            "▶ tide\n  ✖ is high (1.437591ms)\n    Error: twice\n✖ tide (57.104114ms)\n{COUNT}\n✖ failing tests:\n\n\
             test at a b/tide.test.js:5:3\n✖ name\nin two lines (3ms) (1.437591ms)\n\
             \x20 AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n  \n  3 !== 4\n  \n\
             \x20     at f (/x/node_modules/a.js:1:2)\n      at TestContext.<anonymous> (file:///x/a%20b/tide.test.js:6:12)\n\
             \x20     at Test.run (node:internal/test:1:2) {{\n    code: 'ERR_ASSERTION',\n  }}\n\n\
             test at tide.test.js:16:1\n✖ todo fails (0.132102ms) # TODO\n  Error: todo\n\n\
             test at tide.test.js:23:3\n✖ never\n  'test did not finish before its parent and was cancelled'\n\
             npm error Lifecycle script `test` failed\n✖ another program (1.2ms)\n"
        );
        let expected = [
            "error /x/a b/tide.test.js:6:12 name in two lines (3ms)\nAssertionError [ERR_ASSERTION]: Expected values to \
             be strictly equal:\n3 !== 4 [17-24]",
            "error tide.test.js:23:3 never\ntest did not finish before its parent and was cancelled [34-35]",
            "tests: 1 passed, 2 failed, 0 skipped, 3 total, 0 broken",
        ];
        assert_eq!(findings(&FORMAT, &log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn causes_follow_the_reason() {
        let log = format!(
            "{COUNT}\n✖ failing tests:\n\ntest at a.test.mjs:13:1\n✖ cause (0.291233ms)\n  Error: cannot read\n\
             \x20     at parse (file:///x/a.test.mjs:10:11)\n      ... 5 lines matching cause stack trace ...\n\
             \x20     at async Test.run (node:internal/test:526:7) {{\n\
             \x20   [cause]: SyntaxError [Error]: Expected property\n        at JSON.parse (<anonymous>)\n\
             \x20       at parse (file:///x/b.mjs:9:21)\n        at Test.run (node:internal/test:796:25)\n  }}\n\n\
             test at a.test.mjs:14:1\n✖ aggregate (0.726773ms)\n\
             \x20 [Error [AggregateError]: All promises were rejected] {{\n    [errors]: [\n      Error: one is down\n\
             \x20         at TestContext.<anonymous> (file:///x/a.test.mjs:14:67)\n          at Test.run (node:internal/test:796:25),\n\
             \x20     TypeError: two is down\n          at f (file:///x/a.test.mjs:14:109)\n    ]\n  }}\n"
        );
        let found = findings(&FORMAT, &log);
        assert_eq!(
            found[..2],
            [
                "error /x/a.test.mjs:10:11 cause\nError: cannot read\ncaused by SyntaxError [Error]: Expected property (/x/b.mjs:9:21) [13-20]",
                "error /x/a.test.mjs:14:67 aggregate\n[Error [AggregateError]: All promises were rejected]\n\
                 caused by Error: one is down (/x/a.test.mjs:14:67)\ncaused by TypeError: two is down (/x/a.test.mjs:14:109) [25-32]",
            ]
        );
    }

    #[test]
    fn a_file_that_died_is_one_failure() {
        let log = format!(
            "/x/src/deep.js:4\n  return (;\n          ^\n\nSyntaxError: Unexpected token ';'\n\
             \x20   at a (/x/b.test.js:1:1)\n\nNode.js v24.9.0\n✖ b.test.js (27.679617ms)\n{COUNT}\n\
             ✖ failing tests:\n\ntest at b.test.js:1:1\n✖ b.test.js (27.679617ms)\n  'test failed'\n\n\
             test at c.test.js:1:1\n✖ c.test.js (27.679617ms)\n  'test failed'\n"
        );
        assert_eq!(
            findings(&FORMAT, &log),
            [
                "error /x/src/deep.js:4 b.test.js\nSyntaxError: Unexpected token ';' [1-9]",
                "error c.test.js:1:1 c.test.js\ntest failed [26-27]",
                "tests: 1 passed, 2 failed, 0 skipped, 3 total, 0 broken",
            ]
        );
    }

    #[test]
    fn a_runner_that_was_killed_has_listed_nothing() {
        let log = "▶ tide\n  ✖ is high (1.437591ms)\n  ✔ is calm (1.4ms)\n✖ tide (57.104114ms)\n✖ flat (2.10001ms)\n";
        assert_eq!(findings(&FORMAT, log), ["error is high [2-2]", "error flat [5-5]"]);
        assert!(findings(&FORMAT, &format!("{log}{COUNT}")).len() == 1);
    }

    #[test]
    fn the_list_goes_on_behind_a_test_that_is_to_be_done() {
        let log = "X.XX\n\nFailed tests:\n\n✖ todo (0.479519ms) # TODO\n  Error: todo\n✖ child (13.213681ms)\n  Error: no\n\
                   ✖ sub (13.829266ms)\n  '1 subtest failed'\n";
        assert_eq!(findings(&FORMAT, log), ["error child\nError: no [7-8]"]);
    }

    #[test]
    fn output_of_tests_is_no_finding() {
        let log = "✖ failing tests:\n\ntest at a.js:1:1\n✖ fake (ms)\n  Error: no\nℹ tests 5 of them\nℹ tests 5\n\
                   ℹ a diagnostic\nℹ pass 3\n✖ build failed in 3s\n✖ 2 problems (2 errors, 0 warnings)\n";
        assert!(findings(&FORMAT, log).is_empty());
    }
}
