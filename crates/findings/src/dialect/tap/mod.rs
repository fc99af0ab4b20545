//! The Test Anything Protocol, as node, mocha, tape and others write it: `not ok 3 - name`, and the lines
//! indented below.

mod entry;

use super::crash::{self, Crash, Crashed};
use super::failure::TestFailure;
use super::tally::CountReader;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location};

use entry::{TapFailure, TapProof};

/// Versions 12 to 14.
pub(super) const FORMAT: Format = Format {
    id: entry::ID,
    // Plans with a digit each: words of fewer than four bytes are dear to look for.
    triggers: &crash::triggers::<16, 24>([
        "not ok ",
        "#   Failed test",
        SPEC,
        "TAP version ",
        "# tests ",
        "node:",
        "1..0",
        "1..1",
        "1..2",
        "1..3",
        "1..4",
        "1..5",
        "1..6",
        "1..7",
        "1..8",
        "1..9",
    ]),
    programs: &["node", "mocha", "tape", "tap", "bats", "prove"],
    reader: || Box::<Tap>::default(),
};

/// Node's own report for people, in which such lines are what tests print.
const SPEC: &str = "ℹ tests ";
/// The most failing tests that wait until it is clear that they are some.
const MOST_WAITING: usize = 100;
/// The most names that are remembered.
const MOST_TOLD: usize = 1000;
/// How deep tests in tests are followed.
const DEEP: usize = 32;

#[derive(Debug, Default)]
struct Tap {
    /// The stream says that it is TAP, or how many tests there will be.
    declared: bool,
    crash: Crash,
    /// The file that died last, until the test that it was is named.
    crashed: Option<Crashed>,
    tally: CountReader,
    entry: Option<TapFailure>,
    /// Failures while nothing says that this is TAP, and whether more is known of each than its name.
    waiting: Vec<(bool, Diagnostic)>,
    /// Node's runner reports to people.
    is_spec: bool,
    /// The names of tests that Perl's comments told of.
    told: Vec<String>,
    /// A suite has its tests between braces below it.
    has_braces: bool,
    /// The suites that failed and are not over, and whether a test of each has failed.
    suites: Vec<(bool, TapFailure)>,
    /// How far those are indented that failed in a test that is not over.
    failed: Vec<usize>,
}

impl Dialect for Tap {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            self.line(line, found);
        }
        let open =
            self.entry.is_some() || self.tally.is_open() || self.crash.is_open() || !self.suites.is_empty();
        if open { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
        self.release(found);
        found.tests.extend(self.tally.take());
    }
}

impl Tap {
    fn line(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let text = line.text.trim_start_matches(' ');
        let indent = line.text.len() - text.len();
        if line.text.starts_with(SPEC) {
            self.close(found);
            self.waiting.clear();
            self.is_spec = true;
            return;
        }
        let is_quoted = self.entry.as_ref().is_some_and(|entry| entry.is_quoted);
        // Perl's comments on tests in tests are indented as those are.
        let is_comment = indent == 0 || text.starts_with("#   ");
        if let Some(comment) = text.strip_prefix('#').filter(|_| is_comment && !is_quoted) {
            self.comment(line, comment.strip_prefix(' ').unwrap_or(comment), found);
            return;
        }
        if self.tally.is_open() && !text.is_empty() {
            found.tests.extend(self.tally.take());
        }
        if let Some(failing) = text.strip_prefix("not ok ").filter(|_| self.may_begin(indent)) {
            self.close(found);
            self.begin(failing, indent, line);
        } else if self.entry.as_mut().is_some_and(|entry| entry.read(line, text, indent)) {
        } else {
            self.close(found);
            if text == "}"
                && let Some((has_failed, suite)) = self.suites.pop_if(|(_, suite)| suite.indent == indent)
                && !has_failed
            {
                let file = self.suites.first().map_or(suite.failure.name(), |(_, file)| file.failure.name());
                let file = Some(Location::file(file));
                self.keep(false, self.declared, suite.failure.of(file).finish(FORMAT.id), found);
            } else if text.starts_with("TAP version ") || is_plan(line.text) {
                (self.declared, self.is_spec) = (true, false);
                found.diagnostics.extend(self.waiting.drain(..).map(|(_, failed)| failed));
            }
        }
    }

