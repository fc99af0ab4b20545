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
    let printed = |format: &str| project.cuff(["runs", "diagnostics", "--as", format]).succeeded().stdout;
    let note = "The run succeeded: these findings did not fail it.";
    let json: serde_json::Value = serde_json::from_str(&printed("json")).unwrap();
    assert_eq!((&json["success"], &json["errors"]), (&true.into(), &1.into()), "{json}");
    let sarif: serde_json::Value = serde_json::from_str(&printed("sarif")).unwrap();
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true, "{sarif}");
    assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], note, "{sarif}");
    let github = format!("::error file=a.ts,line=1,col=2,title=TS1::x\n::notice::{note}\n");
    assert_eq!(printed("github"), github);
    let head = "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\"";
    let junit = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {head}>\n  <testsuite name=\"cuff\" {head}>\n    \
         <testcase classname=\"a.ts\" name=\"a.ts:1:2 x\">\n      <system-out>a.ts:1:2 x</system-out>\n    </testcase>\n    \
         <system-out>cuff read failures and counts: tests that passed are counted and not named. {note}</system-out>\n  \
         </testsuite>\n</testsuites>\n\n"
    );
    assert_eq!(printed("junit"), junit);
    let checkstyle = printed("checkstyle");
    assert!(checkstyle.ends_with(&format!("  </file>\n  <!-- {note} -->\n</checkstyle>\n")), "{checkstyle}");
    // Of a run that failed nothing says so.
    project.script("scripts/talk.sh", "#!/bin/sh\necho 'a.ts(1,2): error TS1: x'\nexit 1\n");
    project.cuff(["run", "talk"]).ended_with(1);
    for format in ["json", "sarif", "github", "junit", "checkstyle"] {
        let printed = project.cuff(["runs", "diagnostics", "--as", format]).succeeded().stdout;
        assert!(!printed.contains(note), "{printed}");
    }
    let json: serde_json::Value = serde_json::from_str(&printed("json")).unwrap();
    assert_eq!(json["success"], false, "{json}");
}
