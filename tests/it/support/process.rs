//! Processes that a test waits for, signals or ends.

use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No server ends, and nothing else comes true, later than this in a test.
const PATIENCE: Duration = Duration::from_secs(40);

/// Waits until something is true, and panics with its name where that takes too long.
pub(crate) fn until(what: &str, come_true: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !come_true() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a command. A program that a test has just written is busy for as long as another test, which was starting one of
/// its own at that moment, still has the file open.
pub(crate) fn spawn(command: &mut Command) -> Child {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(5));
            }
            started => return started.unwrap_or_else(|error| panic!("{command:?}: {error}")),
        }
    }
}

/// Whether a process of this id runs.
pub(crate) fn is_running(pid: &str) -> bool {
    Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().expect("kill").success()
}

/// Sends a signal by its name: `TERM`.
pub(crate) fn signal(process: &Child, name: &str) {
    let pid = process.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &pid]).status().expect("kill").success());
}

/// The exit code of a process that is about to end, or that is killed where it does not.
pub(crate) fn wait(process: &mut Child) -> i32 {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(status) = process.try_wait().expect("a child of ours") {
            return code(status);
        }
        thread::sleep(Duration::from_millis(5));
    }
    process.kill().expect("a child of ours");
    panic!("{process:?} does not end");
}

/// The exit code; 128 and the signal's number when a signal ended the process.
pub(crate) fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default())
}

/// The processes of this machine that have a variable in their environment: `NAME=value`.
pub(crate) fn with_variable(variable: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| {
        let path = entry.ok()?.path();
        let variables = std::fs::read(path.join("environ")).ok()?;
        let is_ours = variables.split(|byte| *byte == 0).any(|one| one == variable.as_bytes());
        is_ours.then(|| path.display().to_string())
    });
    processes.collect()
}
