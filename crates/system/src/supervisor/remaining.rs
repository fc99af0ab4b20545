//! The time after a run that has left processes which may stay.

use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::Pid;

use super::events::{SupervisorEvent, SupervisorEvents};

/// Stays above the processes that may stay, until they or the spawner have ended: that would end them otherwise. cuff hears
/// the end of its socket.
pub(super) fn stay(spawner: Pid, cuff: &UnixStream, events: &mut SupervisorEvents) {
    let _ = cuff.shutdown(Shutdown::Both);
    // This process is killed when the spawner ends, and leaves them to the machine.
    if set_pdeathsig(Signal::SIGKILL).is_err() || Pid::parent() != spawner {
        return;
    }
    while !matches!(events.next(None), Some(SupervisorEvent::Reaped { alone: true, .. })) {}
}
