//! `cuff run --background`: a person's run goes on without its terminal, is a run like any other, and ends as a whole.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::mcp_session::called;
use crate::support::process::{self, is_running, until};
use crate::support::project::{Project, files_below};
use crate::support::terminal::Terminal;

const SECRET: &str = "s3cr3t-of-the-background";

/// A project whose scripts are tools; `ship` asks first. What a test leaves running ends with it.
struct Background(Project);

impl Background {
    fn new() -> Self {
        let project = Project::empty().variable("TEST_TOKEN", SECRET).variable("TERM", "xterm");
        for (name, text) in [
            // Three processes: one has left the run's session.
            (
                "dev",
                "echo begun; setsid sleep 55 & echo $! >> pids\nsleep 55 & echo $! >> pids\necho $$ >> pids\n\
                 echo ready on http://localhost:3000; sleep 1; echo token $TEST_TOKEN; wait",
            ),
            ("quiet", "echo $$ >> pids; exec sleep 55"),
            ("fails", "echo at once; echo twice >&2; exit 7"),
            ("ship", "echo shipped; echo $$ >> pids; exec sleep 55"),
        ] {
            project.script(&format!("scripts/{name}.sh"), format!("#!/bin/sh\n{text}\n"));
        }
        project.write(
            "settings.yml",
            "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*'], confirm: 'scripts/ship*'}}}\n",
        );
        Self(project)
    }

    /// The processes that the scripts have named, once there are so many.
    fn pids(&self, count: usize) -> Vec<String> {
        let read = || fs::read_to_string(self.0.root().join("pids")).unwrap_or_default();
        until("the processes of a script", || read().lines().count() >= count);
        read().lines().map(str::to_owned).collect()
    }

    fn state(&self) -> String {
        self.0.cuff(["runs", "status", "--json"]).succeeded().json()["state"]
            .as_str()
            .expect("a state")
            .to_owned()
    }

    /// The cuff that holds the run.
    fn holder(&self) -> String {
        let home = format!("HOME={}", self.0.outside().join("home").display());
        let holds = |path: &String| {
            let words = fs::read(format!("{path}/cmdline")).unwrap_or_default();
            words.split(|byte| *byte == 0).nth(1) == Some(b"__daemon")
        };
        let found: Vec<String> = process::with_variable(&home).into_iter().filter(holds).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].trim_start_matches("/proc/").to_owned()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.0.command(["runs", "stop"]).output();
    }
}

fn shell(project: &Project) -> Terminal {
    let mut shell = Command::new("sh");
    shell.arg("-i");
    project.surround(&mut shell);
    shell.env("PS1", "ready> ").env("CUFF", env!("CARGO_BIN_EXE_cuff"));
    let mut shell = Terminal::start(shell, 120);
    shell.wait_for("ready> ");
    shell
}

#[test]
fn a_server_is_left_once_it_is_ready_and_stopped_with_all_that_it_started() {
    let background = Background::new();
    let project = &background.0;
    let begun = Instant::now();
    // Nothing of it holds the output: else this call would not end.
    let run = project.cuff(["run", "--background", "--wait", "40", "dev"]).succeeded();
    assert!(begun.elapsed() < Duration::from_secs(30), "its readiness was not seen");
    assert_eq!(run.stdout, "begun\nready on http://localhost:3000\n");
    let id = project.cuff(["runs", "status", "--json"]).json()["run_id"].as_str().unwrap().to_owned();
    let short = &id[id.len() - 8..];
    assert!(
        run.stderr
            .contains(&format!("scripts/dev.sh is ready and goes on in the background as run {short}: "))
            && run.stderr.contains(&format!("`cuff runs log -f {short}` follows it"))
            && run.stderr.contains(&format!("`cuff runs stop {short}` ends it")),
        "{}",
        run.stderr
    );
    assert!(project.cuff(["runs"]).succeeded().stdout.contains("running  scripts/dev.sh"));
    let log = || project.cuff(["runs", "log", short]).succeeded().stdout;
    until("the rest of its output", || log().contains("token [redacted:TEST_TOKEN]\n"));
    let shown = project.cuff(["runs", "show", short]).succeeded().stdout;
    assert!(shown.contains("asked by human"), "{shown}");
    let pids = background.pids(3);
    assert!(pids.iter().all(|pid| is_running(pid)));
    assert_eq!(project.cuff(["runs", "stop", short]).succeeded().stdout, "stopped scripts/dev.sh\n");
    until("the end of all that it started", || !pids.iter().any(|pid| is_running(pid)));
    until("its record", || background.state() == "ended");
    assert!(project.cuff(["runs", "status"]).stdout.starts_with("scripts/dev.sh: cancelled ("));
    for file in files_below(&project.outside().join("home")) {
        let text = fs::read(&file).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&text).contains(SECRET), "{}", file.display());
    }
}

