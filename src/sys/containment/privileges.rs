//! The privileges of root that a run does not get. Everything here is for a child between fork and exec.

use nix::errno::Errno;
use nix::libc;

/// Capabilities that ordinary tools need as root: to change owners and permissions, to pass by permissions, to become another user, to
/// signal its own processes of another user, to listen on low ports.
const KEPT: [u8; 8] = [0, 1, 3, 4, 5, 6, 7, 10];
/// More than any kernel has.
const MOST: u8 = 64;

/// Gives up all other capabilities, for this process and whatever it executes. A user without capabilities loses none.
pub(super) fn give_up() {
    for capability in (0..MOST).filter(|capability| !KEPT.contains(capability)) {
        // SAFETY: the call takes numbers. A number that the kernel does not have, and a process that may not, are errors without effect.
        #[expect(unsafe_code, reason = "no crate of ours has this call")]
        let result = unsafe { libc::prctl(libc::PR_CAPBSET_DROP, libc::c_ulong::from(capability), 0, 0, 0) };
        if result != 0 && matches!(Errno::last(), Errno::EPERM | Errno::EINVAL) {
            return;
        }
    }
}
