//! Options of sockets that the library has only with all of its network.

use std::os::fd::{AsRawFd as _, OwnedFd};

use nix::libc::{self, c_int, socklen_t};

/// The first number of an option.
pub(super) fn option(socket: &OwnedFd, level: c_int, name: c_int) -> Option<i32> {
    let (mut value, mut length) = (0_i32, socklen_t::try_from(size_of::<i32>()).unwrap_or_default());
    // SAFETY: the kernel writes no more than one number.
    #[expect(unsafe_code, reason = "the library has these options only with all of its network")]
    let result = unsafe {
        libc::getsockopt(socket.as_raw_fd(), level, name, (&raw mut value).cast(), &raw mut length)
    };
    (result == 0).then_some(value)
}
