//! `cuff read`: the findings in what any program printed, for people and in the formats of other programs.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::project::{Project, Run};
use crate::support::tools;

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path)
}

/// The recorded output of a tool.
fn recorded(sample: &str) -> PathBuf {
    fixture("dialects").join(sample).join("raw.log")
}

fn read(project: &Project, input: &Path, words: &[&str]) -> Run {
    let mut command = project.command([&["read"], words].concat());
    command.stdin(File::open(input).expect("a recorded output"));
    Run::of(command)
}

#[test]
fn the_output_of_any_program_is_read_for_people() {
    let project = Project::empty();
    project.write("src/tide.ts", "\n".repeat(19) + "high();\n");
    let mut pipe = Command::new("sh");
    project.surround(&mut pipe);
    let prints = "echo 'src/tide.ts(20,1): error TS2554: Expected 1 arguments, but got 0.' >&2; exit 2";
    pipe.args(["-c", &format!("(echo building; {prints}) 2>&1 | \"$0\" read")])
        .arg(env!("CARGO_BIN_EXE_cuff"));
    let run = Run::of(pipe);
    let expected =
        "src/tide.ts:20:1 error TS2554 Expected 1 arguments, but got 0.\n    20 | high();\n\n1 error\n";
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (1, expected, ""));

    let tests = read(&project, &recorded("pytest-9/fail-line"), &[]);
    assert!(
        tests.stdout.ends_with(
            "9 errors and 1 warning; tests: 7 failed, 2 did not load, 2 passed, 1 skipped (11 tests)\n"
        ),
        "{tests:?}"
    );
    assert_eq!(tests.code, 1);

    let quiet = project.write("quiet.log", "all is well\n");
    let run = read(&project, &quiet, &[]);
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (0, "", "no errors were found in 1 line\n"));
}

#[test]
fn text_that_may_be_an_error_is_noted_and_fails_where_no_test_passed() {
    const NOTE: &str = "note: some of the output may be errors that cuff does not count; `--json` says `diagnostics_incomplete`\n";
    let project = Project::empty();
    let printed =
        "a_spec.rb:3:in `x': boom (RuntimeError)\n.\n\nFinished in 0.03 seconds\n1 example, 0 failures\n";
    let passed = project.write("passed.log", printed);
    let run = read(&project, &passed, &[]);
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (0, "1 passed (1 test)\n", NOTE));

    let unread = project.write("unread.log", "4\t\tinvalid-syntax\nFound 4 errors.\n");
    let run = read(&project, &unread, &[]);
    let told = ["no errors were found in 2 lines\n", NOTE].concat();
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (1, "", &*told));
}

#[test]
fn each_format_says_the_same() {
    let project = Project::empty();
    let log = project.write(
        "a.log",
        "src/a b,c.ts(3,7): error TS2322: 100% \"wrong\" <T & U>.\n  more\nsrc/z.ts(1,1): warning TS1: old\n",
    );
    let printed = |format: &str| read(&project, &log, &["--as", format]);
    let github = "::error file=src/a b%2Cc.ts,line=3,col=7,title=TS2322::100%25 \"wrong\" <T & U>.%0A  more\n\
                  ::warning file=src/z.ts,line=1,col=1,title=TS1::old\n";
    assert_eq!((printed("github").code, &*printed("github").stdout), (1, github));
    let head = "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"";
    let message = "100% &quot;wrong&quot; &lt;T &amp; U&gt;.";
    let junit = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {head}>\n  <testsuite name=\"cuff\" {head}>\n    \
         <testcase classname=\"src/a b,c.ts\" name=\"src/a b,c.ts:3:7 {message}\">\n      \
         <failure message=\"{message}\" type=\"TS2322\">src/a b,c.ts:3:7 {message}&#10;  more</failure>\n    </testcase>\n    \
         <system-out>cuff read failures and counts: tests that passed are counted and not named. Not listed: 1 other finding.</system-out>\n  \
         </testsuite>\n</testsuites>\n\n"
    );
    assert_eq!(printed("junit").stdout, junit);
    let checkstyle = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n  <file name=\"src/a b,c.ts\">\n    \
         <error line=\"3\" column=\"7\" severity=\"error\" message=\"{message}&#10;  more\" source=\"TS2322\"/>\n  </file>\n  \
         <file name=\"src/z.ts\">\n    <error line=\"1\" column=\"1\" severity=\"warning\" message=\"old\" source=\"TS1\"/>\n  </file>\n</checkstyle>\n"
    );
    assert_eq!(printed("checkstyle").stdout, checkstyle);
    let json: serde_json::Value = serde_json::from_str(&printed("json").stdout).unwrap();
    assert_eq!((&json["errors"], &json["warnings"]), (&1.into(), &1.into()));
    assert_eq!(printed("json").stdout, read(&project, &log, &["--json"]).stdout);
    let sarif: serde_json::Value = serde_json::from_str(&printed("sarif").stdout).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a%20b%2Cc.ts");
    assert_eq!(place["region"], serde_json::json!({"startLine": 3, "startColumn": 7}));
}

