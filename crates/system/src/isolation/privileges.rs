//! The privileges of root that the process must not have: raise its limits, trace others, mount.

use std::io;

use nix::unistd::{Gid, Uid, geteuid, setgroups, setresgid, setresuid};

use crate::capabilities;

/// The user and the group that own nothing.
const NOBODY: u32 = 65534;

/// Capabilities by their numbers: to signal anyone, and to change groups and users.
const KILL: u32 = 5;
const SETGID: u32 = 6;
const SETUID: u32 = 7;

/// Root becomes nobody, and nobody has capabilities, for good. No process of the same user may look into this one.
///
/// # Errors
/// When the system does not let go of a capability.
pub(super) fn give_up() -> io::Result<()> {
    let held = capabilities::effective()?;
    // Its parent is root alike. One that may not signal others could not end it any more.
    let may_change = [KILL, SETGID, SETUID].into_iter().all(|one| held & (1 << one) != 0);
    if geteuid().is_root() && may_change {
        become_nobody();
    }
    // A process inside a run has not asked for that yet.
    nix::sys::prctl::set_dumpable(false)?;
    Ok(capabilities::keep(0)?)
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
