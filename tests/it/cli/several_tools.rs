//! `cuff run --each`, and a tool typed without `run`.

use serde_json::json;

use crate::support::project::Project;

fn project() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    project.write(
        "Makefile",
        ".PHONY: lint test build slow list\nlint:\n\t@echo linted\ntest:\n\t@echo tested; exit 3\nbuild:\n\t@echo built\n\
         slow:\n\t@echo ready; sleep 100\nlist: ## Lists nothing\n\t@echo the target\n",
    );
    project.script("scripts/words.sh", "#!/bin/sh\necho \"words: $*\"\nexit 5\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  makefile: {config: {confirm: [build]}}\n  scripts: {config: {patterns: ['scripts/*']}}\n",
    );
    project
}

#[test]
fn a_row_stops_at_the_first_failure_with_its_exit_code() {
    let project = project();
    let run = project.cuff(["run", "--each", "lint", "test", "slow"]).ended_with(2);
    assert_eq!(run.stdout, "linted\ntested\n");
    assert!(run.stderr.contains("$ cuff run lint\n$ cuff run test\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with("note: `slow` was not run\n"), "{}", run.stderr);
    let run = project.cuff(["run", "--each", "lint", "words.sh"]).ended_with(5);
    assert_eq!(run.stdout, "linted\nwords: \n");
    project.cuff(["run", "--each", "lint", "lint"]).succeeded();
}

#[test]
fn a_row_that_keeps_going_ends_with_one_summary() {
    let project = project();
    let run = project.cuff(["run", "-k", "--each", "lint", "test", "words.sh"]).ended_with(2);
    assert_eq!(run.stdout, "linted\ntested\nwords: \n");
    let (_, summary) = run.stderr.split_once("2 of 3 failed:\n").expect("a summary");
    let lines: Vec<&str> = summary.lines().collect();
    assert!(lines[0].starts_with("  lint              ok, 0."), "{summary}");
    assert!(lines[1].starts_with("  test              failed (2), 0."), "{summary}");
    assert!(lines[2].starts_with("  scripts/words.sh  failed (5), 0."), "{summary}");
    assert_eq!(lines.len(), 3, "{summary}");
    assert_eq!(project.cuff(["-q", "run", "-k", "--each", "lint"]).succeeded().stderr, "");
}

/// Nothing runs before all names are known.
#[test]
fn a_row_with_a_name_that_no_tool_has_runs_nothing() {
    let project = project();
    let run = project.cuff(["run", "-k", "--each", "lint", "biuld"]).ended_with(127);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("did you mean `cuff run build`?"), "{}", run.stderr);
    for words in [
        &["run", "--each"][..],
        &["run", "-k", "lint"],
        &["run", "--each", "lint", "--", "--fix"],
        &["run", "--each", "lint", "--cwd", "scripts"],
        &["run", "--each", "lint", "--env", "A=1"],
    ] {
        assert_eq!(project.cuff(words).ended_with(64).stdout, "", "{words:?}");
    }
    assert_eq!(project.cuff(["runs", "list"]).succeeded().stdout, "");
}

#[test]
fn a_row_is_one_json_document() {
    let project = project();
    let result = project.cuff(["run", "--json", "--each", "lint", "test", "slow"]).ended_with(2).json();
    assert_eq!((&result["success"], &result["exit_code"]), (&json!(false), &json!(2)));
    let results = result["results"].as_array().expect("results");
    let short: Vec<_> = results.iter().map(|one| (&one["tool"], &one["success"])).collect();
    let (lint, test) = (json!("makefile.make_lint"), json!("makefile.make_test"));
    assert_eq!(short, [(&lint, &json!(true)), (&test, &json!(false))]);
    assert_eq!(result["not_run"], json!(["makefile.make_slow"]));
    let unknown = project.cuff(["run", "--json", "--each", "lint", "nope"]).ended_with(127).json();
    assert_eq!(unknown["results"][0]["error_code"], "CUFF_301");
    assert_eq!(unknown["not_run"], json!(["makefile.make_lint"]));
}

#[test]
fn each_tool_of_a_row_is_confirmed_as_usual() {
    let project = project();
    let refused = project.cuff(["run", "--each", "lint", "build", "slow"]).ended_with(126);
    assert!(
        refused.stdout == "linted\n" && refused.stderr.contains("`slow` was not run"),
        "{}",
        refused.stderr
    );
    let shown =
        project.at_terminal(100, &[("[y/N", "n")], &["run", "-k", "--each", "build", "lint"]).ended_with(126);
    assert!(shown.last().contains("linted"), "a no ends no row that keeps going:\n{}", shown.last());
    let shown = project.at_terminal(100, &[], &["run", "--yes", "--each", "build", "lint"]).succeeded();
    assert!(shown.last().contains("built") && shown.last().contains("linted"), "{}", shown.last());
}

#[test]
fn ctrl_c_ends_the_row() {
    let project = project();
    let words = ["run", "-k", "--each", "slow", "lint"];
    let shown = project.at_terminal(100, &[("ready", "\u{3}")], &words).ended_with(130);
    assert!(!shown.last().contains("linted"), "{}", shown.last());
    assert!(shown.last().contains("slow  interrupted"), "{}", shown.last());
    assert!(shown.last().contains("lint  not run"), "{}", shown.last());
}

#[test]
fn a_tool_is_run_without_run_where_no_command_has_its_name() {
    let project = project();
    assert_eq!(project.cuff(["lint"]).succeeded().stdout, "linted\n");
    let run = project.cuff(["words.sh", "a", "--", "-b"]).ended_with(5);
    assert_eq!(run.stdout, "words: a -b\n");
    let json = project.cuff(["-q", "lint", "--json"]).succeeded().json();
    assert_eq!(json["tool"], "makefile.make_lint");
    let dry = project.cuff(["words.sh", "--dry-run"]).succeeded().stdout;
    assert!(dry.starts_with("Would execute: "), "{dry}");
    assert!(project.cuff(["lint", "--help"]).succeeded().stdout.contains("Usage: cuff run"));
    project.cuff(["lint", "--frobnicate"]).ended_with(64);
    std::fs::create_dir(project.root().join(".git")).expect("a repository");
    project.cuff(["-C", "scripts", "lint"]).succeeded();
    // A command wins.
    assert!(project.cuff(["list"]).succeeded().stdout.contains("  list   Lists nothing\n"));
    assert_eq!(project.cuff(["run", "list"]).succeeded().stdout, "the target\n");
}
