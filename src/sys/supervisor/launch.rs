//! The start of the supervised process: checks, its own session, and its end when the supervisor ends.

use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::libc::STDIN_FILENO;
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Pid, getpid, setpgid, setsid, tcsetpgrp};

use super::protocol::{Job, Order};
use crate::model::{Identity, NotStarted};
use crate::sys::folder;

/// Starts the job's program in a session of its own, or at a terminal in a group of its own, which has the terminal. Its
/// outputs are the supervisor's; its input is empty where none was handed over.
///
/// To be called by the main thread: where a parent-death signal exists, it follows the thread that spawned.
#[expect(clippy::disallowed_methods, reason = "the one place that starts what a run is for")]
pub(super) fn launch(
    Order { job, variables }: &Order,
    input: Option<OwnedFd>,
    is_at_terminal: bool,
) -> Result<Pid, NotStarted> {
    let folder = folder::open(&job.directory)
        .map_err(|_| NotStarted::DirectoryMissing(job.directory.display().to_string()))?;
    if job.folder.as_ref().is_some_and(|expected| !folder.is(expected)) {
        return Err(NotStarted::DirectoryChanged(job.directory.display().to_string()));
    }
    let mut command = Command::new(&job.program);
    command
        .args(&job.arguments)
        .env_clear()
        .envs(variables.iter().map(|(name, value)| (name, value)))
        // As a shell that went there has it: make, and others that look nowhere else, would take the caller's for it.
        .env("PWD", folder.path())
        .envs(job.environment.iter().map(|(name, value)| (name, value)))
        .stdin(input.map_or_else(Stdio::null, Stdio::from));
    let supervisor = Pid::this();
    // SAFETY: between fork and exec the closure only makes system calls that are async-signal-safe
    // (fchdir, setsid, setpgid, tcsetpgrp, sigprocmask, prctl, getpid, getppid), and allocates nothing.
    #[expect(
        unsafe_code,
        reason = "the folder, setsid and the parent-death signal belong between fork and exec"
    )]
    unsafe {
        command.pre_exec(move || {
            // The folder that was opened, even if its name leads elsewhere by now.
            nix::unistd::fchdir(&folder)?;
            if is_at_terminal {
                take_foreground()?;
            } else {
                setsid()?;
            }
            bind(supervisor)
        });
    }
    if let Some(script) = &job.script
        && !is_still(script)
    {
        return Err(NotStarted::ScriptChanged(script.path.display().to_string()));
    }
    let child = command.spawn().map_err(|error| NotStarted::Other(explain(job, &error)))?;
    // The reaper waits for it: a `Child` that is dropped is neither killed nor waited for.
    Ok(Pid::from_raw(child.id().cast_signed()))
}

/// Gives the run's terminal to the group of its leader, as a shell does when a job goes on: a process that had taken it may
/// have ended.
pub(super) fn return_terminal_to(leader: Pid) {
    if let Ok(terminal) = File::options().read(true).open("/dev/tty") {
        let _ = without_stop(|| tcsetpgrp(&terminal, leader));
    }
}

/// In the child: a group of its own, which the keys of the terminal are for.
fn take_foreground() -> io::Result<()> {
    setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
    // SAFETY: standard input is open in the child for as long as this lasts.
    #[expect(unsafe_code, reason = "the library's handle of standard input may allocate")]
    let input = unsafe { BorrowedFd::borrow_raw(STDIN_FILENO) };
    without_stop(|| tcsetpgrp(input, getpid()))
}

/// Takes a terminal from another group. The kernel stops a process that does so, unless it does not hear of that.
fn without_stop(take: impl FnOnce() -> nix::Result<()>) -> io::Result<()> {
    let mut unheard = SigSet::empty();
    unheard.add(Signal::SIGTTOU);
    unheard.thread_block()?;
    let taken = take();
    unheard.thread_unblock()?;
    Ok(taken?)
}

/// In the child: the supervisor's death as its own.
fn bind(supervisor: Pid) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
    // The supervisor may have died before the line above asked for the signal.
    if Pid::parent() == supervisor { Ok(()) } else { Err(Errno::ESRCH.into()) }
}

/// Whether a script is the file that was found, under a path that no symbolic link leads astray since.
///
/// A window remains until the kernel, or the interpreter once it has started up, opens the path: a few
/// milliseconds. Closing it would take a descriptor in the path's place, and scripts would no longer know
/// their own names. A process that can win this race can also write into the script.
#[expect(clippy::disallowed_methods, reason = "the last look before the start")]
fn is_still(script: &Identity) -> bool {
    let canonical = std::fs::canonicalize(&script.path);
    canonical.is_ok_and(|path| path == script.path)
        && std::fs::symlink_metadata(&script.path)
            .is_ok_and(|file| file.is_file() && file.dev() == script.device && file.ino() == script.inode)
}

/// The cause and the next step, for errors that leave a reader guessing.
fn explain(job: &Job, error: &io::Error) -> String {
    let program = job.program.display();
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::E2BIG) => format!(
            "the arguments and the environment of {program} are larger than the operating system allows; pass \
             fewer or shorter ones, or put them into a file"
        ),
        Some(Errno::ENOENT) => format!(
            "{program} could not be executed: it is gone, or the interpreter that its first line names is not \
             installed"
        ),
        Some(Errno::EACCES) => format!("{program} may not be executed; check its permissions (chmod +x)"),
        _ => format!("{program} could not be started: {error}"),
    }
}
