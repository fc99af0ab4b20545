//! Shapes that no recorded sample has.

use super::*;
use crate::dialect::trial::findings;

/// As pytest-cov 7 prints it below a run of tests that all passed.
#[test]
fn a_count_that_a_test_prints_is_narrower() {
    let log = "============================= test session starts ==============================\ncollected 1 item\n\n\
               a.py === 1 failed\n=== 1 failed in 0.1s ===\n.\n\n============================== 1 passed in 0.02s ===============================\n";
    assert_eq!(findings(&FORMAT, log), ["tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken"]);
}

#[test]
fn too_little_is_covered() {
    let log = "test_tide.py .\nERROR: Coverage failure: total of 75 is less than fail-under=90\n   [100%]\n\n\
               ================================ tests coverage ================================\n\
               _______________ coverage: platform linux, python 3.11.7-final-0 ________________\n\n\
               TOTAL         4      1    75%\n\
               FAIL Required test coverage of 90% not reached. Total coverage: 75.00%\n\
               ============================== 1 passed in 0.16s ===============================\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error Required test coverage of 90% not reached. Total coverage: 75.00% [9-9]",
            "tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken"
        ]
    );
    assert!(findings(&FORMAT, "it says FAIL Required test coverage of 90%\n").is_empty());
}

#[test]
fn distributed_with_line_feeds_of_windows() {
    let log = "[gw0] [ 33%] PASSED test_tide.py::test_late \r\n\
               ================= FAILURES =================\r\n\
               ________________ test_high _________________\r\n\
               [gw0] win32 -- Python 3.12.1 C:\\Python312\\python.exe\r\n\
               \r\n\
               \x20   def test_high():\r\n\
               >       assert height(6) == 4\r\n\
               E       assert 3 == 4\r\n\
               \r\n\
               tests\\test_tide.py:5: AssertionError\r\n\
               ========= short test summary info ==========\r\n\
               FAILED tests/test_tide.py::test_high - assert 3 == 4\r\n\
               ======= 1 failed, 2 passed in 0.58s ========\r\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error tests\\test_tide.py:5 test_high\nassert 3 == 4 [3-10]",
            "tests: 2 passed, 1 failed, 0 skipped, 3 total, 0 broken"
        ]
    );
}

#[test]
fn killed_before_its_summary() {
    let log = "==== FAILURES =====\n\
               ____ test_a[x] ____\n\
               test_a.py:3: in test_a\n\
               \x20   boom()\n\
               E   ValueError: no\n\
               make: *** [test] Terminated\n";
    assert_eq!(findings(&FORMAT, log), ["error test_a.py:3 test_a[x]\nValueError: no [2-5]"]);
}

#[test]
fn the_summary_alone() {
    let log = "=== short test summary info ===\n\
               FAILED a.py::test_b[1 - 2] - assert 1 == 2\n\
               \x20 \n\
               \x20 where FAILED c.py::test_d is printed in full\n\
               FAILED a.py::test_both - assert 0\n\
               ERROR a.py::test_both - OSError: gone\n\
               ERROR broken.py\n\
               2 failed, 1 passed, 2 errors in 3.10s\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error a.py test_b[1 - 2]\nassert 1 == 2 [2-2]",
            "error a.py test_both\nassert 0 [5-5]",
            "error a.py test_both (error)\nOSError: gone [6-6]",
            "error broken.py broken.py [7-7]",
            "tests: 1 passed, 3 failed, 0 skipped, 4 total, 1 broken"
        ]
    );
}

#[test]
fn more_reasons_than_wait_for_their_names() {
    let count = MOST_WAITING + 10;
    let lines = |line: fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>().concat();
    let reasons = lines(|n| format!("/p/a.py:{n}: KeyError: {n}\n"));
    let shorts = lines(|n| format!("FAILED a.py::test_{n} - KeyError: {n}\n"));
    let log = format!(
        "=== FAILURES ===\n{reasons}=== short test summary info ===\n{shorts}{count} failed in 0.12s\n"
    );
    let lines = findings(&FORMAT, &log);
    assert_eq!(lines.len(), count + 1);
    assert_eq!(lines[9], "error /p/a.py:9 KeyError: 9 [11-11]");
    assert_eq!(lines[10], "error /p/a.py:10 test_10\nKeyError: 10 [12-12]");
}

