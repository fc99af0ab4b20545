//! The spawner's own side: one loop.

use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::prctl::{set_child_subreaper, set_pdeathsig};
use nix::sys::signal::{SigSet, Signal, kill as signal};
use nix::sys::time::TimeSpec;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, setsid};

use super::leave::leave;
use super::requests;
use super::supervisors::Supervisors;
use crate::expected_runs::ExpectedRuns;
use crate::process_table::{descendants, is_named, living, now};
use crate::run_markers::REMAINS;
use crate::supervisor::process_setup;
use crate::{descriptors, own_name};

/// How long orphans are killed again and again. One that outlives it sleeps in the kernel, and dies when it wakes.
const PERSISTENCE: Duration = Duration::from_secs(4);
/// The pause between two looks at orphans that are being killed.
const PAUSE: Duration = Duration::from_millis(5);
/// The pause between two looks at the supervisors that are left, once cuff has ended.
const FAREWELL: Duration = Duration::from_millis(50);

/// Serves cuff until that is gone and no run is left, and ends the process. To be called in the child of a fork.
pub(super) fn serve(socket: OwnedFd, cuff: Pid, expected: ExpectedRuns) -> ! {
    let served = prepare(&socket, cuff).and_then(|()| {
        let supervisors = Supervisors::new(expected);
        let mut serving = Serving { socket: Some(socket), supervisors, persistence: None };
        while !serving.is_over() {
            serving.step()?;
        }
        Ok(())
    });
    leave(u8::from(served.is_err()))
}

/// Lets go of everything that belongs to cuff.
fn prepare(socket: &OwnedFd, cuff: Pid) -> io::Result<()> {
    setsid()?;
    process_setup::calm_signals()?;
    wake_for_children()?;
    process_setup::release_streams()?;
    descriptors::close_all_but(&[socket.as_raw_fd()]);
    own_name::set("cuff-spawner");
    set_child_subreaper(true)?;
    // A run may stop it: it goes on when cuff ends, and hears of that.
    set_pdeathsig(Signal::SIGCONT)?;
    if Pid::parent() == cuff { Ok(()) } else { Err(io::ErrorKind::NotConnected.into()) }
}

/// Lets the end of a child interrupt the wait for requests, and nothing else.
fn wake_for_children() -> io::Result<()> {
    let mut ends = SigSet::empty();
    ends.add(Signal::SIGCHLD);
    ends.thread_block()?;
    process_setup::hear(Signal::SIGCHLD)
}

struct Serving {
    /// `None` once cuff has ended.
    socket: Option<OwnedFd>,
    supervisors: Supervisors,
    /// Until when orphans are looked for, after a supervisor was killed.
    persistence: Option<Instant>,
}

impl Serving {
    /// Whether nothing is left to do. Where processes may stay, their supervisor needs nobody.
    fn is_over(&self) -> bool {
        let has_stayed = |supervisor: Pid| is_named(supervisor, &[REMAINS]);
        self.socket.is_none() && self.persistence.is_none() && self.supervisors.processes().all(has_stayed)
    }

    /// Waits for a request, a word of a supervisor, the end of a child, or the time of the next look, and does what is due.
    fn step(&mut self) -> io::Result<()> {
        let pause = match (self.persistence, &self.socket) {
            (Some(_), _) => Some(PAUSE),
            (None, None) => Some(FAREWELL),
            (None, Some(_)) => None,
        };
        let ready = ready(
            self.socket.iter().map(|socket| socket.as_fd()).chain(self.supervisors.descriptors()),
            pause,
        )?;
        let (of_cuff, of_supervisors) = ready.split_at(usize::from(self.socket.is_some()).min(ready.len()));
        // First, so that the request finds those that wait.
        self.supervisors.hear(of_supervisors.iter().copied());
        if of_cuff.contains(&true)
            && let Some(socket) = &self.socket
        {
            if let Some(streams) = requests::receive(socket)? {
                self.supervisors.start(streams);
            } else {
                self.socket = None;
                self.supervisors.dismiss();
            }
        }
        self.reap();
        let supervisors: Vec<Pid> = self.supervisors.processes().collect();
        if self.persistence.is_some_and(|until| !kill(&supervisors) || now() >= until) {
            self.persistence = None;
        }
        Ok(())
    }

    /// Waits for the children that have ended, adopted ones too.
    fn reap(&mut self) {
        loop {
            let (pid, is_clean) = match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) => (pid, code == 0),
                Ok(WaitStatus::Signaled(pid, ..)) => (pid, false),
                Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD) => return,
                Ok(_) | Err(_) => continue,
            };
            if self.supervisors.take_out(pid) && !is_clean {
                self.persistence = Some(now() + PERSISTENCE);
            }
        }
    }
}

/// Waits until one of these has something to read, for the end of a child, or as long as this. Returns of each whether it has;
/// of none after an interruption.
fn ready<'d>(
    descriptors: impl Iterator<Item = BorrowedFd<'d>>,
    pause: Option<Duration>,
) -> io::Result<Vec<bool>> {
    let mut sources: Vec<PollFd<'_>> =
        descriptors.map(|descriptor| PollFd::new(descriptor, PollFlags::POLLIN)).collect();
    match ppoll(&mut sources, pause.map(TimeSpec::from), Some(SigSet::empty())) {
        Ok(_) => Ok(sources.iter().map(|source| source.any().unwrap_or_default()).collect()),
        Err(Errno::EINTR) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Kills every process below this one that is no supervisor and below none. Supervisors adopt the orphans of their runs, so
/// the rest is of runs whose supervisor is gone. Returns whether there was one.
fn kill(supervisors: &[Pid]) -> bool {
    let mut table = living();
    table.retain(|entry| !supervisors.contains(&entry.pid));
    let orphans = descendants(&table, Pid::this());
    for orphan in &orphans {
        let _ = signal(orphan.pid, Signal::SIGKILL);
    }
    !orphans.is_empty()
}
