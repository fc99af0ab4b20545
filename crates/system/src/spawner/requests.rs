//! The one request of cuff to its spawner: a byte, and the descriptors of a supervisor.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use nix::sys::socket::MsgFlags;

use crate::passed_descriptors;

/// Asks for a supervisor that has these for its standard input, output and error. It is sent at once or not at all.
pub(super) fn send(socket: &OwnedFd, descriptors: [BorrowedFd<'_>; 3]) -> io::Result<()> {
    let flags = MsgFlags::MSG_NOSIGNAL | MsgFlags::MSG_DONTWAIT;
    passed_descriptors::send(socket.as_fd(), b"s", &descriptors, flags).map(drop)
}

/// Takes the next request; `None` at the end, and where what comes is none.
pub(super) fn receive(socket: &OwnedFd) -> io::Result<Option<[OwnedFd; 3]>> {
    let (_, descriptors) = passed_descriptors::receive(socket.as_fd(), &mut [0])?;
    Ok(descriptors.try_into().ok())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a descriptor to send")]
mod tests {
    use std::fs::File;
    use std::io::{Read as _, Write as _};

    use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};

    use super::*;

    fn pair() -> (OwnedFd, OwnedFd) {
        socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC).unwrap()
    }

    #[test]
    fn requests_arrive_as_they_were_sent_and_then_the_end() {
        let (ours, theirs) = pair();
        let (mut read, write) = io::pipe().unwrap();
        let nowhere = File::open("/dev/null").unwrap();
        send(&ours, [write.as_fd(), nowhere.as_fd(), write.as_fd()]).unwrap();
        send(&ours, [nowhere.as_fd(), write.as_fd(), write.as_fd()]).unwrap();
        drop((ours, write));
        for (at, text) in [([0, 2], b"ab"), ([1, 2], b"cd")] {
            let mut three = receive(&theirs).unwrap().unwrap().map(File::from);
            three[at[0]].write_all(&text[..1]).unwrap();
            three[at[1]].write_all(&text[1..]).unwrap();
        }
        let mut text = String::new();
        read.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abcd");
        assert!(receive(&theirs).unwrap().is_none());
    }

    #[test]
    fn a_request_that_nobody_hears_is_an_error() {
        let nowhere = File::open("/dev/null").unwrap();
        let three = [nowhere.as_fd(), nowhere.as_fd(), nowhere.as_fd()];
        let (ours, theirs) = pair();
        drop(theirs);
        assert_eq!(send(&ours, three).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        let (ours, _theirs) = pair();
        let full = (0..100_000).find_map(|_| send(&ours, three).err()).unwrap();
        // The kernel bounds the messages of a socket, and the descriptors that are under way.
        assert!(
            full.kind() == io::ErrorKind::WouldBlock || full.raw_os_error() == Some(nix::libc::ETOOMANYREFS)
        );
    }
}
