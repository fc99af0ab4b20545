//! The events that a supervisor waits for: words of cuff's, and the ends of processes.

use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::Sender;

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::protocol::{End, HANG_UP, INTERRUPT, KILL, LEAVE, RESUME, SUSPEND};

/// An event that wakes the supervisor.
pub(super) enum Event {
    /// Children ended: the leader among them or not, and whether none is left, adopted ones included.
    Reaped { leader: Option<End>, alone: bool },
    /// The leader stopped: Ctrl-Z at its terminal.
    Stopped,
    /// cuff wants the run to end.
    Stop(Manner),
    /// cuff wants the run to stand still, or to go on.
    Suspend(bool),
    /// No caller waits for the run any more: processes that have left its session may stay.
    Leave,
    /// cuff is gone, or has dropped the run.
    Gone,
}

/// The manner of a run's end; the strictest one asked for counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Manner {
    /// It has read all that there is, and may end by itself.
    HangUp,
    /// As a shell does at Ctrl-C.
    Interrupt,
    /// Politely.
    Terminate,
    /// At once.
    Kill,
}

/// Waits for cuff's commands after the job: stop, suspend, resume, or the end of the connection.
pub(super) fn listen(control: &mut UnixStream, events: &Sender<Event>) {
    let mut byte = [0];
    loop {
        let event = match control.read(&mut byte) {
            Ok(1) => match byte {
                [SUSPEND] => Event::Suspend(true),
                [RESUME] => Event::Suspend(false),
                [HANG_UP] => Event::Stop(Manner::HangUp),
                [INTERRUPT] => Event::Stop(Manner::Interrupt),
                [LEAVE] => Event::Leave,
                [KILL] => Event::Stop(Manner::Kill),
                _ => Event::Stop(Manner::Terminate),
            },
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            _ => Event::Gone,
        };
        let gone = matches!(event, Event::Gone);
        if events.send(event).is_err() || gone {
            return;
        }
    }
}

/// Waits for every child, the adopted ones included, until there is none. At a terminal a leader that stops is an event
/// as well.
pub(super) fn reap(leader: Pid, is_at_terminal: bool, events: &Sender<Event>) {
    let mut alone = false;
    while !alone {
        let (mut ended, mut has_stopped) = (None, false);
        let stops = if is_at_terminal { WaitPidFlag::WUNTRACED } else { WaitPidFlag::empty() };
        let mut flag = stops;
        // One that is waited for, then all that have ended by then: so a burst is one event.
        loop {
            match waitpid(None, Some(flag)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == leader => ended = Some(End::Exited(code)),
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == leader => {
                    ended = Some(End::Signalled(signal as i32));
                }
                Ok(WaitStatus::Stopped(pid, _)) if pid == leader => has_stopped = true,
                Ok(WaitStatus::StillAlive) => break,
                Ok(_) | Err(Errno::EINTR) => {}
                Err(_) => {
                    alone = true;
                    break;
                }
            }
            flag = stops | WaitPidFlag::WNOHANG;
        }
        if has_stopped && ended.is_none() && events.send(Event::Stopped).is_err() {
            return;
        }
        if events.send(Event::Reaped { leader: ended, alone }).is_err() {
            return;
        }
    }
}
