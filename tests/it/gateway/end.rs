//! The end of a session, by the scenarios of the requirement "`SessionEnd` Hook".

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::session::{Session, feed, is_alive, library};
use crate::support::process::{self, until};

/// All hooks of the end of a session have this long together.
const BUDGET: Duration = Duration::from_millis(1500);

fn signal(pid: &str, name: &str) {
    assert!(Command::new("kill").args(["-s", name, pid]).status().unwrap().success());
}

#[test]
fn read_pid_file() {
    let session = Session::new();
    session.start("startup").succeeded();
    let pid = session.pid();
    session.end().succeeded();
    assert!(!is_alive(&pid));
}

#[test]
fn kill_gateway_process() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    let pid = session.pid();
    assert_eq!(session.server_processes().len(), 1);
    let begun = Instant::now();
    session.end().succeeded();
    assert!(begun.elapsed() < BUDGET, "{:?}", begun.elapsed());
    assert!(!is_alive(&pid));
    until("the server is gone", || session.server_processes().is_empty());
}

#[test]
fn servers_that_do_not_end_do_not_hold_up_the_end() {
    let Some(server) = library(&["stubborn"]) else { return };
    let session = Session::with(&json!({ "a": server, "b": server }));
    session.start("startup").succeeded();
    assert_eq!(session.server_processes().len(), 2);
    let begun = Instant::now();
    session.end().succeeded();
    assert!(begun.elapsed() < BUDGET, "{:?}", begun.elapsed());
    until("the servers are gone", || session.server_processes().is_empty());
}

#[test]
fn a_gateway_that_does_not_end_is_killed() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    let pid = session.pid();
    signal(&pid, "STOP");
    let begun = Instant::now();
    let run = session.end().succeeded();
    assert!(begun.elapsed() < BUDGET, "{:?}", begun.elapsed());
    assert!(run.stderr.contains("was killed"), "{run:?}");
    assert!(!is_alive(&pid) && session.files().is_empty());
    until("the server is gone", || session.server_processes().is_empty());
}

#[test]
fn cleanup_pid_file() {
    let session = Session::new();
    session.start("startup").succeeded();
    assert!(session.file("pid").exists());
    session.end().succeeded();
    assert!(session.files().is_empty(), "nothing stays: {:?}", session.files());
}

#[test]
fn gateway_not_running() {
    let session = Session::new();
    let run = session.end().succeeded();
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    session.start("startup").succeeded();
    session.end().succeeded();
    let again = session.end().succeeded();
    assert!(again.stdout.is_empty() && again.stderr.is_empty(), "{again:?}");
}

#[test]
fn force_cleanup_on_stale_pid() {
    let session = Session::new();
    session.start("startup").succeeded();
    let pid = session.pid();
    signal(&pid, "KILL");
    Session::gone(&pid);
    assert!(session.file("pid").exists());
    session.end().succeeded();
    assert!(session.files().is_empty(), "{:?}", session.files());
}

#[test]
fn a_process_that_only_has_the_number_is_left_alone() {
    let session = Session::new();
    session.start("startup").succeeded();
    let pid = session.pid();
    signal(&pid, "KILL");
    Session::gone(&pid);
    let mut other = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
    let number = other.id().to_string();
    fs::write(session.file("pid"), &number).unwrap();
    let mut record = session.record();
    record["pid"] = json!(other.id());
    fs::write(session.file("json"), record.to_string()).unwrap();
    // Even a lock that somebody else holds makes it no gateway: its start is another one.
    for is_locked in [false, true] {
        fs::write(session.file("pid"), &number).unwrap();
        fs::write(session.file("json"), record.to_string()).unwrap();
        fs::write(session.file("lock"), json!({"pid": other.id(), "started": 1}).to_string()).unwrap();
        let lock = fs::File::open(session.file("lock")).unwrap();
        if is_locked {
            lock.lock().unwrap();
        }
        session.end().succeeded();
        assert!(is_alive(&number), "it was ended, locked: {is_locked}");
        assert!(session.files().is_empty(), "{:?}", session.files());
    }
    process::signal(&other, "KILL");
    other.wait().unwrap();
}