#[test]
fn a_tool_that_ends_meanwhile_and_one_that_cannot_start_are_as_without_it() {
    let background = Background::new();
    let project = &background.0;
    let agent = Project::at(project).variable("CLAUDECODE", "1");
    let lines: [(&Project, &[&str], i32); 6] = [
        (project, &["fails"], 7),
        (project, &["nothing"], 127),
        (project, &["fails", "--cwd", "nowhere"], 64),
        // Nobody can be asked, and an agent's words and variables are judged as ever.
        (project, &["ship"], 126),
        (&agent, &["fails", "--env", "LD_PRELOAD=x"], 126),
        (&agent, &["ship"], 126),
    ];
    // The time that a run took, the id of a run or of a question.
    let stable = |text: &str| {
        let id = regex::Regex::new(r"[0-9a-f]{4,}(-[0-9a-f]+)*|\d+\.\d+ s").unwrap();
        id.replace_all(text, "…").into_owned()
    };
    for (project, words, code) in lines {
        let plain = project.cuff(["run"].iter().chain(words)).ended_with(code);
        let kept = project.cuff(["run", "--background"].iter().chain(words)).ended_with(code);
        assert_eq!(
            (stable(&kept.stdout), stable(&kept.stderr)),
            (stable(&plain.stdout), stable(&plain.stderr)),
            "{words:?}"
        );
    }
    let result = project.cuff(["run", "--background", "--json", "fails"]).ended_with(7).json();
    assert_eq!((&result["exit_code"], &result["success"]), (&json!(7), &json!(false)), "{result}");
    for wrong in [&["--each", "fails", "quiet"][..], &["--dry-run", "fails"], &["--wait", "soon", "fails"]] {
        project.cuff(["run", "--background"].iter().chain(wrong)).ended_with(64);
    }
    project.cuff(["run", "--wait", "1", "fails"]).ended_with(64);
    let made_up = project.cuff(["__daemon", "77", "run", "fails"]).ended_with(127).stderr;
    assert!(made_up.contains("Tool not found: __daemon"), "{made_up}");
}

#[test]
fn programs_get_the_shape_of_a_run_under_way() {
    let background = Background::new();
    let project = &background.0;
    let words = ["run", "--background", "--wait", "0", "--json", "quiet", "--timeout", "2"];
    let going = project.cuff(words).succeeded().json();
    let over_mcp =
        called(project, "scripts.script_scripts_quiet", &json!({"wait": 0}))["structuredContent"].take();
    let keys = |shape: &serde_json::Value| shape.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&over_mcp), ["success", "run_id", "running", "help", "output"], "{over_mcp}");
    assert!(keys(&over_mcp).iter().all(|key| going.get(key).is_some()), "{going}\n{over_mcp}");
    assert_eq!((&going["running"], &going["success"]), (&json!(true), &json!(true)), "{going}");
    let help = going["help"].as_str().unwrap();
    assert!(help.contains("`cuff runs log -f ") && !help.contains("server"), "{help}");
    // Its time counts although nobody waits for it.
    let id = going["run_id"].as_str().unwrap();
    until("the end of its time", || {
        project.cuff(["runs", "status", id]).succeeded().stdout.contains("timed out")
    });
}

#[test]
fn the_death_of_the_cuff_that_holds_it_is_its_own() {
    let background = Background::new();
    background.0.cuff(["run", "--background", "--wait", "30", "dev"]).succeeded();
    let pids = background.pids(3);
    let begun = Instant::now();
    assert!(Command::new("kill").args(["-9", &background.holder()]).status().unwrap().success());
    until("the end of all that it started", || !pids.iter().any(|pid| is_running(pid)));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!(background.state(), "interrupted");
}

#[test]
fn a_question_is_asked_at_the_terminal_which_may_be_closed_afterwards() {
    let background = Background::new();
    let project = &background.0;
    let said_no = project.answer_at_terminal("n", &["run", "--background", "ship"]);
    assert_eq!(said_no.code, 126, "{}", said_no.text);
    let mut shell = shell(project);
    shell.press("\"$CUFF\" run --background --wait 1 ship\n");
    shell.wait_for("[y/N");
    shell.press("y");
    shell.wait_for("goes on in the background as run");
    shell.wait_for("ready> ");
    // A shell that has printed its prompt and does not read yet takes the key, and says nothing.
    shell.wait_for_shell(Duration::from_millis(100));
    // On a busy machine a shell that is about to read takes the key without a new prompt; a line brings one.
    shell.press("\u{3}");
    shell.press("\n");
    shell.wait_for("ready> ");
    shell.press("echo the code is $?; exit\n");
    // The terminal is read to its end: no process has it any more.
    shell.finish();
    std::thread::sleep(Duration::from_millis(500));
    let pids = background.pids(1);
    assert!(is_running(&pids[0]) && background.state() == "running");
    assert_eq!(project.cuff(["runs", "log"]).succeeded().stdout, "shipped\n");
    project.cuff(["runs", "stop"]).succeeded();
    until("its end", || !is_running(&pids[0]));
}

#[test]
fn ctrl_c_while_it_is_waited_for_ends_it() {
    let background = Background::new();
    let mut shell = shell(&background.0);
    shell.press("\"$CUFF\" run --background --wait 50 quiet\n");
    let pids = background.pids(1);
    shell.press("\u{3}");
    shell.wait_for("ready> ");
    shell.press("echo ended with $?; exit\n");
    shell.wait_for("ended with 130");
    shell.finish();
    assert!(!is_running(&pids[0]));
    assert!(
        background.0.cuff(["runs", "status"]).succeeded().stdout.starts_with("scripts/quiet.sh: cancelled (")
    );
}