#[test]
fn output_of_a_test_is_no_heading() {
    let log = "======== FAILURES ========\n\
               ________ test_a __________\n\
               E   assert 0\n\
               a.py:1: AssertionError\n\
               --- Captured stdout call ---\n\
               == short test summary ==\n\
               ____ test_b ____\n\
               E   assert 1\n\
               = 3 failed in 0.10s =\n\
               ======== 1 failed in 0.12s ========\n";
    assert_eq!(
        findings(&FORMAT, log),
        ["error a.py:1 test_a\nassert 0 [2-9]", "tests: 0 passed, 1 failed, 0 skipped, 1 total, 0 broken"]
    );
}

#[test]
fn nothing_of_it() {
    let log = "FAILED a.py::test_b - assert 0\n\
               ERROR: Could not find a version\n\
               we had 3 failed in 2020\n\
               ## FAILURES ##\n\
               E   ValueError: in a table\n\
               ____ a form ____\n\
               12 files passed in review\n\
               FAILED a.py::test_b - assert 0\n";
    assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
}

#[test]
fn errors_that_end_a_run_are_findings() {
    let log = "ERROR: file or directory not found: nowhere.py\n\
               ERROR: not found: /a/test_a.py::nix\n\
               ImportError while loading conftest '/a/conftest.py'.\n\
               conftest.py:1: in <module>\n\
               \x20   import nix\n\
               E   ModuleNotFoundError: No module named 'nix'\n\
               INTERNALERROR> Traceback (most recent call last):\n\
               INTERNALERROR>   File \"/a/conftest.py\", line 3, in pytest_runtest_logreport\n\
               INTERNALERROR>     raise ValueError\n\
               INTERNALERROR> ValueError: plug\n\
               === no tests ran in 0.01s ===\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error file or directory not found: nowhere.py [1-1]",
            "error not found: /a/test_a.py::nix [2-2]",
            "error conftest.py:1 ImportError while loading conftest '/a/conftest.py'.\n\
             ModuleNotFoundError: No module named 'nix' [3-6]",
            "error /a/conftest.py:3 internal error of pytest\nValueError: plug [7-10]",
        ]
    );
}

/// Recorded with pytest 9.2.0 and pytest-xdist 3.8.0, where a conftest.py raises in a hook; most frames are left out.
#[test]
fn internal_errors_with_workers_have_the_place_of_the_plugin() {
    let frames = |before: &str, hook: &str| {
        let frame =
            |file: &str, line: usize, what: &str| format!("  File \"{file}\", line {line}, in {what}\n");
        let lines = [
            frame("/v/lib/python3.11/site-packages/_pytest/main.py", 333, "wrap_session"),
            "    session.exitstatus = doit(config, session) or 0\n".to_owned(),
            frame("/p/conftest.py", 3, hook),
            "    raise RuntimeError(\"no database\")\n".to_owned(),
            "RuntimeError: no database\n".to_owned(),
        ];
        lines.map(|line| format!("INTERNALERROR> {before}{line}")).concat()
    };
    let own = format!(
        ".INTERNALERROR> Traceback (most recent call last):\n{}\n==== 1 passed in 2.50s ====\n",
        frames("", "pytest_runtest_logreport")
    );
    let passed = "tests: 1 passed, 0 failed, 0 skipped, 1 total, 0 broken";
    let expected = "error /p/conftest.py:3 internal error of pytest\nRuntimeError: no database";
    assert_eq!(findings(&FORMAT, &own), [format!("{expected} [1-6]"), passed.to_owned()]);
    let of_worker = format!(
        ".INTERNALERROR> def worker_internal_error(\nINTERNALERROR> >           assert False, formatted_error\n\
         INTERNALERROR> E           AssertionError: Traceback (most recent call last):\n{}\
         INTERNALERROR> E           assert False\nINTERNALERROR> \n\
         INTERNALERROR> ../v/lib/python3.11/site-packages/xdist/dsession.py:232: AssertionError\n\
         \x20                                       [ 50%]\n==== 1 passed in 1.28s ====\n",
        frames("E             ", "pytest_runtest_protocol")
    );
    assert_eq!(findings(&FORMAT, &of_worker), [format!("{expected} [1-11]"), passed.to_owned()]);
    // Shaped after pytest-dev/pytest-xdist#922, of an earlier version.
    let earlier = format!(
        "INTERNALERROR> Traceback (most recent call last):\n\
         INTERNALERROR>   File \"/v/lib/python3.12/site-packages/xdist/dsession.py\", line 190, in worker_internal_error\n\
         INTERNALERROR>     assert False, formatted_error\n\
         INTERNALERROR> AssertionError: Traceback (most recent call last):\n{}INTERNALERROR> E           assert False\n",
        frames("E           ", "pytest_runtest_logreport")
    );
    assert_eq!(findings(&FORMAT, &earlier), [format!("{expected} [1-10]")]);
}

