//! The events that a supervisor waits for: words of cuff's, and the ends of processes.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::net::UnixStream;
use std::time::Instant;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{MsgFlags, recv};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::child_signals::ChildSignals;

use super::protocol::{HANG_UP, INTERRUPT, KILL, ProcessEnd, RESUME, SUSPEND};
use crate::process_table::now;

/// An event that wakes the supervisor.
pub(super) enum SupervisorEvent {
    /// Children ended: the leader among them or not, and whether none is left, adopted ones included.
    Reaped { leader: Option<ProcessEnd>, alone: bool },
    /// The leader stopped: Ctrl-Z at its terminal.
    Stopped,
    /// cuff wants the run to end.
    Stop(EndManner),
    /// cuff wants the run to stand still, or to go on.
    Suspend(bool),
    /// cuff is gone, or has dropped the run.
    Gone,
}

/// The manner of a run's end; the strictest one asked for counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndManner {
    /// It has read all that there is, and may end by itself.
    HangUp,
    /// As a shell does at Ctrl-C.
    Interrupt,
    /// Politely.
    Terminate,
    /// At once.
    Kill,
}

/// The events of a run, for a process with one thread.
pub(super) struct SupervisorEvents {
    /// Words of cuff's after the job; `None` once it is gone.
    control: Option<UnixStream>,
    children: ChildSignals,
    leader: Pid,
    /// Whether a leader that stops is an event.
    is_at_terminal: bool,
    /// Whether no child is left.
    is_alone: bool,
    due: VecDeque<SupervisorEvent>,
}

impl SupervisorEvents {
    /// Hears of children from now on, and of those that have ended before.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn begin(control: UnixStream, leader: Pid, is_at_terminal: bool) -> io::Result<Self> {
        let children = ChildSignals::hear()?;
        let due = VecDeque::new();
        let mut events =
            Self { control: Some(control), children, leader, is_at_terminal, is_alone: false, due };
        events.reap();
        Ok(events)
    }

    /// The next event; `None` when this time comes first.
    pub(super) fn next(&mut self, until: Option<Instant>) -> Option<SupervisorEvent> {
        loop {
            if let Some(event) = self.due.pop_front() {
                return Some(event);
            }
            let left = until.map(|until| until.saturating_duration_since(now()));
            // Rounded up, so that it is not asked again and again within the last millisecond.
            let timeout = left.map_or(PollTimeout::NONE, |left| {
                i32::try_from(left.as_micros().div_ceil(1000)).map_or(PollTimeout::MAX, clamped)
            });
            let mut sources: Vec<PollFd<'_>> = vec![PollFd::new(self.children.as_fd(), PollFlags::POLLIN)];
            sources.extend(self.control.iter().map(|cuff| PollFd::new(cuff.as_fd(), PollFlags::POLLIN)));
            let is_ready = match poll(&mut sources, timeout) {
                Ok(0) if until.is_some_and(|until| now() >= until) => return None,
                // A signal, or a source that cannot be asked: both are looked at without waiting.
                Ok(0) | Err(_) => [false; 2],
                Ok(_) => [0, 1].map(|at| sources.get(at).and_then(PollFd::any).unwrap_or_default()),
            };
            let [has_children, has_words] = is_ready;
            if has_words {
                self.listen();
            }
            if has_children {
                self.children.clear();
                self.reap();
            }
        }
    }

    /// Takes one word of cuff's in: stop, suspend, resume, or the end of the connection.
    fn listen(&mut self) {
        let Some(control) = &self.control else { return };
        let mut byte = [0];
        let event = match recv(control.as_raw_fd(), &mut byte, MsgFlags::MSG_DONTWAIT) {
            Ok(1) => match byte {
                [SUSPEND] => SupervisorEvent::Suspend(true),
                [RESUME] => SupervisorEvent::Suspend(false),
                [HANG_UP] => SupervisorEvent::Stop(EndManner::HangUp),
                [INTERRUPT] => SupervisorEvent::Stop(EndManner::Interrupt),
                [KILL] => SupervisorEvent::Stop(EndManner::Kill),
                _ => SupervisorEvent::Stop(EndManner::Terminate),
            },
            Err(Errno::EINTR | Errno::EAGAIN) => return,
            Ok(_) | Err(_) => {
                self.control = None;
                SupervisorEvent::Gone
            }
        };
        self.due.push_back(event);
    }

    /// Waits for all children that have ended, the adopted ones included: a burst is one event. At a terminal a leader that
    /// stops is an event as well.
    fn reap(&mut self) {
        let stops = if self.is_at_terminal { WaitPidFlag::WUNTRACED } else { WaitPidFlag::empty() };
        let (mut leader, mut has_stopped, mut has_reaped) = (None, false, false);
        while !self.is_alone {
            match waitpid(None, Some(stops | WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => break,
                Ok(WaitStatus::Stopped(pid, _)) => has_stopped |= pid == self.leader,
                Ok(WaitStatus::Exited(pid, code)) => {
                    has_reaped = true;
                    leader = leader.or((pid == self.leader).then_some(ProcessEnd::Exited(code)));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) => {
                    has_reaped = true;
                    leader = leader.or((pid == self.leader).then_some(ProcessEnd::Signalled(signal as i32)));
                }
                Ok(_) | Err(Errno::EINTR) => {}
                Err(_) => {
                    has_reaped = true;
                    self.is_alone = true;
                }
            }
        }
        if has_stopped && leader.is_none() {
            self.due.push_back(SupervisorEvent::Stopped);
        }
        if has_reaped {
            self.due.push_back(SupervisorEvent::Reaped { leader, alone: self.is_alone });
        }
    }
}

fn clamped(milliseconds: i32) -> PollTimeout {
    PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX)
}
