//! The runners, a row each.

use std::sync::LazyLock;

use super::reader::Tests;
use super::shape::{RUNNER, Shape, TestRunner};
use crate::dialect::Format;

/// Formats of runners.
macro_rules! runners {
    ($($runner:expr),* $(,)?) => {
        /// The runners that are data.
        pub(in crate::dialect) const RUNNERS: &[Format] = &[$({
            const ROW: TestRunner = $runner;
            Format {
                id: ROW.id,
                triggers: ROW.triggers,
                programs: ROW.programs,
                reader: || {
                    static SHAPE: LazyLock<Shape> =
                        LazyLock::new(|| Shape::of(ROW));
                    Box::new(Tests::of(&SHAPE))
                },
            }
        }),*];
    };
}

/// A frame of JavaScript: `at name (file:line:column)`.
macro_rules! at {
    () => {
        r"^ *(?:(?:at|›) (?:.*\()?(?:file://)?(?<file>[^()]+?):(?<line>\d+):(?<column>\d+)\)?|(?<home>{name}\.[cm]?[jt]sx?:\d+))$"
    };
}

runners! {
    TestRunner {
        id: "rspec",
        programs: &["rspec"],
        triggers: &["Failures:", " examples, ", " example, ", "Finished in "],
        begins: r"^Failures:$",
        head: r"^  \d+\) (?<name>\S.*)$",
        proof: r"^ +Failure/Error: |^ *# \.{0,2}/|^Failure/Error: ",
        place: r"^ *# (?<file>\./{name}):(?<line>\d+)(?::in .*)?$",
        idle: r"^ +\(compared using |^ *# /",
        ends: r"^Finished in |^Failed examples:|^Pending:|^Top \d+",
        // Tests may print a count, but not with the time above it.
        counts: &[&[r"^Finished in \d.* seconds?(?: \(files took .*\))?$", r"^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<pending>\d+) pending)?(?:, (?<broken>\d+) errors? occurred outside of examples)?$"]],
        ..RUNNER
    },
    TestRunner {
        id: "rspec",
        programs: &[],
        triggers: &["An error occurred "],
        begins: r"^An error occurred (?:while|in) ",
        head: r"^(?<name>An error occurred (?:while|in) .*?)\.?(?: - Did you mean\?)?$",
        proof: r"^Failure/Error: ",
        place: r"^ *# (?<file>\./{name}):(?<line>\d+)(?::in .*)?$|^ +(?<reason>(?<home>/{name}\.rb:\d+): syntax error.*)$",
        idle: r"^ *# /|^ *#(?:   .*| )?$|^ +rspec \./",
        ends: r"^Finished in |^No examples found",
        ..RUNNER
    },
    TestRunner {
        id: "minitest",
        programs: &["ruby", "rake", "rails"],
        triggers: &[") Failure:", ") Error:", "Failure:", " runs, "],
        head: r"^(?: +\d+\) )?(?:Failure|Error):$",
        title: r"^(?<name>\S.*?#test_.+?)(?: \[(?<file>[^\]:]+):(?<line>\d+)\])?:$",
        place: r"^ +(?<file>{name}\.rb):(?<line>\d+):in .*$",
        ends: r"^(?:bin/)?rails test |^ +\d+\) Skipped:$|^Finished in |^You have skipped ",
        counts: &[&[r"^(?<total>\d+) runs?, \d+ assertions?, (?<failed>\d+) failures?, (?<errors>\d+) errors?, (?<skipped>\d+) skips?"]],
        ..RUNNER
    },
    TestRunner {
        id: "phpunit",
        programs: &["phpunit"],
        triggers: &["There was ", "There were ", "Tests: ", "OK ("],
        begins: r"^There (?:was 1|were \d+) (?:error|failure|PHPUnit error)s?:$",
        head: r"^\d+\) (?<name>\S.*)$",
        place: r"^(?:(?<reason>\w[\w\\]*: .*) in )?(?<file>(?:/|[A-Za-z]:\\|[a-z][a-z+.-]*://).*\.php):(?<line>\d+)$",
        idle: r"^--$|^Stack trace:$|^#\d+ ",
        ends: r"^(?:ERRORS|FAILURES|WARNINGS)!$|^There (?:was|were) \d+ [a-z ]*(?:skipped|incomplete|risky|warning|deprecation|notice)",
        counts: &[
            &[r"^Tests: (?<total>\d+), Assertions: \d+(?:, (?:PHPUnit )?Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?(?:, [A-RT-Z][\w ]*: \d+)*(?:, Skipped: (?<skipped>\d+))?(?:, [A-Z][\w ]*: \d+)*\.$"],
            &[r"^OK \((?<total>\d+) tests?, \d+ assertions?\)$"],
        ],
        ..RUNNER
    },
    // Its `--testdox`.
    TestRunner {
        id: "phpunit",
        programs: &[],
        triggers: &[" ✘ "],
        head: r"^ ✘ (?<name>\S.*)$",
        // All margins are the same without colors.
        proof: r"^ +[├│] ",
        place: r"^ +(?:[╵│] (?<file>/\S.*\.php):(?<line>\d+)|[├┊│] (?<reason>.*?)) *$",
        idle: r"^ +[┐│┴╵]? *$",
        ends: r"^\S|^ [✔↩∅☢] ",
        ..RUNNER
    },
    TestRunner {
        id: "jasmine",
        programs: &["jasmine"],
        triggers: &["Failures:", " specs, ", " spec, ", "Suite error: "],
        begins: r"^Failures:$|^Suite error: ",
        head: r"^(?:\d+\)|Suite error:) (?<name>\S.*)$",
        proof: r"^ +Message:$",
        place: at!(),
        idle: r"^ +(?:Message|Stack):$|^ *at <Jasmine>$",
        ends: r"^Pending:$|^Finished in |^Executed ",
        counts: &[&[r"^(?<total>\d+) specs?, (?<failed>\d+) failures?(?:, (?<pending>\d+) pending specs?)?$"]],
        ..RUNNER
    },
    TestRunner {
        id: "ava",
        programs: &["ava"],
        triggers: &["✘ [fail]: ", "✘ [unexpected pass]: ", "✔ ", " - [skip] ", " - [todo] ", " test failed", " tests failed", " test passed", " tests passed"],
        listed: r"^ *✘ \[(?:fail|unexpected pass)\]: (?<name>.+?)(?: (?:Test was expected to fail, but succeeded, .*|Error thrown in test|Rejected promise returned by test|Test finished without running any assertions))?$",
        place: at!(),
        idle: r"^ *(?:Error thrown in test|Rejected promise returned by test.*):$|^ *\w*Error \{$|^ +message: |^(?:  )?\}$|^ *\d+: |^ *Difference \(",
        ends: r"^ *─$",
        counts: &[&[r"^ *\d+ tests? (?:failed|passed)$"]],
        result: r"^ *(?:(?<passed>✔ )|✘ \[(?<failed>fail|unexpected pass)\]: |- \[(?<skipped>skip|todo)\] )",
        ..RUNNER
    },
    // A file that cannot be run, with the reason below its place.
    TestRunner {
        id: "ava",
        programs: &[],
        triggers: &["  Uncaught exception in ", "  Unhandled rejection in "],
        head: r"^ *(?<name>(?:Uncaught exception|Unhandled rejection) in (?<file>\S.*))$",
        proof: r"^ +\w*(?:Error|Exception)\b",
        place: at!(),
        idle: r"^ *(?:\^+|\d+: .*|(?:const|let|var|import|require|export)\b.*|Require stack:|›? ?- .*)$",
        ends: r"^ *✘ |^ *─$|^ *✔ ",
        ..RUNNER
    },
    // A file without tests.
    TestRunner {
        id: "ava",
        programs: &[],
        triggers: &["✘ No tests found in ", "✘ Exiting due to process.exit() "],
        head: r"^ *✘ (?<name>(?:No tests found in|Exiting due to process\.exit\(\) when running) (?<file>\S.*?)(?:, make sure to import .*)?)$",
        ends: "^",
        ..RUNNER
    },
    TestRunner {
        id: "uvu",
        programs: &["uvu"],
        triggers: &["   FAIL  ", "  Total:   "],
        head: r"^ {3}FAIL  (?<name>\S.*)$",
        place: at!(),
        ends: r"^\S",
        counts: &[&[r"^  Total: +(?<run>\d+)$", r"^  Passed: +(?<passed>\d+)$", r"^  Skipped: +(?<skipped>\d+)$"]],
        ..RUNNER
    },
    TestRunner {
        id: "deno_test",
        programs: &["deno"],
        triggers: &[" ERRORS ", " passed | "],
        begins: r"^ ERRORS $",
        head: r"^(?<name>\S.*) => (?<file>{name}):(?<line>\d+):(?<column>\d+)$",
        place: at!(),
        ends: r"^ FAILURES $",
        counts: &[&[r"^(?:ok|FAILED) \| (?<passed>\d+) passed(?: \(\d+ steps?\))? \| (?<failed>\d+) failed(?: \(\d+ steps?\))?(?: \| (?<skipped>\d+) ignored)?"]],
        ..RUNNER
    },
    TestRunner {
        id: "behave",
        programs: &["behave"],
        triggers: &["  Scenario: ", "  Scenario Outline: ", ".feature:", "scenarios passed, ", "scenario passed, "],
        head: r"^ +Scenario(?: Outline)?: (?<name>\S.*?) +# (?<file>{name}\.feature):(?<line>\d+)$",
        listed: r"^ *(?<file>{name}\.feature):(?<line>\d+)  (?<name>\S.*)$",
        proof: r"^ +(?:ASSERT FAILED|Assertion Failed): |^ +Traceback ",
        place: r#"^ +File "(?<file>[^"]+)", line (?<line>\d+), in .*$"#,
        idle: r#"^ +(?:Given|When|Then|And|But|\*) .*# |^ {10}|^ +Traceback |^ +File ".*/(?:site|dist)-packages/"#,
        ends: r"^(?:Failing|Errored) scenarios:$",
        counts: &[&[r"^(?<passed>\d+) scenarios? passed, (?<failed>\d+) failed(?:, (?<errors>\d+) error)?, (?<skipped>\d+) skipped"]],
        ..RUNNER
    },
    TestRunner {
        id: "cucumber",
        programs: &["cucumber-js", "cucumber"],
        triggers: &["Failures:", " scenarios (", " scenario ("],
        begins: r"^Failures:$",
        head: r"^\d+\) Scenario: (?<name>\S.*?) # (?<file>{name}\.feature):(?<line>\d+)$",
        proof: r"^ {3}(?:✖|\?|✘|×) ",
        place: r"^ +at (?:.*\()?(?:file://)?(?<file>[^()]+?):(?<line>\d+):(?<column>\d+)\)?$",
        idle: r"^ {3}(?:✔|✓|-) ",
        ends: r"^Warnings:$",
        counts: &[&[r"^(?<total>\d+) scenarios? \((?:(?<failed>\d+) failed)?(?:, )?(?:\d+ ambiguous)?(?:, )?(?:(?<errors>\d+) undefined)?(?:, )?(?:(?<pending>\d+) pending)?(?:, )?(?:(?<skipped>\d+) skipped)?(?:, )?(?:(?<passed>\d+) passed)?\)$"]],
        ..RUNNER
    },
    TestRunner {
        id: "robot",
        programs: &["robot", "pabot"],
        triggers: &["| FAIL |", " test, ", " tests, "],
        head: r"^(?<name>\S.*?) +\| FAIL \|$",
        ends: r"^[-=]{20,}$",
        counts: &[&[r"^(?<total>\d+) tests?, (?<passed>\d+) passed, (?<failed>\d+) failed(?:, (?<skipped>\d+) skipped)?\.?$"]],
        is_nested: true,
        ..RUNNER
    },
    // The list of `--console dotted`.
    TestRunner {
        id: "robot",
        programs: &[],
        triggers: &["Running suite '"],
        begins: r"^Running suite '.*' with \d+ tests?\.$",
        head: r"^FAIL: (?<name>\S.*)$",
        idle: r"^[-=]{20,}$",
        ends: r"^Run suite '.*' with \d+ tests? in ",
        ..RUNNER
    },
    TestRunner {
        id: "bats",
        programs: &["bats"],
        triggers: &[" ✗ "],
        head: r"^ ✗ (?<name>\S.*)$",
        proof: r"^ +\(?(?:from function .* )?in test file ",
        place: r"^ +\(?(?:from function .* )?in test file (?<file>\S.*?), line (?<line>\d+)\)$",
        ends: r"^ [✓✗-] |^\d+ tests?, ",
        ..RUNNER
    },
    TestRunner {
        id: "meson_test",
        programs: &["meson"],
        triggers: &[" FAIL  ", " TIMEOUT  ", " ERROR  "],
        head: r"^ *\d+/\d+ (?<name>\S.*?) +(?<reason>(?:FAIL|TIMEOUT|ERROR) +[\d.]+s +\S.*)$",
        idle: r"^>>> |^[― ✀]+$",
        ends: r"^ *\d+/\d+ |^Summary of Failures:|^(?:Ok|Fail|Timeout): |^Full log written ",
        ..RUNNER
    },
    TestRunner {
        id: "ctest",
        programs: &["ctest"],
        triggers: &["***Failed", "***Exception", "***Timeout", "***Not Run", "% tests passed", " (Failed)", " (Timeout)", " (SEGFAULT)", " (Subprocess ", " (Not Run)"],
        head: r"^ *\d+/\d+ Test +#\d+: (?<name>\S+) \.*(?<reason>[^.*]*\*\*\*(?:Failed|Exception|Timeout|Not Run)[^(]*?) +[\d.]+ sec.*$",
        listed: r"^\t +\d+ - (?<name>\S+) \((?:Failed|Timeout|SEGFAULT|ILLEGAL|NUMERICAL|BAD_COMMAND|Subprocess .*|Not Run|OTHER_FAULT)\)",
        place: r"^(?<reason>(?:\S+: )?(?<file>/{name}\.\w+|[^\s:]+\.\w+):(?<line>\d+): .*)$",
        ends: r"^ +Start +\d+: |^ *\d+/\d+ Test +#",
        counts: &[&[r"^\d+% tests passed(?:, (?<failed>\d+) tests? failed)? out of (?<total>\d+)$"]],
        ..RUNNER
    },
    TestRunner {
        id: "gradle_test",
        programs: &["gradle", "gradlew"],
        triggers: &[" FAILED", " tests completed", " test completed"],
        head: r"^(?<name>(?:(?<package>[a-z_]\w*(?:\.[a-z_]\w*)*)\.)?[^\s>].* > \S.*) FAILED$",
        place: r"^ +(?:(?<reason>\S.*) )?at (?:\S+\()?(?<file>[\w$]+\.(?:java|kt|groovy|scala)):(?<line>\d+)\)?$",
        idle: r"^ +at (?:\S+//?)?(?:java|javax|jdk|sun|kotlin|groovy|scala|worker|org\.(?:junit|opentest4j|testng|assertj|hamcrest|mockito|gradle|codehaus|spockframework|scalatest)|junit)\.",
        ends: r"^\S",
        counts: &[&[r"^(?<total>\d+) tests? completed(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?$"]],
        ..RUNNER
    },
    TestRunner {
        id: "xctest",
        programs: &["swift", "xcodebuild"],
        triggers: &[".swift:", "Test Case '", "Executed "],
        head: r"^(?<file>\S.*?\.swift):(?<line>\d+): error: (?<name>(?:\S+|-\[.+?\]) : \S.*)$",
        ends: "^",
        counts: &[&[r"^\s*Executed \d+ tests?, with "]],
        result: r"^Test Case '.+' (?:(?<passed>passed)|(?<failed>failed)|(?<skipped>skipped)) \(",
        ..RUNNER
    },
    TestRunner {
        id: "mix_test",
        programs: &["mix"],
        triggers: &[") test ", ") property ", ") doctest ", ": failure on setup_all callback", " tests, ", " test, "],
        head: r"^ +\d+\) (?<name>(?:test|property|doctest) .+ \(\S+\)|\S+: failure on setup_all callback)(?:, all tests have been invalidated)?$",
        place: r"^ +(?:(?:\(\S+ [\d.]+\) )?(?<file>{name}\.exs?):(?<line>\d+): .*|(?<home>{name}\.exs:\d+))$",
        idle: r"^ +stacktrace:$|^ +\((?:elixir|ex_unit|stdlib|mix|iex|eex|logger|kernel) [\d.]+\) ",
        ends: r"^Finished in ",
        counts: &[&[r"^(?:\d+ doctests?, )?(?:\d+ propert(?:y|ies), )?(?<total>\d+) tests?, (?<failed>\d+) failures?(?:, (?<errors>\d+) invalid)?(?:, (?<skipped>\d+) skipped)?(?:, \d+ excluded)?$"]],
        ..RUNNER
    },
    TestRunner {
        id: "scalatest",
        programs: &["sbt", "scala-cli"],
        triggers: &["*** FAILED ***", "Tests: succeeded "],
        head: r"^(?:\[info\] )?(?:- )?(?<name>\S.*) \*\*\* FAILED \*\*\*(?: \(.*\))?$",
        place: r"^(?:\[info\])? +(?<reason>\S.*) \((?<file>\w+\.scala):(?<line>\d+)\)$",
        ends: r"^(?:\[info\] )?[^\s\[]|^\[(?:error|success)\]",
        counts: &[&[r"^(?:\[info\] )?Tests: succeeded (?<passed>\d+), failed (?<failed>\d+), canceled (?<skipped>\d+), ignored (?<pending>\d+)"]],
        ..RUNNER
    },
    TestRunner {
        id: "flutter_test",
        programs: &["flutter", "dart"],
        triggers: &[" [E]", "Some tests failed.", "All tests passed!"],
        head: r"^(?:\d\d:\d\d )?\+\d+(?: ~\d+)? -\d+: (?<name>\S.*) \[E\]$",
        place: r"^ +(?<file>{name}\.dart) (?<line>\d+):(?<column>\d+) +\S.*$",
        idle: r"^ +package:|^ +dart:|^══",
        ends: r"^(?:\d\d:\d\d )?\+\d+",
        counts: &[&[r"^(?:\d\d:\d\d )?\+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: (?:Some tests failed\.|All tests passed!)$"]],
        ..RUNNER
    },
}
