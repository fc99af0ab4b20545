//! Go's test runner: `--- FAIL: TestHigh (0.00s)`, with `-v`, without, and as JSON.

use std::collections::VecDeque;

use serde_json::Value;

use super::super::{Dialect, Format, Line, Next, PendingFindings, table};
use super::package::{GoPackage, ID};

/// Go 1.10 and later. It counts nothing itself, so there are no sums.
pub(in super::super) const FORMAT: Format = Format {
    id: ID,
    triggers: &[
        "--- FAIL: ",
        "--- PASS: ",
        "--- SKIP: ",
        "=== RUN ",
        "=== CONT ",
        "=== NAME ",
        "FAIL\t",
        "ok  \t",
        "panic: ",
        "fatal error: ",
        "_test.go:",
        "{\"Time\":",
        "{\"ImportPath\":",
        "{\"Action\":",
    ],
    programs: &["go", "gotestsum"],
    reader: || Box::<GoTest>::default(),
};

/// The most packages tested at the same time that are kept apart.
const MOST_PACKAGES: usize = 64;

#[derive(Debug, Default)]
struct GoTest {
    /// Output as text: one package after the other.
    text: GoPackage,
    /// Output as JSON, with the names of the packages.
    packages: VecDeque<(String, GoPackage)>,
    /// Output of the compiler in JSON.
    compiler: Option<Box<dyn Dialect>>,
}

impl Dialect for GoTest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() && !self.event(line, found) {
            self.text.read(line, found);
        }
        if self.text.listens() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.text.end(found);
        if let Some(compiler) = &mut self.compiler {
            compiler.end(found);
        }
        for (_, mut package) in self.packages.drain(..) {
            package.end(found);
        }
    }
}

impl GoTest {
    /// Whether a line is an event in JSON; its output is then read as text.
    fn event(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        if !line.text.starts_with("{\"") {
            return false;
        }
        let Ok(event) = serde_json::from_str::<Value>(line.text) else { return false };
        let text = |key: &str| event.get(key).and_then(Value::as_str);
        let output = text("Output").map(|output| output.strip_suffix('\n').unwrap_or(output));
        match (text("Action"), text("Package"), output) {
            (Some("output"), Some(name), Some(output)) => {
                let package = self.package(name, found);
                package.current(text("Test"));
                package.read(&line.with(output), found);
                true
            }
            (Some("build-output"), _, Some(output)) => {
                let compiler = || table::NATIVE.iter().find(|format| format.id == "go");
                self.compiler = self.compiler.take().or_else(|| Some((compiler()?.reader)()));
                if let Some(compiler) = &mut self.compiler {
                    compiler.read(&line.with(output), found);
                }
                true
            }
            (Some("pass" | "fail" | "skip"), Some(name), _) if text("Test").is_none() => {
                if let Some(at) = self.packages.iter().position(|(known, _)| known == name)
                    && let Some((_, mut package)) = self.packages.remove(at)
                {
                    package.end(found);
                }
                true
            }
            (Some(_), ..) => true,
            _ => false,
        }
    }

