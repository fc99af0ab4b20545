//! Errors instead of logs: the reports of real failures for people and agents, live and replayed from
//! recorded output.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;
use crate::support::tools;

/// Prints the output of a recorded tool, on the same streams, and ends in the same way. The folder that it was recorded
/// in is the one that it runs in.
const REPLAY: &str = r#"#!/usr/bin/env python3
import fcntl, json, os, sys, termios, time
folder = sys.argv[1]
facts = json.load(open(folder + "/sample.json"))
log = open(folder + "/raw.log", "rb").read()
ends = [start for start, _ in facts["segments"][1:]] + [len(log)]
for (start, stream), end in zip(facts["segments"], ends):
    file = 2 if stream == "err" else 1
    part = log[start:end].replace(facts["folder"].encode(), os.getcwd().encode())
    while part:
        part = part[os.write(file, part):]
    # The reader of two pipes must find one of them empty.
    while int.from_bytes(fcntl.ioctl(file, termios.FIONREAD, bytes(4)), sys.byteorder):
        time.sleep(0.001)
code = facts["exit_code"]
sys.exit(code if 0 <= code < 256 else 1)
"#;

/// A log that changes streams more often takes too long to be printed in its order.
const MOST_SEGMENTS: usize = 20;

fn samples() -> BTreeMap<String, Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dialects");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let mut entries: Vec<PathBuf> = fs::read_dir(folder)
            .expect("a folder of ours")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        entries.sort();
        entries
    };
    let mut samples: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for tool in entries(&root).into_iter().filter(|entry| entry.is_dir()) {
        for case in entries(&tool).into_iter().filter(|case| case.join("expected.json").exists()) {
            let colour = case.to_string_lossy().ends_with(".colour");
            let facts: Value = json_of(&case.join("sample.json"));
            if !colour && facts["segments"].as_array().is_some_and(|segments| segments.len() <= MOST_SEGMENTS)
            {
                let name = tool.file_name().expect("a name").to_string_lossy().into_owned();
                samples.entry(name).or_default().push(case);
            }
        }
    }
    samples
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file of ours")).expect("JSON")
}

/// The text that an agent gets, without the parts that change from run to run.
fn told(result: &Value, root: &str) -> String {
    let text = result["content"][0]["text"].as_str().expect("a text");
    let id = result["structuredContent"]["run_id"].as_str().unwrap_or_default();
    let short = id.get(id.len().saturating_sub(8)..).filter(|short| !short.is_empty()).expect("an id");
    let text = text.replace(&format!("run {short}"), "run ID").replace(root, "ROOT");
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let to = head.find(" s, ").or_else(|| head.find(" s)"));
    let timed = to.and_then(|to| Some((head[..to].rfind(" (")?, to)));
    let head = timed.map_or(head.to_owned(), |(from, to)| format!("{} (T{}", &head[..from], &head[to..]));
    let bytes = head.find("the log (").map(|at| at + "the log (".len());
    let head = bytes.map_or(head.clone(), |from| {
        let to = head[from..].find(' ').expect("a unit");
        format!("{}N{}", &head[..from], &head[from + to..])
    });
    format!("{head}\n{rest}").trim_end().to_owned()
}

/// How many findings the structured content lists: a line may name several places.
fn listed(structured: &Value) -> u64 {
    let places = Regex::new(r"^\d+(:\d+)?(, \d+(:\d+)?)* ").expect("a pattern of ours");
    let count = |line: &Value| {
        let line = line.as_str().expect("a line");
        places.find(line).map_or(1, |places| places.as_str().split(", ").count() as u64)
    };
    let files = structured["diagnostics"].as_object().into_iter().flat_map(|files| files.values());
    files.flat_map(|lines| lines.as_array().expect("lines").iter().map(count)).sum()
}