/// Validates SARIF by its public schema, and reads both XML documents.
const VALIDATE: &str = "
import json, sys, xml.dom.minidom
import jsonschema
schema, sarif, *documents = sys.argv[1:]
log = json.load(open(sarif))
jsonschema.Draft4Validator(json.load(open(schema))).validate(log)
for document in documents: xml.dom.minidom.parse(document)
print(len(log['runs'][0]['results']))
";

#[test]
fn programs_of_others_can_read_it() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/python/bin/python3");
    if !python.is_file() && tools::require("python-mcp").is_none() {
        return;
    }
    let project = Project::empty();
    // Bytes that are no text, characters that no XML has, and many findings.
    let mut hostile =
        b"src/\x1b[31m\"<&>%\x01\xff\xef\xbf\xbe.ts(0,0): error TS1: <![CDATA[ ]]> -- \x0b\xe2\x80\xae %0A\n"
            .to_vec();
    hostile.extend((0..3000).flat_map(|line| format!("a.ts({line},1): error TS2: x{line}\n").into_bytes()));
    let hostile = project.write("hostile.log", hostile);
    let logs = [
        (recorded("tsc-6/fail"), "13"),
        (recorded("pytest-9/fail-line"), "10"),
        (hostile, "1000"),
        (project.write("empty.log", ""), "0"),
    ];
    for (log, expected) in logs {
        let files = ["sarif", "junit", "checkstyle"].map(|format| {
            let run = read(&project, &log, &["--as", format]);
            assert_eq!(run.stderr, "");
            project.write(format, run.stdout)
        });
        let mut command = Command::new(&python);
        project.surround(&mut command);
        command.args(["-c", VALIDATE]).arg(fixture("sarif/sarif-schema-2.1.0.json")).args(files);
        let run = Run::of(command);
        assert_eq!((run.code, run.stdout.trim(), &*run.stderr), (0, expected, ""), "{log:?}");
    }
    assert!(project.read("sarif").contains("\"results\": []"));
}

#[test]
fn findings_that_were_not_kept_are_counted_in_each_format() {
    let project = Project::empty();
    let lines: Vec<String> = (1..=1500).map(|line| format!("a.ts({line},1): error TS2: x\n")).collect();
    let log = project.write("long.log", lines.concat());
    for (format, expected) in [
        ("sarif", "\"500 other findings counted and not kept\""),
        ("github", "::warning::500 other findings counted and not kept\n"),
        ("junit", "500 other errors counted and not kept."),
        ("checkstyle", "<!-- 500 other findings counted and not kept -->"),
        ("json", "\"errors\": 1500"),
    ] {
        let run = read(&project, &log, &["--as", format]);
        assert!(run.code == 1 && run.stdout.contains(expected), "{format}: {}", run.stderr);
    }
}

#[test]
fn past_runs_are_written_in_the_same_formats() {
    let project = Project::empty();
    project.script("scripts/check.sh", "#!/bin/sh\necho 'a.ts(3,1): error TS2: x'; exit 2\n");
    project.cuff(["init", "--yes"]).succeeded();
    assert_eq!(project.cuff(["run", "scripts/check.sh"]).code, 2);
    let run = project.cuff(["runs", "diagnostics", "--as", "github"]);
    assert_eq!((run.code, &*run.stdout), (0, "::error file=a.ts,line=3,col=1,title=TS2::x\n"));
}
