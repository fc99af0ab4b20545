//! A list that is longer than the window goes through the pager.

use std::fs;

use crate::support::project::Project;

/// Forty targets, and a pager that keeps what it was given.
fn project() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    let rules: Vec<String> = (1..=40).map(|at| format!("t{at}: ## Does {at}\n\t@echo {at}\n")).collect();
    project.write("Makefile", rules.concat());
    project.write("settings.yml", "version: '1'\nplugins: {makefile: {}}\n");
    project.script("pager.sh", "#!/bin/sh\necho \"paged by $0 $*\"\ncat > paged\n");
    project
}

#[test]
fn a_long_list_goes_through_the_pager_and_a_short_one_does_not() {
    let project = project();
    let pager = project.root().join("pager.sh").display().to_string();
    let kept = || fs::read_to_string(project.root().join("paged")).ok();
    let project = Project::at(&project).variable("TERM", "xterm").variable("PAGER", format!("{pager} -x"));
    let shown = project.at_terminal((24, 80), &[], &["list"]).succeeded();
    assert!(shown.text.contains("pager.sh -x") && !shown.text.contains("t40"), "{}", shown.text);
    assert!(kept().expect("a text").contains("  t40  Does 40\n"));
    fs::remove_file(project.root().join("paged")).expect("it was paged");
    for words in [&["list", "--no-pager"][..], &["list", "--json"], &["list", "t1"]] {
        let shown = project.at_terminal((24, 80), &[], words).succeeded();
        assert!(shown.text.contains("t1") && kept().is_none(), "{words:?}: {}", shown.text);
    }
    let high = project.at_terminal((60, 80), &[], &["list"]).succeeded();
    assert!(high.text.contains("t40") && kept().is_none(), "a window with room: {}", high.text);
    assert!(project.cuff(["list"]).succeeded().stdout.contains("t40") && kept().is_none(), "a pipe");
    let agent =
        Project::at(&project).variable("TERM", "xterm").variable("PAGER", &pager).variable("CLAUDECODE", "1");
    let shown = agent.at_terminal((24, 80), &[], &["list"]).succeeded();
    assert!(shown.text.contains("t40") && kept().is_none(), "an agent cannot turn pages");
}

#[test]
fn a_pager_that_is_missing_is_no_error() {
    let project = project();
    for (variable, value) in
        [("PAGER", "no-such-pager -R"), ("PAGER", "'"), ("CUFF_PAGER", ""), ("CUFF_PAGER", "cat")]
    {
        let project = Project::at(&project).variable("TERM", "xterm").variable(variable, value);
        let shown = project.at_terminal((24, 80), &[], &["list"]).succeeded();
        assert!(shown.text.contains("t40") && !shown.text.contains("error"), "{value}: {}", shown.text);
    }
}

/// Ctrl-C belongs to the pager, and who quits has read enough.
#[test]
fn a_pager_that_reads_nothing_is_no_error() {
    let project = project();
    project.script("quits.sh", "#!/bin/sh\nexit 0\n");
    let quits = project.root().join("quits.sh").display().to_string();
    let project = Project::at(&project).variable("TERM", "xterm").variable("CUFF_PAGER", &quits);
    assert!(!project.at_terminal((24, 80), &[], &["list"]).succeeded().text.contains("error"));
    project.script("waits.sh", "#!/bin/sh\ntrap 'echo heard; exit 0' INT\ncat > /dev/null\necho reading\nwhile :; do sleep 0.1; done\n");
    let waits = project.root().join("waits.sh").display().to_string();
    let project = Project::at(&project).variable("TERM", "xterm").variable("CUFF_PAGER", &waits);
    let shown = project.at_terminal((24, 80), &[("reading", "\u{3}")], &["list"]).succeeded();
    assert!(shown.text.contains("heard"), "{}", shown.text);
}
