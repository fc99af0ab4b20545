//! What cuff and its supervisors keep other processes of the same user from.

/// Lets no process of this user read or write the memory and the descriptors of this one through `/proc`, or trace
/// it. It holds until this process executes another program, so tools are as usual.
pub fn keep_out() {
    #[cfg(target_os = "linux")]
    {
        // Only a kernel that has never heard of it refuses.
        let _ = nix::sys::prctl::set_dumpable(false);
    }
}
