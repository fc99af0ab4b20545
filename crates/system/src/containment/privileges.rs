//! The privileges of root that a run does not get. Everything here is for a child between fork and exec.

use nix::errno::Errno;
use nix::libc;

use crate::capabilities;

/// Capabilities that ordinary tools need as root: to change owners and permissions, to pass by permissions, to become another user, to
/// signal its own processes of another user, to listen on low ports.
const KEPT: [u8; 8] = [0, 1, 3, 4, 5, 6, 7, 10];
/// More than any kernel has.
const MOST: u8 = 64;

/// The capabilities that are kept, as bits.
const BITS: u32 = {
    let (mut bits, mut at) = (0, 0);
    while at < KEPT.len() {
        bits |= 1 << KEPT[at];
        at += 1;
    }
    bits
};

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
    // SAFETY: numbers alone. Older kernels have none of that kind.
    #[expect(unsafe_code, reason = "no crate of ours has this call")]
    unsafe {
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    }
    capabilities::keep(BITS)
}
