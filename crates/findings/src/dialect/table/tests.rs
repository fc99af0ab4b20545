//! Formats of rows that have several shapes, or lines below a finding: each with all of its rows.

use crate::dialect::trial::{all_findings, findings_of};

#[test]
fn tsc_plain() {
    let log = "src/a b.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n\
               \x20 Types differ.\n\
               \x20   Deeper.\n\
               src/c.ts(1,1): error TS6133: 'x' is declared but its value is never read.\n\
               error TS18003: No inputs were found in config file 'tsconfig.json'.\n\
               Done, no error TS2322 here: fine\n";
    assert_eq!(
        findings_of("tsc", log),
        [
            "error src/a b.ts:3:5 TS2322 Type 'string' is not assignable to type 'number'.\n  Types differ.\n    Deeper. [1-3]",
            "error src/c.ts:1:1 TS6133 'x' is declared but its value is never read. [4-4]",
            "error TS18003 No inputs were found in config file 'tsconfig.json'. [5-5]",
        ]
    );
}

#[test]
fn tsc_for_people() {
    let log = "\x1b[96msrc/a.ts\x1b[0m:\x1b[93m3\x1b[0m:\x1b[93m5\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2345: \x1b[0mArgument is wrong.\n\
               \x20 Type 'a' is wrong.\n\
               \n\
               \x1b[7m3\x1b[0m x(1);\n\
               \x1b[7m \x1b[0m \x1b[91m  ~\x1b[0m\n\
               \n\
               \x20 \x1b[96msrc/b.ts\x1b[0m:\x1b[93m1\x1b[0m:\x1b[93m9\x1b[0m\n\
               Found 1 error in src/a.ts:3\n";
    assert_eq!(
        findings_of("tsc", log),
        ["error src/a.ts:3:5 TS2345 Argument is wrong.\n  Type 'a' is wrong. [1-2]"]
    );
}

#[test]
fn eslint_may_fail_for_its_warnings_alone() {
    let log = "ESLint found too many warnings (maximum: 2).\n";
    assert_eq!(findings_of("lint_compact", log), ["error ESLint found too many warnings (maximum: 2) [1-1]"]);
}

#[test]
fn esbuild_for_people() {
    let log = "▲ [WARNING] Comparison with NaN [equals-nan]\r\n\
        \r\n\
        \x20   src/a b.ts:2:9:\r\n\
        \x20     2 │ if (tide === NaN) console.log(\" [ERROR] not really\");\r\n\
        \x1b[31m✘ \x1b[41;31m[\x1b[41;97mERROR\x1b[41;31m]\x1b[0m \x1b[1mCould not resolve \"nope.ts\"\x1b[0m\r\n\
        \r\n\
        1 error\r\n\
        X [ERROR] No loader [plugin x y]\n\n\
        \x20   C:\\a\\b.ts:1:0:\n\
        X [ERROR] Last";
    assert_eq!(
        findings_of("esbuild", log),
        [
            "warning src/a b.ts:2:9 equals-nan Comparison with NaN [1-3]",
            "error Could not resolve \"nope.ts\" [5-5]",
            "error C:\\a\\b.ts:1:0 No loader [plugin x y] [8-10]",
            "error Last [11-11]",
        ]
    );
}

#[test]
fn esbuild_as_others_pass_it_on() {
    let log = "Error: Build failed with 2 errors:\n\
        src/a.ts:3:10: ERROR: Unexpected \";\"\n\
        error: Must use \"outdir\"\n\
        src/b.ts:3:10: ERROR: not in the list any more?\n\
        \x20   at failureErrorWithLog (/p/node_modules/esbuild/lib/main.js:1:2)\n\
        2024-01-01 12:30:01: ERROR: a log\n";
    assert_eq!(
        findings_of("esbuild", log),
        [
            "error src/a.ts:3:10 Unexpected \";\" [2-2]",
            "error Must use \"outdir\" [3-3]",
            "error src/b.ts:3:10 not in the list any more? [4-4]",
        ]
    );
}

#[test]
fn esbuild_in_other_output() {
    for log in ["12:30 [ERROR] no\n", "[ERROR] no\n", "Build failed with an exception\na.ts:1:2: ERROR: x\n"]
    {
        assert!(findings_of("esbuild", log).is_empty(), "{log}");
    }
}

