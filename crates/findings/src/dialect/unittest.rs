//! Python's unittest: the blocks of `FAIL:` and `ERROR:` below a rule, and `FAILED (failures=1)`.

use super::reason::Reason;
use super::traceback::{self, Traceback};
use super::{Dialect, Format, Line, Next, PendingFindings};
use crate::model::{Diagnostic, LogRange, Severity, TestSummary};

/// Versions 3.8 to 3.14, and Django's runner, which prints the same.
pub(super) const FORMAT: Format = Format {
    id: "unittest",
    triggers: &["======================================================================", "Ran "],
    programs: &["python", "python3", "unittest"],
    reader: || Box::<Unittest>::default(),
};

/// The rules about a block, as wide as they always are.
const WIDTH: usize = 70;
/// The longest block, in lines.
const LONGEST: usize = 20_000;
/// How many lines may stand between the number of tests and how they went.
const TO_RESULT: usize = 4;

#[derive(Debug, Default)]
struct Unittest {
    state: UnittestState,
    block: Option<UnittestBlock>,
    /// The number of tests until their result is read, and the lines left for that.
    ran: Option<(u64, usize)>,
    /// Failures of classes and modules, which are no tests.
    beside: u64,
    /// Further failures of one test.
    further: u64,
    /// The test of the last block.
    last: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum UnittestState {
    #[default]
    Outside,
    /// Below a rule: which test.
    Ruled,
    /// Between the test and its traceback: the test's own description.
    Described,
    Within,
}

#[derive(Debug)]
struct UnittestBlock {
    name: String,
    traceback: Traceback,
    /// The exception, and the explanation below it.
    reason: Reason,
    /// The next lines are output of the test.
    captured: bool,
    /// The first line where no traceback is.
    first: Option<String>,
    log: LogRange,
    last: LogRange,
    lines: usize,
}

impl Dialect for Unittest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            let text = line.text.trim_end();
            if is_rule(text, '=') {
                self.close(true, found);
                self.state = UnittestState::Ruled;
            } else if let Some(ran) = ran(text).filter(|_| is_rule(line.before().trim_end(), '-')) {
                self.close(true, found);
                self.ran = Some((ran, TO_RESULT));
                self.state = UnittestState::Outside;
            } else {
                self.within(text, line, found);
                self.result(text, found);
            }
        }
        let waits = self.state != UnittestState::Outside || self.ran.is_some();
        if waits { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(false, found);
    }
}

impl Unittest {
    fn within(&mut self, text: &str, line: &Line<'_>, found: &mut PendingFindings) {
        match self.state {
            UnittestState::Outside => {}
            UnittestState::Ruled => {
                let name =
                    ["FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "].iter().find_map(|w| text.strip_prefix(w));
                self.state = if name.is_some() { UnittestState::Described } else { UnittestState::Outside };
                self.block = name.map(|name| UnittestBlock {
                    name: name.to_owned(),
                    traceback: Traceback::default(),
                    reason: Reason::default(),
                    captured: false,
                    first: text.starts_with("UNEXPECTED").then(|| "unexpected success".to_owned()),
                    log: line.log,
                    last: line.log,
                    lines: 0,
                });
            }
            UnittestState::Described if is_rule(text, '-') => self.state = UnittestState::Within,
            UnittestState::Described | UnittestState::Within => {
                let within = self.state == UnittestState::Within;
                let Some(block) = &mut self.block else { return };
                if !block.read(text, line, within) {
                    self.close(false, found);
                    self.state = UnittestState::Outside;
                }
            }
        }
    }

    /// The block is over; `whole` where something else begins.
    fn close(&mut self, whole: bool, found: &mut PendingFindings) {
        // A rule without a traceback below is no failure.
        let is_one = self.state == UnittestState::Within;
        if let Some(block) = self.block.take().filter(|block| is_one || whole && block.first.is_some()) {
            let test = block.name.split_once(')').map_or(block.name.as_str(), |(test, _)| test).to_owned();
            let of_class = ["setUpClass (", "tearDownClass (", "setUpModule (", "tearDownModule ("];
            if test == self.last {
                self.further += 1;
            } else if of_class.iter().any(|start| test.starts_with(start)) {
                self.beside += 1;
            }
            self.last = test;
            found.diagnostics.push(block.finish(whole));
        }
    }