/// A text for each tool in `snapshots/reports/`: an agent's report of each of its recorded logs.
#[test]
fn each_recorded_log_reads_well() {
    let project = Project::empty();
    project.script("scripts/replay.py", REPLAY);
    project.cuff(["init", "--yes"]).succeeded();
    let mut spoken = McpSession::begun(&project, &[]);
    let root = project.root().canonicalize().expect("a folder").display().to_string();
    let samples = samples();
    assert!(samples.len() >= 40, "{} tools are recorded", samples.len());
    for (tool, cases) in samples {
        let mut texts = Vec::new();
        for case in cases {
            let name = case.file_name().expect("a name").to_string_lossy().into_owned();
            let folder = case.display().to_string();
            let result = spoken.call("scripts.script_scripts_replay", &json!({"args": [folder]}));
            let expected = json_of(&case.join("expected.json"));
            let structured = &result["structuredContent"];
            // The count stands there only if not all of them are listed.
            let counted = structured["diagnostics_total"].as_u64().unwrap_or_else(|| listed(structured));
            let wanted: u64 = ["errors", "warnings"].iter().filter_map(|kind| expected[kind].as_u64()).sum();
            assert!(counted >= wanted, "{tool}/{name}: {counted} of {wanted}: {result}");
            texts.push(format!("==== {name}\n{}\n", told(&result, &root)));
        }
        insta::with_settings!({ snapshot_path => "../../../snapshots/reports", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(tool, texts.join("\n"));
        });
    }
    spoken.leave();
}

/// Failing runs of ten tools, and how many bytes an agent reads of each at most. `benches/answers` counts their tokens.
const TEN: [(&str, usize); 10] = [
    ("tsc-5/fail", 1500),
    ("eslint-9/fail", 850),
    ("vitest-4/fail", 1100),
    ("jest-30/fail", 1200),
    ("pytest-9/fail-continued", 1100),
    ("cargo-1/fail", 1050),
    ("gcc-12/cpp", 700),
    ("webpack-5/fail", 400),
    ("turbo-2/fail", 1250),
    ("playwright-1/fail", 1200),
];

#[test]
fn the_answers_of_ten_tools_are_short_and_have_every_error() {
    let project = Project::empty();
    project.script("scripts/replay.py", REPLAY);
    project.cuff(["init", "--yes"]).succeeded();
    let mut spoken = McpSession::begun(&project, &[]);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dialects");
    for (sample, most) in TEN {
        let folder = samples.join(sample);
        let called = json!({"args": [folder.display().to_string()]});
        let result = spoken.call("scripts.script_scripts_replay", &called);
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.len() <= most, "{sample}: {} bytes:\n{text}", text.len());
        let expected = json_of(&folder.join("expected.json"));
        let errors: Vec<&Value> = expected["findings"].as_array().expect("findings").iter().collect();
        let read = places(text);
        for error in errors.iter().filter(|found| found["severity"] == "error") {
            assert!(read.iter().any(|entry| is_said(entry, error)), "{sample} has not {error}:\n{text}");
        }
        let id = result["structuredContent"]["run_id"].as_str().expect("an id");
        let short = &id[id.len() - 8..];
        assert_eq!(text.matches(short).count(), 1, "{sample} names the run once: {text}");
        let whole = spoken.call("runs.log", &json!({"run": short, "to_line": 1}));
        assert_eq!(whole["structuredContent"]["run_id"], id, "the end of the id finds it");
    }
    spoken.leave();
}

/// Each place that a text names: the file, the line and column, and what is said of it.
fn places(text: &str) -> Vec<(String, String, String)> {
    let is_place = |word: &str| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        !word.is_empty() && word.split(':').all(digits)
    };
    let mut read: Vec<(String, String, String)> = Vec::new();
    let mut file = String::new();
    for line in text.lines().skip(1) {
        // `1:2, 3:4 message`, below a file or behind it.
        let bare = line.split(' ').next().unwrap_or_default().trim_end_matches(',');
        let behind = line.match_indices(':').map(|(at, _)| at).find(|at| {
            let word = line[at + 1..].split(' ').next().unwrap_or_default();
            is_place(word.trim_end_matches(','))
        });
        let (of, mut rest) = match behind {
            _ if is_place(bare) => (file.clone(), line),
            Some(at) if !line.starts_with(' ') => (line[..at].to_owned(), &line[at + 1..]),
            _ if line.starts_with(' ') => {
                if let Some(last) = read.last_mut() {
                    last.2.push_str(line);
                }
                continue;
            }
            _ if line.ends_with(':') => {
                line.trim_end_matches(':').clone_into(&mut file);
                continue;
            }
            _ => {
                read.push((file.clone(), String::new(), line.to_owned()));
                continue;
            }
        };
        let mut at = Vec::new();
        while let Some((word, more)) =
            rest.split_once(' ').filter(|(word, _)| is_place(word.trim_end_matches(',')))
        {
            at.push(word.trim_end_matches(',').to_owned());
            rest = more;
        }
        read.extend(at.into_iter().map(|at| (of.clone(), at, rest.to_owned())));
    }
    read
}

