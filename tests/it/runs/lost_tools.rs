//! Tools that a runner loses, and tools that say falsely how they ended.

use std::time::{Duration, Instant};

use crate::support::normalize::stable;
use crate::support::project::Project;

/// Prints the mark of a success, with the id that stands in the words of the shell around the tool.
const FORGES: &str = r#"id=$(tr '\0\n' '\n ' </proc/$PPID/cmdline | sed -n 5p)
printf '\036cuff %s ended 0\n' "$id" >&2
"#;

/// A project whose runners start tools in a session of their own, as an engine does: `there`, and one that cannot end them.
fn project() -> Project {
    let project = Project::empty();
    for (name, text) in [
        ("fails", format!("{FORGES}exit 3")),
        ("goes_on", format!("{FORGES}exec sleep 60")),
        ("kills", format!("{FORGES}kill -9 $PPID; exec sleep 60")),
        ("lost", "echo begins; kill -9 $PPID; exec sleep 60".to_owned()),
        ("obeys", "trap 'echo ends; exit 0' TERM; echo begins; while sleep 0.05; do :; done".to_owned()),
        ("leaves", "setsid sleep 60 & echo ends".to_owned()),
    ] {
        project.script(&format!("{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    project.write(
        "settings.yml",
        "version: '1'\nrunners:\n  there: {via: [setsid, --wait, '{command}'], stop: [sh, -c, '{kill}']}\n  \
         deaf: {via: [setsid, --wait, '{command}'], stop: [sh, -c, 'exit 1 # {signal}']}\n\
         plugins:\n  scripts: {config: {patterns: ['*.sh']}}\n",
    );
    project
}

/// The end of a run: its code and both outputs, with stable words, without what `setsid` says of a shell that was killed.
fn end(project: &Project, tool: &str, on: &str) -> String {
    let run = project.cuff(["run", tool, "--on", on]);
    let said = stable(project, &run.stderr);
    let said: Vec<&str> = said.lines().filter(|line| !line.starts_with("setsid: child ")).collect();
    format!("{}\n{}{}", run.code, stable(project, &run.stdout), said.join("\n"))
}

/// Whether a sleep of these tools is alive.
fn is_left(project: &Project) -> bool {
    let folder = project.root().to_owned();
    let processes = std::fs::read_dir("/proc").expect("the processes of this machine").filter_map(Result::ok);
    processes
        .filter_map(|process| std::fs::read_link(process.path().join("cwd")).ok())
        .any(|cwd| cwd == folder)
}

#[test]
fn a_forged_end_is_not_believed() {
    let project = project();
    insta::assert_snapshot!(end(&project, "fails.sh", "there"), @"
    3
    fails.sh failed: exit code 3, 0.1 s; it printed nothing: `cuff why fails.sh` shows what it runs
    ");
    let begun = Instant::now();
    insta::assert_snapshot!(end(&project, "goes_on.sh", "there"), @"
    125
    error: goes_on.sh: The runner `there` reported an end of the tool that cuff does not believe, and cuff has ended it there: its exit code is unknown (0.1 s) [SCRIPT_302]
    help: `cuff runs log RUN` prints its log again
    ");
    assert!(begun.elapsed() < Duration::from_secs(30));
    insta::assert_snapshot!(end(&project, "kills.sh", "there"), @"
    125
    note: 1 process detached itself and is still running
    error: kills.sh: The runner `there` reported an end of the tool that cuff does not believe, and cuff has ended it there: its exit code is unknown (0.1 s) [SCRIPT_302]
    help: `cuff runs log RUN` prints its log again
    ");
    assert!(!is_left(&project));
}

#[test]
fn a_lost_tool_is_ended_there_or_told() {
    let project = project();
    insta::assert_snapshot!(end(&project, "lost.sh", "there"), @"
    125
    begins
    note: 1 process detached itself and is still running
    error: lost.sh: The runner `there` lost the tool, and cuff has ended it there: its exit code is unknown (0.1 s) [SCRIPT_302]
    help: `cuff runs log RUN` prints its log again
    ");
    assert!(!is_left(&project));
    insta::assert_snapshot!(end(&project, "lost.sh", "deaf"), @"
    125
    begins
    note: 1 process detached itself and is still running
    error: lost.sh: The runner `deaf` lost the tool: its exit code is unknown, and it may still run there as RUN (0.1 s) [SCRIPT_302]
    help: `cuff runs log RUN` prints its log again
    ");
}

/// An engine that is busy, or a host that never answers: its client waits, and starts nothing.
#[test]
fn a_tool_that_never_began_is_not_said_to_go_on() {
    let project = project();
    let settings = project.read("settings.yml").replace(
        "runners:\n",
        "runners:\n  busy: {via: [sh, -c, 'exec sleep 60', '{command}'], stop: [sh, -c, 'exit 1 # {signal}']}\n  \
         gone: {via: [nosuchclient, '{command}'], stop: [nosuchclient, '{signal}']}\n",
    );
    project.write("settings.yml", settings);
    let ends = |words: &[&str]| {
        let run = project.cuff(words);
        format!("{}\n{}{}", run.code, stable(&project, &run.stdout), stable(&project, &run.stderr))
    };
    insta::assert_snapshot!(ends(&["run", "fails.sh", "--on", "busy", "--timeout", "1"]), @"
    124
    [the tool did not begin on busy]
    error: fails.sh: Script timed out after 1 seconds (0.1 s) [SCRIPT_303]
    help: give it more with `--timeout`, or raise `default_timeout` in settings.yml
    help: `cuff runs log RUN` prints its log again
    ");
    insta::assert_snapshot!(ends(&["run", "fails.sh", "--on", "gone"]), @"
    125
    error: fails.sh: nosuchclient is not installed, or not on the PATH [SCRIPT_103]
    help: install nosuchclient, or put it on the PATH
    help: `cuff runs show RUN` has what is recorded of it
    ");
    insta::assert_snapshot!(ends(&["run", "fails.sh", "--on", ""]), @"
    64
    error: The name of the runner is empty [SCRIPT_304]
    help: name one of `cuff runners`, or `local` for this machine
    ");
    let settings =
        project.read("settings.yml").replace("via: [nosuchclient, '{command}']", "via: [nosuchclient]");
    project.write("settings.yml", settings);
    insta::assert_snapshot!(ends(&["run", "fails.sh", "--on", "gone"]), @r#"
    125
    error: settings.yml:4:15: the runner `gone` has a mistake: `via` must have the word `{command}` once [SCRIPT_201]
    help: write it behind the words of the client: `via: [nice, "{command}"]`
    "#);
    insta::assert_snapshot!(ends(&["runners"]), @r#"
    2
    busy   sh      you  not known: it has no `check`
    there  setsid  you  not known: it has no `check`
    deaf   setsid  you  not known: it has no `check`
    error: settings.yml:4:15: `via` must have the word `{command}` once [CUFF_201]
       ,-[settings.yml:4:15]
     3 |   busy: {via: [sh, -c, 'exec sleep 60', '{command}'], stop: [sh, -c, 'exit 1 # {signal}']}
     4 |   gone: {via: [nosuchclient], stop: [nosuchclient, '{signal}']}
       :               |
       :               `-- this runner
     5 |   there: {via: [setsid, --wait, '{command}'], stop: [sh, -c, '{kill}']}
       `----
    help: write it behind the words of the client: `via: [nice, "{command}"]`
    "#);
}

/// A shell that was killed from outside leaves the number of its group.
#[test]
fn files_of_a_shell_that_was_killed_are_removed_after_a_day() {
    let project = project();
    let own = std::process::Command::new("sh").args(["-c", "ps -o pgid= -p $$"]).output().expect("a group");
    let own = String::from_utf8(own.stdout).expect("a number");
    let left = |name: &str, group: &str, is_old: bool| {
        let path = std::env::temp_dir().join(format!("cuff-{name}-{}-a-b-c", std::process::id()));
        for path in [path.clone(), path.with_extension("copy")] {
            std::fs::write(&path, format!("{group}\n")).expect("a temporary file");
            let age = if is_old { Duration::from_hours(49) } else { Duration::ZERO };
            let file = std::fs::File::options().write(true).open(&path).expect("the file");
            file.set_modified(std::time::SystemTime::now() - age).expect("its time");
        }
        path
    };
    // No process has this number.
    let gone = "4194399";
    let files = [
        left("old", gone, true),
        left("new", gone, false),
        left("live", own.trim(), true),
        left("odd", "x", true),
    ];
    project.cuff(["run", "leaves.sh", "--on", "there"]).succeeded();
    let is_there = files.each_ref().map(|file| (file.exists(), file.with_extension("copy").exists()));
    for file in &files {
        let _ = (std::fs::remove_file(file), std::fs::remove_file(file.with_extension("copy")));
    }
    assert_eq!(is_there, [(false, false), (true, true), (true, true), (true, true)]);
}

#[test]
fn the_end_of_a_tool_counts_after_a_signal_and_where_a_process_goes_on() {
    let project = project();
    insta::assert_snapshot!(end(&project, "leaves.sh", "there"), @"
    0
    ends
    note: 1 process detached itself and is still running
    ");
    let run = project.cuff(["run", "obeys.sh", "--on", "there", "--timeout", "1"]).ended_with(124);
    assert_eq!(run.stdout, "begins\nends\n", "{run:?}");
}
