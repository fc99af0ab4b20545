//! The standard input of a job: a descriptor that goes over the socket with the first byte of the job.

use std::io::{self, IoSlice, IoSliceMut, Read};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use nix::cmsg_space;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};

/// Sends as much of a job as the socket takes at once, with the standard input that its process gets. Returns the number
/// of bytes, which is at least one.
///
/// # Errors
/// When the other end is gone.
pub(crate) fn hand_over(socket: BorrowedFd<'_>, job: &[u8], input: BorrowedFd<'_>) -> io::Result<usize> {
    let descriptors = [input.as_raw_fd()];
    let message = [ControlMessage::ScmRights(&descriptors)];
    let sent = sendmsg::<()>(socket.as_raw_fd(), &[IoSlice::new(job)], &message, MsgFlags::empty(), None)?;
    Ok(sent)
}

/// A job that arrives, and the standard input that came with it.
#[derive(Debug)]
pub(super) struct Arriving<'s> {
    socket: &'s UnixStream,
    input: Option<OwnedFd>,
}

impl<'s> Arriving<'s> {
    pub(super) fn at(socket: &'s UnixStream) -> Self {
        Self { socket, input: None }
    }

    /// The standard input, if one was handed over.
    pub(super) fn input(self) -> Option<OwnedFd> {
        self.input
    }
}

impl Read for Arriving<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut space = cmsg_space!([RawFd; 1]);
        let mut slices = [IoSliceMut::new(buffer)];
        let socket = self.socket.as_raw_fd();
        let received = recvmsg::<()>(socket, &mut slices, Some(&mut space), MsgFlags::empty())?;
        for message in received.cmsgs()? {
            let ControlMessageOwned::ScmRights(descriptors) = message else { continue };
            for descriptor in descriptors {
                // SAFETY: the kernel has just made this descriptor for this process, and no other code knows
                // its number.
                #[expect(unsafe_code, reason = "the kernel hands descriptors over as numbers")]
                let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
                // A process gets it as its standard input alone.
                close_on_exec(&descriptor)?;
                self.input = Some(descriptor);
            }
        }
        Ok(received.bytes)
    }
}

fn close_on_exec(descriptor: &OwnedFd) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, FdFlag, fcntl};

    fcntl(descriptor, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::fd::AsFd as _;

    use super::*;

    #[test]
    fn an_input_arrives_with_the_first_byte_or_not_at_all() {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let (read, mut written) = io::pipe().unwrap();
        assert_eq!(hand_over(ours.as_fd(), b"a", read.as_fd()).unwrap(), 1);
        drop(read);
        ours.write_all(b"bc").unwrap();
        let mut bytes = [0; 3];
        let mut arriving = Arriving::at(&theirs);
        arriving.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"abc");
        let mut input = std::fs::File::from(arriving.input().unwrap());
        written.write_all(b"said").unwrap();
        drop(written);
        let mut text = String::new();
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "said");

        ours.write_all(b"abc").unwrap();
        let mut arriving = Arriving::at(&theirs);
        arriving.read_exact(&mut bytes).unwrap();
        assert!(arriving.input().is_none());
    }
}
