//! The privileges of root that the process must not have: raise its limits, trace others, mount.

use std::io;

use nix::libc::{self, c_int, c_long};
use nix::unistd::{Gid, Uid, geteuid, setgroups, setresgid, setresuid};

/// The user and the group that own nothing.
const NOBODY: u32 = 65534;

/// Capabilities by their numbers: to signal anyone, and to change groups and users.
const KILL: u32 = 5;
const SETGID: u32 = 6;
const SETUID: u32 = 7;

/// The version of what [`capabilities`] and [`without_capabilities`] hand over: two sets of 32.
const VERSION: u32 = 0x2008_0522;

/// The owner of capabilities, as the kernel reads it: this process itself.
#[repr(C)]
struct Head {
    version: u32,
    process: c_int,
}

/// 32 capabilities, as the kernel reads them.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Set {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// Root becomes nobody, and nobody has capabilities, for good. No process of the same user may look into this one.
///
/// # Errors
/// When the system does not let go of a capability.
pub(super) fn give_up() -> io::Result<()> {
    let held = capabilities()?.effective;
    // Its parent is root alike. One that may not signal others could not end it any more.
    let may_change = [KILL, SETGID, SETUID].into_iter().all(|one| held & (1 << one) != 0);
    if geteuid().is_root() && may_change {
        become_nobody();
    }
    // A process inside a run has not asked for that yet.
    nix::sys::prctl::set_dumpable(false)?;
    without_capabilities()
}

/// Where the system knows no such user, as within some containers, root stays what it is, without capabilities.
fn become_nobody() {
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    let changed = setgroups(&[])
        .and_then(|()| setresgid(group, group, group))
        .and_then(|()| setresuid(user, user, user));
    // Only capabilities count, and they go in any case.
    let _ = changed;
}

/// The first 32 capabilities of this process.
#[expect(unsafe_code, reason = "no crate of ours has this call")]
fn capabilities() -> io::Result<Set> {
    let head = Head { version: VERSION, process: 0 };
    let mut sets = [Set::default(); 2];
    // SAFETY: both are laid out as the kernel wants them for this version, and live until it returns.
    let result = unsafe { libc::syscall(libc::SYS_capget, &raw const head, sets.as_mut_ptr()) };
    answered(result)?;
    Ok(sets[0])
}

/// Gives up all of them.
#[expect(unsafe_code, reason = "no crate of ours has this call")]
fn without_capabilities() -> io::Result<()> {
    let head = Head { version: VERSION, process: 0 };
    let sets = [Set::default(); 2];
    // SAFETY: both are laid out as the kernel wants them for this version, and live until it returns.
    let result = unsafe { libc::syscall(libc::SYS_capset, &raw const head, sets.as_ptr()) };
    answered(result)
}

fn answered(result: c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