#[test]
fn all_differences_are_reported_and_nothing_alike() {
    let same =
        |before: &str| (0..20).fold(String::new(), |all, n| all + &format!("E     {before}day{n}: calm,\n"));
    let log = format!(
        "==== FAILURES =====\n____ test_a[x] ____\ntest_a.py:3: in test_a\n    boom()\nE   AssertionError: the harbour master\n\
         E     says otherwise\nE     at noon\nE     and at dusk\nE   assert {{}} == {{}}\nE    +  where {{}} = days()\nE     \n\
         E     Common items:\n{}E     Differing items:\nE     -1\nE     Left contains 1 more item:\nE     -2\nE     \nE     Full diff:\n\
         E       {{\n{}E     +     'extra': 1,\nE     ?     ^^^\nE       }}\nE     Use -v to get more diff\n1 failed in 0.12s\n",
        same(""),
        same("      "),
    );
    assert_eq!(
        findings(&FORMAT, &log)[0],
        "error test_a.py:3 test_a[x]\nAssertionError: the harbour master\n  says otherwise\n  at noon\n…\nassert {} == {}\n \
         +  where {} = days()\n  Differing items:\n  -1\n  Left contains 1 more item:\n  -2\n  Full diff:\n…\n        day19: calm,\n  \
         +     'extra': 1,\n    } [2-63]"
    );
}

#[test]
fn the_explanation_below_a_native_traceback_is_kept() {
    let log = "==== FAILURES =====\n______ test_a _____\nTraceback (most recent call last):\n  File \"/p/test_a.py\", line 3, in test_a\n\
               \x20   assert 3 == 4, 'high'\nAssertionError: high\nassert 3 == 4\n +  where 3 = high()\n";
    let told_of = |more: &str| findings(&FORMAT, &format!("{log}{more}")).swap_remove(0);
    assert_eq!(
        told_of("--- Captured stdout call ---\nprinted\n1 failed in 0.12s\n"),
        "error /p/test_a.py:3 test_a\nAssertionError: high\nassert 3 == 4\n +  where 3 = high() [2-10]"
    );
    assert_eq!(
        told_of("make: *** [test] Terminated\n"),
        "error /p/test_a.py:3 test_a\nAssertionError: high [2-6]"
    );
}

#[test]
fn settings_with_a_mistake() {
    let log = "ImportError while loading conftest '/a/conftest.py'.\nE     File \"/a/conftest.py\", line 1\nE       def x(:\n\
               E             ^\nE   SyntaxError: invalid syntax\nmake: *** [test] Error 4\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error /a/conftest.py:1 ImportError while loading conftest '/a/conftest.py'.\nSyntaxError: invalid syntax [1-5]"
        ]
    );
}

