//! Each format behind each prefix: the shapes of public reports about runners of several jobs, by hand. One finding is
//! expected in each, at its place, below the package's folder where the prefix names a package. And what real runners printed about
//! real packages, in `fixtures/prefixes/`.

#![expect(clippy::disallowed_methods, reason = "a test reads its own samples")]

use std::fs;
use std::path::Path;

use super::Reader;
use crate::dialect::trial::lines;
use crate::model::{Chunk, Findings, Stream};

const ROOT: &str = "/home/me/p";

/// A format: its output, and the place of its only finding.
const FORMATS: [(&str, &str, &str, usize); 10] = [
    ("tsc", "src/a.ts(3,5): error TS2322: Type 'x' is not assignable.", "src/a.ts", 3),
    (
        "gcc",
        "src/a.c: In function 'main':\nsrc/a.c:3:5: error: 'x' undeclared (first use in this function)\n    3 |     x = 1;\n      |     ^",
        "src/a.c",
        3,
    ),
    (
        "eslint",
        "\n/home/me/p/src/a.js\n  3:5  error  'x' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n",
        "src/a.js",
        3,
    ),
    (
        "pytest",
        "=================================== FAILURES ===================================\n\
         ____________________________________ test_a ____________________________________\n\n\
         \x20   def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:3: AssertionError\n\
         =========================== short test summary info ============================\n\
         FAILED tests/test_a.py::test_a - assert 1 == 2\n\
         ============================== 1 failed in 0.02s ===============================",
        "tests/test_a.py",
        3,
    ),
    (
        "jest",
        "FAIL src/a.test.js\n  ✕ adds (2 ms)\n\n  ● adds\n\n    expect(received).toBe(expected) // Object.is equality\n\n\
         \x20   Expected: 2\n    Received: 1\n\n      1 | test('adds', () => {\n      2 |   const a = 1;\n    > 3 |   expect(a).toBe(2);\n\
         \x20       |             ^\n      4 | });\n\n      at Object.toBe (src/a.test.js:3:13)\n\n\
         Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total",
        "src/a.test.js",
        3,
    ),
    (
        "vitest",
        " RUN  v3.0.0 /home/me/p\n\n ❯ src/a.test.ts (1 test | 1 failed) 5ms\n   × adds 4ms\n     → expected 1 to be 2 // Object.is equality\n\n\
         ⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  src/a.test.ts > adds\nAssertionError: expected 1 to be 2 // Object.is equality\n\n\
         \x20❯ src/a.test.ts:3:13\n      1| import { test } from 'vitest'\n      2| test('adds', () => {\n      3|   expect(1).toBe(2)\n\
         \x20      |             ^\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n Test Files  1 failed (1)\n      Tests  1 failed (1)",
        "src/a.test.ts",
        3,
    ),
    (
        "cargo",
        "error[E0425]: cannot find value `x` in this scope\n --> src/a.rs:3:5\n  |\n3 |     x\n  |     ^ not found in this scope\n\n\
         error: could not compile `p` (bin \"p\") due to 1 previous error",
        "src/a.rs",
        3,
    ),
    (
        "pyright",
        "/home/me/p/src/a.py\n  /home/me/p/src/a.py:3:5 - error: Type \"str\" is not assignable to \"int\" (reportReturnType)\n\
         1 error, 0 warnings, 0 informations",
        "src/a.py",
        3,
    ),
    ("go", "# example.com/p\nsrc/a.go:3:5: undefined: x", "src/a.go", 3),
    (
        "node",
        "/home/me/p/src/a.js:3\n  throw new Error('boom')\n  ^\n\nError: boom\n    at f (/home/me/p/src/a.js:3:9)\n\
         \x20   at Object.<anonymous> (/home/me/p/src/a.js:6:1)\n\nNode.js v20.20.2",
        "src/a.js",
        3,
    ),
];

/// The text before each line; `^` is a line of its own before the first.
const PREFIXES: [(&str, &str); 42] = [
    ("two blanks", "  "),
    ("four blanks", "    "),
    ("tab", "\t"),
    ("concurrently by number", "[0] "),
    ("concurrently by name", "[check] "),
    ("concurrently by a program's name", "[node] "),
    ("concurrently by time", "[2026-03-01 10:12:13.456] "),
    ("turbo", "web:check: "),
    ("turbo with a scope", "@acme/web:check: "),
    ("pnpm -r", "packages/web check: "),
    ("pnpm -r on a terminal", "packages/web check$ tsc^│ "),
    ("lerna", "@acme/web: "),
    ("yarn foreach", "[@acme/web]: "),
    ("compose", "web-1  | "),
    ("foreman", "10:12:13 web.1  | "),
    ("buildkit", "#10 3.871 "),
    ("overmind", "web  | "),
    ("time", "12:04:11 "),
    ("time with milliseconds", "12:04:11.123 "),
    ("time in brackets", "[12:04:11] "),
    ("date and time", "2026-03-01T10:12:13.1234567Z "),
    ("ts", "Mar 01 10:12:13 "),
    ("gh run view", "check\tBuild\t2026-03-01T10:12:13.1234567Z "),
    ("nx stream", "web: "),
    ("bar", "| "),
    ("compose and concurrently", "web-1  | [bau] "),
    ("compose and turbo", "web-1  | web:check: "),
    ("foreman and concurrently", "10:12:13 web.1  | [0] "),
    ("compose and a time", "web-1  | 12:04:11 "),
    ("concurrently by time and process", "[2026-03-01 10:12:13.456 4711] "),
    ("bun --filter", "web check: "),
    ("bun --filter with a scope", "@acme/web check: "),
    ("docker's own builder", " ---> Running in 3f^"),
    ("gradle exec", "> "),
    ("quoted", "# "),
    ("moon", "web:check | "),
    ("run-p -l", "[check:web] "),
    ("turbo cached", "web:check: cache hit, replaying logs 0123456789abcdef^web:check: "),
    ("turbo bypassed", "web:check: cache bypass, force executing 0123456789abcdef^web:check: "),
    ("turbo on GitHub", "::group::web:check^"),
    ("a step on GitHub", "::group::Run npm test^"),
    (
        "a task on GitHub as its log has it",
        "2026-03-01T10:12:13.1234567Z ##[group]@acme/web:check^2026-03-01T10:12:13.1234567Z ",
    ),
];

