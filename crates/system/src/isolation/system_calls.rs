//! The system calls that are left (seccomp): enough to compute, to remember, to wait, and to read and write two pipes.
//!
//! Look-ups that the C library makes by itself are refused politely. Everything else is no mistake, and ends
//! the process.

use std::collections::BTreeMap;
use std::io;

use nix::libc::{self, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Refuses all but these, for this process and all that it would start. Always true where it did.
///
/// # Errors
/// When the kernel does not know how.
pub(super) fn refuse() -> io::Result<bool> {
    let (polite, strict) = filters().map_err(|error| io::Error::other(error.to_string()))?;
    for filter in [polite, strict] {
        // Both count: of two answers the kernel takes the sterner one.
        apply_filter(&filter).map_err(|error| io::Error::other(error.to_string()))?;
    }
    Ok(true)
}

fn filters() -> Result<(BpfProgram, BpfProgram), seccompiler::BackendError> {
    let architecture: TargetArch = std::env::consts::ARCH.try_into()?;
    let refused = u32::try_from(libc::EACCES).unwrap_or_default();
    let polite = SeccompFilter::new(
        looked_up().into_iter().map(|call| (call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(refused),
        architecture,
    )?;
    let mut allowed = allowed()?;
    // The sterner filter must let these through for the other to be heard.
    allowed.extend(looked_up().into_iter().map(|call| (call, Vec::new())));
    let strict = SeccompFilter::new(allowed, SeccompAction::KillProcess, SeccompAction::Allow, architecture)?;
    Ok((polite.try_into()?, strict.try_into()?))
}

/// Calls by which a library looks things up without harm, and which it can do without.
fn looked_up() -> Vec<c_long> {
    vec![
        libc::SYS_openat,
        libc::SYS_readlinkat,
        libc::SYS_newfstatat,
        libc::SYS_fstat,
        libc::SYS_statx,
        libc::SYS_faccessat,
        libc::SYS_ioctl,
        libc::SYS_fcntl,
        libc::SYS_close,
        libc::SYS_lseek,
        libc::SYS_getcwd,
        libc::SYS_sysinfo,
        libc::SYS_uname,
        libc::SYS_sched_getaffinity,
        libc::SYS_prlimit64,
        libc::SYS_getrusage,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_readlink,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_stat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_access,
    ]
}

fn allowed() -> Result<Rules, seccompiler::BackendError> {
    let mut rules = Rules::new();
    for call in [
        libc::SYS_ppoll,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll,
        libc::SYS_restart_syscall,
        libc::SYS_clock_gettime,
        libc::SYS_gettimeofday,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_time,
        libc::SYS_getrandom,
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_futex,
        libc::SYS_sched_yield,
        libc::SYS_sigaltstack,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigreturn,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ] {
        rules.insert(call, Vec::new());
    }
    rules.insert(libc::SYS_read, vec![when(0, SeccompCmpOp::Eq, 0)?]);
    rules.insert(libc::SYS_write, vec![when(0, SeccompCmpOp::Eq, 1)?, when(0, SeccompCmpOp::Eq, 2)?]);
    // No memory is ever executed that was not the program's own from the start.
    let executable = u64::try_from(libc::PROT_EXEC).unwrap_or_default();
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        rules.insert(call, vec![when(2, SeccompCmpOp::MaskedEq(executable), 0)?]);
    }
    // A process that gives up says so to itself.
    let own = u64::from(std::process::id());
    rules.insert(libc::SYS_tgkill, vec![when(0, SeccompCmpOp::Eq, own)?]);
    Ok(rules)
}

fn when(argument: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Qword, is, value)?])
}