#[test]
fn an_earlier_exception_is_the_cause() {
    let log = "=================================== FAILURES ===================================\n\
               __________________________________ test_start __________________________________\n\n\
               \x20   def load(text):\n>           return json.loads(text)\n\n\
               app.py:4: \n_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _\n\
               E       json.decoder.JSONDecodeError: Expecting value: line 1\n\n\
               /usr/lib/python3.11/json/decoder.py:353: JSONDecodeError\n\n\
               The above exception was the direct cause of the following exception:\n\n\
               \x20   def test_start():\n>       load('{')\n\ntest_app.py:14: \n\
               >           raise RuntimeError('cannot start') from e\nE           RuntimeError: cannot start\n\n\
               app.py:6: RuntimeError\n\
               =========================== short test summary info ============================\n\
               FAILED test_app.py::test_start - RuntimeError: cannot start\n\
               ============================== 1 failed in 0.16s ===============================\n";
    let lines = findings(&FORMAT, log);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with(
            "error app.py:6 test_start\nRuntimeError: cannot start\ncaused by json.decoder.JSONDecodeError: Expecting value: line 1 (app.py:4) ["
        ),
        "{lines:?}"
    );
}

/// Recorded: pytest-timeout 2.4, `pytest --timeout-method=thread`; and a thread beside a test that a signal ended.
#[test]
fn a_test_that_ended_the_run() {
    let log = "tests/test_timeout.py +++++++++ Timeout +++++++++\n~~~~~~~ Stack of MainThread (140643293170560) ~~~~~~~\n\
               \x20 File \"<frozen runpy>\", line 198, in _run_module_as_main\n\
               \x20 File \"/p/run.py\", line 4, in main\n    pytest.main()\n\
               \x20 File \"/v/lib/python3.11/site-packages/_pytest/python.py\", line 187, in pytest_pyfunc_call\n    result = testfunction(**testargs)\n\
               \x20 File \"/p/tests/test_timeout.py\", line 4, in test_slow\n    wait()\n\
               \x20 File \"/p/tests/lib.py\", line 9, in wait\n    time.sleep(5)\n+++++++++ Timeout +++++++++\n";
    assert_eq!(findings(&FORMAT, log), ["error /p/tests/lib.py:9 test_slow\nTimeout [2-11]"]);
    assert!(findings(&FORMAT, &log.replace("MainThread", "Thread-1")).is_empty());
}

/// Recorded: pytest-sugar 1.1.1, `pytest --force-sugar`.
#[test]
fn failures_amid_the_progress() {
    let log = "Test session starts (platform: linux, Python 3.11.7, pytest 9.2.0, pytest-sugar 1.1.1)\nrootdir: /p\ncollected 3 items\n\n\
               ―――――――――― test_add ――――――――――\n\n    def test_add():\n>       assert add(1, 1) == 3\nE       assert 2 == 3\n\n\
               tests/test_calc.py:4: AssertionError\n\r\n\r tests/test_calc.py ⨯    7% ▋\r tests/test_calc.py ⨯✓   13% █▍\n\n\
               ――― ERROR at setup of test_setup ―――\n\n>       raise OSError(\"down\")\nE       OSError: down\n\ntests/conftest.py:4: OSError\n\r\n\n\
               ――― test_strict ―――\n[XPASS(strict)] \n\n\
               =========================== short test summary info ============================\n\
               FAILED tests/test_calc.py::test_add - assert 2 == 3\nFAILED tests/test_calc.py::test_setup - OSError: down\n\
               SUBFAILED(i=1) tests/test_calc.py::test_sub - assert 1 == 0\n\
               FAILED tests/test_calc.py::test_strict - [XPASS(strict)]\n\nResults (1.46s):\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error tests/test_calc.py:4 test_add\nassert 2 == 3 [5-11]",
            "error tests/conftest.py:4 test_setup\nOSError: down [15-20]",
            "error tests/test_calc.py test_strict\n[XPASS(strict)] [23-24]",
            "error tests/test_calc.py test_sub (i=1)\nassert 1 == 0 [29-29]",
        ]
    );
    let others = log.replace(", pytest-sugar 1.1.1", "").replace("FAILED", "passed");
    assert!(findings(&FORMAT, &others).is_empty());
}
