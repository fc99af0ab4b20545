//! Shapes of the three tellers.

use super::*;
use crate::dialect::trial::findings;

#[test]
fn console() {
    let log = "  Smoke -> /w/Smoke/bin/Debug/net10.0/Smoke.dll\r\n\
               Test run for /w/Smoke/bin/Debug/net10.0/Smoke.dll (.NETCoreApp,Version=v10.0)\r\n\
               A total of 1 test files matched the specified pattern.\r\n\
               [xUnit.net 00:00:00.13]     Smoke.UnitTest1.Test3 [FAIL]\r\n\
               \x20 Failed Smoke.UnitTest1.Test3(text: \"a [1 b]\") [6 ms]\r\n\
               \x20 Error Message:\r\n\
               \x20  Assert.Equal() Failure: Values differ\r\n\
               Expected: 17\r\n\
               Actual:   1\r\n\
               \x20 Stack Trace:\r\n\
               \x20    at Xunit.Assert.Equal() in /_/src/xunit.assert/Asserts/EqualityAsserts.cs:line 96\r\n\
               \x20  at Smoke.Deep.Check() in C:\\w in x\\Smoke\\Deep.cs:line 7\r\n\
               \x20  at Smoke.UnitTest1.Test3() in C:\\w in x\\Smoke\\UnitTest1.cs:line 20\r\n\
               \x20 Standard Output Messages:\r\n\
               \x20 Expected: nothing\r\n\
               \r\n\
               \x20 Passed Smoke.UnitTest1.Test1 [< 1 ms]\r\n\
               \x20 Failed NoStack\r\n\
               \x20 Error Message:\r\n\
               \x20  \r\n\
               \x20  gone\r\n\
               \r\n\
               Failed!  - Failed:     2, Passed:     1, Skipped:     0, Total:     3, Duration: 29 ms - Smoke.dll (net10.0)\r\n\
               Passed!  - Failed:     0, Passed:     4, Skipped:     1, Total:     5, Duration: 1 s - B.dll (net10.0)\r\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error C:\\w in x\\Smoke\\Deep.cs:7 Smoke.UnitTest1.Test3(text: \"a [1 b]\")\nAssert.Equal() Failure: Values differ\nExpected: 17\nActual:   1 [5-13]",
            "error NoStack\ngone [18-21]",
            "tests: 5 passed, 2 failed, 1 skipped, 8 total, 0 broken",
        ]
    );
}

#[test]
fn the_older_block_and_projects_that_were_not_built() {
    let log = "/w/B/P.cs(2,44): error CS0029: Cannot convert [/w/B/B.Tests.csproj]\n\
               /w/B/P.cs(3,4): error CS0029: Cannot convert [/w/B/B.Tests.csproj::TargetFramework=net8.0]\n\
               Failed   A.Tests.T.Old\n\
               Error Message:\n\
               \x20Assert.Fail failed.\n\
               Stack Trace:\n\
               \x20  at A.Tests.T.Old() in /w/A/T.cs:line 70\n\
               \n\
               Test Run Failed.\n\
               Total tests: 3\n\
               \x20    Passed: 1\n\
               \x20    Failed: 1\n\
               \x20   Skipped: 1\n\
               \x20Total time: 1.2 Seconds\n\
               /sdk/Microsoft.TestPlatform.targets(48,5): error MSB4181: The task failed [/w/A/A.Tests.csproj]\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error /w/A/T.cs:70 A.Tests.T.Old\nAssert.Fail failed. [3-7]",
            "tests: 1 passed, 1 failed, 1 skipped, 3 total, 1 broken",
        ]
    );
}

#[test]
fn terminal_logger() {
    let log = "  C.Tests test net10.0 failed with 2 error(s) (0.7s)\n\
               \x20   /w/H.cs(18): error TESTERROR:\n\
               \x20     C.Tests.H.hex (8ms): Error Message: Assert.Equal() Failure: Values differ\n\
               \x20     Expected: 17\n\
               \x20     Actual:   1\n\
               \x20     Stack Trace:\n\
               \x20        at C.Tests.H.hex() in /w/H.cs:line 18\n\
               \x20   D:\\w\\H.cs(8): error TESTERROR:\n\
               \x20         C.Tests.H.Always(a: \"(x): y\") (1s 5ms):\n\
               \x20           Error Message: Intentional failure\n\
               \n\
               Test summary: total: 31, failed: 2, succeeded: 29, skipped: 0, duration: 0.7s\n\
               Build failed with 2 error(s) in 1.7s\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error /w/H.cs:18 C.Tests.H.hex\nAssert.Equal() Failure: Values differ\nExpected: 17\nActual:   1 [2-7]",
            "error D:\\w\\H.cs:8 C.Tests.H.Always(a: \"(x): y\")\nIntentional failure [8-10]",
            "tests: 29 passed, 2 failed, 0 skipped, 31 total, 0 broken",
        ]
    );
}

#[test]
fn testing_platform() {
    let log = "Running tests from /w/S.Tests.dll (net10.0|x64)\n\
               failed S.Tests.E.Restore(name: \"K\") (33ms)\n\
               \x20 from /w/S.Tests.dll (net10.0|x64)\n\
               \x20 Expected the same string, but they differ:\n\
               \n\
               \x20   at Awesome.Throw(String message)\n\
               \x20   at S.Tests.E.Restore(String name) in /w/E.cs:915\n\
               /w/S.Tests.dll (net10.0|x64) failed with 1 error(s) (8s 406ms)\n\
               \n\
               Test run summary: Failed!\n\
               \x20 /w/S.Tests.dll (net10.0|x64) failed with 1 error(s)\n\
               \n\
               \x20 total: 56\n\
               \x20 failed: 1\n\
               \x20 succeeded: 55\n\
               \x20 skipped: 0\n\
               \x20 duration: 8s 406ms\n\
               Test run completed with non-success exit code: 2\n";
    assert_eq!(
        findings(&FORMAT, log),
        [
            "error /w/E.cs:915 S.Tests.E.Restore(name: \"K\")\nExpected the same string, but they differ: [2-7]",
            "tests: 55 passed, 1 failed, 0 skipped, 56 total, 0 broken",
        ]
    );
}

#[test]
fn nothing_of_it() {
    let log = "  Failed to connect, again [later]\n\
               \x20 Failed of old\n\
               src/a.rs:3: text\n\
               \x20 Failed to connect\n\
               Failed   deployments\n\
               failed jobs (3)\n\
               failed to load (12ms)\n\
               12 failed, 3 passed\n\
               /w/P.cs(2,44): error CS0029: Cannot convert [/w/B.csproj]\n\
               Total tests: many\n\
               Test summary: see below\n";
    assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
}