    fn package(&mut self, name: &str, found: &mut PendingFindings) -> &mut GoPackage {
        let at = self.packages.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            if self.packages.len() == MOST_PACKAGES
                && let Some((_, mut oldest)) = self.packages.pop_front()
            {
                oldest.end(found);
            }
            self.packages.push_back((name.to_owned(), GoPackage::default()));
            self.packages.len() - 1
        });
        &mut self.packages[at].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    /// Checks the findings of a log, of the same log as `-v` prints it, and of both with Windows line ends.
    fn each(plain: &str, verbose: &str, expected: &[&str]) {
        let without_lines = |lines: Vec<String>| -> Vec<String> {
            lines
                .iter()
                .map(|line| line.rsplit_once(" [").map_or_else(|| line.clone(), |(line, _)| line.into()))
                .collect()
        };
        for log in [plain, verbose] {
            assert_eq!(without_lines(findings(&FORMAT, log)), expected, "{log}");
            assert_eq!(without_lines(findings(&FORMAT, &log.replace('\n', "\r\n"))), expected, "{log}");
        }
        let event =
            |line| serde_json::json!({"Action": "output", "Package": "p", "Output": format!("{line}\n")});
        let json: Vec<String> = verbose.lines().map(|line| event(line).to_string()).collect();
        let json = json.join("\n");
        assert_eq!(without_lines(findings(&FORMAT, &json)), expected, "{json}");
    }

    #[test]
    fn with_and_without_details() {
        each(
            "--- FAIL: TestBad (0.00s)\n    a_test.go:5: note\n    a_test.go:6: got 1\n        want 2\n    --- FAIL: TestBad/sub_one (0.00s)\n        a_test.go:8: deep\n    --- SKIP: TestBad/two (0.00s)\n        a_test.go:9: later\n--- FAIL: TestTable (0.00s)\n    --- FAIL: TestTable/a (0.01s)\n        a_test.go:3: no\nFAIL\nFAIL\tgithub.com/me/tides/v2/sub\t0.006s\nFAIL\n",
            "=== RUN   TestGood\n    a_test.go:3: logged\n--- PASS: TestGood (0.00s)\n=== RUN   TestBad\n    a_test.go:5: note\n    a_test.go:6: got 1\n        want 2\n=== RUN   TestBad/sub_one\n    a_test.go:8: deep\n=== RUN   TestBad/two\n    a_test.go:9: later\n--- FAIL: TestBad (0.00s)\n    --- FAIL: TestBad/sub_one (0.00s)\n    --- SKIP: TestBad/two (0.00s)\n=== RUN   TestTable\n=== RUN   TestTable/a\n=== PAUSE TestTable/a\n=== CONT  TestTable/a\n    a_test.go:3: no\n--- FAIL: TestTable (0.00s)\n    --- FAIL: TestTable/a (0.01s)\nFAIL\nFAIL\tgithub.com/me/tides/v2/sub\t0.006s\nFAIL\n",
            &[
                "error sub/a_test.go:5 TestBad\nnote\na_test.go:6: got 1\nwant 2",
                "error sub/a_test.go:8 TestBad/sub_one\ndeep",
                "error sub/a_test.go:3 TestTable/a\nno",
            ],
        );
    }

    #[test]
    fn examples_and_packages_that_end_early() {
        assert_eq!(
            findings(
                &FORMAT,
                "--- FAIL: ExampleX (0.00s)\ngot:\na\nwant:\nb\nFAIL\nFAIL\texample.org/tides/sub\t0.006s\n"
            ),
            ["error ExampleX\ngot:\na\nwant:\nb [1-5]"]
        );
        assert_eq!(
            findings(&FORMAT, "no moon\nFAIL\texample.org/x\t0.007s\n"),
            ["error example.org/x\nno moon [2-2]"]
        );
        assert!(
            findings(&FORMAT, "FAIL\texample.org/x [build failed]\nFAIL\texample.org/y [setup failed]\n")
                .is_empty()
        );
    }

    #[test]
    fn panics() {
        let calls = "goroutine 6 [running]:\ntesting.tRunner.func1.2({0x518a00, 0xc000098000})\n\t/usr/lib/go-1.19/src/testing/testing.go:1396 +0x24e\npanic({0x518a00, 0xc000098000})\n\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212\nexample.org/tides/moon.Phase(...)\n\t/x/moon/moon.go:3\n";
        let log = format!(
            "--- FAIL: TestPhase (0.00s)\npanic: no tide [recovered]\n\tpanic: no tide\n\n{calls}FAIL\texample.org/tides/moon\t0.004s\n"
        );
        assert_eq!(findings(&FORMAT, &log), ["error /x/moon/moon.go:3 TestPhase\npanic: no tide [1-11]"]);
        let log = "panic: test timed out after 2s\nrunning tests:\n\tTestSlow (2s)\n\ngoroutine 17 [running]:\ntesting.(*M).startAlarm.func1()\n\t/usr/lib/go-1.19/src/testing/testing.go:2036 +0x8e\ncreated by time.goFunc\n\t/usr/lib/go-1.19/src/time/sleep.go:176 +0x32\n\ngoroutine 6 [sleep]:\ntime.Sleep(0x12a05f200)\n\t/usr/lib/go-1.19/src/runtime/time.go:195 +0x135\nexample.com/tm.TestSlow(0x0?)\n\t/x/a_test.go:3 +0x25\nFAIL\texample.com/tm\t2.003s\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /x/a_test.go:3 TestSlow\npanic: test timed out after 2s [1-15]"]
        );
    }

    #[test]
    fn a_race_names_no_file() {
        let log = "--- FAIL: TestR (0.00s)\n    testing.go:1319: race detected during execution of test\nFAIL\nFAIL\tex.com/shop/race\t0.017s\n";
        assert_eq!(findings(&FORMAT, log), ["error TestR\nrace detected during execution of test [1-2]"]);
    }

    #[test]
    fn cut_in_half() {
        assert_eq!(
            findings(&FORMAT, "--- FAIL: TestBad (0.00s)\n    a_test.go:5: no\n"),
            ["error a_test.go:5 TestBad\nno [1-2]"]
        );
    }

    #[test]
    fn builds_as_json() {
        let log = "{\"ImportPath\":\"p\",\"Action\":\"build-output\",\"Output\":\"./a.go:3:5: undefined: x\\n\"}\n{\"Time\":\"t\",\"Action\":\"fail\",\"Package\":\"p\",\"Elapsed\":0,\"FailedBuild\":\"p\"}\n";
        assert_eq!(findings(&FORMAT, log), ["error ./a.go:3:5 undefined: x [1-1]"]);
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "=== RUN   TestX\n--- FAIL: TestInner (0.00s)\n    a_test.go:1: fake\n--- PASS: TestX (0.00s)\nPASS\nok  \texample.org/x\t0.002s\n",
            "--- FAIL: two words (0.00s)\n",
            "--- FAIL: TestX\n",
            "=== RUN   TestX\n--- FAIL: TestZ (0.00s)\n    a_test.go:3: bad\npanic: x\n--- PASS: TestX (0.00s)\nPASS\nok  \tp\t0.1s\n",
            "panic: not really\n--- PASS: TestX (0.00s)\nok  \tp\t0.1s\n",
            "    a_test.go:3: alone\n",
            "{\"Action\":\"output\"}\n{\"Action\":3}\n{\"Time\":",
            "--- \n=== \n=== RUN\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}: {:?}", findings(&FORMAT, log));
        }
        assert_eq!(findings(&FORMAT, "FAIL\t\n"), Vec::<String>::new());
    }
}