/// Whether an entry says what a person read in the log.
fn is_said((file, at, text): &(String, String, String), error: &Value) -> bool {
    let number = |key: &str| error[key].as_u64().map(|number| number.to_string());
    let place = number("line").into_iter().chain(number("column")).collect::<Vec<_>>().join(":");
    let start = error["message_start"].as_str().unwrap_or_default();
    // A file that is its own message stands there once.
    let named = error["file"] == start || text.contains(start);
    let coded = error["code"].as_str().is_none_or(|code| text.contains(code));
    error["file"] == file.as_str() && place == *at && named && coded
}

/// The findings need not be the reason of a failure.
#[test]
fn the_end_of_a_log_is_shown_where_nothing_was_found_in_it() {
    let project = Project::empty();
    let error = "echo \"src/a.ts(3,5): error TS2322: Type 'x' is not assignable.\"\n";
    let fails = |name: &str, more: &str| {
        let begins = if name == "short" { "" } else { "seq 1000 1300\n" };
        project.script(&format!("scripts/{name}.sh"), format!("#!/bin/sh\n{begins}{error}{more}exit 1\n"));
    };
    let fill = "for n in $(seq 5000); do echo \"deploying part $n\"; done\n";
    // On one stream, since the order of two is uncertain.
    let cause = "echo 'cannot reach the harbour'\n";
    fails("cause", cause);
    fails("short", cause);
    fails("late", &format!("{fill}{cause}"));
    fails("wide", "head -c 9000 /dev/zero | tr '\\0' x\n");
    fails("alone", "echo\n");
    fails("slow", "echo waiting for the tide\nsleep 60\n");
    project.write("settings.yml", "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*']}}\n");
    let mut spoken = McpSession::begun(&project, &[]);
    let mut told = |name: &str, arguments: Value| -> (String, Value) {
        let result = spoken.call(&format!("scripts.script_scripts_{name}"), &arguments);
        let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
        // The log itself, where it is shorter.
        let named = ["src/a.ts:3:5 TS2322 ", "src/a.ts(3,5): error TS2322: "];
        assert!(named.iter().any(|named| text.contains(named)), "{text}");
        (text, result["structuredContent"]["data"]["stdout"].clone())
    };
    let (text, output) = told("cause", json!({}));
    assert!(text.ends_with("\n\nat the end of its log:\ncannot reach the harbour"), "{text}");
    assert_eq!(output.as_str().unwrap().lines().last(), Some("cannot reach the harbour"), "{output}");
    assert!(output.as_str().unwrap().len() <= 110, "{output}");
    // All of a short output is shorter than a note on omitted lines.
    let (text, _) = told("short", json!({}));
    assert!(text.ends_with("is not assignable.\ncannot reach the harbour\n"), "{text}");
    let (text, output) = told("late", json!({}));
    assert!(text.ends_with("deploying part 5000\ncannot reach the harbour") && text.len() < 1000, "{text}");
    let end: Vec<&str> = output.as_str().expect("the end").lines().collect();
    assert_eq!((end[0], end[end.len() - 1]), ("[… runs.log]", "cannot reach the harbour"), "{output}");
    let (text, _) = told("wide", json!({}));
    assert!(text.ends_with("xxx…") && text.len() < 1000, "{text}");
    let (text, _) = told("alone", json!({}));
    assert!(!text.contains("end of its log"), "{text}");
    // A stopped run did not end because of its findings: all of its output is there.
    let (text, _) = told("slow", json!({"timeout": 5}));
    assert!(text.ends_with("is not assignable.\nwaiting for the tide\n"), "{text}");
}