#[test]
fn biome_below_the_bar() {
    let log = "two words/a.js:5:1 lint/style/useConst  FIXABLE  ━━━━━━━━\r\n\
        \r\n\
        \x20 ! This let declares a variable.\r\n\
        \x20 \r\n\
        \x20 > 5 │ let unused = 1;\r\n\
        \x20 i 'unused' is never reassigned.\r\n\
        C:\\a\\b.js format ━━━━━━━━\r\n\
        \r\n\
        \x20 × Formatter would have printed the following content:\r\n\
        \r\n\
        nope fs/cantRead ━━━━━━━━\n\
        \n\
        \x20 ✖ Cannot read file.\n\
        \x20   \n\
        \x20   Caused by:\n\
        \x20     No such file\n\
        \x20 × Biome can't read the following file\n\
        Found 2 errors.\n\
        check ━━━━━━━━\n\
        \n\
        \x20 × Some errors were emitted while running checks.\n";
    assert_eq!(
        findings_of("biome", log),
        [
            "warning two words/a.js:5:1 lint/style/useConst This let declares a variable. [1-3]",
            "error C:\\a\\b.js format Formatter would have printed the following content: [7-9]",
            "error nope fs/cantRead Cannot read file. [11-13]",
        ]
    );
}

#[test]
fn biome_in_other_output() {
    for log in [
        "a.js lint ━━━━\n\nx\n  × y\n",
        "━━━━━━━━\n\n  × y\n",
        "a ? ━━━━\n\n  × y\n",
        "━━━━ a lint\n\n  × y\n",
    ] {
        assert!(findings_of("biome", log).is_empty(), "{log}");
    }
}

#[test]
fn pyright_with_reasons() {
    let log = "/p/a b/tide.py\r\n\
               \x20 /p/a b/tide.py:6:12 - error: Type \"str\" is not assignable to \"int\"\r\n\
               \x20 \u{a0}\u{a0}\"Literal['3']\" is not assignable to \"int\"\r\n\
               \x20     Deeper (reportReturnType)\r\n\
               \x20 c:\\p\\x.py:1:6 - error: \"(\" was not closed\r\n\
               \x20 /p/x.py:2:6 - warning: Import \"yaml\" could not be resolved (reportMissingModuleSource)\r\n\
               \x20 /p/x.py:21:13 - information: Type of \"g(1)\" is \"int\"\r\n\
               2 errors, 1 warning, 1 information\r\n\
               File or directory \"/p/nix.py\" does not exist.\r\n\
               File or directory \"file:///p/nix.py\" does not exist\r\n";
    assert_eq!(
        findings_of("pyright", log),
        [
            "error /p/a b/tide.py:6:12 reportReturnType Type \"str\" is not assignable to \"int\"\n  \"Literal['3']\" is not assignable to \"int\"\n    Deeper [2-4]",
            r#"error c:\p\x.py:1:6 "(" was not closed [5-5]"#,
            "warning /p/x.py:2:6 reportMissingModuleSource Import \"yaml\" could not be resolved [6-6]",
            "info /p/x.py:21:13 Type of \"g(1)\" is \"int\" [7-7]",
            "error File or directory \"file:///p/nix.py\" does not exist [10-10]",
        ]
    );
}

#[test]
fn pyright_in_other_output() {
    let log = "12:00:01 - error: a log\nsrc/a.ts:3:5 - error TS2322: x\ntide - error: x\n";
    assert_eq!(findings_of("pyright", log), [] as [&str; 0]);
}

#[test]
fn ruff_in_full() {
    let log = "F401 [*] `os` imported but unused\r\n\
               \x20--> a b/tide.py:1:8\r\n\
               \x20 |\r\n\
               1 | import os, sys\r\n\
               \x20 |        ^^\r\n\
               \x20 |\r\n\
               help: Remove unused import\r\n\
               \r\n\
               invalid-syntax: Expected a parameter\r\n\
               \x20 --> C:\\a\\broken.py:12:7\r\n\
               \x20  |\r\n\
               \r\n\
               missing-copyright-notice: Missing copyright notice at top of file\r\n\
               --> nb.ipynb:cell 1:1:1\r\n\
               \r\n\
               Found 3 errors.\r\n";
    assert_eq!(
        findings_of("ruff", log),
        [
            "error a b/tide.py:1:8 F401 `os` imported but unused [2-2]",
            r"error C:\a\broken.py:12:7 invalid-syntax Expected a parameter [9-10]",
            "error nb.ipynb:cell 1:1:1 missing-copyright-notice Missing copyright notice at top of file [13-14]",
        ]
    );
}

