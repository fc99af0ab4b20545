//! The settings of a process that its children inherit, and that any process of the same user may change.

use nix::libc;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::sys::resource::{Resource, getrlimit, rlim_t};
use nix::unistd::Pid;

/// Limits, priorities and processors of this process at one moment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inherited {
    limits: Vec<Option<(rlim_t, rlim_t)>>,
    processors: Option<CpuSet>,
    /// The niceness, the scheduling policy, and the priority of input and output.
    priorities: [libc::c_long; 3],
}

const LIMITS: [Resource; 15] = [
    Resource::RLIMIT_AS,
    Resource::RLIMIT_CORE,
    Resource::RLIMIT_CPU,
    Resource::RLIMIT_DATA,
    Resource::RLIMIT_FSIZE,
    Resource::RLIMIT_LOCKS,
    Resource::RLIMIT_MEMLOCK,
    Resource::RLIMIT_MSGQUEUE,
    Resource::RLIMIT_NICE,
    Resource::RLIMIT_NOFILE,
    Resource::RLIMIT_NPROC,
    Resource::RLIMIT_RSS,
    Resource::RLIMIT_RTPRIO,
    Resource::RLIMIT_SIGPENDING,
    Resource::RLIMIT_STACK,
];

impl Inherited {
    /// Those of this process now.
    pub(super) fn now() -> Self {
        /// This process, for the priority of input and output.
        const PROCESS: libc::c_int = 1;
        // SAFETY: all three take numbers, and return one.
        #[expect(unsafe_code, reason = "the library has no calls for them")]
        let priorities = unsafe {
            [
                libc::getpriority(libc::PRIO_PROCESS, 0).into(),
                libc::sched_getscheduler(0).into(),
                libc::syscall(libc::SYS_ioprio_get, PROCESS, 0),
            ]
        };
        Self {
            limits: LIMITS.iter().map(|limit| getrlimit(*limit).ok()).collect(),
            processors: sched_getaffinity(Pid::from_raw(0)).ok(),
            priorities,
        }
    }
}
