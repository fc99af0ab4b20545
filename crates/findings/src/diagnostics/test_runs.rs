//! The runs of test runners in a log: an error that another format reads within one was printed by a test.
//!
//! A run ends with the runner's count. It begins with the runner's first line, if the runner prints one, otherwise where the
//! script begins, the run before it ends, or a program reports that it failed. A runner that dies prints no count, so that
//! everything it printed counts.

use std::collections::{HashMap, VecDeque};

use crate::dialect::{COMPILED_FIRST, is_compiler, is_test_runner};
use crate::model::{Diagnostic, Severity};

/// The words of lines that begin a run, or end one that has no count.
pub(super) const TRIGGERS: [&str; 38] = [
    " RUN  v",
    " test session starts ",
    "bun test v",
    "running ",
    "=== RUN ",
    "TAP version 1",
    "ok  \t",
    "FAIL\t",
    " tests using ",
    " test using ",
    "Test project ",
    "Run options: ",
    BEHAVE,
    AUTHORS,
    NEXTEST,
    PROVE,
    GOOGLE,
    CATCH,
    CATCH_PASSED,
    BUSTED,
    // Plans and tests of TAP.
    "1..1",
    "1..2",
    "1..3",
    "1..4",
    "1..5",
    "1..6",
    "1..7",
    "1..8",
    "1..9",
    "ok 1",
    "ok 2",
    "ok 3",
    "ok 4",
    "ok 5",
    "ok 6",
    "ok 7",
    "ok 8",
    "ok 9",
];
/// The first line of behave.
const BEHAVE: &str = "USING RUNNER: behave";
/// The end of the first line of phpunit.
const AUTHORS: &str = " by Sebastian Bergmann and contributors.";

/// The words of prove behind tests that all passed.
const PROVE: &str = "All tests successful.";
/// The beginning of the first and the last line of Google's tests.
const GOOGLE: &str = "[==========] ";
/// The beginning of Catch2's and doctest's last line, and of Catch2's where all tests passed.
const CATCH: &str = "test cases: ";
const CATCH_PASSED: &str = "All tests passed (";
/// The words of the line with busted's counts.
const BUSTED: &str = " pending : ";
/// The beginning of the first line of nextest.
const NEXTEST: &str = "Nextest run ID ";

/// The most jobs whose runs are told apart.
const MOST_JOBS: usize = 1000;
/// The most runs of one job that are remembered.
const MOST_RUNS: usize = 64;

/// The runs of tests of all jobs, by the numbers of these.
#[derive(Debug, Default)]
pub(super) struct TestRuns(HashMap<usize, JobRuns>);

/// The runs of one job.
#[derive(Debug, Default)]
struct JobRuns {
    /// The byte of the log behind everything that cannot belong to the current run.
    since: u64,
    /// The beginning of its first line.
    head: Option<u64>,
    /// The compiler that was done before that line.
    compiled: Option<&'static str>,
    /// How many tests the plan of the run names, where its last test ends it.
    planned: Option<u64>,
    /// The runs that ended, the last one first.
    ended: VecDeque<TestRun>,
}

/// A run that has ended.
#[derive(Debug, Clone, Copy)]
struct TestRun {
    /// The first byte of the log.
    from: u64,
    /// Behind the last byte.
    to: u64,
    /// Whether the first line is known.
    has_head: bool,
    /// The compiler whose work its tests are, and which says nothing within it.
    compiled: Option<&'static str>,
}

impl TestRuns {
    /// Learns from a line of a job, which begins and ends at these bytes of the log. Returns whether a run ends with it.
    pub(super) fn learn(&mut self, job: usize, text: &str, (from, to): (u64, u64), script: u64) -> bool {
        let text = text.trim_end();
        if text.starts_with("ok  \t") || text.starts_with("FAIL\t") && !text.ends_with(" failed]") {
            self.end(job, to, script);
            return true;
        }
        if begins(text)
            && let Some(runs) = self.of(job)
        {
            if runs.head.is_none() {
                runs.compiled = compiled(text);
            }
            runs.head.get_or_insert(from);
            runs.planned = planned(text).or(runs.planned);
        }
        let runs = self.0.get(&job).filter(|runs| runs.planned.is_some());
        let is_last = text == PROVE || ends(text) || runs.is_some_and(|runs| runs.planned == tested(text));
        if is_last {
            self.end(job, to, script);
        }
        is_last
    }