/// Python holds its output until it ends, unless a person watches: the error that ended it comes above its
/// findings.
#[test]
fn a_cause_above_what_was_printed_late_is_not_hidden() {
    if tools::require("python3").is_none() {
        return;
    }
    let project = Project::empty();
    let begins = "print('\\n'.join(map(str, range(1000, 1300))))\n";
    let found = "print('src/a.py:1:1: F401 unused import')\nprint('one problem')\n";
    // The order of two streams with output at the same time is uncertain.
    let of = |err: &str| {
        format!(
            "#!/usr/bin/env python3\nimport sys, time\n{begins}{found}print({err}, file=sys.stderr)\ntime.sleep(0.3)\nsys.exit(1)\n"
        )
    };
    project.script("scripts/dies.py", of("'cannot reach the harbour'"));
    project.script("scripts/says.py", of("'looking\\nsrc/b.py:2:1: F811 again'"));
    project.write("settings.yml", "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*']}}\n");
    let mut spoken = McpSession::begun(&project, &[]);
    let mut text = |name: &str| {
        let result = spoken.call(&format!("scripts.script_scripts_{name}"), &json!({}));
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    };
    let dies = text("dies");
    let log = project.cuff(["runs", "log", "latest"]).succeeded().stdout;
    assert!(log.starts_with("cannot reach the harbour\n1000\n"), "{log}");
    assert!(dies.ends_with("\n\nat the end of its log:\ncannot reach the harbour\none problem"), "{dies}");
    let says = text("says");
    assert!(
        says.ends_with("\n\nat the end of its log:\none problem"),
        "above the last error of its stream: {says}"
    );
}

/// tsc, eslint and node's own test runner in one script, as they are installed here.
#[test]
fn the_tools_that_one_script_runs_are_separated() {
    if ["tsc", "eslint"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"check": "tsc --noEmit; eslint src; node --test test"}}"#);
    project.write("tsconfig.json", r#"{"compilerOptions": {"strict": true}, "include": ["src"]}"#);
    project.write(
        "eslint.config.js",
        "module.exports = [{rules: {'no-debugger': 'warn', 'prefer-const': 'error'}}];\n",
    );
    project.write("src/a.ts", "const a: number = 'x';\nexport default a;\n");
    project.write("src/b.js", "let b = 1;\ndebugger;\nmodule.exports = b;\n");
    project.write(
        "test/c.test.js",
        "const { test } = require('node:test');\ntest('adds: up', () => { require('assert').equal(1 + 1, 3); });\n",
    );
    project.cuff(["init", "--yes"]).succeeded();
    let ran = project.cuff(["run", "packagejson.npm_check", "--json"]).json();
    let found: Vec<String> = ran["diagnostics"]
        .as_array()
        .expect("diagnostics")
        .iter()
        .map(|found| {
            format!("{} {}:{} {}", found["source"], found["file"], found["line"], found["code"])
                .replace('"', "")
        })
        .collect();
    // Without a terminal, node 20 writes TAP and later versions do not.
    let found: Vec<String> = found.iter().map(|found| found.replace("node_test ", "tap ")).collect();
    assert_eq!(
        found,
        [
            "tsc src/a.ts:1 TS2322",
            "eslint_stylish src/b.js:1 prefer-const",
            "eslint_stylish src/b.js:2 no-debugger",
            "tap test/c.test.js:2 null"
        ],
        "{ran}"
    );
    assert_eq!(ran["summary"], json!({"passed": 0, "failed": 1, "skipped": 0, "total": 1}));
    assert_eq!((&ran["success"], &ran["diagnostics_total"]), (&json!(false), &json!(4)));

    let shown = project.cuff(["runs", "diagnostics"]).succeeded().stdout;
    assert!(shown.contains("src/a.ts:1:7 error TS2322 "), "{shown}");
    assert!(shown.contains("    1 | const a: number = 'x';"), "{shown}");
    assert!(shown.ends_with("; tests: 1 failed (1 test)\n"), "{shown}");
}