#[test]
fn ruff_concise() {
    let log = "./tide.py:25:80: E501 line too long (114 > 79 characters)\n\
               a b/tide.py:1:1: I001 [*] Import block is un-sorted\n\
               old.py:1:7: SyntaxError: Expected ')'\n\
               nix.py:0:1: E902 FileNotFoundError: [Errno 2] No such file or directory: 'nix.py'\n\
               Would reformat: a b/tide.py\n\
               error: Failed to parse broken.py:1:7: Expected a parameter\n";
    assert_eq!(
        findings_of("ruff", log),
        [
            "error ./tide.py:25:80 E501 line too long (114 > 79 characters) [1-1]",
            "error a b/tide.py:1:1 I001 Import block is un-sorted [2-2]",
            "error old.py:1:7 SyntaxError Expected ')' [3-3]",
            "error nix.py E902 FileNotFoundError: [Errno 2] No such file or directory: 'nix.py' [4-4]",
            "error a b/tide.py unformatted File would be reformatted [5-5]",
            "error broken.py:1:7 Expected a parameter [6-6]",
        ]
    );
}

#[test]
fn ruff_in_other_output() {
    let log = "warning: unused import: `x`\n\
               \x20--> src/main.rs:1:5\n\
               error: oh\n\
               \x20--> tide.py:1:5\n\
               tide.py:3:5: error: x\n\
               tide.py:3:5: C0114: Missing module docstring (missing-module-docstring)\n\
               tide.py:3: E501 no column\n\
               tide.c:3:5: E501 no Python\n\
               Would reformat: the disk\n\
               \x20 File \"tide.py\", line 3\n";
    assert_eq!(findings_of("ruff", log), [] as [&str; 0]);
}

#[test]
fn cmake_configuring() {
    let log = "-- Detecting C compile features - done\nCMake Error at CMakeLists.txt:3 (find_package):\n  By not providing \"FindNope.cmake\" in CMAKE_MODULE_PATH this project has\n  asked CMake to find a package.\n\n  Could not find it.\nCall Stack (most recent call first):\n  a/CMakeLists.txt:5 (include)\n\n\n-- Configuring incomplete, errors occurred!\nCMake Warning (dev) in CMakeLists.txt:\n  No project() command is present.\nThis warning is for project developers.\nCMake Error: The source directory \"/x\" does not exist.\nSpecify --help for usage.\n";
    assert_eq!(
        findings_of("cmake", log),
        [
            "error CMakeLists.txt:3 By not providing \"FindNope.cmake\" in CMAKE_MODULE_PATH this project has asked CMake to find a package.\nCould not find it. [2-8]",
            "warning CMakeLists.txt No project() command is present. [12-13]",
            "error The source directory \"/x\" does not exist. [15-15]",
        ]
    );
}

#[test]
fn cmake_building() {
    assert_eq!(
        findings_of(
            "cmake",
            "ninja: Entering directory `build'\nninja: error: loading 'build.ninja': No such file or directory"
        ),
        ["error loading 'build.ninja': No such file or directory [2-2]"]
    );
    assert_eq!(
        findings_of("cmake", "ninja: build stopped: subcommand failed."),
        ["error build stopped: subcommand failed. [1-1]"]
    );
}

#[test]
fn cmake_in_other_output() {
    for log in [
        "CMake Error",
        "CMake Errors: 3",
        "CMake Error at noon:",
        "ninja: no work to do.",
        "a ninja: error: x",
    ] {
        assert!(findings_of("cmake", log).is_empty(), "{log}: {:?}", findings_of("cmake", log));
    }
}

#[test]
fn go_compiler_and_vet() {
    let log = "# example.org/tides\n./a.go:3:8: imported and not used: \"os\"\r\nbad/b.go:2:8: no required module provides package example.com/y; to add it:\n\tgo get example.com/y\nvet: c d.go:6:9: cannot use \"a\"\nC:\\x\\e.go:1:2: syntax error: unexpected }\ntoo many errors\n";
    assert_eq!(
        findings_of("go", log),
        [
            "error ./a.go:3:8 imported and not used: \"os\" [2-2]",
            "error bad/b.go:2:8 no required module provides package example.com/y; to add it:\ngo get example.com/y [3-4]",
            "error c d.go:6:9 cannot use \"a\" [5-5]",
            "error C:\\x\\e.go:1:2 syntax error: unexpected } [6-6]",
        ]
    );
}

#[test]
fn go_modules() {
    for (log, expected) in [
        (
            "go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
            "error go.mod file not found in current directory or any parent directory; see 'go help modules' [1-1]",
        ),
        (
            "package foo/bar is not in GOROOT (/usr/lib/go-1.19/src/foo/bar)",
            "error package foo/bar is not in GOROOT (/usr/lib/go-1.19/src/foo/bar) [1-1]",
        ),
        (
            "found packages bad (a.go) and x (b.go) in /x/bad",
            "error found packages bad (a.go) and x (b.go) in /x/bad [1-1]",
        ),
        (
            "package a\n\timports b\n\timports a: import cycle not allowed",
            "error imports a: import cycle not allowed [3-3]",
        ),
    ] {
        assert_eq!(findings_of("go", log), [expected], "{log}");
    }
}

