//! Protection of cuff and its supervisors from other processes of the same user.

#[cfg(target_os = "linux")]
use super::run_ancestry;

/// Lets no process of this user read or write the memory and the descriptors of this one through `/proc`, or
/// trace it. It holds until this process executes another program, so tools are as usual.
///
/// It does nothing inside a run: no approval can be given there. After a supervisor was killed, the rest of
/// its run is found by variables that must be readable.
pub fn keep_out() {
    #[cfg(target_os = "linux")]
    if !run_ancestry::has_own_limit() {
        // Only a kernel that does not know the option refuses.
        let _ = nix::sys::prctl::set_dumpable(false);
    }
}
