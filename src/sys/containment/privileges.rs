//! The privileges of root that a run does not get. Everything here is for a child between fork and exec.

use nix::errno::Errno;
use nix::libc;

/// Capabilities that ordinary tools need as root: to change owners and permissions, to pass by permissions, to become another user, to
/// signal its own processes of another user, to listen on low ports.
const KEPT: [u8; 8] = [0, 1, 3, 4, 5, 6, 7, 10];
/// More than any kernel has.
const MOST: u8 = 64;

/// The version of what the two calls below hand over: two sets of 32.
const VERSION: u32 = 0x2008_0522;
/// The capabilities that are kept, as bits.
const BITS: u32 = {
    let (mut bits, mut at) = (0, 0);
    while at < KEPT.len() {
        bits |= 1 << KEPT[at];
        at += 1;
    }
    bits
};

/// The owner of capabilities, as the kernel reads it: this process itself.
#[repr(C)]
struct Head {
    version: u32,
    process: libc::c_int,
}

/// 32 capabilities, as the kernel reads them.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Set {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// Gives up all other capabilities, for this process and whatever it executes: those that it has, that it hands on, and that a program
/// could bring. Users without capabilities lose none.
///
/// # Errors
/// When the kernel does not take them.
pub(super) fn give_up() -> nix::Result<()> {
    for capability in (0..MOST).filter(|capability| !KEPT.contains(capability)) {
        // SAFETY: the call takes numbers. A number that the kernel does not have, and a process that may not, are errors without effect.
        #[expect(unsafe_code, reason = "no crate of ours has this call")]
        let result = unsafe { libc::prctl(libc::PR_CAPBSET_DROP, libc::c_ulong::from(capability), 0, 0, 0) };
        if result != 0 && matches!(Errno::last(), Errno::EPERM | Errno::EINVAL) {
            break;
        }
    }
    let head = Head { version: VERSION, process: 0 };
    let mut sets = [Set::default(); 2];
    // SAFETY: numbers alone; head and sets are laid out as the kernel wants them for this version, and live until it returns.
    #[expect(unsafe_code, reason = "no crate of ours has these calls")]
    unsafe {
        // Older kernels have none of that kind.
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        Errno::result(libc::syscall(libc::SYS_capget, &raw const head, sets.as_mut_ptr()))?;
        let [first, _] = sets;
        let kept =
            Set { effective: first.effective & BITS, permitted: first.permitted & BITS, inheritable: 0 };
        sets = [kept, Set::default()];
        Errno::result(libc::syscall(libc::SYS_capset, &raw const head, sets.as_ptr()))?;
    }
    Ok(())
}