#[test]
fn the_gateway_ends_with_its_owner() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    // A program by the agent's name, which runs the hook and then waits.
    let claude = session.project.outside().join("claude");
    let hook = session.root.join("hooks/session-start.sh");
    fs::write(&claude, format!("#!/bin/sh\nsh '{}' <event.json >said\nread wait\n", hook.display())).unwrap();
    fs::set_permissions(&claude, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    session.project.write("event.json", session.event("SessionStart", &json!({"source": "startup"})));
    let mut command = Command::new("setsid");
    command.arg(&claude);
    let hook = session.hook_command("session-start");
    for (name, value) in hook.get_envs() {
        command.env(name, value.unwrap());
    }
    command.env_remove("CLAUDECODE").current_dir(session.project.root());
    let mut owner = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    until("the gateway is ready", || session.file("pid").exists());
    let (pid, record) = (session.pid(), session.record());
    assert_eq!(record["owner"]["pid"], json!(owner.id()), "the owner is the agent's program");
    assert_eq!(session.server_processes().len(), 1);
    process::signal(&owner, "KILL");
    owner.wait().unwrap();
    Session::gone(&pid);
    until("the server is gone", || session.server_processes().is_empty());
    until("its files are gone", || session.files().is_empty());
}

#[test]
fn a_lease_ends_a_gateway_that_nobody_asks() {
    let session = Session::new();
    let run = session.shell(&format!("toolscript gateway start --detach --lease 1 --session {}", session.id));
    run.succeeded();
    let pid = session.pid();
    let begun = Instant::now();
    // Requests renew it.
    while begun.elapsed() < Duration::from_millis(1800) {
        assert_eq!(session.gateway().get("/status", &[]).status, 200, "{:?}", begun.elapsed());
        std::thread::sleep(Duration::from_millis(100));
    }
    Session::gone(&pid);
    assert!(session.files().is_empty());
}

#[test]
fn remains_of_dead_owners_are_swept() {
    let session = Session::new();
    session.start("startup").succeeded();
    let pid = session.pid();
    signal(&pid, "KILL");
    Session::gone(&pid);
    // Its owner was another process, which is gone.
    let mut record: Value = session.record();
    record["owner"] = json!({"pid": 4_000_000, "started": 1});
    fs::write(session.file("json"), record.to_string()).unwrap();
    let other = session.another("other-session");
    other.start("startup").succeeded();
    let files = other.files();
    assert!(files.iter().all(|name| name.starts_with("other-session.")), "{files:?}");
}

#[test]
fn stop_ends_all_or_one() {
    let one = Session::new();
    let two = one.another("session-two");
    one.start("startup").succeeded();
    two.start("startup").succeeded();
    let pid = one.pid();
    // Two could be meant where no variable names one.
    let mut command = one.project.command(["toolscript", "gateway", "stop"]);
    command.env_remove("TOOLSCRIPT_GATEWAY_URL");
    let run = feed(command, "");
    assert_eq!(run.code, 64, "{run:?}");
    assert!(run.stderr.contains("--session"), "{run:?}");
    one.toolscript(&["gateway", "stop"]).succeeded();
    assert!(!is_alive(&pid) && is_alive(&two.pid()));
    one.toolscript(&["gateway", "stop", "--all"]).succeeded();
    assert!(one.files().is_empty());
}

#[test]
fn a_gateway_in_the_foreground_ends_with_a_signal() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    let mut command = session.project.command(["toolscript", "gateway", "start", "--session", &session.id]);
    let mut gateway = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    until("the gateway is ready", || session.file("pid").exists());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(gateway.stdout.take().unwrap()), &mut line)
        .unwrap();
    assert_eq!(line.trim(), session.record()["url"], "it prints its address");
    assert!(session.record().get("owner").is_none(), "a person watches it");
    process::signal(&gateway, "TERM");
    assert_eq!(process::wait(&mut gateway), 143);
    assert!(session.files().is_empty(), "{:?}", session.files());
    until("the server is gone", || session.server_processes().is_empty());
}