    /// Reads the text behind `#`: a count, a line of a file that died, or a comment on the failing test.
    fn comment(&mut self, line: &Line<'_>, text: &str, found: &mut PendingFindings) {
        let text = unescaped(text);
        if let Some(crashed) = self.crash.read(line, &text) {
            self.crashed = Some(crashed);
        }
        if self.tally.read(&text) {
            self.close(found);
            self.release(found);
        } else if let Some(failed) = text.strip_prefix("  Failed test") {
            self.diagnosed(failed, line, found);
        } else if let Some(entry) = self.entry.as_mut().filter(|entry| entry.is_bare()) {
            if text.starts_with("Subtest: ") {
                self.close(found);
            } else {
                entry.comment(&text, line);
            }
        } else if !text.is_empty() && self.tally.is_open() {
            found.tests.extend(self.tally.take());
        }
    }

    /// Reads `'name'` or ` at t/a.t line 5.`, as Perl's libraries tell of a test, perhaps below its own line.
    fn diagnosed(&mut self, text: &str, line: &Line<'_>, found: &mut PendingFindings) {
        let text = text.trim();
        let name = text.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
        if let Some(entry) =
            self.entry.as_mut().filter(|entry| entry.is_bare() && entry.proof == TapProof::Name)
            && name.is_none_or(|name| name == entry.failure.name())
        {
            entry.failure.within(line);
            if name.is_none() {
                entry.comment(text, line);
            }
            return;
        }
        self.close(found);
        let title = name.unwrap_or("Failed test");
        let mut entry = TapFailure::new(TestFailure::new(title, line), 0, false);
        entry.proof = TapProof::Comment;
        match name {
            Some(name) if self.told.len() < MOST_TOLD => self.told.push(name.to_owned()),
            Some(_) => {}
            None => entry.comment(text, line),
        }
        self.entry = Some(entry);
    }

    /// Nothing says that this is TAP: the failures count of which more is known than a name.
    fn release(&mut self, found: &mut PendingFindings) {
        let known = self.waiting.drain(..).filter(|(is_sure, _)| *is_sure);
        found.diagnostics.extend(known.map(|(_, failed)| failed));
    }

    /// Whether a test may begin here, outside the description of another.
    fn may_begin(&self, indent: usize) -> bool {
        self.entry.as_ref().is_none_or(|entry| !entry.is_quoted && indent <= entry.indent || entry.is_bare())
    }

    /// `3 - name # TODO`
    fn begin(&mut self, text: &str, indent: usize, line: &Line<'_>) {
        let Some((_, name)) = place::number(text) else { return };
        let name = name.strip_prefix(" -").unwrap_or(name);
        let Some(name) = name.strip_prefix(' ').filter(|name| !name.trim().is_empty()) else { return };
        let by_others = !self.has_braces && self.failed.iter().any(|other| *other > indent);
        self.failed.retain(|other| *other < indent);
        // Vitest puts the tests of a file between braces.
        let (is_file, name) = name.strip_suffix(" {").map_or((false, name), |name| (true, name));
        let (name, directive) = directive(name);
        self.has_braces |= is_file;
        if !directive {
            self.suites.iter_mut().for_each(|(has_failed, _)| *has_failed = true);
        }
        if is_file && !directive && self.suites.len() < DEEP {
            let suite = TestFailure::new(&unescaped(name.trim()), line);
            self.suites.push((false, TapFailure::new(suite, indent, false)));
        }
        let told = self.told.iter().position(|told| *told == unescaped(name.trim()));
        if let Some(told) = told {
            self.told.swap_remove(told);
        }
        if directive || is_file || told.is_some() {
            return;
        }
        if self.failed.len() < DEEP {
            self.failed.push(indent);
        }
        self.entry =
            Some(TapFailure::new(TestFailure::new(&unescaped(name.trim()), line), indent, by_others));
    }

