//! Descriptors that go over a socket, beside bytes.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};

use nix::cmsg_space;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};

/// Sends as many of these bytes as the socket takes at once, and with the first of them these descriptors, at most three. Returns
/// the number of bytes, which is at least one.
///
/// # Errors
/// When the other end is gone, and with the flags those of the operating system.
pub(crate) fn send(
    socket: BorrowedFd<'_>,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
    flags: MsgFlags,
) -> io::Result<usize> {
    let numbers: Vec<RawFd> = descriptors.iter().map(AsRawFd::as_raw_fd).collect();
    let rights = [ControlMessage::ScmRights(&numbers)];
    Ok(sendmsg::<()>(socket.as_raw_fd(), &[IoSlice::new(bytes)], &rights, flags, None)?)
}

/// Receives bytes, and the descriptors that came with them, which nothing inherits that this process starts. Returns the number of
/// bytes.
///
/// # Errors
/// The operating system's.
pub(crate) fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = cmsg_space!([RawFd; 3]);
    let mut slices = [IoSliceMut::new(buffer)];
    let received = loop {
        match recvmsg::<()>(socket.as_raw_fd(), &mut slices, Some(&mut space), MsgFlags::empty()) {
            Err(Errno::EINTR) => {}
            other => break other?,
        }
    };
    let mut descriptors: Vec<OwnedFd> = Vec::new();
    for message in received.cmsgs()? {
        let ControlMessageOwned::ScmRights(numbers) = message else { continue };
        // SAFETY: the kernel has just made these descriptors for this process, and no other code knows their numbers.
        #[expect(unsafe_code, reason = "the kernel hands descriptors over as numbers")]
        descriptors.extend(numbers.into_iter().map(|number| unsafe { OwnedFd::from_raw_fd(number) }));
    }
    for descriptor in &descriptors {
        fcntl(descriptor, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    }
    Ok((received.bytes, descriptors))
}