#[test]
fn go_in_other_output() {
    for log in [
        "go: downloading github.com/x/y v1.2.3",
        "go: creating new go.mod: module example.org/tides",
        "go: finding module for package github.com/x/y",
        "go: added github.com/x/y v1.2.3",
        "2009/01/23 01:23:23 a.go:23: message",
        "a.go:23: message",
        "    a_test.go:3:5: message",
        "\t/x/a.go:3 +0x1d",
        "let's go: invalid idea",
        "a.go:3:5:",
    ] {
        assert!(findings_of("go", log).is_empty(), "{log}: {:?}", findings_of("go", log));
    }
}

#[test]
fn prettier_names_files() {
    let log = "Checking formatting...\r\n\
        [warn] two words/c d.js\r\n\
        [\x1b[33mwarn\x1b[39m] C:\\a\\b.json\r\n\
        [warn] .prettierrc\r\n\
        [warn] e f.md\r\n\
        [error] two words/log book.js: SyntaxError: Unexpected token (1:11)\r\n\
        [error] > 1 | const a = ;\r\n\
        [error]     |           ^\r\n\
        [warn] Code style issues found in 4 files. Run Prettier with --write to fix.\r\n\
        [error] No files matching the pattern were found: \"nope\".\r\n";
    let files = ["two words/c d.js", "C:\\a\\b.json", ".prettierrc", "e f.md"];
    let mut expected: Vec<String> = (2..)
        .zip(files)
        .map(|(line, file)| format!("warning {file} Code style issues found [{line}-{line}]"))
        .collect();
    expected.push("error two words/log book.js:1:11 SyntaxError: Unexpected token [6-6]".into());
    expected.push("error No files matching the pattern were found: \"nope\". [10-10]".into());
    assert_eq!(findings_of("prettier", log), expected);
}

#[test]
fn prettier_names_files_with_blanks() {
    let log = "[warn] a b.js\n[warn] c.js\n[warn] cannot read d/e.json\n";
    assert_eq!(
        findings_of("prettier", log)[..2],
        ["warning a b.js Code style issues found [1-1]", "warning c.js Code style issues found [2-2]"]
    );
    assert!(
        findings_of("prettier", "[warn] cannot read d/e.json\nx\n[warn] Code style issues found\n")
            .is_empty()
    );
}

#[test]
fn prettier_in_other_output() {
    for log in [
        "[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n",
        "[warn] connection lost to 10.0.0.1\n",
        "[warn] see: a.js\n",
        "see [warn] a.js\n",
        "[error] it failed (1:11)\n",
        "[error] a.js: no Error: here (1:11)\n",
        "[error] é: Error: (1:11\n",
    ] {
        assert!(findings_of("prettier", log).is_empty(), "{log}");
    }
}

#[test]
fn escapes_of_commands_are_decoded() {
    let log = "::error file=src/c%2Cd%3A.ts,line=2,title=a%3A b::100%25 wrong:%0D%0A  expected %250A\n\
               ##vso[task.logissue type=error;sourcepath=a%3Bb.cs;linenumber=3;]x%5D 5%AZP25\n";
    assert_eq!(findings_of("github", log), ["error src/c,d:.ts:2 100% wrong:\n  expected %0A [1-1]"]);
    assert_eq!(findings_of("azure", log), ["error a;b.cs:3 x] 5% [2-2]"]);
}

#[test]
fn gradle_says_why_where_nothing_else_does() {
    let log = "* What went wrong:\nCould not resolve all files for configuration ':compileClasspath'.\n\
               > Cannot resolve external dependency org.example:moon:1.0 because no repositories are defined.\n  Required by:\n\
               \x20     project :\n\n* Try:\nRun with --stacktrace option to get the stack trace.\n";
    assert_eq!(
        findings_of("gradle", log),
        [
            "error Could not resolve all files for configuration ':compileClasspath'.\n> Cannot resolve external dependency \
          org.example:moon:1.0 because no repositories are defined.\n  Required by:\n      project : [2-5]"
        ]
    );
    let placed = format!("* Where:\nBuild file '/p/build.gradle.kts' line: 12\n\n{log}");
    let found = findings_of("gradle", &placed);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("error /p/build.gradle.kts:12 Could not resolve"), "{found:#?}");
}