#[test]
fn diagnostics_are_compared_with_the_run_before() {
    if tools::require("tsc").is_none() {
        return;
    }
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"check": "tsc --noEmit"}}"#);
    project.write("tsconfig.json", r#"{"compilerOptions": {"strict": true}, "include": ["*.ts"]}"#);
    project.write("a.ts", "export const a: number = 'x';\n");
    project.write("b.ts", "export const b: number = 'x';\n");
    project.cuff(["init", "--yes"]).succeeded();
    project.cuff(["run", "npm_check"]).ended_with(1);
    let alone = project.cuff(["runs", "diff"]).ended_with(1);
    assert!(alone.stderr.contains("no earlier run to compare with"), "{}", alone.stderr);
    project.write("a.ts", "export const a: number = 1;\n");
    project.write("b.ts", "// one line down\nexport const b: number = 'x';\n");
    project.write("c.ts", "export const c: number = 'x';\n");
    project.cuff(["run", "npm_check"]).ended_with(1);
    let changed = project.cuff(["runs", "diff", "--json"]).json();
    let files = |kind: &str| -> Vec<String> {
        let found = changed[kind].as_array().expect("findings");
        found.iter().map(|found| format!("{}:{}", found["file"], found["line"]).replace('"', "")).collect()
    };
    assert_eq!(
        (files("new"), files("still"), files("fixed")),
        (vec!["c.ts:1".into()], vec!["b.ts:2".into()], vec!["a.ts:1".into()])
    );
    let shown = project.cuff(["runs", "diff"]).succeeded().stdout;
    assert!(shown.starts_with("new (1):\nc.ts:1:14 error TS2322 "), "{shown}");
    assert!(shown.contains("\nresolved, or not checked in this run (1):\na.ts:1:14 "), "{shown}");
    let alike = project.cuff(["runs", "diff"]).succeeded().stderr;
    assert!(!alike.contains("arguments"), "{alike}");
    let itself = project.cuff(["runs", "diff", "latest", "latest"]).succeeded().stderr;
    assert!(itself.contains("this is one run, compared with itself"), "{itself}");
    project.cuff(["run", "npm_check", "--", "--skipLibCheck"]).ended_with(1);
    let other = project.cuff(["runs", "diff"]).succeeded().stderr;
    assert!(
        other.contains("these were called with other arguments: `npm run check -- --skipLibCheck`"),
        "{other}"
    );
}

/// The order of the two ids on the command line does not matter.
#[test]
fn two_runs_are_compared_in_the_order_in_which_they_ran() {
    let project = Project::empty();
    project.script("scripts/fail.sh", "#!/bin/sh\necho 'a.ts(1,2): error TS1: x'\nexit 1\n");
    project.cuff(["init", "--yes"]).succeeded();
    let id =
        || project.cuff(["runs", "list", "--json"]).json()["runs"][0]["run_id"].as_str().unwrap().to_owned();
    project.cuff(["run", "fail"]).ended_with(1);
    let older = id();
    project.script("scripts/fail.sh", "#!/bin/sh\necho fine\n");
    project.cuff(["run", "fail"]).succeeded();
    let newer = id();
    for words in [[&older, &newer], [&newer, &older]] {
        let words = [&["runs", "diff"][..], &words.map(String::as_str)].concat();
        let run = project.cuff(&words).succeeded();
        assert!(
            run.stdout.starts_with("resolved, or not checked in this run (1):\na.ts:1:2 "),
            "{}",
            run.stdout
        );
        let told = format!("{} (", &newer[newer.len() - 8..]);
        assert!(run.stderr.starts_with(&told), "{}", run.stderr);
        assert!(run.stderr.contains(" ago) is the newer, compared with "), "{}", run.stderr);
        let json = project.cuff([&words[..], &["--json"]].concat()).json();
        assert_eq!((&json["run_id"], &json["earlier_run_id"]), (&json!(newer), &json!(older)));
    }
    assert_eq!(project.cuff(["runs", "diff"]).succeeded().stderr, "");
}

/// Another line may stand there by now.
#[test]
fn no_line_is_shown_of_a_file_that_changed_since_the_run() {
    let project = Project::empty();
    project.write("a.ts", "let unused = 3;\n");
    project.script("scripts/fail.sh", "#!/bin/sh\necho 'a.ts(1,5): error TS1: x'\nexit 1\n");
    project.cuff(["init", "--yes"]).succeeded();
    project.cuff(["run", "fail"]).ended_with(1);
    let shown = project.cuff(["runs", "diagnostics"]).succeeded();
    assert!(
        shown.stdout.contains("    1 | let unused = 3;\n") && shown.stderr.is_empty(),
        "{}",
        shown.stderr
    );
    project.write("a.ts", "const unused = 3;\n");
    let shown = project.cuff(["runs", "diagnostics"]).succeeded();
    assert!(shown.stdout.starts_with("a.ts:1:5 error TS1 x\n") && !shown.stdout.contains("unused"));
    let note = "note: a.ts has changed since that run began, so no lines of it are shown\n";
    assert_eq!(shown.stderr, note);
}

