//! The keeper: the process above a supervisor, which ends the run where the supervisor is killed.
//!
//! Both adopt orphans (Linux). The supervisor is the nearer one, so the run's orphans are its own while it
//! lives. When it is killed, the kernel hands them to the keeper, in any session and with any variables. So
//! nothing of a run is left while one of cuff, keeper and supervisor lives on. If all three are killed at the
//! same moment, nobody is left to clean up.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread::sleep;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, kill, sigaction};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};

use super::process_setup;
use crate::process_table::{descendants, living, now};

/// How long the last signal is repeated.
const PERSISTENCE: Duration = Duration::from_secs(4);
/// The pause between two looks at the process table.
const PAUSE: Duration = Duration::from_millis(5);

/// The supervisor, for the handler of a signal.
static SUPERVISOR: AtomicI32 = AtomicI32::new(0);

/// Becomes two processes. Returns `None` in the supervisor at once, and in the keeper the exit code once the run is over.
/// To be called while there is one thread.
///
/// # Errors
/// When the operating system has no room for another process.
pub(super) fn split() -> io::Result<Option<u8>> {
    // SAFETY: this process has one thread, so the child may do all that its parent may.
    #[expect(
        unsafe_code,
        reason = "the supervisor needs a parent that adopts orphans; nothing else makes one"
    )]
    let forked = unsafe { fork() }?;
    // Neither is handed on by a fork.
    process_setup::adopt_orphans()?;
    match forked {
        ForkResult::Child => Ok(None),
        ForkResult::Parent { child } => Ok(Some(stand_by(child))),
    }
}

/// Waits for the end of the supervisor, and for that of the run where the supervisor was killed.
fn stand_by(supervisor: Pid) -> u8 {
    SUPERVISOR.store(supervisor.as_raw(), Ordering::Relaxed);
    // The streams must not stay open in this process: cuff and the tool wait for their end.
    let _ = process_setup::release_streams();
    let _ = wake_supervisor_too();
    loop {
        match waitpid(supervisor, None) {
            Ok(WaitStatus::Exited(_, 0)) => return 0,
            Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) | Err(Errno::ECHILD) => break,
            Ok(_) | Err(_) => {}
        }
    }
    end_everything();
    1
}

/// Lets the supervisor go on whenever the keeper gets the signal to go on, by cuff's death as well: the tool
/// may have stopped it.
fn wake_supervisor_too() -> io::Result<()> {
    let action = SigAction::new(SigHandler::Handler(pass_on), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handler makes one system call, which is async-signal-safe.
    #[expect(
        unsafe_code,
        reason = "a handler runs between any two instructions; this one makes a system call"
    )]
    unsafe { sigaction(Signal::SIGCONT, &action) }?;
    Ok(())
}

extern "C" fn pass_on(_: nix::libc::c_int) {
    // Of zero and below a signal goes to many, this process among them.
    if let supervisor @ 1.. = SUPERVISOR.load(Ordering::Relaxed) {
        let _ = kill(Pid::from_raw(supervisor), Signal::SIGCONT);
    }
}

/// Kills everything that the supervisor has left, until nothing is left or persistence ends.
fn end_everything() {
    // It was waited for: its number may be another process's by now.
    SUPERVISOR.store(0, Ordering::Relaxed);
    let until = now() + PERSISTENCE;
    while has_children() && now() < until {
        for entry in descendants(&living(), Pid::this()) {
            let _ = kill(entry.pid, Signal::SIGKILL);
        }
        sleep(PAUSE);
    }
}

/// Whether a child lives, adopted ones included; waits for those that have ended.
fn has_children() -> bool {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return true,
            Err(Errno::ECHILD) => return false,
            Ok(_) | Err(_) => {}
        }
    }
}