fn exists(path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(ROOT) else { return false };
    let inside = inside.strip_prefix("packages/web").unwrap_or(inside);
    FORMATS.iter().any(|(_, _, file, _)| inside == Path::new(file))
}

fn read(prefix: &str, output: &str) -> Findings {
    let (first, prefix) = prefix.split_once('^').map_or((None, prefix), |(first, rest)| (Some(first), rest));
    let lines = output.lines().map(|line| format!("{prefix}{line}\n"));
    let log: String = first.map(|first| format!("{first}\n")).into_iter().chain(lines).collect();
    let mut reader = Reader::new(Path::new(ROOT), Path::new("."), Vec::new()).seeing(exists);
    reader.push(Chunk::new(Stream::Out, log.as_bytes()));
    reader.finish()
}

#[test]
fn each_format_is_read_behind_each_prefix() {
    let mut wrong = Vec::new();
    for (runner, prefix) in PREFIXES {
        for (format, output, file, line) in FORMATS {
            let found = read(prefix, output);
            let places: Vec<_> = found.diagnostics.iter().map(|found| found.place.clone()).collect();
            let is_right = |name: &str| name == file || name.strip_prefix("packages/web/") == Some(file);
            let fits = match &places[..] {
                [Some(place)] => is_right(&place.file) && place.line == Some(line) && found.errors == 1,
                _ => false,
            };
            if !fits {
                wrong.push(format!("{runner}, {format}: {places:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_prefix_that_names_a_package_gives_its_folder() {
    for (runner, prefix) in PREFIXES.into_iter().filter(|(_, prefix)| prefix.contains("web")) {
        let found = read(prefix, FORMATS[0].1);
        let file = found.diagnostics[0].place.as_ref().map(|place| place.file.as_str());
        assert_eq!(file, Some("packages/web/src/a.ts"), "{runner}");
    }
}

/// Equal errors of two packages are two errors.
#[test]
fn equal_errors_of_two_jobs_both_count() {
    for (one, other) in [("[web] ", "[api] "), ("@acme/web: ", "@acme/api: "), ("web check: ", "api check: ")]
    {
        let line = FORMATS[0].1;
        let log = format!("{one}{line}\n{other}{line}\n{other}{line}\n");
        let mut reader = Reader::new(Path::new(ROOT), Path::new("."), Vec::new()).seeing(exists);
        reader.push(Chunk::new(Stream::Out, log.as_bytes()));
        assert_eq!(reader.finish().errors, 2, "{one}");
    }
}

/// A recording begins with its source, the project's folder and the findings that a person reads in it, as samples of rows do.
#[test]
fn recordings_of_runners_are_read() {
    fn is_in_a_package(path: &Path) -> bool {
        ["web/src/a.ts", "web/src/a.js", "api/src/a.ts", "api/src/a.js"]
            .iter()
            .any(|file| path.ends_with(Path::new("packages").join(file)))
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/prefixes");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for recording in fs::read_dir(folder).unwrap().flatten() {
        let text = fs::read_to_string(recording.path()).unwrap();
        let (head, log) = text.split_once("---\n").unwrap();
        let of = |key: &'static str| head.lines().filter_map(move |line| line.strip_prefix(key));
        let root = of("root: ").next().unwrap();
        let mut reader = Reader::new(Path::new(root), Path::new("."), Vec::new()).seeing(is_in_a_package);
        reader.push(Chunk::new(Stream::Both, log.as_bytes()));
        let mut rest = lines(&reader.finish());
        let all = rest.clone();
        let mut missed: Vec<&str> = of("is: ").collect();
        missed.retain(|expected| {
            let at = rest.iter().position(|found| found.starts_with(expected));
            at.map(|at| rest.remove(at)).is_none()
        });
        count += 1;
        if !missed.is_empty() || !rest.is_empty() {
            wrong.push(format!("{:?}: missed {missed:#?} of {all:#?}", recording.file_name()));
        }
    }
    assert!(wrong.is_empty() && count >= 16, "{count} recordings\n{}", wrong.join("\n"));
}
