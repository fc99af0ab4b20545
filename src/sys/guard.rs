//! What cuff and its supervisors keep other processes of the same user from.

#[cfg(target_os = "linux")]
use super::inside;

/// Lets no process of this user read or write the memory and the descriptors of this one through `/proc`, or trace
/// it. It holds until this process executes another program, so tools are as usual.
///
/// Inside a run there is nothing to keep: no yes can be given there. And what ends a run whose supervisor was killed must
/// see the variables of all that it started.
pub fn keep_out() {
    #[cfg(target_os = "linux")]
    if !inside::has_own_limit() {
        // Only a kernel that has never heard of it refuses.
        let _ = nix::sys::prctl::set_dumpable(false);
    }
}
