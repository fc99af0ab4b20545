//! The end of a process that is a fork of cuff.

/// Ends the process at once: what cuff has left to do at its own end is not for this one.
pub(super) fn leave(code: u8) -> ! {
    // SAFETY: it takes a number, and does not return.
    #[expect(unsafe_code, reason = "an ordinary exit would run what cuff has left for its own")]
    unsafe {
        nix::libc::_exit(i32::from(code))
    }
}
