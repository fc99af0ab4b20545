//! Cutting, counting and collecting; the findings of single dialects are tested with them.

use crate::dialect::trial::lines;
use crate::model::{Chunk, Findings, Stream};

use super::{Reader, dialects_of, is_compiling};

fn read(chunks: &[(Stream, &[u8])]) -> Findings {
    let mut reader = Reader::of(&crate::dialect::ALL);
    for (stream, bytes) in chunks {
        reader.push(Chunk::new(*stream, bytes));
    }
    reader.finish()
}

#[test]
fn programs_tell_whose_output_is_to_come() {
    for (programs, expected) in [
        (&["tsc", "vitest"][..], &["vitest", "tsc", "jest_json"][..]),
        (&["tscx", "go-tsc"], &[]),
        (&[], &[]),
    ] {
        assert_eq!(dialects_of(programs), expected, "{programs:?}");
    }
}

#[test]
fn a_line_may_come_in_pieces_between_those_of_the_other_stream() {
    let log = b"start\nsrc/a.ts(1,2): erroother\nr TS1: x\r\nsrc/b.ts(3,4): error TS2: y";
    let found = read(&[
        (Stream::Out, &log[..25]),
        (Stream::Err, &log[25..31]),
        (Stream::Out, &log[31..40]),
        (Stream::Out, &log[40..]),
    ]);
    assert_eq!(lines(&found), ["error src/a.ts:1:2 TS1 x [2-3]", "error src/b.ts:3:4 TS2 y [4-4]"]);
    let range = found.diagnostics[1].log;
    let lines = &log[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
    assert_eq!(lines, b"src/b.ts(3,4): error TS2: y");
}

/// A control within a trigger hides it, behind whatever line.
#[test]
fn a_torn_trigger_is_the_same_wherever_the_log_is_cut() {
    let log = b"a.py:1:1: F401 x\nb.p\0y:2:1: F401 y\na.py:3:1: F401 z\n";
    let whole = read(&[(Stream::Out, log)]);
    for cut in 1..log.len() {
        assert_eq!(read(&[(Stream::Out, &log[..cut]), (Stream::Out, &log[cut..])]), whole, "{cut}");
    }
}

/// Two pipes are read in any order: the line of make may come before the reason on the other one.
#[test]
fn a_reason_on_the_other_stream_explains_the_last_failure_of_make() {
    let reason = b"Dockerfile:7 DL3020 error: Use COPY instead of ADD\n";
    let failed = |target: &str| format!("make: *** [Makefile:2: {target}] Error 1\n").into_bytes();
    let (lint, sail) = (failed("lint"), failed("sail"));
    let (out, err) = (Stream::Out, Stream::Err);
    let found = ["error Dockerfile:7 DL3020 Use COPY instead of ADD [2-2]"];
    assert_eq!(lines(&read(&[(err, &lint), (out, reason)])), found);
    let unexplained = "error Makefile:2 [lint] Error 1 [1-1]";
    assert_eq!(lines(&read(&[(err, &lint), (out, reason), (err, &sail)])), [unexplained, found[0]]);
    assert_eq!(lines(&read(&[(err, &lint), (err, reason)])), [unexplained, found[0]]);
}

#[test]
fn a_compilers_line_counts_where_compilers_are_expected() {
    let log = b"a.c:3:5: error: bad\n";
    let read = |is_compiling: bool| {
        let mut reader = Reader::of(&crate::dialect::ALL).compiling(is_compiling);
        reader.push(Chunk::new(Stream::Out, log));
        lines(&reader.finish())
    };
    assert_eq!(read(true), ["error a.c:3:5 bad [1-1]"]);
    assert_eq!(read(false), [""; 0]);
    for (programs, expected) in
        [(&["make"][..], true), (&["npm", "clang++"], true), (&["npm", "tsc"], false), (&[], false)]
    {
        assert_eq!(is_compiling(programs), expected, "{programs:?}");
    }
}

#[test]
fn jobs_of_one_log_are_separated() {
    let log = "packages/a build$ tsc\npackages/b build$ tsc\n\
               packages/a build: a.ts(1,1): error TS1: first\n\
               packages/b build: b.ts(2,2): error TS2: second\n\
               packages/a build:   because\n\
               packages/b build:   of that\n";
    assert_eq!(
        lines(&read(&[(Stream::Out, log.as_bytes())])),
        ["error a.ts:1:1 TS1 first\n  because [3-5]", "error b.ts:2:2 TS2 second\n  of that [4-6]"]
    );
}

/// As concurrently prints with `--prefix "{time}-{name}"`.
#[test]
fn jobs_behind_a_time_and_a_hyphen_are_separated() {
    let log = "2026-03-01 10:12:13.100-a eslint . started\n2026-03-01 10:12:13.101-b tsc started\n2026-03-01 10:12:14.200-a \n\
               2026-03-01 10:12:14.200-a /p/one.js\n2026-03-01 10:12:14.201-b src/a.ts(3,4): error TS2322: No.\n\
               2026-03-01 10:12:14.200-a   1:7  error  'x' is not defined  no-undef\n";
    assert_eq!(
        lines(&read(&[(Stream::Both, log.as_bytes())])),
        ["error src/a.ts:3:4 TS2322 No. [5-5]", "error /p/one.js:1:7 no-undef 'x' is not defined [6-6]",]
    );
}

#[test]
fn jobs_without_an_announcement_are_separated() {
    let log = "[0] gcc -c src/a.c\n[1] src/a.c:3:5: error: no tide\n[1]     3 | x;\n[0] src/b.c:1:1: error: no moon\n\
               [1] src/a.c:9:1: warning: no sea\n[error] src/c.c:3:5: error: of its own\n";
    assert_eq!(
        lines(&read(&[(Stream::Err, log.as_bytes())])),
        [
            "error src/a.c:3:5 no tide [2-2]",
            "error src/b.c:1:1 no moon [4-4]",
            "warning src/a.c:9:1 no sea [5-5]",
            "error [error] src/c.c:3:5 of its own [6-6]",
        ]
    );
}

#[test]
fn a_long_line_of_a_job_is_its_own_to_the_end() {
    let message = r#"{"ruleId":"x","severity":2,"message":"no"}"#;
    let fix = "x".repeat(200_000);
    let log = format!(
        "packages/a lint$ eslint\n\
         packages/a lint: [{{\"filePath\":\"/b.js\",\"messages\":[{{\"fix\":\"{fix}\"}},{message}]}}]\n"
    );
    assert_eq!(lines(&read(&[(Stream::Out, log.as_bytes())])), ["error /b.js x no [2-2]"]);
}

#[test]
fn a_finding_without_words_is_one() {
    let log = format!("/a.js: line 4, col 5, Warning - {}", " ".repeat(70_000));
    for log in [log.as_str(), "/a.js: line 4, col 5, Warning - \n"] {
        let found = read(&[(Stream::Out, log.as_bytes())]);
        assert_eq!((found.warnings, found.diagnostics[0].message.as_str()), (1, "(no message)"));
    }
}

#[test]
fn a_line_in_parts_is_the_same_wherever_the_log_is_cut() {
    // The trigger contains invisible controls.
    let log = format!(
        "running 1 test\n\nfailures:\n\n---- a stdout -\u{5}---{}\nthe end\n",
        "\u{2}".repeat(66_000)
    );
    let whole = read(&[(Stream::Out, log.as_bytes())]);
    let pieces: Vec<_> = log.as_bytes().chunks(32).map(|piece| (Stream::Out, piece)).collect();
    assert_eq!(read(&pieces), whole);
}

#[test]
fn a_place_without_a_file_is_none() {
    let log = "FAIL \n  \u{25cf} fails\n\n    because\n\nTests: 1 failed, 1 total\n";
    let found = read(&[(Stream::Out, log.as_bytes())]);
    assert_eq!((found.errors, found.diagnostics[0].place.as_ref()), (1, None));
}

#[test]
fn too_many_are_counted() {
    let lines: Vec<String> = (0..100_000).map(|n| format!("a.ts({n},1): error TS{n}: no {n}")).collect();
    let log = lines.join("\n");
    let found = read(&[(Stream::Out, log.as_bytes())]);
    assert_eq!((found.errors, found.diagnostics.len()), (100_000, 1000));
    assert_eq!(found.diagnostics[999].message, "no 999");
}

#[test]
fn a_finding_printed_twice_counts_once() {
    let log = "a.ts(1,1): error TS1: x\nSummary:\na.ts(1,1): error TS1: x\n";
    assert_eq!(lines(&read(&[(Stream::Out, log.as_bytes())])), ["error a.ts:1:1 TS1 x [1-1]"]);
}

/// Lines that follow each other, as a shell or a linter prints them, are errors of their own.
#[test]
fn equal_findings_on_lines_that_follow_each_other_are_one_that_counts_as_all() {
    let line = "sh: 1: tsc: not found\n";
    let log = format!("{}then\n{line}a.ts(1,1): error TS1: x\n", line.repeat(132));
    let found = read(&[(Stream::Out, log.as_bytes())]);
    assert_eq!(lines(&found), ["error tsc: not found [1-1] (132 times)", "error a.ts:1:1 TS1 x [135-135]"]);
    assert_eq!((found.errors, found.not_kept()), (133, 0));
    let pieces: Vec<_> = log.as_bytes().chunks(7).map(|piece| (Stream::Out, piece)).collect();
    assert_eq!(read(&pieces), found);
}

/// Many more than are kept cost no memory, and none of the others.
#[test]
fn more_equal_findings_than_are_kept_are_one() {
    let log = "a.ts(1,1): error TS1: x\n".repeat(200_000) + "b.ts(2,2): error TS2: y\n";
    let found = read(&[(Stream::Out, log.as_bytes())]);
    assert_eq!(
        lines(&found),
        ["error a.ts:1:1 TS1 x [1-1] (200000 times)", "error b.ts:2:2 TS2 y [200001-200001]"]
    );
    assert_eq!(found.errors, 200_001);
}

/// An error that a runner repeats at its end, of the output of its jobs, is no other error.
#[test]
fn errors_without_a_place_count_in_each_job() {
    let job = |name: &str| format!("[{name}] start\n[{name}] sh: 1: tsc: not found\n[{name}] then\n");
    let log = [job("web"), job("api"), job("web"), "sh: 1: tsc: not found\n".into()].concat();
    let found = read(&[(Stream::Out, log.as_bytes())]);
    assert_eq!((lines(&found), found.errors), (vec!["error tsc: not found [2-2] (2 times)".to_owned()], 2));
    let script = |name: &str| format!("\n> {name}@1.0.0 build\n> tsc\n\nsh: 1: tsc: not found\n");
    let scripts: String = (0..132).map(|n| script(&format!("p{n}"))).collect();
    let found = read(&[(Stream::Out, scripts.as_bytes())]);
    assert_eq!(lines(&found), ["error tsc: not found [5-5] (132 times)"]);
    assert_eq!(found.errors, 132);
    let place = "/p/a.ts(1,1): error TS1: x";
    let found = read(&[(Stream::Out, format!("[types] {place}\n[build] {place}\n").as_bytes())]);
    assert_eq!((found.errors, found.diagnostics.len()), (1, 1), "one place is one error");
}

#[test]
fn findings_with_different_reasons_both_count() {
    let log = "error TS1: x\n  because\nerror TS1: x\n  of that\nerror TS1: x\n  because\n";
    assert_eq!(
        lines(&read(&[(Stream::Out, log.as_bytes())])),
        ["error TS1 x\n  because [1-2]", "error TS1 x\n  of that [3-4]"]
    );
}

#[test]
fn a_line_without_an_end_costs_no_more_than_its_beginning() {
    let mut long = b"a.ts(1,1): error TS1: ".to_vec();
    long.resize(3_000_000, b'x');
    long.extend_from_slice(b"\nb.ts(2,2): error TS2: y\n");
    let whole = read(&[(Stream::Out, &long)]);
    assert_eq!((whole.errors, whole.diagnostics[1].log.start_line), (2, 2));
    assert!(whole.diagnostics[0].message.len() < 5000);
    let mut reader = Reader::of(&crate::dialect::ALL);
    for chunk in long.chunks(1009) {
        reader.push(Chunk::new(Stream::Out, chunk));
    }
    assert_eq!(reader.finish(), whole);
}

#[test]
fn problem_matchers_come_first_and_may_repeat_their_last_line() {
    let matchers = serde_json::json!([
        {"owner": "lint", "severity": "warning", "fileLocation": ["relative", "${workspaceFolder}/web"], "pattern": [
            {"regexp": "^== (.*)$", "file": 1},
            {"regexp": "^  (\\d+):(\\d+) (E\\d+)? ?(.*)$", "line": 1, "column": 2, "code": 3, "message": 4, "loop": true},
        ]},
        {"owner": "mine", "pattern": {"regexp": "^(.*)\\((\\d+),(\\d+)\\): error TS\\d+: (mine.*)$", "message": 4}},
    ]);
    let log =
        "== a.js\n  1:2 E1 first\n  3:4 second\nother\n  5:6 E1 of no file\nb.ts(7,8): error TS1: mine now\n";
    let matchers =
        crate::model::Matcher::read_all(&matchers, &mut |path, wrong| panic!("{path:?} {wrong:?}"));
    let mut reader = Reader::new("/root".as_ref(), "sub".as_ref(), matchers);
    reader.push(Chunk::new(Stream::Out, log.as_bytes()));
    let findings = reader.finish();
    assert_eq!(
        lines(&findings),
        [
            "warning web/a.js:1:2 E1 first [1-2]",
            "warning web/a.js:3:4 second [3-3]",
            "error sub/b.ts:7:8 mine now [6-6]"
        ]
    );
    assert_eq!(findings.diagnostics[2].dialect, "mine");
}

/// The plain output of `BuildKit`: each step, then a repetition of the failed one's output.
#[test]
fn steps_of_docker_are_jobs() {
    let log = "#11 [build 5/6] RUN npm ci\n#12 [build 6/6] RUN npm run build\n\
               #11 0.988 npm error code EUSAGE\n#12 0.412 \n#12 0.412 > api@1.0.0 build\n\
               #12 10.103 src/a.ts(10,7): error TS2322: wrong\n#11 0.992 npm error\n#11 0.993 npm error no lock file\n\
               #12 ERROR: process \"/bin/sh -c npm run build\" did not complete successfully: exit code: 2\n\
               ------\n > [build 6/6] RUN npm run build:\n10.103 src/a.ts(10,7): error TS2322: wrong\n------\n\
               Dockerfile:5\nERROR: failed to solve: process\n";
    let expected = ["error EUSAGE no lock file [3-8]", "error src/a.ts:10:7 TS2322 wrong [6-6]"];
    assert_eq!(lines(&read(&[(Stream::Err, log.as_bytes())])), expected);
}

#[test]
fn make_complains_of_what_nobody_explained() {
    fn with(errors: &str) -> String {
        format!("{errors}make: *** [Makefile:2: all] Error 1\n")
    }
    for (log, expected) in [
        (with(""), vec!["error Makefile:2 [all] Error 1 [1-1]"]),
        (with("a.ts(1,2): error TS1: x\n"), vec!["error a.ts:1:2 TS1 x [1-1]"]),
    ] {
        assert_eq!(lines(&read(&[(Stream::Err, log.as_bytes())])), expected);
    }
}

#[test]
fn a_sign_that_controls_tear_is_passed_over_however_it_comes() {
    let log = b"a.ts(1,1): error\x0b TS1: x\nb.ts(2,2): error TS2: y\n";
    let whole = read(&[(Stream::Out, log)]);
    let pieces: Vec<(Stream, &[u8])> = log.chunks(3).map(|piece| (Stream::Out, piece)).collect();
    assert_eq!(read(&pieces), whole);
}

#[test]
fn far_into_a_log_the_same_is_found() {
    let found = "a.ts(1,1): error TS1: x\n\x1b[31mb.ts(2,2): \x1b[1merror TS2\x1b[0m: y\n";
    let far = "all is well\n".repeat(200_000);
    let other = found.replace(".ts", ".tsx");
    let log = format!("{found}{far}{other}{far}");
    assert_eq!(
        lines(&read(&[(Stream::Out, log.as_bytes())])),
        [
            "error a.ts:1:1 TS1 x [1-1]",
            "error b.ts:2:2 TS2 y [2-2]",
            "error a.tsx:1:1 TS1 x [200003-200003]",
            "error b.tsx:2:2 TS2 y [200004-200004]",
        ]
    );
}

/// A count that is smaller than what the tools say is the least there is.
#[test]
fn a_count_that_may_be_too_small_says_so() {
    let error = "src/a.ts(1,1): error TS1: x\n";
    for (rest, expected) in [
        ("Found 1 error in src/a.ts:1\n", false),
        ("Found 12 errors in 3 files.\n", true),
        ("✖ 9 problems (5 errors, 4 warnings)\n", true),
        ("[lint] eslint src\n[lint] it is bad\n[lint] eslint src exited with code 1\n", true),
        ("[types] b.ts(1,1): error TS1: y\n[types] tsc exited with code 1\n", false),
        ("[types] src/a.ts(1,1): error TS1: x\n[types] tsc exited with code 1\n", false),
        ("make: *** [Makefile:2: a] Error 1\n", false),
        ("make: *** [Makefile:2: a] Error 1\nmake: *** [Makefile:9: b] Error 1\n", true),
    ] {
        let found = read(&[(Stream::Out, format!("{error}{rest}").as_bytes())]);
        assert_eq!(found.incomplete, expected, "{rest}");
    }
}

/// The shapes of microsoft/vscode#85773 and actions/runner#2341: what stands around a line changes nothing.
#[test]
fn text_is_read_as_it_comes() {
    let line = "src/a.ts(3,5): error TS2322: Type 'x' is not assignable.";
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (name, bytes) in [
        ("a mark of the byte order", format!("\u{feff}{line}\n").into_bytes()),
        ("a tab", format!("\t{line}\n").into_bytes()),
        ("blanks", format!("   {line}\n").into_bytes()),
        ("backspaces", format!("..\u{8}\u{8}{line}\n").into_bytes()),
        ("carriage returns alone", format!("one\r{line}\rtwo\r").into_bytes()),
        ("two bytes a character", wide(&format!("{line}\r\n"))),
        ("two bytes a character, with a mark", wide(&format!("\u{feff}{line}\r\n"))),
        ("a group", format!("::group::tsc\n{line}\n::endgroup::\n").into_bytes()),
        ("an annotation", b"::error file=src/a.ts,line=3,col=5,endColumn=9::TS2322 Type 'x'\n".to_vec()),
        (
            "a titled annotation",
            b"::error title=TS2322,file=src/a.ts,line=3,col=5::Type 'x'%0Ais not\n".to_vec(),
        ),
    ] {
        let found = read(&[(Stream::Out, &bytes)]);
        let place = found.diagnostics.first().and_then(|found| found.place.as_ref()).map(ToString::to_string);
        assert_eq!((found.errors, place.as_deref()), (1, Some("src/a.ts:3:5")), "{name}");
    }
}