    /// `OK (skipped=1)`, `FAILED (failures=1, errors=1)`.
    fn result(&mut self, text: &str, found: &mut PendingFindings) {
        let Some((ran, left)) = self.ran.take() else { return };
        let is_result = ["OK", "FAILED", "NO TESTS RAN"]
            .iter()
            .find_map(|word| text.strip_prefix(word))
            .filter(|rest| rest.is_empty() || rest.starts_with(" ("));
        let Some(rest) = is_result else {
            self.ran = (left > 0).then(|| (ran, left - 1));
            return;
        };
        let counts = rest.trim_start_matches(" (").trim_end_matches(')');
        let count = |wanted: &str| -> u64 {
            let of = |part: &str| part.split_once('=').filter(|(what, _)| *what == wanted)?.1.parse().ok();
            counts.split(", ").find_map(of).unwrap_or_default()
        };
        let failures = count("failures") + count("errors") + count("unexpected successes");
        let failed = failures.saturating_sub(std::mem::take(&mut self.further));
        let skipped = count("skipped");
        let (beside, expected) = (std::mem::take(&mut self.beside), count("expected failures"));
        self.last.clear();
        let passed = ran.saturating_sub(failed.saturating_sub(beside) + skipped + expected);
        let total = ran.max(failed + skipped);
        if total > 0 {
            found.tests.push(TestSummary { passed, failed, skipped, total, broken: 0 });
        }
    }
}

impl UnittestBlock {
    /// Reads a line, and says whether the block may go on.
    fn read(&mut self, text: &str, line: &Line<'_>, within: bool) -> bool {
        self.last = line.log;
        self.lines += 1;
        if within {
            let read = self.traceback.read(text);
            self.tell(read, text, line.log.start_line);
            if !read && self.first.is_none() && !text.is_empty() {
                self.first = Some(text.chars().take(500).collect());
            }
            if read || self.lines == 1 {
                self.log = self.log.to(line.log);
            }
        }
        // Without its second rule it was none.
        self.lines < if within { LONGEST } else { 20 }
    }

    /// Adds a line below the exception. Its first line repeats the compared values, unless it is shortened to
    /// a number of left out characters.
    fn tell(&mut self, read: bool, text: &str, at: u64) {
        match self.traceback.raised() {
            None => self.reason = Reason::default(),
            Some(raised) if read => {
                self.reason = Reason::default();
                raised.lines().for_each(|line| self.reason.say(line, at));
            }
            Some(raised) => {
                self.captured |= matches!(text, "Stdout:" | "Stderr:");
                let is_whole = raised.contains(" != ") && !raised.contains(" chars]");
                let says = !is_whole || text.starts_with(" : ");
                if says && !self.captured && !traceback::is_chain(text) {
                    self.reason.say(text, at);
                }
            }
        }
    }

    fn finish(self, whole: bool) -> Diagnostic {
        let log = if whole { self.log.to(self.last) } else { self.log };
        let mut found = Diagnostic::new(Severity::Error, self.name, log, FORMAT.id);
        match self.traceback.raised().or(self.first.as_deref()) {
            Some(_) if whole && !self.reason.is_empty() => found.message.push_str(&self.reason.render()),
            Some(reason) => found.extend(reason, log),
            None => {}
        }
        found.message.push_str(&self.traceback.causes().render(""));
        found.place = self.traceback.place().cloned();
        found
    }
}

fn is_rule(text: &str, of: char) -> bool {
    text.len() == WIDTH && text.chars().all(|c| c == of)
}

