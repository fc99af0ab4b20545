//! The reason of a failure that says nothing itself, and findings of runs that passed.

use crate::support::project::Project;

/// make says `Error 1` whatever the reason is.
#[test]
fn runs_that_failed_for_another_reason_differ() {
    let project = Project::empty();
    let recipe = |reason: &str| format!("check:\n\t@echo '{reason}'; exit 1\n");
    project.write("Makefile", recipe("cannot reach the harbour"));
    project.cuff(["init", "--yes"]).succeeded();
    project.cuff(["run", "check"]).ended_with(2);
    project.cuff(["run", "check"]).ended_with(2);
    let same = project.cuff(["runs", "diff"]).succeeded().stdout;
    assert!(same.starts_with("still there (1):\nMakefile:2 error [check] Error 1\n"), "{same}");
    assert!(same.contains("cannot reach the harbour"), "{same}");
    project.write("Makefile", recipe("the harbour is closed"));
    project.cuff(["run", "check"]).ended_with(2);
    let other = project.cuff(["runs", "diff"]).succeeded().stdout;
    assert!(other.starts_with("new (1):\nMakefile:2 error [check] Error 1\n"), "{other}");
    let (new, gone) = other.split_once("resolved, or not checked in this run (1):\n").expect("both");
    assert!(new.contains("the harbour is closed") && gone.contains("cannot reach the harbour"), "{other}");
}

/// gcc and clang show the source below such a line; in a run of make it counts without.
#[test]
fn a_compilers_line_counts_below_make() {
    let project = Project::empty();
    project.write("Makefile", "check:\n\t@echo 'a.c:3:5: error: bad'; exit 1\n");
    project.script("scripts/talk.sh", "#!/bin/sh\necho 'a.c:3:5: error: bad'\nexit 1\n");
    project.cuff(["init", "--yes"]).succeeded();
    project.cuff(["run", "check"]).ended_with(2);
    let found = project.cuff(["runs", "diagnostics"]).succeeded().stdout;
    assert_eq!(found, "a.c:3:5 error bad\n\n1 error\n");
    project.cuff(["run", "talk"]).ended_with(1);
    let talk = project.cuff(["runs", "diagnostics"]).succeeded();
    assert_eq!((&*talk.stdout, talk.stderr.contains("nothing was found")), ("", true), "{}", talk.stderr);
}

#[test]
fn findings_of_a_run_that_passed_are_marked() {
    let project = Project::empty();
    project.script("scripts/talk.sh", "#!/bin/sh\necho 'a.ts(1,2): error TS1: x'\n");
    project.cuff(["init", "--yes"]).succeeded();
    project.cuff(["run", "talk"]).succeeded();
    let passed = project.cuff(["runs", "diagnostics"]).succeeded();
    assert_eq!(passed.stdout, "a.ts:1:2 error TS1 x\n\n1 error\n");
    assert_eq!(passed.stderr, "the run succeeded: what is above did not fail it\n");
}
