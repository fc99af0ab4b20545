//! Secrets in every place of a stream, cut anywhere and with the other stream printed between.

use std::fs;

use super::{newest, scripts};

const ONE: &str = "s3cr3t-one";
const LONGER: &str = "s3cr3t-one-and-more";
const INSIDE: &str = "one-and-mo";

/// Each part comes by itself: the reader sees it before the next.
fn parts(parts: &[&str], stream: &str) -> String {
    let prints = parts.iter().map(|part| format!("printf %s '{part}' {stream}; sleep 0.01"));
    prints.collect::<Vec<_>>().join("; ")
}

#[test]
fn secrets_are_hidden_wherever_they_are_cut() {
    let mut script = Vec::new();
    let mut expected = String::new();
    let mut say = |parts_of: &[&str], shown: &str| {
        script.push(format!("{}; echo", parts(parts_of, "")));
        expected.push_str(shown);
        expected.push('\n');
    };
    for at in 1..LONGER.len() {
        let (first, second) = LONGER.split_at(at);
        say(&["<", first, second, ">"], "<[redacted:LONGER_TOKEN]>");
    }
    for at in 1..ONE.len() {
        let (first, second) = ONE.split_at(at);
        say(&[first, second, " "], "[redacted:ONE_TOKEN] ");
        // The shorter one is over where the longer one was only begun.
        say(&[first, second, "-and", "-less"], "[redacted:ONE_TOKEN]-and-less");
        // A first one that ends nowhere, and one behind it.
        say(&[first, ONE], &format!("{first}[redacted:ONE_TOKEN]"));
        // Twice, the border within the second.
        say(&[&format!("{ONE}{first}"), second], "[redacted:ONE_TOKEN][redacted:ONE_TOKEN]");
    }
    say(&["x", INSIDE, "y"], "x[redacted:INSIDE_TOKEN]y");
    say(&["s3cr3t-two", "one-an", "d-mo"], "s3cr3t-two[redacted:INSIDE_TOKEN]");
    script.push(format!("printf %s {ONE}"));
    expected.push_str("[redacted:ONE_TOKEN]");
    let project = scripts(&[("cut", &script.join("\n"))])
        .variable("ONE_TOKEN", ONE)
        .variable("LONGER_TOKEN", LONGER)
        .variable("INSIDE_TOKEN", INSIDE);
    let run = project.cuff(["run", "scripts.script_scripts_cut"]).succeeded();
    assert_eq!(run.stdout, expected);
    let log = fs::read_to_string(newest(&project).join("raw.log")).unwrap();
    assert_eq!(log, expected);
}

#[test]
fn streams_that_interrupt_each_other_hide_what_each_prints() {
    let mut script = Vec::new();
    for at in 1..LONGER.len() {
        let (first, second) = LONGER.split_at(at);
        script.push(parts(&["a ", first], ""));
        script.push(parts(&["b ", first], ">&2"));
        script.push(parts(&[second, "\n"], ""));
        script.push(parts(&[second, "\n"], ">&2"));
    }
    let project = scripts(&[("both", &script.join("\n"))]).variable("LONGER_TOKEN", LONGER);
    let run = project.cuff(["run", "scripts.script_scripts_both"]).succeeded();
    let lines = |letter: &str| format!("{letter} [redacted:LONGER_TOKEN]\n").repeat(LONGER.len() - 1);
    assert_eq!((run.stdout, run.stderr), (lines("a"), lines("b")));
    for (stream, letter) in [("stdout", "a"), ("stderr", "b")] {
        assert_eq!(project.cuff(["runs", "log", "--stream", stream]).succeeded().stdout, lines(letter));
    }
    let json = project.cuff(["run", "scripts.script_scripts_both", "--json"]).succeeded().stdout;
    assert!(!json.contains(LONGER) && json.contains("[redacted:LONGER_TOKEN]"), "{json}");
}
