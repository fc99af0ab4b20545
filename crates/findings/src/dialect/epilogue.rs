//! Lines that tools print at their end whatever happened: counts, times, and where to read more. They say nothing that
//! findings and counts do not say already.

/// The beginnings of such lines, without their indent, whatever follows.
const BEGINNINGS: &[&str] = &[
    "Ran all test suites",
    "at least ~",
    "Errors  Files",
    "Some errors have detailed explanations: ",
    "For more information about this error, try `rustc --explain ",
    "For more information about an error, try `rustc --explain ",
    "error: could not compile `",
    "error: aborting due to ",
    "test result: ",
    "Use 'stats.",
    "@ ./",
    "ERROR  run failed: ",
    "npm error Lifecycle script `",
    "npm error code ",
    "npm error path ",
    "npm error workspace ",
    "npm error location ",
    "npm error command ",
    "npm notice",
    "Snapshot Summary",
    "› ",
    "↳ ",
    "make[1]: Leaving directory '",
    "make[2]: Leaving directory '",
    "-- Docs: https://docs.pytest.org/",
];

/// The words before a number at the end of a run: `Tests:  6 failed`.
const NUMBERED: &[&str] = &[
    "Test Suites:",
    "Test Files",
    "Tests:",
    "Tests",
    "Snapshots:",
    "Type Errors",
    "Start at",
    "Duration",
    "Isolate",
    "Time:",
    "Found",
    "Tasks:",
    "Cached:",
];

/// The words behind a number that counts what was found.
const COUNTED: &[&str] = &[
    "error", "errors", "warning", "warnings", "problem", "problems", "failed", "failing", "passed",
    "passing", "skipped", "pending", "tests", "suites", "info", "infos",
];

/// Whether a line is the sum of all that its tool found: what stands above it has been read or says no more.
pub fn is_sum(line: &str) -> bool {
    let text = line.trim();
    is_count(text) || NUMBERED.iter().any(|name| text.strip_prefix(name).is_some_and(is_numbered))
}

/// Whether a line only sums up, or shows a part of a source file.
pub fn is_epilogue(line: &str) -> bool {
    let text = line.trim();
    !text.contains(char::is_alphanumeric)
        || BEGINNINGS.iter().any(|begins| text.starts_with(begins))
        || NUMBERED.iter().any(|name| text.strip_prefix(name).is_some_and(is_numbered))
        || is_count(text)
        || is_named_test(text)
        || is_source(text)
        || is_job_end(text)
        || (text.starts_with("warning: `") && text.contains(" generated ") && text.contains(" warning"))
}

fn is_numbered(rest: &str) -> bool {
    rest.starts_with(' ') && rest.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// `FAILED tests/test_tide.py::test_high - assert 3 == 4`, `Failed:    core#test`
fn is_named_test(text: &str) -> bool {
    let of_pytest = text.strip_prefix("FAILED ").or_else(|| text.strip_prefix("ERROR "));
    let of_turbo = text.strip_prefix("Failed:").and_then(|rest| rest.split_whitespace().next());
    of_pytest.is_some_and(|rest| rest.contains(".py")) || of_turbo.is_some_and(|job| job.contains('#'))
}

/// `✖ 9 problems (5 errors, 4 warnings)`, `2 failed`, `webpack 5.1.0 compiled with 3 errors in 15 ms`.
fn is_count(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let mut words =
        bare.split(|c: char| c.is_whitespace() || "(),".contains(c)).filter(|word| !word.is_empty());
    // `[8/8]`
    let is_share = bare.split_once('/').is_some_and(|(one, all)| {
        [one, all].iter().all(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let begins_with_count = |text: &str| {
        let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
        let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        number.bytes().all(|byte| byte.is_ascii_digit()) && COUNTED.contains(&word)
    };
    is_share
        || begins_with_count(bare)
        || (words.next() == Some("webpack") && bare.contains(" compiled with "))
}

/// `  69 |   return *it;`, `   |   ^~~~`, `10  src/tide.ts:2`.
fn is_source(text: &str) -> bool {
    let rest = text.trim_start_matches(['>', ' ']).trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < text.len();
    let file = rest.trim_start();
    let is_place = || {
        let (name, line) = file.rsplit_once(':').unwrap_or_default();
        rest.starts_with("  ") && !name.contains(' ') && line.parse::<u32>().is_ok()
    };
    let is_within = text.ends_with("’:")
        && [": In function ‘", ": In member function ‘"].iter().any(|of| text.contains(of));
    file.starts_with('|') || (is_numbered && is_place()) || is_within
}

/// `core#test:  ERROR  command (/folder) npm run test exited (1)`
fn is_job_end(text: &str) -> bool {
    let Some((job, rest)) = text.split_once(": ") else { return false };
    let rest = rest.trim_start();
    let ends =
        rest.starts_with("ERROR  command (") || rest.starts_with("WARNING  command finished with error");
    job.contains('#') && !job.contains(' ') && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_sum_up_are_known() {
        for line in [
            "✖ 9 problems (5 errors, 4 warnings)",
            "  1 error and 0 warnings potentially fixable with the `--fix` option.",
            "Found 13 errors in 2 files.",
            "    10  src/tide.ts:2",
            "webpack 5.112.2 compiled with 3 errors in 1584 ms",
            "2 errors have detailed information that is not shown.",
            "======= 6 failed, 2 passed, 1 warning in 0.13s =======",
            "      |                ~~~~~~^~~~~~~",
            "   69 |       { return *__it < __val; }",
            "  2 failed",
            "core#test:  ERROR  command (/x/core) npm run test exited (1)",
            "Failed:    core#build, core#test",
            "FAILED test_tide.py::test_unexpected - [XPASS(strict)] ",
            "⎯⎯⎯⎯⎯⎯[8/8]⎯",
            "tide.c: In function ‘low’:",
            "   Start at  19:32:45",
            "Time:        0.812 s, estimated 1 s",
            "",
        ] {
            assert!(is_epilogue(line), "{line}");
        }
    }

    #[test]
    fn a_cause_is_no_sum() {
        for line in [
            "cannot reach the harbour",
            "deploying part 5000",
            "3 harbours are closed",
            "Error: ENOSPC: no space left on device",
            "sh: 1: webpack: not found",
            "2 boats failed to sail",
            "web: failed",
            "Failed: the harbour",
            "ERROR: cannot connect",
            "ERROR cannot connect",
            "Found no harbour",
            "Time: tides wait for none",
            "npm error 404 Not Found",
            "xxx…",
        ] {
            assert!(!is_epilogue(line), "{line}");
        }
    }
}
