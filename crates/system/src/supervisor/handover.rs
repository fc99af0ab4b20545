//! The standard input of a job: a descriptor that goes over the socket with the first byte of the job.

use std::io::{self, Read};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;

use crate::passed_descriptors::receive;

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
        let (count, descriptors) = receive(self.socket.as_fd(), buffer)?;
        self.input = descriptors.into_iter().last().or(self.input.take());
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use nix::sys::socket::MsgFlags;

    use super::*;
    use crate::passed_descriptors::send;

    #[test]
    fn an_input_arrives_with_the_first_byte_or_not_at_all() {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let (read, mut written) = io::pipe().unwrap();
        assert_eq!(send(ours.as_fd(), b"a", &[read.as_fd()], MsgFlags::empty()).unwrap(), 1);
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
