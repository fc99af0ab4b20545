//! The supervisors below the spawner: those with a run, and a few that wait for the next one.
//!
//! A fork, the faults of its first steps and its end cost more than all else that a supervisor does for a short run. So one whose
//! run has ended by itself and left nothing waits for another job. A run may have changed settings of its supervisor that the
//! next one would inherit. Then the supervisor ends as well.

use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::libc;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockType, recv, send, socketpair};
use nix::unistd::{ForkResult, Pid, dup2_stderr, dup2_stdin, dup2_stdout, fork, setsid};

use super::leave::leave;
use super::requests;
use crate::expected_runs::ExpectedRuns;
use crate::run_ancestry;
use crate::supervisor::{SupervisorFork, process_setup};

/// How many supervisors wait for a job at most: an agent makes one call after the other, or a few at once.
const MOST_WAITING: usize = 2;
/// The message of a supervisor that waits for a job.
const WAITING: u8 = b'w';

/// All supervisors that live.
#[derive(Debug)]
pub(super) struct Supervisors {
    expected: ExpectedRuns,
    children: Vec<Child>,
}

#[derive(Debug)]
struct Child {
    process: Pid,
    /// The way of further jobs to it; `None` once it gets none.
    jobs: Option<OwnedFd>,
    is_waiting: bool,
}

impl Supervisors {
    pub(super) fn new(expected: ExpectedRuns) -> Self {
        Self { expected, children: Vec::new() }
    }

    /// Gives a run to a supervisor that waits, or to a new one. Where there is no room for that, cuff sees its streams close.
    pub(super) fn start(&mut self, streams: [OwnedFd; 3]) {
        for child in self.children.iter_mut().filter(|child| child.is_waiting) {
            child.is_waiting = false;
            if child.take(&streams).is_ok() {
                return;
            }
        }
        self.children.extend(forked(streams, self.expected));
    }

    /// The descriptors to wait for, in the order of [`hear`](Self::hear).
    pub(super) fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.children.iter().filter_map(|child| Some(child.jobs.as_ref()?.as_fd()))
    }

    /// Hears the supervisors whose descriptors have something to read. Too many that wait get no further job, and end.
    pub(super) fn hear(&mut self, is_ready: impl Iterator<Item = bool>) {
        let mut waiting = self.children.iter().filter(|child| child.is_waiting).count();
        let children = self.children.iter_mut().filter(|child| child.jobs.is_some());
        for (child, _) in children.zip(is_ready).filter(|(_, is_ready)| *is_ready) {
            child.is_waiting = child.waits() && waiting < MOST_WAITING;
            if child.is_waiting {
                waiting += 1;
            } else {
                child.jobs = None;
            }
        }
    }

    /// Gives no further job to any of them, so that each ends when its run does.
    pub(super) fn dismiss(&mut self) {
        self.children.iter_mut().for_each(|child| child.jobs = None);
    }

    /// Takes out a process that has ended. Returns whether it was one of them.
    pub(super) fn take_out(&mut self, process: Pid) -> bool {
        let at = self.children.iter().position(|child| child.process == process);
        at.map(|at| self.children.swap_remove(at)).is_some()
    }

    /// Their processes.
    pub(super) fn processes(&self) -> impl Iterator<Item = Pid> {
        self.children.iter().map(|child| child.process)
    }
}

impl Child {
    /// Hands a run over. A run before this one may have stopped the supervisor at its end.
    fn take(&self, streams: &[OwnedFd; 3]) -> io::Result<()> {
        let jobs = self.jobs.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        kill(self.process, Signal::SIGCONT)?;
        requests::send(jobs, streams.each_ref().map(|stream| stream.as_fd()))
    }

    /// Whether its message says that it waits for a job.
    fn waits(&self) -> bool {
        let mut byte = [0];
        let read = self.jobs.as_ref().map(|jobs| recv(jobs.as_raw_fd(), &mut byte, MsgFlags::MSG_DONTWAIT));
        read == Some(Ok(1)) && byte == [WAITING]
    }
}

