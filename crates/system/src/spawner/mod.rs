//! The spawner: a small process of cuff's that forks the supervisors of its runs (Linux).
//!
//! A second start of the binary costs more than the rest of a call. A process with several threads cannot be forked
//! safely, so cuff forks once, while it has one. The spawner has no thread, no runtime and no descriptor but a socket to
//! cuff. It has a supervisor for each run, a new fork or one that waits for work, which gets its end of the job's socket and the
//! run's outputs over that one.
//!
//! It is also what a keeper is to a supervisor that was started: it adopts the orphans of one that is killed, and ends
//! them. So nothing of a run is left while one of cuff, spawner and supervisor lives on. It ends when cuff has ended and
//! no run is left.
//!
//! Where there is no spawner, or it was killed, a supervisor is the second start of the binary.

mod leave;
mod requests;
mod serving;
mod supervisors;

use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};

use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill};
use nix::sys::socket::{AddressFamily, Shutdown, SockFlag, SockType, shutdown, socketpair};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork};

use super::expected_runs::ExpectedRuns;
use super::process_table::threads;

/// How long its end is waited for, in milliseconds. With a run that is still ending it takes longer, and nobody waits.
const PATIENCE: u8 = 50;

/// cuff's side of the spawner. Dropping it ends the spawner, and no run.
#[derive(Debug)]
pub(crate) struct Spawner {
    socket: OwnedFd,
    process: Pid,
}

impl Spawner {
    /// Forks it; `None` where this process has more than one thread, or the operating system has no room. A process whose
    /// threads cannot be counted has too many.
    pub(crate) fn fork(expected: ExpectedRuns) -> Option<Self> {
        if threads(Pid::this()) != Some(1) {
            return None;
        }
        let flags = SockFlag::SOCK_CLOEXEC;
        let (ours, theirs) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, flags).ok()?;
        let cuff = Pid::this();
        // Handlers of cuff's have no place in the spawner, which takes them off before it hears of a signal.
        let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK).ok()?;
        // SAFETY: this process has one thread, so the child may do all that its parent may.
        #[expect(unsafe_code, reason = "nothing else makes a process without starting the binary again")]
        let forked = unsafe { fork() };
        if let Ok(ForkResult::Child) = forked {
            serving::serve(theirs, cuff, expected);
        }
        let _ = before.thread_set_mask();
        match forked {
            Ok(ForkResult::Parent { child }) => Some(Self { socket: ours, process: child }),
            _ => None,
        }
    }

    /// Asks for a supervisor with these descriptors: the socket of its job, and the run's outputs.
    ///
    /// # Errors
    /// When the spawner is gone, or has more to do than its socket holds.
    pub(crate) fn start(&self, descriptors: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        requests::send(&self.socket, descriptors)
    }

    /// Lets it go on, where a run has stopped it.
    pub(crate) fn wake(&self) {
        let _ = kill(self.process, Signal::SIGCONT);
    }
}

impl Drop for Spawner {
    /// Where no run is left, it ends at once. Then its place in the process table is cleared here, and not left to others.
    fn drop(&mut self) {
        let _ = shutdown(self.socket.as_raw_fd(), Shutdown::Write);
        let mut end = [PollFd::new(self.socket.as_fd(), PollFlags::empty())];
        if matches!(poll(&mut end, PATIENCE), Ok(1..)) {
            let _ = waitpid(self.process, None);
        }
    }
}
