//! The spawner's own side: one loop, and a fork for each request.

use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::prctl::{set_child_subreaper, set_pdeathsig};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::time::TimeSpec;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, dup2_stderr, dup2_stdin, dup2_stdout, fork, setsid};

use super::{orphans, requests};
use crate::sys::marks::REMAINS;
use crate::sys::process_table::{name, now, read};
use crate::sys::supervisor::{process_setup, supervise_fork};
use crate::sys::{descriptors, own_name};

/// How long orphans are killed again and again. One that outlives it sleeps in the kernel, and dies when it wakes.
const PERSISTENCE: Duration = Duration::from_secs(4);
/// The pause between two looks at orphans that are being killed.
const PAUSE: Duration = Duration::from_millis(5);
/// The pause between two looks at the supervisors that are left, once cuff has ended.
const FAREWELL: Duration = Duration::from_millis(50);

/// Serves cuff until that is gone and no run is left, and ends the process. To be called in the child of a fork.
pub(super) fn serve(socket: OwnedFd, cuff: Pid) -> ! {
    let served = prepare(&socket, cuff).and_then(|()| {
        let mut serving = Serving { socket: Some(socket), supervisors: Vec::new(), persistence: None };
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
    /// The supervisors that live.
    supervisors: Vec<Pid>,
    /// Until when orphans are looked for, after a supervisor was killed.
    persistence: Option<Instant>,
}

impl Serving {
    /// Whether nothing is left to do. Where processes may stay, their supervisor needs nobody.
    fn is_over(&self) -> bool {
        let has_stayed = |supervisor: &Pid| {
            read(*supervisor, "stat").is_some_and(|stat| name(&stat) == Some(REMAINS.as_bytes()))
        };
        self.socket.is_none() && self.persistence.is_none() && self.supervisors.iter().all(has_stayed)
    }

    /// Waits for a request, the end of a child, or the time of the next look, and does what is due.
    fn step(&mut self) -> io::Result<()> {
        let pause = match (self.persistence, &self.socket) {
            (Some(_), _) => Some(PAUSE),
            (None, None) => Some(FAREWELL),
            (None, Some(_)) => None,
        };
        if is_asked(self.socket.as_ref(), pause)?
            && let Some(socket) = &self.socket
        {
            match requests::receive(socket)? {
                Some(streams) => self.supervisors.extend(start(streams)),
                None => self.socket = None,
            }
        }
        self.reap();
        if self.persistence.is_some_and(|until| !orphans::kill(&self.supervisors) || now() >= until) {
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
            if let Some(at) = self.supervisors.iter().position(|supervisor| *supervisor == pid) {
                self.supervisors.swap_remove(at);
                if !is_clean {
                    self.persistence = Some(now() + PERSISTENCE);
                }
            }
        }
    }
}

/// Waits for a request, for the end of a child, or as long as this; whether there is a request, or cuff has ended.
fn is_asked(socket: Option<&OwnedFd>, pause: Option<Duration>) -> io::Result<bool> {
    let mut sources: Vec<PollFd<'_>> =
        socket.iter().map(|socket| PollFd::new(socket.as_fd(), PollFlags::POLLIN)).collect();
    match ppoll(&mut sources, pause.map(TimeSpec::from), Some(SigSet::empty())) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Forks a supervisor with these for its streams. Where there is no room for it, cuff sees them close.
fn start([job, out, err]: [OwnedFd; 3]) -> Option<Pid> {
    // SAFETY: this process has one thread, so the child may do all that its parent may.
    #[expect(unsafe_code, reason = "nothing else makes a process without starting the binary again")]
    let forked = unsafe { fork() };
    match forked {
        Ok(ForkResult::Parent { child }) => Some(child),
        Ok(ForkResult::Child) => {
            let streams = || -> io::Result<()> {
                setsid()?;
                dup2_stdin(&job)?;
                dup2_stdout(&out)?;
                dup2_stderr(&err)?;
                Ok(())
            };
            // These very descriptors are closed with all that it inherited.
            leave(streams().and_then(|()| supervise_fork()).unwrap_or(1));
        }
        Err(_) => None,
    }
}

/// Ends the process at once: what cuff has left to do at its own end is not for this one.
fn leave(code: u8) -> ! {
    // SAFETY: it takes a number, and does not return.
    #[expect(unsafe_code, reason = "an ordinary exit would run what cuff has left for its own")]
    unsafe {
        nix::libc::_exit(i32::from(code))
    }
}