    fn close(&mut self, found: &mut PendingFindings) {
        let Some(entry) = self.entry.take() else { return };
        let crashed = self.crashed.take_if(|crashed| crashed.names(entry.failure.name()));
        if entry.by_others {
            return;
        }
        let is_sure = entry.proof == TapProof::Lines;
        let is_known = entry.proof == TapProof::Comment || self.declared;
        let listed =
            entry.listed.iter().any(|found| found.place.as_ref().is_some_and(|place| place.line.is_some()));
        if listed {
            found.diagnostics.extend(entry.listed);
            return;
        }
        let failed = match crashed {
            Some(crashed) => crashed.of_test(entry.failure.name(), entry.failure.log(), FORMAT.id),
            None => entry.finish().finish(FORMAT.id),
        };
        self.keep(is_sure, is_known, failed, found);
    }

    /// A failure that is known to be one, or that waits for what says so.
    fn keep(&mut self, is_sure: bool, is_known: bool, failed: Diagnostic, found: &mut PendingFindings) {
        if is_known || is_sure && !self.is_spec && self.waiting.len() == MOST_WAITING {
            found.diagnostics.push(failed);
        } else if !self.is_spec && self.waiting.len() < MOST_WAITING {
            self.waiting.push((is_sure, failed));
        }
    }
}

/// The name, and whether the test may fail: it is still to be done, or was left out.
fn directive(name: &str) -> (&str, bool) {
    let Some((before, directive)) = name.rsplit_once(" # ") else { return (name, false) };
    let word = directive.split(' ').next().unwrap_or_default();
    let may_fail = ["todo", "skip"].iter().any(|one| word.eq_ignore_ascii_case(one));
    let timed = word.starts_with("time=");
    (if may_fail || timed { before } else { name }, may_fail)
}

/// `1..8`
fn is_plan(text: &str) -> bool {
    let count = text.strip_prefix("1..").unwrap_or_default();
    !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())
}

