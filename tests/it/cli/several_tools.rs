//! `cuff run --each`, and a tool typed without `run`.

use serde_json::json;

use crate::support::normalize::{stable, typed};
use crate::support::project::Project;

fn project() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    project.write(
        "Makefile",
        ".PHONY: lint test build slow list\nlint:\n\t@echo linted\ntest:\n\t@echo tested; exit 3\nbuild:\n\t@echo built\n\
         slow:\n\t@echo ready; sleep 100\nlist: ## Lists nothing\n\t@echo the target\n",
    );
    project.script("scripts/words.sh", "#!/bin/sh\necho words: \"$@\"\nexit 5\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  makefile: {config: {confirm: [build]}}\n  scripts: {config: {patterns: ['scripts/*']}}\n",
    );
    project
}

#[test]
fn a_row_stops_at_the_first_failure_with_its_exit_code() {
    let project = project();
    let lines = ["run --each lint test slow", "run --each lint words.sh"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff run --each lint test slow
    linted
    tested
    ! $ cuff run lint
    ! $ cuff run test
    ! make: *** [Makefile:5: test] Error 3
    ! test failed: exit code 2, 0.1 s, 1 error; `cuff runs diagnostics RUN`
    ! note: `slow` was not run
    = 2
    $ cuff run --each lint words.sh
    linted
    words:
    ! $ cuff run lint
    ! $ cuff run scripts/words.sh
    ! scripts/words.sh failed: exit code 5, 0.1 s; `cuff runs log RUN`
    = 5
    ");
    project.cuff(["run", "--each", "lint", "lint"]).succeeded();
}

#[test]
fn a_row_that_keeps_going_ends_with_one_summary() {
    let project = project();
    let lines = ["run -k --each lint test words.sh", "-q run -k --each lint"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff run -k --each lint test words.sh
    linted
    tested
    words:
    ! $ cuff run lint
    ! $ cuff run test
    ! make: *** [Makefile:5: test] Error 3
    ! test failed: exit code 2, 0.1 s, 1 error; `cuff runs diagnostics RUN`
    ! $ cuff run scripts/words.sh
    ! scripts/words.sh failed: exit code 5, 0.1 s; `cuff runs log RUN`
    ! 2 of 3 failed:
    !   lint              ok, 0.1 s
    !   test              failed (2), 0.1 s
    !   scripts/words.sh  failed (5), 0.1 s
    = 2
    $ cuff -q run -k --each lint
    linted
    = 0
    ");
}

/// Nothing runs before all names are known.
#[test]
fn a_row_with_a_name_that_no_tool_has_runs_nothing() {
    let project = project();
    insta::assert_snapshot!(typed(&project, &["run -k --each lint biuld", "runs list"]), @"
    $ cuff run -k --each lint biuld
    ! error: Tool not found: biuld [CUFF_301]
    ! help: did you mean `cuff run build`?
    ! note: `lint` was not run
    = 127
    $ cuff runs list
    ! no runs were recorded yet; each `cuff run` leaves one
    = 0
    ");
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
    insta::assert_snapshot!(typed(&project, &["run --each lint build slow"]), @"
    $ cuff run --each lint build slow
    linted
    ! $ cuff run lint
    ! $ cuff run build
    ! error: build requires confirmation by a person first [MAKE_307]
    ! help: a yes counts only at a terminal, that of --yes too: run it there, or type `cuff approve ID` there and run it again here; for CI there is `noninteractive_yes: true` in your own preferences.yml
    ! note: `slow` was not run
    = 126
    ");
    let words = ["run", "-k", "--each", "build", "lint"];
    let shown = project.at_terminal(100, &[("[y/N", "n")], &words).ended_with(126);
    // A no ends no row that keeps going.
    insta::assert_snapshot!(stable(&project, shown.last()), @"
    $ cuff run build
    build requires your confirmation (settings.yml:3  confirm: build)
      │ echo built
      in ~/project
      not contained: it has your rights and the network
    Run `make build`?
    y yes, n no, a always until it changes, d details [y/N/a/d] no
    Nothing was run
    $ cuff run lint
    linted
    1 of 2 failed:
      build  failed (126)
      lint   ok, 0.1 s
    ");
    let shown = project.at_terminal(100, &[], &["run", "--yes", "--each", "build", "lint"]).succeeded();
    insta::assert_snapshot!(stable(&project, shown.last()), @"
    $ cuff run build
    built
    $ cuff run lint
    linted
    ");
}

#[test]
fn ctrl_c_ends_the_row() {
    let project = project();
    let words = ["run", "-k", "--each", "slow", "lint"];
    let shown = project.at_terminal(100, &[("ready", "\u{3}")], &words).ended_with(130);
    // The lines of make and of the key are as late as the machine is busy.
    let shown = stable(&project, shown.last());
    let (before, summary) = shown.split_once("1 of 2 failed:\n").expect("a summary");
    assert!(!before.contains("linted"), "{shown}");
    insta::assert_snapshot!(summary, @"
    slow  interrupted, 0.1 s
    lint  not run
    ");
}

#[test]
fn a_tool_is_run_without_run_where_no_command_has_its_name() {
    let project = project();
    std::fs::create_dir(project.root().join(".git")).expect("a repository");
    for words in [&["lint"][..], &["-C", "scripts", "lint"]] {
        assert_eq!(project.cuff(words).succeeded().stdout, "linted\n", "{words:?}");
    }
    // A command wins over a tool.
    let lines = ["words.sh a -- -b", "words.sh --dry-run", "lint --frobnicate", "list", "run list"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff words.sh a -- -b
    words: a -b
    ! scripts/words.sh failed: exit code 5, 0.1 s; `cuff runs log RUN`
    = 5
    $ cuff words.sh --dry-run
    Would execute: /usr/bin/sh ~/project/scripts/words.sh
    = 0
    $ cuff lint --frobnicate
    ! error: unexpected argument '--frobnicate' found [CUFF_304]
    ! help: words of the tool's own go after `--`: `cuff lint -- --frobnicate`
    = 64
    $ cuff list
    Makefile
      lint   echo linted
      test   echo tested; exit 3
      build  [asks] echo built
      slow   echo ready; sleep 100
      list   Lists nothing

    scripts/
      scripts/words.sh  Run scripts/words.sh
    = 0
    $ cuff run list
    the target
    = 0
    ");
    let json = project.cuff(["-q", "lint", "--json"]).succeeded().json();
    assert_eq!(json["tool"], "makefile.make_lint");
    let help = |words: &[&str]| project.cuff(words).succeeded().stdout;
    assert_eq!(help(&["lint", "--help"]), help(&["run", "--help"]));
}
