//! Sockets that listen behind a file or on a port, as the kernel lists them: neither tells alone whose program answers there.

use std::net::{IpAddr, Ipv4Addr};
use std::os::fd::{AsRawFd as _, OwnedFd};

use nix::errno::Errno;
use nix::libc;
use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, recv, send, socket};

/// A list of sockets by family, and that it is a request for all of them.
const BY_FAMILY: u16 = 20;
const OF_ALL: u16 = 0x301;
const LISTENING: u32 = 1 << 10;
/// The lengths of the requests for sockets of files and for those of the network, without their header.
const OF_FILES: usize = 24;
const OF_NETWORK: usize = 56;
/// The file that a socket is bound to: that it is asked for, and which of the answer's parts it is.
const WITH_FILE: u32 = 2;
const FILE: u16 = 1;
/// Kinds of messages that end a list, and the lengths of what stands before the parts of an entry.
const ERROR: u16 = 2;
const DONE: u16 = 3;
const HEADER: usize = 16;
const ENTRY: usize = 32;
const PART: usize = 4;
/// Where an entry of the network has its address and the number of its socket.
const HOST: usize = HEADER + 8;
const SOCKET: usize = HEADER + 68;
/// The kernel writes no more at once.
const MOST: usize = 32768;

/// The numbers of the sockets that listen behind files with this number.
///
/// # Errors
/// Where the kernel gives no list.
pub(super) fn behind(file: u64) -> nix::Result<Vec<u32>> {
    let mut request = request(libc::AF_UNIX, OF_FILES);
    put(&mut request, HEADER + 4, &LISTENING.to_ne_bytes());
    put(&mut request, HEADER + 12, &WITH_FILE.to_ne_bytes());
    listed(&kernel()?, &request, |entry| socket_behind(entry, file))
}

/// The sockets of TCP that listen at a port, on any address of either version: the address and the number of each.
///
/// # Errors
/// Where the kernel gives no list.
pub(super) fn at_port(port: u16) -> nix::Result<Vec<(Option<IpAddr>, u32)>> {
    let (mut found, kernel) = (Vec::new(), kernel()?);
    for family in [libc::AF_INET, libc::AF_INET6] {
        let mut request = request(family, OF_NETWORK);
        put(&mut request, HEADER + 1, &[libc::IPPROTO_TCP.to_ne_bytes()[0]]);
        put(&mut request, HEADER + 4, &LISTENING.to_ne_bytes());
        put(&mut request, HEADER + 8, &port.to_be_bytes());
        found.extend(listed(&kernel, &request, |entry| {
            number(entry, SOCKET).map(|socket| (host_of(entry, family), socket))
        })?);
    }
    Ok(found)
}

/// A request for the sockets of a family, to be filled in behind its header.
fn request(family: libc::c_int, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; HEADER + length];
    let whole = u32::try_from(bytes.len()).unwrap_or_default();
    put(&mut bytes, 0, &whole.to_ne_bytes());
    put(&mut bytes, 4, &BY_FAMILY.to_ne_bytes());
    put(&mut bytes, 6, &OF_ALL.to_ne_bytes());
    bytes[HEADER] = u8::try_from(family).unwrap_or_default();
    bytes
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// A socket to the part of the kernel that knows all others.
fn kernel() -> nix::Result<OwnedFd> {
    socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, SockProtocol::NetlinkSockDiag)
}

/// Asks for a list, and reads it to its end.
fn listed<Found>(
    kernel: &OwnedFd,
    request: &[u8],
    pick: impl Fn(&[u8]) -> Option<Found>,
) -> nix::Result<Vec<Found>> {
    send(kernel.as_raw_fd(), request, MsgFlags::empty())?;
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
                _ => found.extend(pick(message)),
            }
            rest = behind;
        }
    }
}

/// The host of an entry of the network.
fn host_of(entry: &[u8], family: libc::c_int) -> Option<IpAddr> {
    if family == libc::AF_INET {
        return Some(Ipv4Addr::from(<[u8; 4]>::try_from(entry.get(HOST..HOST + 4)?).ok()?).into());
    }
    let bytes = <[u8; 16]>::try_from(entry.get(HOST..HOST + 16)?).ok()?;
    Some(IpAddr::from(bytes).to_canonical())
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
    use std::net::TcpListener;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixListener;

    use nix::sys::stat::{fstat, stat};

    use super::*;

    fn socket_of(one: &impl AsFd) -> u32 {
        u32::try_from(fstat(one.as_fd()).expect("an open socket").st_ino).expect("a number of 32 bits")
    }

    #[test]
    fn the_sockets_at_a_port_are_found_with_their_addresses() {
        let listen = |host: &str| TcpListener::bind((host, 0)).expect("a port of ours");
        for host in ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1", "::", "0.0.0.0"] {
            let one = listen(host);
            let address = one.local_addr().expect("its address");
            let found = (Some(address.ip().to_canonical()), socket_of(&one));
            assert_eq!(at_port(address.port()), Ok(vec![found]), "{host}");
            drop(one);
            assert_eq!(at_port(address.port()), Ok(Vec::new()), "{host}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test moves a file of its own")]
    fn the_socket_behind_a_file_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("one"), folder.path().join("other"));
        let (one, _second) = (UnixListener::bind(&path).unwrap(), UnixListener::bind(&other).unwrap());
        let socket = socket_of(&one);
        let file = stat(&path).unwrap().st_ino;
        assert_eq!(behind(file), Ok(vec![socket]));
        // Another name is the same file; one that nobody answers at any more is not.
        std::fs::rename(&path, folder.path().join("moved")).unwrap();
        assert_eq!(behind(file), Ok(vec![socket]));
        drop(one);
        assert_eq!(behind(file), Ok(Vec::new()));
    }
}