    /// A run of the job ends at this byte of the log, in a script that begins at that byte.
    pub(super) fn end(&mut self, job: usize, to: u64, script: u64) {
        let Some(runs) = self.of(job) else { return };
        let head = runs.head.filter(|head| *head >= script);
        let compiled = head.and(runs.compiled);
        let from = head.unwrap_or(runs.since.max(script));
        let mut ended = std::mem::take(&mut runs.ended);
        ended.truncate(MOST_RUNS - 1);
        ended.push_front(TestRun { from, to, has_head: head.is_some(), compiled });
        *runs = JobRuns { since: to, ended, ..JobRuns::default() };
    }

    /// A program of the job reports at this byte of the log that it failed. Earlier lines belong to no later run.
    pub(super) fn separate(&mut self, job: usize, at: u64) {
        if let Some(runs) = self.of(job) {
            runs.since = runs.since.max(at);
        }
    }

    /// Whether a test printed this finding of the job in a run that is over; if so, whether that run's first line is known.
    pub(super) fn printed(&self, job: usize, found: &Diagnostic) -> Option<bool> {
        if !counts_alone(found) {
            return None;
        }
        let mut ended = self.0.get(&job)?.ended.iter();
        let run = ended.find(|run| (run.from..run.to).contains(&found.log.start))?;
        (!is_compiler(&found.dialect) || run.compiled == Some(&found.dialect)).then_some(run.has_head)
    }

    /// Whether a byte of the log lies in the last run of the job.
    pub(super) fn is_in_last(&self, job: usize, at: u64) -> bool {
        let last = self.0.get(&job).and_then(|runs| runs.ended.front());
        last.is_some_and(|run| (run.from..run.to).contains(&at))
    }

    fn of(&mut self, job: usize) -> Option<&mut JobRuns> {
        (self.0.len() < MOST_JOBS || self.0.contains_key(&job)).then(|| self.0.entry(job).or_default())
    }
}

/// Whether a runner counts each failure that it reports, so that none is real where it counts none.
pub(super) fn counts_all_failures(format: &str) -> bool {
    ["behave", "bun_test", "minitest", "mix_test", "phpunit", "playwright", "robot", "rspec"]
        .contains(&format)
}

/// Whether a finding is an error that counts only outside of runs. The compilers of Rust and Go are done before the tests run.
pub(super) fn counts_alone(found: &Diagnostic) -> bool {
    let dialect = &*found.dialect;
    let is_early = is_compiler(dialect) && !COMPILED_FIRST.contains(&dialect);
    found.severity == Severity::Error && !is_test_runner(dialect) && !is_early
}

/// ` RUN  v3.2.4 /a`, `=== test session starts ===`, `running 3 tests`, `running 3 tests from ./a_test.ts`,
/// `Running 3 tests using 1 worker`, `Test project /a/build`, `Run options: --seed 28806`, `USING RUNNER: behave.runner:Runner`
fn begins(text: &str) -> bool {
    let of_deno = |rest: &str| rest.contains(" tests from ./") || rest.contains(" test from ./");
    let of_playwright = |rest: &str| {
        let (count, workers) = rest.split_once(" using ").unwrap_or_default();
        is_of_cargo(count) && workers.contains(" worker")
    };
    text.trim_start().starts_with("RUN  v")
        || text.starts_with("==") && text.contains(" test session starts ")
        || text.starts_with("bun test v")
        || text.starts_with("=== RUN ")
        || text.starts_with("TAP version 1")
        || text.strip_prefix("running ").is_some_and(|rest| is_of_cargo(rest) || of_deno(rest))
        || text.strip_prefix("Running ").is_some_and(of_playwright)
        || text.strip_prefix("Test project ").is_some_and(|folder| folder.contains('/'))
        || text.starts_with("Run options: ")
        || text.starts_with(BEHAVE)
        || text.starts_with(GOOGLE) && text.contains(" Running ")
        || text.starts_with("PHPUnit ") && text.ends_with(AUTHORS)
        || text.trim_start().starts_with(NEXTEST)
        || planned(text).is_some()
}