/// `\#` is `#`.
fn unescaped(text: &str) -> String {
    text.replace("\\#", "#").replace("\\\\", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn of_node() {
        let log = "TAP version 13\n# Subtest: tide\n    # Subtest: is \\# high\n    not ok 1 - is \\# high\n      ---\n\
                   \x20     duration_ms: 2.1\n      location: '/x/tide.test.js:5:3'\n      failureType: 'testCodeFailure'\n\
                   \x20     error: |-\n        no tide\n          without a moon\n        \n      code: 'ERR_TEST_FAILURE'\n\
                   \x20     name: 'TypeError'\n      expected: 4\n      actual: 3\n      stack: |-\n\
                   \x20       Test.run (node:internal/test:1:2)\n        f (file:///x/a%20b/tide.js:6:12)\n      ...\n    1..1\n\
                   not ok 1 - tide\n  ---\n  failureType: 'subtestsFailed'\n  error: '1 subtest failed'\n  ...\n\
                   not ok 2 - todo # TODO\n  ---\n  error: 'todo'\n  ...\n\
                   not ok 3 - slow\n  ---\n  location: 'C:\\\\x\\\\tide.test.js:23:3'\n  error: 'test timed out after 50ms'\n  ...\n\
                   1..3\n# tests 3\n# suites 0\n# pass 0\n# fail 1\n# cancelled 1\n# skipped 0\n# todo 1\n# duration_ms 441.2\n";
        let expected = [
            "error /x/a b/tide.js:6:12 is # high (/x/tide.test.js:5)\nTypeError: no tide\n  without a moon\nexpected: 4\nactual: 3 [4-20]",
            "error C:\\x\\tide.test.js:23:3 slow\ntest timed out after 50ms [31-35]",
            "tests: 0 passed, 2 failed, 1 skipped, 3 total, 0 broken",
        ];
        assert_eq!(findings(&FORMAT, log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn dots_in_a_compared_value_do_not_end_a_block() {
        let many = (0..1500).fold(String::new(), |all, n| all + &format!("      day{n}: 'calm'\n"));
        let log = format!(
            "TAP version 13\nnot ok 1 - deep\n  ---\n  error: |-\n    Expected values to be strictly deep-equal:\n      {{\n    ...\n\
             \x20   -   at: 6\n    +   at: 7\n  name: 'AssertionError'\n  expected:\n{many}  actual:\n  error: 'inner'\n  name: 'TypeError'\n\
             \x20 stack: |-\n    /x/a.js:1:2\n  operator: 'throws'\n  stack: |-\n    f (/x/a.js:3:4)\n  ...\n1..1\n"
        );
        assert_eq!(
            findings(&FORMAT, &log),
            [
                "error /x/a.js:3:4 deep\nExpected values to be strictly deep-equal:\n  {\n...\n-   at: 6\n+   at: 7 [2-1520]"
            ]
        );
    }

    #[test]
    fn a_file_that_died() {
        let log = "TAP version 13\n# /x/src/deep.js:4\n#   return (;\n#           ^\n# SyntaxError: Unexpected token\n\
                   #     at \\#a (/x/b.test.js:1:1)\n# Node.js v20.19.4\n# Subtest: b.test.js\nnot ok 1 - b.test.js\n  ---\n\
                   \x20 location: '/x/b.test.js:1:1'\n  error: 'test failed'\n  ...\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /x/src/deep.js:4 b.test.js\nSyntaxError: Unexpected token [2-13]"]
        );
    }

    #[test]
    fn of_mocha() {
        let log = "not ok 5 tide is too slow\n  Timeout of 50ms exceeded. (/x/test/tide.js)\n  \n\
                   \x20 Error: Timeout of 50ms exceeded. (/x/test/tide.js)\n      at listOnTimeout (node:internal/timers:581:17)\n\
                   ok 6 tide is calm\nnot ok 7 throws\n  no tide\n  TypeError: no tide\n      at f (test/tide.js:15:13)\n\
                   # tests 3\n# pass 1\n# fail 2\n1..3\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /x/test/tide.js tide is too slow\nTimeout of 50ms exceeded. (/x/test/tide.js) [1-2]",
                "error test/tide.js:15:13 throws\nno tide [7-10]",
                "tests: 1 passed, 2 failed, 0 skipped, 3 total, 0 broken",
            ]
        );
    }

    /// Recorded: vitest 3.2.7, `vitest run --reporter tap`, and with `tap-flat`.
    #[test]
    fn of_vitest() {
        let yaml = "        ---\n        error:\n            name: \"AssertionError\"\n            message: \"expected 1 to be 2 // Object.is equality\"\n\
                    \x20       at: \"/boats/a.test.js:10:91\"\n        actual: \"1\"\n        expected: \"2\"\n        ...\n";
        let nested = format!(
            "TAP version 13\n1..1\nnot ok 1 - a.test.js # time=13.57ms {{\n    1..2\n    ok 1 - prints # time=3.52ms\n\
             \x20   not ok 2 - fails # time=8.45ms\n{yaml}}}\n"
        );
        let reason = "expected 1 to be 2 // Object.is equality\nexpected: 2\nactual: 1";
        assert_eq!(
            findings(&FORMAT, &nested),
            [format!("error /boats/a.test.js:10:91 fails\n{reason} [6-14]")]
        );
        let flat = format!(
            "TAP version 13\n1..2\nok 1 - a.test.js > prints # time=5.09ms\nnot ok 2 - a.test.js > fails # time=11.18ms\n{}",
            yaml.replace("        ", "    ")
        );
        assert_eq!(
            findings(&FORMAT, &flat),
            [format!("error /boats/a.test.js:10:91 a.test.js > fails\n{reason} [4-12]")]
        );
        let nowhere = flat.replace("    at: \"/boats/a.test.js:10:91\"\n", "");
        assert_eq!(
            findings(&FORMAT, &nowhere),
            [format!("error a.test.js a.test.js > fails\n{reason} [4-11]")]
        );
    }

    /// Recorded: vitest 4, `vitest run --reporter tap`, a suite that failed before its tests.
    #[test]
    fn a_suite_without_a_failed_test() {
        let log = "TAP version 13\n1..1\nnot ok 1 - vt/order.test.ts # time=99.1ms {\n    1..2\n    ok 1 - adds # time=1.2ms\n\
                   \x20   not ok 2 - hooks # time=16.23ms {\n        1..1\n        ok 1 - h1 # SKIP\n    }\n}\n";
        assert_eq!(findings(&FORMAT, log), ["error vt/order.test.ts hooks [6-6]"]);
    }

    /// Recorded: deno 2.9, `deno test --reporter=tap`.
    #[test]
    fn of_deno() {
        let log = "TAP version 14\n# ./a_test.ts\nnot ok 1 - adds\n  ---\n  {\"message\":\"Error: 2 != 3\\nfunction f() {}\\n         ^\\n    at f (file:///x/lib.ts:2:68)\",\"severity\":\"fail\",\"at\":{\"file\":\"./a_test.ts\",\"line\":3}}\n  ...\n\
                   ok 2 - ok\n# Subtest: steps\n    not ok 1 - inner\n      ---\n      {\"message\":\"TypeError: bad\",\"severity\":\"fail\",\"at\":{\"file\":\"./a_test.ts\",\"line\":7}}\n      ...\n    1..1\n\
                   not ok 3 - steps\n  ---\n  {\"message\":\"1 test step failed.\",\"severity\":\"fail\",\"at\":{\"file\":\"./a_test.ts\",\"line\":6}}\n  ...\n1..3\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /x/lib.ts:2:68 adds (./a_test.ts:3)\nError: 2 != 3 [3-6]",
                "error ./a_test.ts:7 inner\nTypeError: bad [9-12]",
            ]
        );
    }

    /// Recorded: eslint 8, `eslint -f tap`.
    #[test]
    fn of_eslint() {
        let log = "TAP version 13\n1..2\nnot ok 1 - /p/a.js\n  ---\n  message: Expected '===' and instead saw '=='.\n  severity: warning\n  data:\n\
                   \x20   line: 2\n    column: 7\n    ruleId: eqeqeq\n  messages:\n    - message: Unexpected console statement.\n      severity: error\n\
                   \x20     data:\n        line: 2\n        column: 15\n        ruleId: no-console\n  ...\n\n\
                   not ok 2 - /p/b c.js\n  ---\n  message: 'Parsing error: Unexpected token'\n  severity: error\n  data:\n    line: 2\n    column: 1\n    ruleId: ''\n  ...\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "warning /p/a.js:2:7 eqeqeq Expected '===' and instead saw '=='. [6-10]",
                "error /p/a.js:2:15 no-console Unexpected console statement. [12-17]",
                "error /p/b c.js:2:1 Parsing error: Unexpected token [23-27]",
            ]
        );
        let block = "|-\n        Unexpected console statement.\n        Use a logger.\n";
        let log = log.replace("Unexpected console statement.\n", block);
        assert_eq!(
            findings(&FORMAT, &log)[1],
            "error /p/a.js:2:15 no-console Unexpected console statement. [12-19]"
        );
    }

    #[test]
    fn of_others() {
        let tape = "TAP version 13\n# adds\nnot ok 1 should be equal\n  ---\n    operator: equal\n    expected: 2\n\
                    \x20   actual:   1\n    at: Test.<anonymous> (/x/a.js:3:5)\n    stack: |-\n      Error: should be equal\n\
                    \x20         at Test.assert (/x/node_modules/tape/lib/test.js:1:2)\n          at Test.f (/x/a.js:3:5)\n  ...\n\
                    \n1..1\n# tests 1\n# pass  0\n# fail  1\n";
        assert_eq!(
            findings(&FORMAT, tape),
            [
                "error /x/a.js:3:5 should be equal\nexpected: 2\nactual: 1 [3-13]",
                "tests: 0 passed, 1 failed, 0 skipped, 1 total, 0 broken",
            ]
        );
        let bats = "1..2\nok 1 first\nnot ok 2 second\n# (in test file a.bats, line 3)\n#   `false' failed\n";
        assert_eq!(findings(&FORMAT, bats), ["error a.bats:3 second\n  `false' failed [3-5]"]);
        let late = "ok 1 - first\nnot ok 2 - second\n#   Failed test 'second'\n1..2\n";
        assert_eq!(findings(&FORMAT, late), ["error second [2-3]"]);
        let nested = "TAP version 14\n# Subtest: a.js\n    not ok 1 - inner\n      ---\n      at: f (a.js:1:2)\n      ...\n\
                      not ok 1 - a.js # time=5.9ms\n";
        assert_eq!(findings(&FORMAT, nested), ["error a.js:1:2 inner [3-6]"]);
    }

    /// Recorded: perl 5.36.0, `prove -v`, of which the comments are on standard error.
    #[test]
    fn of_perl() {
        let log = "\n#   Failed test 'math # is hard'\n#   at t/a.t line 2.\n\n#   Failed test 'strings'\n#   at t/a.t line 3.\n\
                   #          got: 'a'\n#     expected: 'b'\n\n#   Failed test at t/a.t line 5.\n# Looks like you failed 3 tests of 3.\n\
                   t/a.t .. \n1..3\nnot ok 1 - math \\# is hard\nnot ok 2 - strings\nnot ok 3\nDubious, test returned 3\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error t/a.t:2 math # is hard [2-3]",
                "error t/a.t:3 strings\n         got: 'a'\n    expected: 'b' [5-8]",
                "error t/a.t:5 Failed test\nLooks like you failed 3 tests of 3. [10-11]",
            ]
        );
    }

    #[test]
    fn under_nodes_runner_tests_print_it() {
        let printed = "not ok 1 - foo\n  ---\n  error: bad\n";
        assert_eq!(findings(&FORMAT, printed), ["error foo\nbad [1-3]"]);
        assert!(
            findings(&FORMAT, &format!("{printed}✔ fine (3.67ms)\nℹ tests 1\nℹ pass 1\n{printed}"))
                .is_empty()
        );
    }

    /// Recorded: vitest 4.1.12, `vitest run --reporter=tap`.
    #[test]
    fn a_quoted_value_goes_on() {
        let log = "TAP version 13\n1..1\nnot ok 1 - a.test.js # time=1ms {\n    not ok 1 - nested # time=1ms {\n        not ok 1 - adds # time=1ms\n\
                   \x20           ---\n            at: \"/boats/a.test.js:4:1\"\n            actual: \"{\n  \\\"a\\\": 1,\n}\"\n            expected: \"2\"\n\
                   \x20           ...\n    }\n    not ok 2 - late # time=1ms\n        ---\n        error:\n            name: \"Error\"\n\
                   \x20           message: \"out of time.\nMore advice.\"\n        at: \"/boats/a.test.js:8:3\"\n        ...\n}\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /boats/a.test.js:4:1 adds\nexpected: 2\nactual: \"{ [5-12]",
                "error /boats/a.test.js:8:3 late\nError: out of time. [14-21]",
            ]
        );
    }

    /// Recorded: tap 21, `tap a.js`.
    #[test]
    fn a_place_in_parts() {
        let log = "TAP version 14\nnot ok 1 - plan\n  ---\n  at:\n    fileName: test/a.js\n    lineNumber: 4\n    columnNumber: 25\n  source: >\n    t.test();\n  ...\n";
        assert_eq!(findings(&FORMAT, log), ["error test/a.js:4:25 plan [2-10]"]);
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "not ok 1 - tide\nerror: not really\n▶ errors\n",
            "it is not ok 1 - tide\n  ---\n",
            "not ok - tide\n  detail\n",
            "TAP version 13\n# not ok 1 - tide\n#   ---\nok 1 - not ok 2 - x\n",
            "not ok 2 - moon # SKIP\n  detail\n",
            "# tests 5\n# of which none\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