/// `Ran 5 tests in 0.001s`.
fn ran(text: &str) -> Option<u64> {
    let (count, rest) = text.strip_prefix("Ran ")?.split_once(' ')?;
    let time = rest.strip_prefix("tests in ").or_else(|| rest.strip_prefix("test in "))?;
    let timed = time.strip_suffix('s')?.chars().all(|c| c.is_ascii_digit() || c == '.');
    count.parse().ok().filter(|_| timed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    fn rules(log: &str) -> String {
        log.replace("<=>", &"=".repeat(WIDTH)).replace("<->", &"-".repeat(WIDTH))
    }

    #[test]
    fn blocks() {
        let log = rules(
            "EF.u\r\n\
             <=>\r\n\
             ERROR: test_lost (unittest.loader._FailedTest.test_lost)\r\n\
             <->\r\n\
             ImportError: Failed to import test module: test_lost\r\n\
             Traceback (most recent call last):\r\n\
             \x20 File \"/usr/lib/python3.11/unittest/loader.py\", line 362, in _get_module_from_name\r\n\
             \x20   __import__(name)\r\n\
             \x20 File \"C:\\a b\\test_lost.py\", line 1, in <module>\r\n\
             \x20   import nix\r\n\
             ModuleNotFoundError: No module named 'nix'\r\n\
             \r\n\
             \r\n\
             <=>\r\n\
             FAIL: test_sub (t.T.test_sub) [case] (i=0)\r\n\
             What it is for.\r\n\
             <->\r\n\
             Traceback (most recent call last):\r\n\
             \x20 File \"/a/t.py\", line 12, in test_sub\r\n\
             \x20   self.assertEqual(i, 1)\r\n\
             AssertionError: 0 != 1\r\n\
             - 0\r\n\
             + 1\r\n\
             \r\n\
             <=>\r\n\
             UNEXPECTED SUCCESS: test_xp (t.T.test_xp)\r\n\
             <->\r\n\
             Ran 5 tests in 0.006s\r\n\
             \r\n\
             FAILED (failures=1, errors=1, skipped=1, unexpected successes=1)\r\n",
        );
        assert_eq!(
            findings(&FORMAT, &log),
            [
                "error C:\\a b\\test_lost.py:1 test_lost (unittest.loader._FailedTest.test_lost)\n\
                 ModuleNotFoundError: No module named 'nix' [3-13]",
                "error /a/t.py:12 test_sub (t.T.test_sub) [case] (i=0)\nAssertionError: 0 != 1 [15-24]",
                "error test_xp (t.T.test_xp)\nunexpected success [26-26]",
                "tests: 1 passed, 3 failed, 1 skipped, 5 total, 0 broken",
            ]
        );
    }

    #[test]
    fn a_shortened_first_line_is_completed_by_the_lines_below() {
        let same = (0..20).fold(String::new(), |all, n| all + &format!("   same {n},\n"));
        let log = rules(&format!(
            "<=>\nFAIL: test_dict (t.T.test_dict)\n<->\nTraceback (most recent call last):\n  File \"/a/t.py\", line 1, in f\n    x\n\
             KeyError: 1\n\nThe above exception was the direct cause of the following exception:\n\n\
             Traceback (most recent call last):\n  File \"/a/t.py\", line 10, in test_dict\n    self.assertEqual(\n\
             AssertionError: {{'a': 1[73 chars] 29]}} != {{'a': 1[73 chars] 99]}}\n  {{'a': 1,\n-  'b': 2,\n?       ^\n\n+  'b': 3,\n?       ^\n\n{same}-  29]}}\n+  99]}}\n\
             Stdout:\n- printed\n\n<->\nRan 1 test in 0.006s\n\nFAILED (failures=1)\n"
        ));
        assert_eq!(
            findings(&FORMAT, &log)[0],
            "error /a/t.py:10 test_dict (t.T.test_dict)\nAssertionError: {'a': 1[73 chars] 29]} != {'a': 1[73 chars] 99]}\n  {'a': 1,\n\
             -  'b': 2,\n+  'b': 3,\n   same 0,\n…\n   same 19,\n-  29]}\n+  99]}\ncaused by KeyError: 1 (/a/t.py:1) [2-47]"
        );
    }

    #[test]
    fn a_test_that_fails_more_than_once_is_one() {
        let of = |test: &str| {
            format!(
                "<=>\nFAIL: {test}\n<->\nTraceback (most recent call last):\n  File \"/a/t.py\", line 1, in f\n    x\nAssertionError: 0 != 1\n\n"
            )
        };
        let blocks = of("test_sub (t.T.test_sub) (i=0)")
            + &of("test_sub (t.T.test_sub) (i=2)")
            + &of("test_b (t.T.test_b)");
        let log = rules(&(blocks + "<->\nRan 4 tests in 0.1s\n\nFAILED (failures=3)\n"));
        let lines = findings(&FORMAT, &log);
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(lines[3], "tests: 2 passed, 2 failed, 0 skipped, 4 total, 0 broken");
    }

    #[test]
    fn cut_in_half() {
        let log = rules(
            "<=>\nERROR: test_a (t.T.test_a)\n<->\nTraceback (most recent call last):\n  File \"/a/t.py\", line 1, in f\nKeyError: 1\nmake: *** [test] Killed\n",
        );
        assert_eq!(findings(&FORMAT, &log), ["error /a/t.py:1 test_a (t.T.test_a)\nKeyError: 1 [2-6]"]);
    }

    #[test]
    fn nothing_of_it() {
        let log = rules(
            "FAIL: test_a\n<=>\nA headline\n<=>\nRan 5 tests in 0.1s\n\nOK\nRan 12 miles\n<->\nRan 0 tests in 0.000s\n\nOK\n",
        );
        assert_eq!(findings(&FORMAT, &log), [] as [&str; 0]);
    }
}