/// `[==========] 6 tests from 3 test suites ran. (0 ms total)`, `test cases: 2 | 1 passed | 1 failed`,
/// `All tests passed (2 assertions in 1 test case)`, `3 successes / 0 failures / 0 errors / 0 pending : 0.005572 seconds`
fn ends(text: &str) -> bool {
    text.starts_with(GOOGLE) && text.contains(" ran.")
        || text.starts_with(CATCH) && text.contains(" | ")
        || text.starts_with(CATCH_PASSED)
        || text.contains(BUSTED) && text.contains(" failure")
}

/// The compiler that is done before this first line of a run.
fn compiled(text: &str) -> Option<&'static str> {
    let [of_rust, of_go] = COMPILED_FIRST;
    let is_of_rust = text.strip_prefix("running ").is_some_and(is_of_cargo) || text.contains(NEXTEST);
    if is_of_rust { Some(of_rust) } else { text.starts_with("=== RUN ").then_some(of_go) }
}

/// `1..3`: how many tests of a run there are.
fn planned(text: &str) -> Option<u64> {
    text.strip_prefix("1..")?.parse().ok().filter(|count| *count > 0)
}

/// `ok 3 - sails`, `not ok 3`: the number of a test.
fn tested(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("not ").unwrap_or(text).strip_prefix("ok ")?;
    rest.split(' ').next()?.parse().ok()
}