/// As ninja 1.11 and make 4.3 print them.
#[test]
fn failures_of_builds_have_reasons_elsewhere() {
    let error = "a.ts(2,1): error TS1005: x\n";
    for (log, count) in [
        (format!("[1/2] CC a.o\nFAILED: a.o \n{error}ninja: build stopped: subcommand failed.\n"), 1),
        (format!("FAILED: b.o \nFAILED: [code=1] a.o \n{error}"), 2),
        (
            format!(
                "{error}{}make: *** [Makefile:4: a.o] Error 1\nmake: *** [Makefile:4: b.o] Error 1\n",
                error.replacen('a', "b", 1)
            ),
            2,
        ),
        (format!("{error}make: *** [Makefile:4: b] Error 1\nmake: *** [Makefile:4: a.o] Error 1\n"), 1),
        (format!("{error}make: *** [Makefile:4: a.o] Error 1\nmake: *** [Makefile:4: b.o] Error 1\n"), 2),
    ] {
        assert_eq!(all_findings(&log).len(), count, "{log}");
    }
}

/// As nox 2026.10, prove of Perl 5.36, ninja 1.13 and ninja 1.11, and loaders of node 20 print them.
#[test]
fn failures_without_a_reason_are_told_where_nothing_else_is() {
    for (id, log, expected) in [
        (
            "nox",
            "nox > Running session a\nnox > Session a aborted: boo.\n",
            "error Session a aborted: boo. [2-2]",
        ),
        (
            "perl",
            "# Looks like your test exited with 3 just after 1.\nt/a b.t .. \nDubious, test returned 3 (wstat 768, 0x300)\n",
            "error t/a b.t Dubious, test returned 3 (wstat 768, 0x300) [3-3]",
        ),
        (
            "cmake",
            "[1/2] exit 3\nFAILED: [code=3] out \nexit 3\nninja: build stopped: subcommand failed.\n",
            "error FAILED: [code=3] out [2-2]",
        ),
        ("cmake", "FAILED: out other \nexit 3\n", "error FAILED: out other [1-1]"),
        (
            "just",
            "error: recipe `fail` failed on line 7 with exit code 3\n",
            "error recipe `fail` failed on line 7 with exit code 3 [1-1]",
        ),
        (
            "task",
            "task: Failed to run task \"fail\": exit status 2\n",
            "error Failed to run task \"fail\": exit status 2 [1-1]",
        ),
        (
            "docker",
            "ERROR: failed to solve: process \"/bin/sh -c x\" did not complete successfully: exit code: 2\n",
            "error process \"/bin/sh -c x\" did not complete successfully: exit code: 2 [1-1]",
        ),
        (
            "mix_task",
            "** (Mix) mix format failed due to --check-formatted.\n",
            "error mix format failed due to --check-formatted. [1-1]",
        ),
        (
            "node",
            "TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension \".ts\" for /a b/main.ts\n    at x (node:y:1:2) {\n",
            "error /a b/main.ts ERR_UNKNOWN_FILE_EXTENSION Unknown file extension \".ts\" for /a b/main.ts [1-1]",
        ),
    ] {
        assert_eq!(findings_of(id, log), [expected], "{log}");
    }
    for log in [
        "nox > Session a was successful.\n",
        "t/a.t .. ok\n",
        "it FAILED: out \n",
        "FAILED: it did not work\n",
    ] {
        assert!(all_findings(log).is_empty(), "{log}");
    }
}

#[test]
fn assertion_of_each_library() {
    for (text, expected) in [
        (
            "assert: assert.c:2: main: Assertion `1 + 1 == 3 && \"tide\"' failed.",
            "error assert.c:2 Assertion `1 + 1 == 3 && \"tide\"' failed. [1-1]",
        ),
        (
            "tide: ../src/a b.cpp:12: void sea::high(int): Assertion `n > 0' failed.\r",
            "error ../src/a b.cpp:12 Assertion `n > 0' failed. [1-1]",
        ),
        (
            "Assertion failed: (n > 0), function high, file tide.c, line 3.",
            "error tide.c:3 Assertion failed: (n > 0) [1-1]",
        ),
    ] {
        assert_eq!(findings_of("assertion", text), [expected]);
    }
}

#[test]
fn assertion_in_other_output() {
    for text in [
        "it says: Assertion `x' failed.",
        "a: b.c:3: f: Assertion `x' held.",
        "Assertion failed: (x), file a.c.",
        "Assertion failed: (",
    ] {
        assert!(findings_of("assertion", text).is_empty(), "{text}");
    }
}
