//! Output of any size and shape: exact counts, both ends, bounded memory and bounded answers that say so.

use std::fs;

use cuff::model::{self, size};
use serde_json::{Value, json};

use super::{MOST_KILOBYTES, measured, newest, number, scripts};
use crate::support::mcp_session::called;
use crate::support::project::Project;

/// Outputs: a name, the command that prints it, its bytes and its lines.
const SHAPES: &[(&str, &str, u64, u64)] = &[
    ("flood", "yes 0123456789abcdef | head -c 67108864", 67_108_864, 3_947_581),
    ("line", r"head -c 41943040 /dev/zero | tr '\0' x", 41_943_040, 1),
    ("nul", "head -c 1000000 /dev/zero", 1_000_000, 1),
    ("broken", r#"yes "$(printf '\377\376\300')" | head -n 50000"#, 200_000, 50_000),
    ("progress", r"yes 'progress 50%' | head -n 20000 | tr '\n' '\r'", 260_000, 1),
    ("cursor", r#"yes "$(printf '\033[2K\033[1A\033]0;title\007x\033[')" | head -n 30000"#, 660_000, 30_000),
];

fn project() -> Project {
    let texts: Vec<(&str, &str)> = SHAPES.iter().map(|(name, text, ..)| (*name, *text)).collect();
    scripts(&texts).variable("TEST_TOKEN", "s3cr3t-of-the-test")
}

#[test]
fn output_of_any_shape_has_exact_counts_and_bounded_answers() {
    let project = project();
    for (name, _, bytes, lines) in SHAPES {
        let tool = format!("scripts.script_scripts_{name}");
        let report = measured(&project, &["run", &tool, "--json"]).succeeded().json();
        assert_eq!(number(&report["output_bytes"]), *bytes, "{name}");
        bounded(name, &report);

        let shown = measured(&project, &["runs", "show", "--json"]).succeeded();
        assert!(shown.stdout.len() < 400_000, "{name}: {} bytes", shown.stdout.len());
        let shown = shown.json();
        let counted = [&shown["stdout_bytes"], &shown["stderr_bytes"], &shown["lines"]].map(number);
        assert_eq!(counted, [*bytes, 0, *lines], "{name}");
        let human = measured(&project, &["runs", "show"]).succeeded().stdout;
        assert!(
            human.contains(&format!("  {}, {}\n", model::counted(*lines, "line"), size(*bytes))),
            "{name}: {human:.400}"
        );
        assert!(!human.contains('\u{1b}') && !human.contains('\r'), "{name}: {human:.400}");
        if *lines == 1 {
            let left_out = bytes - 64 * 1024;
            assert_eq!(number(&shown["tail"]["omitted_bytes"]), left_out, "{name}");
            assert!(human.contains(&format!("{} of them left out", size(left_out))), "{name}: {human:.400}");
        }

        let log = measured(&project, &["runs", "log", "--json"]).succeeded().json();
        let cut = (&log["truncated"], number(&log["omitted_bytes"]), number(&log["end"]));
        assert_eq!(cut, (&json!(true), bytes - 64 * 1024, *bytes), "{name}");

        let raw = fs::read(newest(&project).join("raw.log")).unwrap();
        assert_eq!(raw.len() as u64, *bytes, "{name}");
        let all: Vec<&[u8]> = raw.split_inclusive(|byte| *byte == b'\n').collect();
        for line in [1, *lines, lines / 2 + 1] {
            let read =
                measured(&project, &["runs", "log", "--raw", "--lines", &line.to_string()]).succeeded();
            let expected = String::from_utf8_lossy(all[usize::try_from(line - 1).unwrap()]);
            assert!(read.stdout == expected, "{name}: line {line}");
        }
        let behind = format!("{}..{}", lines + 1, u64::MAX);
        assert_eq!(project.cuff(["runs", "log", "--lines", &behind]).succeeded().stdout, "", "{name}");
    }
}

/// A cut output says that it was cut, in the text as well.
fn bounded(name: &str, report: &Value) {
    let output = report["output"].as_str().unwrap();
    assert!(output.len() < 100_000, "{name}: {} bytes", output.len());
    // Without what drives terminals little or nothing is left of some.
    if !["nul", "cursor"].contains(&name) {
        assert_eq!(report["output_truncated"], true, "{name}");
        assert!(output.contains("bytes left out …]"), "{name}");
    }
    assert!(!output.contains('\u{1b}'), "{name}");
}

#[test]
fn agents_get_bounded_answers_too() {
    let project = project();
    for (name, _, bytes, _) in SHAPES.iter().filter(|(name, ..)| *name != "flood") {
        let answer = called(&project, &format!("scripts.script_scripts_{name}"), &json!({}));
        let length = answer.to_string().len();
        assert!(length < 40_000, "{name}: {length} bytes of {bytes}");
        let report = &answer["structuredContent"];
        let stdout = report["data"]["stdout"].as_str().unwrap();
        // Without what drives terminals little or nothing is left of some.
        if !["nul", "cursor"].contains(name) {
            assert!(report["output_omitted"]["bytes"].is_u64(), "{name}: {report}");
            assert!(stdout.contains("bytes left out …]"), "{name}: {report}");
        }
        assert!(!stdout.contains('\u{1b}'), "{name}");
    }
}

/// Each change of streams is a checkpoint: the index is many times as long as the log.
#[test]
fn an_index_longer_than_its_log_takes_no_memory() {
    let project = scripts(&[("little", "echo one")]);
    project.cuff(["run", "scripts.script_scripts_little"]).succeeded();
    let folder = newest(&project);
    let count = 2 * MOST_KILOBYTES * 1024 / 24;
    let checkpoints = (0..count).flat_map(|at| [at, 0, 1 + at % 2]).flat_map(u64::to_le_bytes);
    fs::write(folder.join("raw.index"), checkpoints.collect::<Vec<u8>>()).unwrap();
    let letters: Vec<u8> = (0..count).map(|at| b'a' + u8::try_from(at % 2).unwrap()).collect();
    fs::write(folder.join("raw.log"), &letters).unwrap();
    let log = measured(&project, &["runs", "log", "--stream", "stderr"]).succeeded();
    assert_eq!(log.stdout.len() as u64, count / 2);
    assert!(log.stdout.bytes().all(|byte| byte == b'b'));
    assert_eq!(measured(&project, &["runs", "log", "--lines", "2"]).succeeded().stdout, "");
}