/// `3 tests`
fn is_of_cargo(counted: &str) -> bool {
    let count = counted.strip_suffix('s').unwrap_or(counted).strip_suffix(" test");
    count.is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Reader;
    use crate::dialect::trial::lines;
    use crate::model::{Chunk, Findings, Stream};

    const PRINTED: &str = "src/boat.ts(1,2): error TS2345: No such harbour.\n";
    const VITEST: &str = "\n RUN  v3.2.7 /boats\n\n";
    const COUNT: &str = " Test Files  1 passed (1)\n      Tests  2 passed (2)\n";

    fn read(log: &str) -> Findings {
        let mut reader = Reader::of(&crate::dialect::ALL);
        reader.push(Chunk::new(Stream::Out, log.as_bytes()));
        reader.finish()
    }

    #[test]
    fn an_error_before_or_behind_a_run_counts() {
        let real = "src/tide.ts(3,4): error TS2322: No.\n";
        let found = read(&format!("{real}{VITEST}{PRINTED}{COUNT}{}", real.replace('3', "5")));
        assert_eq!(
            lines(&found),
            [
                "error src/tide.ts:3:4 TS2322 No. [1-1]",
                "error src/tide.ts:5:4 TS2522 No. [8-8]",
                "tests: 2 passed, 0 failed, 0 skipped, 2 total, 0 broken",
            ]
        );
        assert!(!found.incomplete);
    }

    #[test]
    fn tests_of_programs_print_what_they_like() {
        let printed = "src/a.cpp:3: error: said by a test\nlua: a.lua:3: said by a test\n";
        for (head, end) in [
            (
                "[==========] Running 2 tests from 1 test suite.\n[ RUN      ] A.b\n",
                "[       OK ] A.b (0 ms)\n[==========] 2 tests from 1 test suite ran. (0 ms total)\n",
            ),
            ("", "All tests passed (2 assertions in 1 test case)\n"),
            ("", "++\n2 successes / 0 failures / 0 errors / 0 pending : 0.005 seconds\n"),
        ] {
            let found = read(&format!("{head}{printed}{end}"));
            assert_eq!((lines(&found), found.errors), (Vec::new(), 0), "{end}");
            let failed = "a.cpp:7: Failure\nExpected equality of these values:\n";
            let found = read(&format!("{head}{failed}{end}"));
            assert_eq!(
                lines(&found),
                ["error a.cpp:7 Expected equality of these values: [1-2]"
                    .replace("[1-2]", if head.is_empty() { "[1-2]" } else { "[3-4]" })],
                "{end}"
            );
        }
    }

    #[test]
    fn a_printed_error_counts_where_it_is_reported_later() {
        let found = read(&format!("{VITEST}{PRINTED}{COUNT}{PRINTED}"));
        assert_eq!((found.errors, found.diagnostics.len()), (1, 1));
    }

    #[test]
    fn all_that_a_runner_printed_before_it_died_counts() {
        assert_eq!(read(&format!("{VITEST}{PRINTED}Killed\n")).errors, 1);
    }

    #[test]
    fn a_passing_run_is_complete() {
        let found = read(&format!("{VITEST}{PRINTED}{COUNT}"));
        assert_eq!((found.errors, found.incomplete), (0, false));
    }

    #[test]
    fn rust_is_compiled_before_its_tests_run() {
        let error = "error[E0308]: mismatched types\n --> src/a.rs:1:1\n";
        let run = format!(
            "running 1 test\n{error}test p ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n"
        );
        assert_eq!(read(&run).errors, 0);
        assert_eq!(read(&format!("{error}\n{run}")).errors, 1);
    }

    /// Mocha prints no first line, so that a compiler may have printed what stands before its tests.
    #[test]
    fn a_run_without_a_first_line_leaves_a_doubt() {
        let found = read(&format!("{PRINTED}  ✔ sails\n\n  1 passing (9ms)\n\n"));
        assert_eq!((found.errors, found.incomplete), (0, true));
    }

    #[test]
    fn a_passing_run_of_prove_has_no_first_line() {
        let found =
            read(&format!("{PRINTED}t/a.t .. ok\nAll tests successful.\nFiles=1, Tests=2\nResult: PASS\n"));
        assert_eq!((found.errors, found.incomplete), (0, true));
    }

    /// `eslint .; mocha`, where eslint counts what it found.
    #[test]
    fn errors_with_their_sum_are_of_no_later_runner() {
        let lint =
            "\n/p/a.js\n  3:5  error  'x' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n\n";
        let mocha = "\n\n  ✔ sails\n\n  1 passing (9ms)\n\n";
        let found = read(&format!("{lint}{mocha}"));
        assert_eq!((found.errors, found.incomplete), (1, false));
        // Of two, one was not read.
        let found = read(&format!("{}{mocha}", lint.replace("(1 error", "(2 errors")));
        assert!(found.incomplete);
    }

    #[test]
    fn first_lines_of_runners() {
        for text in [
            "running 1 test",
            "running 3 tests from ./a_test.ts",
            "Running 6 tests using 1 worker",
            "Test project /boats/build",
            "Run options: --seed 28806",
            "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.",
        ] {
            let found = read(&format!(
                "{}{text}\n{PRINTED}  ✔ sails\n\n  1 passing (9ms)\n\n",
                PRINTED.replace("boat", "tide")
            ));
            assert_eq!((found.errors, found.incomplete), (1, false), "{text}");
        }
        for text in
            ["Running tests using 1 worker", "running the last test", "Test project one", "no PHPUnit"]
        {
            assert!(!super::begins(text), "{text}");
        }
    }

    #[test]
    fn errors_of_an_earlier_script_count() {
        let script = "\n> boats@1.0.0 lint\n> tsc\n\n";
        let tests = "\n> boats@1.0.0 test\n> mocha\n\n";
        let found = read(&format!("{script}{PRINTED}{tests}{PRINTED}  ✔ sails\n\n  1 passing (9ms)\n\n"));
        assert_eq!(lines(&found)[0], "error src/boat.ts:1:2 TS2345 No such harbour. [5-5]");
        assert_eq!(found.errors, 1);
    }

    #[test]
    fn errors_of_a_recipe_that_failed_count() {
        let make = "make: *** [Makefile:2: lint] Error 2\n";
        let found = read(&format!("{PRINTED}{make}  ✔ sails\n\n  1 passing (9ms)\n\n"));
        assert_eq!((found.errors, found.incomplete), (1, false));
    }

    /// `make -j2 lint test`: the compiler's lines stand among those of the tests, which pass.
    #[test]
    fn where_no_test_failed_another_job_may_have() {
        let make = "make: *** [Makefile:2: lint] Error 2\n";
        assert!(read(&format!("{VITEST}{PRINTED}{COUNT}{make}")).incomplete);
        let failed = COUNT.replace("2 passed (2)", "1 failed | 1 passed (2)");
        let failure = " FAIL  a.test.ts > sails\nAssertionError: no wind\n ❯ a.test.ts:3:5\n\n";
        assert!(!read(&format!("{VITEST}{PRINTED}{failure}{failed}")).incomplete);
    }

    #[test]
    fn errors_of_another_job_count() {
        let run = format!("{VITEST}{PRINTED}{COUNT}").replace('\n', "\n[unit] ");
        let log = format!("[unit] start\n[types] src/tide.ts(3,4): error TS2322: No.\n[unit] {run}\n");
        assert_eq!(lines(&read(&log))[0], "error src/tide.ts:3:4 TS2322 No. [2-2]");
        assert_eq!(read(&log).errors, 1);
    }

    /// As `ExUnit` of Elixir 1.14 prints it.
    #[test]
    fn failures_that_a_test_imitates_are_none() {
        let log = "\n  1) test fake (FakeTest)\n     test/fake_test.exs:3\n     Assertion with == failed\n     code:  assert 1 == 2\n\n.\n\
                   Finished in 0.1 seconds (0.00s async, 0.1s sync)\n1 test, 0 failures\n\nRandomized with seed 254876\n";
        assert_eq!(lines(&read(log)), ["tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken"]);
        let failed = log.replace("1 test, 0 failures", "2 tests, 1 failure");
        assert_eq!(read(&failed).errors, 1);
        assert_eq!(read(&format!("{failed}{log}")).errors, 1);
    }

    /// As `ExUnit` of Elixir 1.14 prints it.
    #[test]
    fn tests_that_are_invalid_have_failed() {
        let log = "  0) QTest: failure on setup_all callback, all tests have been invalidated\n     ** (RuntimeError) no db\n\
                   \x20    stacktrace:\n       test/q_test.exs:4: QTest.__ex_unit_setup_all_0/1\n\n\n\
                   Finished in 0.04 seconds (0.00s async, 0.04s sync)\n1 test, 0 failures, 1 invalid\n";
        let found = read(log);
        assert_eq!((found.errors, found.tests.map(|tests| tests.failed)), (1, Some(1)));
    }

    #[test]
    fn each_run_of_several_is_remembered() {
        let panic = "\nthread 'p' (1) panicked at src/lib.rs:3:34:\nboom\n";
        let result = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n";
        let run =
            format!("running 1 test\nerror: no such thing\n{panic}test p - should panic ... ok\n\n{result}");
        let none = format!("   Doc-tests z\n\nrunning 0 tests\n\n{}", result.replace('1', "0"));
        assert_eq!(read(&format!("{run}{none}")).errors, 0);
        let nextest = format!(" Nextest run ID ca81f8fc with nextest profile: default\n{run}{run}");
        assert_eq!(read(&nextest).errors, 0);
    }

    #[test]
    fn go_is_compiled_before_its_tests_run() {
        let error = "a.go:3:4: undefined: x\n";
        let run = format!("=== RUN   TestA\n{error}--- PASS: TestA (0.00s)\nPASS\nok  \tz\t0.016s\n");
        assert_eq!(read(&run).errors, 0);
        assert_eq!(read(&format!("# z\n{error}{run}")).errors, 1);
    }

    /// As bats prints it.
    #[test]
    fn a_plan_ends_with_its_last_test() {
        let printed = format!("# {PRINTED}{PRINTED}");
        let run = format!("1..2\nok 1 a\n{printed}ok 2 b\n");
        assert_eq!(read(&run).errors, 0);
        assert_eq!(read(&format!("{run}{}", PRINTED.replace("boat", "tide"))).errors, 1);
        assert_eq!(read(&format!("1..3\nok 1 a\n{printed}ok 2 b\n")).errors, 1);
    }

    #[test]
    fn compilers_of_a_runner_count() {
        let log = "# example.com/boats/harbour [example.com/boats/harbour.test]\nharbour/a.go:3:2: undefined: x\n\
                   === RUN   TestSails\nsrc/boat.ts(1,2): error TS2345: No.\n--- PASS: TestSails (0.00s)\nPASS\n\
                   ok  \texample.com/boats\t0.003s\nFAIL\texample.com/boats/harbour [build failed]\nFAIL\n";
        assert_eq!(lines(&read(log)), ["error harbour/a.go:3:2 undefined: x [2-2]"]);
    }
}
