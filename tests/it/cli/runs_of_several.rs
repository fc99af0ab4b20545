//! The record of several tools that ran side by side: one run, with a call for each.

use std::process::Stdio;

use serde_json::json;

use crate::support::normalize::stable;
use crate::support::process::{spawn, until};
use crate::support::project::Project;

fn project() -> Project {
    let project = Project::empty();
    project.script("scripts/fine.sh", "echo all is fine\n");
    project.script(
        "scripts/types.sh",
        "sleep 1\necho 'src/a.ts(3,5): error TS2322: It is no number.'\nexit 2\n",
    );
    project
}

#[test]
fn several_tools_leave_one_record_with_the_findings_of_all() {
    let project = project();
    let run = project.cuff(["run", "--each", "-j", "2", "-k", "fine.sh", "types.sh"]).ended_with(2);
    insta::assert_snapshot!(stable(&project, &run.stderr), @r"
    scripts/types.sh failed: exit code 2, 0.1 s, 1 error; `cuff runs diagnostics RUN`
    2 runs: 1 ok, 1 failed (0.1 s); `cuff runs diagnostics RUN`
      scripts/types.sh  failed (2), 0.1 s
    ");
    let told = |words: &[&str]| stable(&project, &project.cuff(words).succeeded().stdout);
    insta::assert_snapshot!(told(&["runs"]), @r"RUN  1 s ago  exit code 2 (0.1 s)  run --each fine.sh types.sh");
    insta::assert_snapshot!(told(&["runs", "show"]), @r"
    run --each fine.sh types.sh: exit code 2 (0.1 s), 1 s ago
      run      RUN (RUN)
      command  cuff run --each fine.sh types.sh in ~/project
      call     RUN scripts/fine.sh: ok (0.1 s)
      call     RUN scripts/types.sh: exit code 2 (0.1 s)
      asked by human
      log      5 lines, 120 bytes

    what it printed:
    ── scripts/fine.sh ──
    all is fine

    ── scripts/types.sh ──
    src/a.ts(3,5): error TS2322: It is no number.
    ");
    insta::assert_snapshot!(told(&["runs", "diagnostics"]), @r"
    src/a.ts:3:5 error TS2322 It is no number.

    1 error
    ");
    // The findings stand where the log of all has them.
    let found = project.cuff(["runs", "diagnostics", "--json"]).json();
    let line = &found["diagnostics"][0]["log"]["start_line"];
    let lines = format!("{line}..{line}");
    let log = project.cuff(["runs", "log", "--lines", &lines]).succeeded();
    assert_eq!(log.stdout, "src/a.ts(3,5): error TS2322: It is no number.\n");
    // A call of it is a run as well.
    insta::assert_snapshot!(told(&["runs", "log", "fine.sh"]), @r"all is fine");
    let again = project.cuff(["run", "-"]).ended_with(125);
    insta::assert_snapshot!(again.stderr, @r"
    error: the last run was of several tools, which `-` does not repeat [CUFF_301]
    help: type it again: `cuff run --each fine.sh types.sh`
    ");
}

#[test]
fn a_dry_run_of_several_leaves_no_record() {
    let project = project();
    project.cuff(["run", "--each", "-j", "2", "--dry-run", "fine.sh", "types.sh"]).succeeded();
    assert_eq!(project.cuff(["runs", "--json"]).json(), json!({"runs": []}));
}

#[test]
fn errors_of_packages_are_named_from_the_root() {
    let project = Project::empty();
    project.write("package.json", json!({"name": "root", "workspaces": ["packages/*"]}).to_string());
    for name in ["core", "ui"] {
        let manifest = json!({"name": format!("@x/{name}"), "scripts": {"lint": "sh lint.sh"}});
        let lint = "echo 'src/a.ts(3,5): error TS2322: It is no number.'; exit 1\n";
        project.write(&format!("packages/{name}/lint.sh"), lint);
        project.write(&format!("packages/{name}/package.json"), manifest.to_string());
        project.write(&format!("packages/{name}/src/a.ts"), "");
    }
    let run = project.cuff(["run", "-r", "-k", "-j1", "lint", "--json"]).ended_with(1).json();
    let found = project.cuff(["runs", "diagnostics", run["run_id"].as_str().unwrap()]).succeeded();
    insta::assert_snapshot!(found.stdout, @r"
    packages/core/src/a.ts:3:5 error TS2322 It is no number.

    packages/ui/src/a.ts:3:5 error TS2322 It is no number.

    2 errors
    ");
}

#[test]
fn to_stop_several_ends_those_that_run_and_starts_no_other() {
    let project = project();
    project.script("scripts/long.sh", "touch begun\nsleep 60\n");
    let words = ["run", "--each", "-j", "1", "-k", "long.sh", "fine.sh"];
    let mut runs = spawn(project.command(words).stdout(Stdio::null()).stderr(Stdio::null()));
    until("the first of them", || project.root().join("begun").exists());
    assert_eq!(project.cuff(["runs", "stop"]).succeeded().stdout, "stopped run --each long.sh fine.sh\n");
    assert!(!runs.wait().unwrap().success());
    let shown = project.cuff(["runs", "show"]).succeeded().stdout;
    insta::assert_snapshot!(stable(&project, &shown), @r"
    run --each long.sh fine.sh: cancelled (0.1 s), 1 s ago
      run      RUN (RUN)
      command  cuff run --each long.sh fine.sh in ~/project
      call     RUN scripts/long.sh: cancelled (0.1 s)
      asked by human
      log      1 line, 30 bytes

    what it printed:
    ── scripts/long.sh ──
    ");
}
