//! Limits and priorities of processes: of the run's own, and never more than they have.

use nix::errno::Errno;
use nix::libc::{self, c_int};
use nix::unistd::Pid;

use super::asking::WaitingCall;
use super::court::{CallRuling, Court, Judgement};
use crate::model::DeniedAct;
use crate::process_table::parent;

/// How many processes there are above one at most.
const DEEPEST: usize = 4096;
/// Bytes of the two numbers of a limit, and of the longest mask of processors.
const LIMIT: usize = 16;
const LONGEST_MASK: usize = 1024;
/// Where attributes of scheduling have their size, their policy and their niceness, and the longest of them.
const POLICY: usize = 4;
const NICENESS: usize = 16;
const LONGEST_ATTRIBUTES: usize = 128;
/// The first version of them.
const SHORTEST_ATTRIBUTES: u32 = 48;
/// The classes of input and output, and the class that passes by all others.
const IO_CLASSES: u32 = 13;
const IO_FIRST: u32 = 1;

/// Changes limits or priorities of a process below the supervisor.
pub(super) fn judge(court: &Court, asking: &WaitingCall) -> Judgement {
    asking.is_of_our_user()?;
    let target = match asking.number() {
        libc::SYS_setpriority | libc::SYS_ioprio_set => asking.signed(1),
        _ => asking.signed(0),
    };
    if !is_of_run(Pid::from_raw(target)) {
        court.denials.add(DeniedAct::ChangeProcess, &format!("process {target}"));
        return Err(Errno::EPERM);
    }
    let result = match asking.number() {
        libc::SYS_prlimit64 => limit(asking, target)?,
        libc::SYS_sched_setaffinity => {
            let length = usize::try_from(asking.argument(1)).map_err(|_| Errno::EINVAL)?;
            let mask = asking.bytes(asking.argument(2), length.min(LONGEST_MASK))?;
            call(libc::SYS_sched_setaffinity, target, mask.len() as u64, mask.as_ptr() as u64)?
        }
        libc::SYS_sched_setscheduler => {
            let policy = asking.signed(1);
            let parameter = asking.bytes(asking.argument(2), size_of::<c_int>())?;
            is_ordinary(policy)?;
            let pointer = parameter.as_ptr() as u64;
            call(libc::SYS_sched_setscheduler, target, u64::from(policy.cast_unsigned()), pointer)?
        }
        libc::SYS_sched_setattr => attributes(asking, target)?,
        libc::SYS_setpriority => {
            let (which, niceness) = (asking.unsigned(0), asking.signed(2));
            is_no_more_urgent(niceness, target)?;
            let niceness = u64::from(niceness.cast_unsigned());
            call_of(libc::SYS_setpriority, [which.into(), u64::from(target.cast_unsigned()), niceness, 0])?
        }
        libc::SYS_ioprio_set => {
            let (which, priority) = (asking.unsigned(0), asking.unsigned(2));
            if priority >> IO_CLASSES == IO_FIRST {
                return Err(Errno::EPERM);
            }
            let target = u64::from(target.cast_unsigned());
            call_of(libc::SYS_ioprio_set, [which.into(), target, priority.into(), 0])?
        }
        _ => return Err(Errno::EPERM),
    };
    Ok(CallRuling::Done(result))
}

/// Whether a process, or the process of a thread, is below this one.
fn is_of_run(process: Pid) -> bool {
    let own = Pid::this();
    let mut above = parent(process);
    for _ in 0..DEEPEST {
        match above {
            Some(pid) if pid == own => return true,
            Some(pid) if pid.as_raw() > 1 => above = parent(pid),
            _ => return false,
        }
    }
    false
}

/// Reads a limit, and sets it to no more than it allows.
fn limit(asking: &WaitingCall, target: i32) -> nix::Result<i64> {
    let resource = u64::from(asking.unsigned(1));
    let target = u64::from(target.cast_unsigned());
    let mut now = [0_u64; 2];
    call_of(libc::SYS_prlimit64, [target, resource, 0, now.as_mut_ptr() as u64])?;
    if asking.argument(2) != 0 {
        let bytes = asking.bytes(asking.argument(2), LIMIT)?;
        let half = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
        let wanted = [half(0), half(8)];
        if wanted[1] > now[1] {
            return Err(Errno::EPERM);
        }
        call_of(libc::SYS_prlimit64, [target, resource, wanted.as_ptr() as u64, 0])?;
    }
    if asking.argument(3) != 0 {
        asking.put(asking.argument(3), &now.map(u64::to_ne_bytes).concat())?;
    }
    Ok(0)
}

fn attributes(asking: &WaitingCall, target: i32) -> nix::Result<i64> {
    let size = asking.bytes(asking.argument(1), 4)?;
    let size = u32::from_ne_bytes(size.try_into().unwrap_or_default());
    let size = if size == 0 { SHORTEST_ATTRIBUTES } else { size };
    let length = usize::try_from(size).map_err(|_| Errno::E2BIG)?;
    if size < SHORTEST_ATTRIBUTES || length > LONGEST_ATTRIBUTES {
        return Err(Errno::E2BIG);
    }
    let mut bytes = asking.bytes(asking.argument(1), length)?;
    // The kernel reads as many bytes as this says, and the run may have changed it meanwhile.
    bytes[..4].copy_from_slice(&size.to_ne_bytes());
    let number = |at: usize| {
        bytes.get(at..at + 4).map_or(0, |four| i32::from_ne_bytes(four.try_into().unwrap_or_default()))
    };
    is_ordinary(number(POLICY))?;
    is_no_more_urgent(number(NICENESS), target)?;
    call(libc::SYS_sched_setattr, target, bytes.as_ptr() as u64, asking.argument(2))
}

/// Refuses policies by which a process passes by all others.
fn is_ordinary(policy: c_int) -> nix::Result<()> {
    let ordinary = [libc::SCHED_OTHER, libc::SCHED_BATCH, libc::SCHED_IDLE];
    if ordinary.contains(&(policy & !libc::SCHED_RESET_ON_FORK)) { Ok(()) } else { Err(Errno::EPERM) }
}

/// Refuses a niceness below the one that a process has.
fn is_no_more_urgent(niceness: i32, target: i32) -> nix::Result<()> {
    Errno::clear();
    // SAFETY: the call takes numbers.
    #[expect(unsafe_code, reason = "the library has no call for it")]
    let now = unsafe { libc::getpriority(libc::PRIO_PROCESS, target.cast_unsigned()) };
    if niceness >= now { Ok(()) } else { Err(Errno::EACCES) }
}

fn call(number: libc::c_long, target: i32, second: u64, third: u64) -> nix::Result<i64> {
    call_of(number, [u64::from(target.cast_unsigned()), second, third, 0])
}

/// Makes a system call of numbers, or of the addresses of values that outlive it.
fn call_of(number: libc::c_long, arguments: [u64; 4]) -> nix::Result<i64> {
    let [first, second, third, fourth] = arguments;
    // SAFETY: each address is of a value of the caller's that is as long as the kernel takes it to be.
    #[expect(unsafe_code, reason = "the library has no calls for other processes")]
    let result = unsafe { libc::syscall(number, first, second, third, fourth) };
    if result < 0 { Err(Errno::last()) } else { Ok(result) }
}
