//! Sockets that listen behind a file, as the kernel lists them: a file alone does not tell whose program answers there.

use std::os::fd::{AsRawFd as _, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, recv, send, socket};

/// The request: a header, and which unix sockets are meant.
const REQUEST: usize = 40;
/// A list of sockets by family, and that it is a request for all of them.
const BY_FAMILY: u16 = 20;
const OF_ALL: u16 = 0x301;
const UNIX: u8 = 1;
const LISTENING: u32 = 1 << 10;
/// The file that a socket is bound to: that it is asked for, and which of the answer's parts it is.
const WITH_FILE: u32 = 2;
const FILE: u16 = 1;
/// Kinds of messages that end a list, and the lengths of what stands before the parts of an entry.
const ERROR: u16 = 2;
const DONE: u16 = 3;
const HEADER: usize = 16;
const ENTRY: usize = 32;
const PART: usize = 4;
/// The kernel writes no more at once.
const MOST: usize = 32768;

/// The numbers of the sockets that listen behind files with this number.
///
/// # Errors
/// Where the kernel gives no list.
pub(super) fn behind(file: u64) -> nix::Result<Vec<u32>> {
    let kernel =
        socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, SockProtocol::NetlinkSockDiag)?;
    send(kernel.as_raw_fd(), &request(), MsgFlags::empty())?;
    listed(&kernel, file)
}

fn request() -> [u8; REQUEST] {
    let mut bytes = [0; REQUEST];
    bytes[..4].copy_from_slice(&u32::try_from(REQUEST).unwrap_or_default().to_ne_bytes());
    bytes[4..6].copy_from_slice(&BY_FAMILY.to_ne_bytes());
    bytes[6..8].copy_from_slice(&OF_ALL.to_ne_bytes());
    bytes[HEADER] = UNIX;
    bytes[20..24].copy_from_slice(&LISTENING.to_ne_bytes());
    bytes[28..32].copy_from_slice(&WITH_FILE.to_ne_bytes());
    bytes
}

/// Reads the list to its end.
fn listed(kernel: &OwnedFd, file: u64) -> nix::Result<Vec<u32>> {
    let (mut found, mut buffer) = (Vec::new(), vec![0; MOST]);
    loop {
        let count = recv(kernel.as_raw_fd(), &mut buffer, MsgFlags::empty())?;
        let mut rest = &buffer[..count];
        if rest.is_empty() {
            return Err(Errno::EIO);
        }
        while let Some((kind, message, behind)) = first(rest) {
            match kind {
                DONE => return Ok(found),
                ERROR => return Err(Errno::EIO),
                _ => found.extend(socket_behind(message, file)),
            }
            rest = behind;
        }
    }
}

/// The first message: its kind, all of it, and what follows.
fn first(bytes: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let length = usize::try_from(number(bytes, 0)?).ok()?;
    let message = bytes.get(..length).filter(|message| message.len() >= HEADER)?;
    Some((half(bytes, 4)?, message, bytes.get(length.next_multiple_of(4)..).unwrap_or_default()))
}

/// The number of an entry's socket, where it is bound to this file. The kernel tells the lower half of the file's number.
fn socket_behind(message: &[u8], file: u64) -> Option<u32> {
    let mut parts = message.get(ENTRY..)?;
    while let (Some(length), Some(kind)) = (half(parts, 0), half(parts, 2)) {
        let length = usize::from(length).max(PART);
        if kind == FILE {
            let is_it = u64::from(number(parts, PART)?) == file & u64::from(u32::MAX);
            return number(message, HEADER + 4).filter(|_| is_it);
        }
        parts = parts.get(length.next_multiple_of(4)..)?;
    }
    None
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd as _;
    use std::os::unix::net::UnixListener;

    use nix::sys::stat::{fstat, stat};

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test moves a file of its own")]
    fn the_socket_behind_a_file_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("one"), folder.path().join("other"));
        let (one, _second) = (UnixListener::bind(&path).unwrap(), UnixListener::bind(&other).unwrap());
        let socket = u32::try_from(fstat(one.as_fd()).unwrap().st_ino).unwrap();
        let file = stat(&path).unwrap().st_ino;
        assert_eq!(behind(file), Ok(vec![socket]));
        // Another name is the same file; one that nobody answers at any more is not.
        std::fs::rename(&path, folder.path().join("moved")).unwrap();
        assert_eq!(behind(file), Ok(vec![socket]));
        drop(one);
        assert_eq!(behind(file), Ok(Vec::new()));
    }
}