/// make words the end that cuff brought about, one way or another.
#[test]
fn a_run_that_was_ended_has_no_errors_of_its_end() {
    let project = Project::empty();
    project.write("Makefile", "serve:\n\t@echo serving; sleep 100\nsecond:\n\t@sleep 100\n");
    project.cuff(["init", "--yes"]).succeeded();
    for target in ["make_serve", "make_second"] {
        let run = project.cuff(["run", target, "--timeout", "1"]).ended_with(124);
        assert!(run.stderr.contains("make: ***") && !run.stderr.contains("1 error"), "{}", run.stderr);
        let found = project.cuff(["runs", "diagnostics", "--json"]).succeeded().json();
        assert_eq!((&found["errors"], &found["diagnostics"]), (&json!(0), &json!([])));
        let id = found["run_id"].as_str().expect("an id");
        let kept = project.outside().join("home/data/cuff/runs").join(id).join("diagnostics.json");
        if kept.exists() {
            fs::remove_file(kept).expect("what was kept");
        }
        let again = project.cuff(["runs", "diagnostics", "--json"]).succeeded().json();
        assert_eq!(again, found, "also where it is read from the log again");
    }
}

/// make's last line says that something failed, and the log above it why.
#[test]
fn unexplained_failures_show_the_log() {
    let project = Project::empty();
    let echo = "echo \"make: *** [Makefile:4: storm] Error 3\"\nexit 2\n";
    project.script("scripts/storm.sh", format!("#!/bin/sh\necho cannot reach the harbour\n{echo}"));
    project.cuff(["init", "--yes"]).succeeded();
    project.cuff(["run", "script_scripts_storm"]).ended_with(2);
    let shown = project.cuff(["runs", "diagnostics"]).succeeded().stdout;
    let why = "nothing says why; in the log:\ncannot reach the harbour\n";
    assert!(shown.contains("Makefile:4 error [storm] Error 3\n") && shown.contains(why), "{shown}");
    assert_eq!(project.cuff(["runs", "diagnostics", "--json"]).json()["errors"], 1);
    let error = "echo 'src/a.ts(3,5): error TS1: no tide'\n";
    project.script("scripts/storm.sh", format!("#!/bin/sh\n{error}{echo}"));
    project.cuff(["run", "script_scripts_storm"]).ended_with(2);
    let shown = project.cuff(["runs", "diagnostics"]).succeeded().stdout;
    assert!(shown.contains("no tide") && !shown.contains("nothing says why"), "{shown}");
}

/// A run whose cuff was killed has no findings of its own: they are read from its log.
#[test]
fn findings_are_read_again_where_none_were_kept() {
    let project = Project::empty();
    project.script("scripts/fail.sh", "#!/bin/sh\necho 'a.ts(1,2): error TS1: x'\nexit 1\n");
    project.cuff(["init", "--yes"]).succeeded();
    let ran = project.cuff(["run", "scripts.script_scripts_fail", "--json"]).json();
    let id = ran["run_id"].as_str().expect("an id");
    let kept = project.outside().join("home/data/cuff/runs").join(id).join("diagnostics.json");
    let before = project.cuff(["runs", "diagnostics", "--json"]).json();
    fs::remove_file(kept).expect("what was kept");
    assert_eq!(project.cuff(["runs", "diagnostics", "--json"]).json(), before);
    assert_eq!(
        before["diagnostics"][0]["log"],
        json!({"start": 0, "end": 24, "start_line": 1, "end_line": 1})
    );
}

#[test]
fn problem_matchers_of_the_settings_are_checked_and_used() {
    let project = Project::empty();
    project.script("scripts/odd.sh", "#!/bin/sh\necho 'W@src/a.x@3@looks odd'\n");
    project.cuff(["init", "--yes"]).succeeded();
    let settings = project.read("settings.yml");
    let with = |expression: &str| {
        let matcher = format!(
            "      problem_matchers:\n        owner: odd\n        pattern: {{regexp: '{expression}', severity: 1, file: 2, line: 3, message: 4}}\n"
        );
        settings.replacen("    config:\n", &format!("    config:\n{matcher}"), 1)
    };
    project.write("settings.yml", with("^([EW])@(.*)@([0-9]+)@(.*)$"));
    let ran = project.cuff(["run", "script_scripts_odd", "--json"]).succeeded().json();
    let found = &ran["diagnostics"][0];
    assert_eq!(
        (&found["source"], &found["severity"], &found["file"], &found["line"], &found["message"]),
        (&json!("odd"), &json!("warning"), &json!("src/a.x"), &json!(3), &json!("looks odd")),
        "{ran}"
    );
    project.write("settings.yml", with("^([EW]@(.*)"));
    let refused = project.cuff(["list"]);
    assert!(
        refused.stderr.contains("must be a regular expression that cuff understands"),
        "{}",
        refused.stderr
    );
}
