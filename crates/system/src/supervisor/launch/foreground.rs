//! The group that has the run's terminal.

use std::fs::File;
use std::io;

use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Pid, tcsetpgrp};

/// Gives the run's terminal to the group of its leader, as a shell does when a job goes on: a process that had taken it may
/// have ended.
pub(in crate::supervisor) fn return_terminal_to(leader: Pid) {
    if let Ok(terminal) = File::options().read(true).open("/dev/tty") {
        let _ = without_stop(|| tcsetpgrp(&terminal, leader));
    }
}

/// Takes a terminal from another group. The kernel stops a process that does so, unless it does not hear of that.
pub(super) fn without_stop(take: impl FnOnce() -> nix::Result<()>) -> io::Result<()> {
    let mut unheard = SigSet::empty();
    unheard.add(Signal::SIGTTOU);
    unheard.thread_block()?;
    let taken = take();
    unheard.thread_unblock()?;
    Ok(taken?)
}
