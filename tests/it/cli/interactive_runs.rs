//! A person's run at a terminal has a terminal of its own: keys, prompts, Ctrl-C, Ctrl-Z, and the size of the window.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::support::project::Project;
use crate::support::terminal::Terminal;
use crate::support::tools;

/// A project whose scripts are tools.
fn project(scripts: &[(&str, &str)]) -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    for (name, text) in scripts {
        project.script(&format!("scripts/{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    project.write("settings.yml", "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*']}}}\n");
    project
}

/// A shell with job control, at a terminal of 80 columns and 24 rows.
fn shell(project: &Project) -> Terminal {
    let mut shell = Command::new("sh");
    shell.arg("-i");
    project.surround(&mut shell);
    shell.env("PS1", "ready> ").env("CUFF", env!("CARGO_BIN_EXE_cuff"));
    let mut shell = Terminal::start(shell, 80);
    shell.wait_for("ready> ");
    shell
}

#[test]
fn keys_reach_an_interpreter_and_so_do_ctrl_c_ctrl_z_and_the_size() {
    if tools::require("python3").is_none() {
        return;
    }
    let project = project(&[("repl", "exec python3 -q")]);
    let mut shell = shell(&project);
    shell.press("\"$CUFF\" run repl\n");
    shell.wait_for(">>> ");
    shell.press("6 * 7\n");
    shell.wait_for("42");
    shell.press("import os, time; print('sleeps'); time.sleep(60)\n");
    shell.wait_for("\nsleeps");
    shell.press("\u{3}");
    shell.wait_for("KeyboardInterrupt");
    shell.wait_for(">>> ");
    shell.press("\u{1a}");
    shell.wait_for("ready> ");
    shell.press("echo stopped by $(($? - 128)), $(stty -a | grep -c ' echo ') echo\n");
    shell.wait_for(&format!("stopped by {}, 1 echo", Signal::SIGTSTP as i32));
    shell.resize(100);
    shell.press("fg\n");
    shell.wait_for("run repl");
    shell.press("print('columns', os.get_terminal_size().columns)\n");
    shell.wait_for("\ncolumns 100");
    shell.resize(90);
    shell.press("print('columns', os.get_terminal_size().columns)\n");
    shell.wait_for("\ncolumns 90");
    shell.press("\u{4}");
    shell.wait_for("ready> ");
    shell.press("echo ended with $?\n");
    shell.wait_for("ended with 0");
    shell.press("exit\n");
    shell.finish();
    // The record is the session as it was shown.
    let log = project.cuff(["runs", "log"]).succeeded().stdout;
    assert!(log.contains("6 * 7") && log.contains("42") && log.contains("KeyboardInterrupt"), "{log}");
}

#[test]
fn a_watch_mode_gets_its_keys() {
    if ["node", "npm"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let project = Project::empty().variable("TERM", "xterm").variable("PATH", tools::path());
    project.write(
        "package.json",
        r#"{"type": "module", "scripts": {"test": "node node_modules/vitest/vitest.mjs"}}"#,
    );
    project.write(
        "sum.test.js",
        "import { expect, test } from 'vitest';\ntest('adds', () => expect(1 + 1).toBe(2));\n",
    );
    fs::create_dir(project.root().join("node_modules")).unwrap();
    let vitest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/node_modules/vitest");
    if !vitest.is_dir() {
        assert!(tools::may_skip(), "vitest is missing: run tests/tools/install");
        return tools::skipped("vitest is missing");
    }
    symlink(vitest, project.root().join("node_modules/vitest")).unwrap();
    project.cuff(["init", "--yes"]).succeeded();
    let mut shell = shell(&project);
    shell.press("\"$CUFF\" run test\n");
    shell.wait_for("press h to show help");
    shell.press("h");
    shell.wait_for("Watch Usage");
    shell.press("q");
    shell.wait_for("ready> ");
    shell.press("exit\n");
    shell.finish();
}

#[test]
fn a_password_is_not_shown_and_secrets_are_not_recorded() {
    let ask = "printf 'Name: '; read -r name; stty -echo; printf 'Password: '; read -r word; stty echo\n\
               echo; echo \"$name has ${#word} letters and $API_TOKEN\"; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo terminals";
    let project = project(&[("ask", ask)]).variable("API_TOKEN", "hush-hush-hush");
    let mut shell = shell(&project);
    shell.press("\"$CUFF\" run ask\n");
    shell.wait_for("Name: ");
    shell.press("Ada\n");
    shell.wait_for("Password: ");
    shell.press("open sesame\n");
    shell.wait_for("Ada has 11 letters and hush-hush-hush");
    shell.wait_for("terminals");
    shell.wait_for("ready> ");
    shell.press("exit\n");
    let shown = shell.finish();
    assert!(!shown.text.contains("open sesame"), "{}", shown.text);
    let log = project.cuff(["runs", "log"]).succeeded().stdout;
    assert!(log.contains("Name: Ada") && log.contains("[redacted:API_TOKEN]"), "{log}");
    assert!(!log.contains("hush-hush") && !log.contains("open sesame"), "{log}");
}

#[test]
fn a_redirected_stream_stays_a_pipe_and_so_do_all_without_a_terminal() {
    let look = "for each in 0 1 2; do [ -t $each ] && echo \"$each is a terminal\"; done; echo looked";
    let project = project(&[("look", look)]);
    let mut shell = shell(&project);
    shell.press("\"$CUFF\" run look\n");
    shell.wait_for("2 is a terminal");
    shell.wait_for("looked");
    shell.wait_for("ready> ");
    for (line, terminals) in [
        ("run look --no-tty", ""),
        ("run look | cat", "0 2"),
        ("run look 2>&1 >/dev/tty | cat", "0 1"),
        ("run look < /dev/null", "1 2"),
        ("run look < /dev/null --no-tty", ""),
    ] {
        shell.press(&format!("clear; \"$CUFF\" {line}; echo end of it\n"));
        shell.wait_for("\nend of it");
        shell.wait_for("ready> ");
        let screen = shell.screen();
        let seen: Vec<&str> = screen.lines().filter_map(|row| row.strip_suffix(" is a terminal")).collect();
        assert_eq!(seen.join(" "), terminals, "{line}: {screen}");
        assert!(screen.lines().any(|row| row == "looked"), "{line}: {screen}");
    }
    shell.press("CLAUDECODE=1 \"$CUFF\" run look; echo end of agents\n");
    shell.wait_for("\nend of agents");
    assert!(!shell.screen().contains("is a terminal"), "an agent's shell: {}", shell.screen());
    shell.press("exit\n");
    shell.finish();
}

#[test]
fn ctrl_c_is_no_error() {
    let forever = "echo listening; while :; do sleep 0.1; done";
    let project = project(&[("serve", forever), ("build", forever)]);
    let mut shell = shell(&project);
    for tool in ["serve", "build"] {
        shell.press(&format!("clear; \"$CUFF\" run {tool}\n"));
        shell.wait_for("listening");
        shell.press("\u{3}");
        shell.wait_for("ready> ");
        let screen = shell.screen();
        assert!(!screen.contains("error:") && !screen.contains("failed"), "{tool}: {screen}");
        shell.press("echo ended with $?\n");
        shell.wait_for("ended with 130");
        let status = project.cuff(["runs", "status"]).stdout;
        assert!(status.contains("cancelled"), "{status}");
    }
    shell.press("exit\n");
    shell.finish();
}

#[test]
fn a_run_in_the_background_goes_on_and_comes_back() {
    if tools::require("python3").is_none() {
        return;
    }
    // It starts no process: a shell that Ctrl-Z meets between a vfork and the exec does not stop, with cuff or without it.
    let tick = "exec python3 -c \"\nimport time\nfor i in range(40):\n    print(i, file=open('ticks', 'a'))\n    \
                time.sleep(0.05)\nprint('done ticking')\n\"";
    let project = project(&[("slow", tick)]);
    let mut shell = shell(&project);
    shell.press("\"$CUFF\" run slow\n");
    let ticks = || fs::read_to_string(project.root().join("ticks")).map_or(0, |text| text.lines().count());
    crate::support::process::until("it ticks", || ticks() > 2);
    shell.press("\u{1a}");
    shell.wait_for("ready> ");
    let before = ticks();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(ticks(), before, "it stands still");
    shell.press("bg\n");
    shell.wait_for("ready> ");
    crate::support::process::until("it ticks in the background", || ticks() > before + 2);
    shell.press("fg; echo ended with $?\n");
    shell.wait_for("done ticking");
    shell.wait_for("ended with 0");
    shell.press("exit\n");
    shell.finish();
}
