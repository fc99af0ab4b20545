//! The real make asked for its database through cuff: its targets, commands that must not run, and broken
//! answers.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::project::{Project, Run};

/// A project with this Makefile, and settings with this config.
fn project(makefile: &str, config: &str) -> Project {
    let project = Project::empty();
    project.write("Makefile", makefile);
    project.write("settings.yml", format!("version: '1'\nplugins:\n  makefile: {{config: {{{config}}}}}\n"));
    project
}

fn listed(project: &Project) -> Value {
    project.cuff(["list", "--json"]).json()
}

/// The targets that are offered, one word each.
fn targets(list: &Value) -> String {
    let tools = list["tools"].as_array().unwrap().iter().map(|tool| tool["original"].as_str().unwrap());
    tools.filter(|name| *name != "list_targets").collect::<Vec<_>>().join(" ")
}

fn ran(project: &Project) -> bool {
    project.root().join("RAN").exists()
}

/// Computed names of targets, and a recipe in every place where make itself could run one.
const TEMPTING: &str = "\
NAMES := $(shell echo one two)
all: ; +touch RAN; $(MAKE) -v
$(NAMES): ; @echo $@
include made.mk
made.mk: ; +touch RAN; echo from-make: > $@
Makefile: force ; +touch RAN
force:
%: ; +touch RAN
.DEFAULT: ; +touch RAN
";

#[test]
fn make_is_asked_where_the_text_leaves_something_open_and_no_recipe_runs() {
    let project = project(TEMPTING, "");
    let list = listed(&project);
    assert_eq!(targets(&list), "all one two made.mk Makefile", "{list:#}");
    assert!(!ran(&project), "a recipe ran while targets were listed");
    let notes = list["notes"].to_string();
    assert!(
        notes.contains("read with make's own database") && notes.contains("$(shell echo one two)"),
        "{notes}"
    );
    // In a call, make works as usual: it makes its makefiles first.
    assert!(project.cuff(["run", "two"]).succeeded().stdout.ends_with("\ntwo\n"));
}

/// A program ran without a call.
#[test]
fn asking_make_leaves_a_line_in_the_audit_log_and_no_run() {
    let project = project(TEMPTING, "").variable("TEST_TOKEN", "s3cr3t-of-the-test");
    // The first use of the settings leaves a line, too.
    let decisions = || {
        let all = project.cuff(["audit", "--json"]).succeeded().json()["decisions"].clone();
        let all = all.as_array().unwrap().iter().filter(|decided| decided["tool"] != "settings").cloned();
        Value::Array(all.collect())
    };
    listed(&project);
    let said = decisions();
    assert_eq!(said.as_array().unwrap().len(), 1, "{said:#}");
    let facts = ["caller", "tool", "decision"].map(|name| said[0][name].as_str().unwrap());
    assert_eq!(facts, ["discovery", "makefile", "permitted"]);
    assert!(said[0]["rule"].as_str().unwrap().contains("make -"), "{said:#}");
    listed(&project);
    assert_eq!(decisions(), said, "an answer from before starts nothing");
    assert_eq!(project.cuff(["runs", "list", "--json"]).succeeded().json()["runs"], Value::Array(vec![]));

    // The output is kept as it is, so other users may not read it.
    let folder = project.outside().join("home/cache/cuff/probes");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let kept: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(kept.len() == 1 && kept.iter().all(|file| mode(file) == 0o600), "{kept:?}");
}

#[test]
fn make_is_not_asked_unless_trusted() {
    let canary = "X := $(shell touch RAN)\n$(X)plain: ; @echo hi\nY != touch RAN\n$(Y)other: ; @echo ho\nknown: ; @echo k\n";
    for config in
        ["extractor: simple", "trust_makefile: false", "extractor: make_database, trust_makefile: false"]
    {
        let project = project(canary, config);
        let list = listed(&project);
        assert_eq!((targets(&list).as_str(), ran(&project)), ("known", false), "{config}");
        let mut problems = list["problems"].as_array().unwrap().iter();
        assert!(problems.any(|problem| problem["line"] == 2), "the line is named: {list:#}");
    }
    let project = project(canary, "");
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    let list = project.cuff(["makefile", "list"]).succeeded();
    assert!(list.stdout.contains("  known") && !ran(&project), "{}", list.stdout);
    project.cuff(["init", "--yes", "--dry-run"]).succeeded();
    project.cuff(["makefile", "run", "known", "--dry-run"]).succeeded();
    assert!(!ran(&project), "without settings nobody has allowed make to read it");
}