/// Forks a supervisor with its first run.
fn forked(streams: [OwnedFd; 3], expected: ExpectedRuns) -> Option<Child> {
    let (ours, theirs) =
        socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC).ok()?;
    // SAFETY: this process has one thread, so the child may do all that its parent may.
    #[expect(unsafe_code, reason = "nothing else makes a process without starting the binary again")]
    match unsafe { fork() } {
        Ok(ForkResult::Parent { child }) => {
            Some(Child { process: child, jobs: Some(ours), is_waiting: false })
        }
        // Everything else that it inherited is closed by number.
        Ok(ForkResult::Child) => leave(serve(&theirs, streams, expected).unwrap_or(1)),
        Err(_) => None,
    }
}

/// Supervises one run after the other, until it is not given another, or one has left something. Returns the exit code.
fn serve(jobs: &OwnedFd, first: [OwnedFd; 3], expected: ExpectedRuns) -> io::Result<u8> {
    setsid()?;
    take_streams(&first)?;
    drop(first);
    let mut forked = SupervisorFork::begin(&[jobs.as_raw_fd()])?;
    if expected == ExpectedRuns::ManyRuns {
        // All runs of a server are agents' runs and marked alike, so that no run changes what the next one inherits.
        run_ancestry::mark(false);
    }
    let inherited = Inherited::now();
    while forked.supervise()? && expected == ExpectedRuns::ManyRuns && inherited == Inherited::now() {
        process_setup::release_streams()?;
        if !says_that_it_waits(jobs) {
            break;
        }
        match requests::receive(jobs)? {
            Some(streams) => take_streams(&streams)?,
            None => break,
        }
    }
    Ok(0)
}

fn says_that_it_waits(jobs: &OwnedFd) -> bool {
    let flags = MsgFlags::MSG_NOSIGNAL;
    loop {
        match send(jobs.as_raw_fd(), &[WAITING], flags) {
            Err(Errno::EINTR) => {}
            sent => return sent.is_ok(),
        }
    }
}

fn take_streams([job, out, err]: &[OwnedFd; 3]) -> io::Result<()> {
    dup2_stdin(job)?;
    dup2_stdout(out)?;
    dup2_stderr(err)?;
    Ok(())
}

/// How many limits Linux has, from the first, 0.
const LIMITS: u8 = 16;
/// More bytes than the kernel has for the attributes of a process's scheduling.
const ATTRIBUTES: usize = 128;

/// Limits, scheduling and processors of this process at one moment.
#[derive(Debug, PartialEq, Eq)]
struct Inherited {
    limits: Vec<Option<(libc::rlim_t, libc::rlim_t)>>,
    processors: Option<CpuSet>,
    /// The policy, its flags, the niceness and the bounds of utilization, as the kernel writes them.
    scheduling: [u8; ATTRIBUTES],
    /// The niceness, and the priority of input and output.
    priorities: [libc::c_long; 2],
}

impl Inherited {
    /// Those of this process now.
    fn now() -> Self {
        /// This process, for the priority of input and output.
        const PROCESS: libc::c_int = 1;
        let mut scheduling = [0; ATTRIBUTES];
        // SAFETY: the first call writes at most so many bytes into the array. The others take numbers, and return one.
        #[expect(unsafe_code, reason = "the library has no calls for them")]
        let priorities = unsafe {
            libc::syscall(libc::SYS_sched_getattr, 0, scheduling.as_mut_ptr(), ATTRIBUTES, 0);
            [libc::getpriority(libc::PRIO_PROCESS, 0).into(), libc::syscall(libc::SYS_ioprio_get, PROCESS, 0)]
        };
        Self {
            limits: (0..LIMITS).map(limit).collect(),
            processors: sched_getaffinity(Pid::from_raw(0)).ok(),
            scheduling,
            priorities,
        }
    }
}

/// A limit, now and at most; `None` where the kernel has none of this number.
fn limit(number: u8) -> Option<(libc::rlim_t, libc::rlim_t)> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call writes into the value.
    #[expect(unsafe_code, reason = "the library knows but some of the limits")]
    let is_there = unsafe { libc::getrlimit(number.into(), &raw mut limit) } == 0;
    is_there.then_some((limit.rlim_cur, limit.rlim_max))
}
