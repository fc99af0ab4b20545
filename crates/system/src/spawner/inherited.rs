//! The settings of a process that its children inherit, and that any process of the same user may change.

use nix::libc;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;

/// How many limits Linux has, from the first, 0.
const LIMITS: u8 = 16;
/// More bytes than the kernel has for the attributes of a process's scheduling.
const ATTRIBUTES: usize = 128;

/// Limits, scheduling and processors of this process at one moment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inherited {
    limits: Vec<Option<(libc::rlim_t, libc::rlim_t)>>,
    processors: Option<CpuSet>,
    /// The policy, its flags, the niceness and the bounds of utilization, as the kernel writes them.
    scheduling: [u8; ATTRIBUTES],
    /// The niceness, and the priority of input and output.
    priorities: [libc::c_long; 2],
}

impl Inherited {
    /// Those of this process now.
    pub(super) fn now() -> Self {
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