#[test]
fn a_makefile_that_never_ends_costs_ten_seconds_once_and_what_the_text_says_stays() {
    let project = project("$(shell sleep 60)$(shell echo x): ; x\nknown: ; @echo hi\n", "");
    let begun = Instant::now();
    let first = project.cuff(["list"]).succeeded();
    assert!(begun.elapsed() >= Duration::from_secs(9), "make was given its time");
    assert!(first.stdout.contains("  known"), "{}", first.stdout);
    assert!(first.stderr.contains("did not end within 10 seconds"), "{}", first.stderr);
    let begun = Instant::now();
    let second = project.cuff(["list"]).succeeded();
    assert!(begun.elapsed() < Duration::from_secs(5), "it is remembered that it does not end");
    assert!(second.stderr.contains("did not end within 10 seconds"), "{}", second.stderr);
}

/// A long chain of files, and more targets than anybody can choose among: what is left out is said.
#[test]
fn what_is_too_much_is_left_out_with_a_line_that_says_so() {
    let chained = |files: usize| {
        let project = project("t0: ; x\ninclude 1.mk\n", "extractor: simple");
        for at in 1..=files {
            let next = if at < files { format!("include {}.mk\n", at + 1) } else { String::new() };
            project.write(&format!("{at}.mk"), format!("t{at}: ; x\n{next}"));
        }
        project.cuff(["makefile", "list"])
    };
    let all = chained(63);
    assert!(all.stdout.contains("  t63") && all.stderr.is_empty(), "{all:?}");
    let cut = chained(70);
    assert!(cut.stdout.contains("  t63") && !cut.stdout.contains("  t64"), "{cut:?}");
    let said = "63.mk:2: `64.mk` was not looked at; targets may be missing here";
    assert!(cut.stderr.contains(said) && cut.stderr.contains("discovery was cut short"), "{}", cut.stderr);
    let rules: Vec<String> = (0..10_002).map(|at| format!("t{at}: ; x\n")).collect();
    let many = project(&rules.concat(), "extractor: simple").cuff(["makefile", "list"]);
    assert_eq!(many.stdout.lines().filter(|line| line.starts_with("  t")).count(), 10_000);
    assert!(
        many.stderr.contains("the first 10000 targets are offered, and 2 more are not"),
        "{}",
        many.stderr
    );
}

/// Each breaks make's answer in another way; the text's targets stay, and the message names the next step.
#[test]
fn a_failing_make_query_leaves_the_targets_of_the_text() {
    for (makefile, said) in [
        ("$(shell x) known: ; x\n$(error out of order)\n", "out of order"),
        ("known: ; x\n$(shell echo a): ; x\nbroken line\n", "Makefile:3"),
        ("known: ; x\n$(shell kill -9 $$PPID): ; x\n", "make"),
        ("known: ; x\n$(shell yes | head -c 40000000 >&2)$(shell echo a): ; x\n", ""),
        (
            "known: ; x\n$(info # Files)$(info fake: ; x)$(info # Finished Make data base)$(shell echo a): ; x\n",
            "",
        ),
        ("known: ; x\n$(shell rm -f Makefile settings.yml)$(shell echo a): ; x\n", ""),
    ] {
        let project = project(makefile, "");
        let list = project.cuff(["list"]);
        assert!(list.stdout.contains("  known"), "{makefile}\n{}\n{}", list.stdout, list.stderr);
        assert!(!list.stdout.contains("fake"), "{makefile}\n{}", list.stdout);
        assert!(list.stderr.contains(said), "{makefile}\n{}", list.stderr);
    }
}

#[test]
fn an_answer_holds_until_something_that_make_read_changes() {
    let project = project("include $(shell echo inc).mk\n$(shell echo run >> asked)a: ; x\n", "");
    let asked = || fs::read_to_string(project.root().join("asked")).unwrap_or_default().lines().count();
    project.write("inc.mk", "b: ; x\n");
    assert_eq!((targets(&listed(&project)).as_str(), asked()), ("a b", 1));
    assert_eq!(
        (targets(&listed(&project)).as_str(), asked()),
        ("a b", 1),
        "another process, the same answer"
    );
    project.write("inc.mk", "b: ; x\nc: ; x\n");
    assert_eq!((targets(&listed(&project)).as_str(), asked()), ("a b c", 2), "an include changed");
    let fresh: Run = project.cuff(["run", "makefile.make_list_targets", "--json"]).succeeded();
    assert!(fresh.stdout.contains("make_c"), "{}", fresh.stdout);
}
