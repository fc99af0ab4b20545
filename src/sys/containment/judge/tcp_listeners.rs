//! Sockets that listen on a port of this machine, asked of the kernel by its own question for them (`sock_diag`). Its table for people
//! (`/proc/net/tcp`) has all connections in it, thousands on a busy machine.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::os::fd::{AsRawFd as _, OwnedFd};

use nix::libc;
use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, recv, send, socket};

/// The question: a message's head, and what is asked for.
const HEAD: usize = 16;
const QUESTION: usize = 56;
/// Kinds and flags of messages.
const BY_FAMILY: u16 = 20;
const DONE: u16 = 3;
const REQUEST_ALL: u16 = 0x301;
/// The state of a socket that listens, as a bit.
const LISTENS: u32 = 1 << 10;
/// Where a socket has its own address and its number in an answer.
const SOURCE: usize = 8;
const INODE: usize = 68;
/// The kernel's tables of sockets for people, and the state of one that listens in them.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];
const LISTENS_IN_TABLE: &str = "0A";

/// The addresses and the numbers of the sockets that listen on a port.
pub(super) fn on(port: u16) -> Vec<(IpAddr, u64)> {
    asked(port).unwrap_or_else(|_| read(port))
}

/// Asks the kernel.
fn asked(port: u16) -> io::Result<Vec<(IpAddr, u64)>> {
    let kernel =
        socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, SockProtocol::NetlinkSockDiag)?;
    let mut found = Vec::new();
    for family in [libc::AF_INET, libc::AF_INET6] {
        send(kernel.as_raw_fd(), &question(family, port), MsgFlags::empty())?;
        while answers(&kernel, &mut found)? {}
    }
    Ok(found)
}

fn question(family: i32, port: u16) -> Vec<u8> {
    let length = u32::try_from(HEAD + QUESTION).unwrap_or_default();
    let mut bytes = Vec::with_capacity(HEAD + QUESTION);
    bytes.extend(length.to_ne_bytes());
    bytes.extend(BY_FAMILY.to_ne_bytes());
    bytes.extend(REQUEST_ALL.to_ne_bytes());
    bytes.resize(HEAD, 0);
    let [family, protocol] =
        [family, libc::IPPROTO_TCP].map(|number| u8::try_from(number).unwrap_or_default());
    bytes.extend([family, protocol, 0, 0]);
    bytes.extend(LISTENS.to_ne_bytes());
    bytes.extend(port.to_be_bytes());
    bytes.resize(HEAD + QUESTION, 0);
    bytes
}

/// Takes one portion of answers. Returns whether more come.
fn answers(kernel: &OwnedFd, found: &mut Vec<(IpAddr, u64)>) -> io::Result<bool> {
    let mut bytes = vec![0; 16 * 1024];
    let count = recv(kernel.as_raw_fd(), &mut bytes, MsgFlags::empty())?;
    let mut rest = &bytes[..count];
    while rest.len() >= HEAD {
        let number = |at: usize| u32::from_ne_bytes(rest[at..at + 4].try_into().unwrap_or_default());
        let kind = u16::from_ne_bytes([rest[4], rest[5]]);
        let length = usize::try_from(number(0)).unwrap_or_default();
        match kind {
            DONE => return Ok(false),
            BY_FAMILY if rest.len() >= HEAD + INODE + 4 => {
                let source = &rest[HEAD + SOURCE..HEAD + SOURCE + 16];
                let is_fourth = i32::from(rest[HEAD]) == libc::AF_INET;
                found.push((address(source, is_fourth), number(HEAD + INODE).into()));
            }
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        rest = rest.get(length.next_multiple_of(4).max(HEAD)..).unwrap_or_default();
    }
    Ok(true)
}

/// The address in 16 bytes; one of the fourth version is in the first four.
fn address(bytes: &[u8], is_fourth: bool) -> IpAddr {
    let bytes: [u8; 16] = bytes.try_into().unwrap_or_default();
    if is_fourth {
        return Ipv4Addr::new(bytes[0], bytes[1], bytes[2], bytes[3]).into();
    }
    IpAddr::from(bytes).to_canonical()
}

/// Reads the tables, where the kernel does not take the question.
#[expect(clippy::disallowed_methods, reason = "the kernel's tables")]
fn read(port: u16) -> Vec<(IpAddr, u64)> {
    let tables = TABLES.iter().filter_map(|table| fs::read_to_string(table).ok());
    tables
        .flat_map(|table| table.lines().skip(1).filter_map(|line| socket_of(line, port)).collect::<Vec<_>>())
        .collect()
}

/// The address and the number of the socket of a line, where it listens on this port.
fn socket_of(line: &str, port: u16) -> Option<(IpAddr, u64)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let (local, of_line) = fields.get(1)?.split_once(':')?;
    let has_port = of_line == format!("{port:04X}");
    let listens = *fields.get(3)? == LISTENS_IN_TABLE;
    if !has_port || !listens {
        return None;
    }
    // Words of the machine's own byte order.
    let words = local
        .as_bytes()
        .chunks(8)
        .map(|word| u32::from_str_radix(str::from_utf8(word).ok()?, 16).ok().map(u32::to_ne_bytes));
    let mut bytes = words.collect::<Option<Vec<_>>>()?.concat();
    let is_fourth = bytes.len() == 4;
    bytes.resize(16, 0);
    Some((address(&bytes, is_fourth), fields.get(9)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv6Addr, TcpListener};

    use super::*;

    #[test]
    fn a_line_of_the_kernels_table_is_read() {
        let line = "   0: 0100007F:1538 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0";
        assert_eq!(socket_of(line, 0x1538), Some((Ipv4Addr::LOCALHOST.into(), 4242)));
        assert_eq!(socket_of(line, 0x1539), None);
        assert_eq!(socket_of(&line.replace(" 0A ", " 01 "), 0x1538), None);
    }

    #[test]
    fn both_ways_find_the_same_listeners() {
        let fourth = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = fourth.local_addr().unwrap().port();
        let sixth = TcpListener::bind((Ipv6Addr::LOCALHOST, port));
        let mut found = asked(port).unwrap();
        let mut table = read(port);
        found.sort_unstable();
        table.sort_unstable();
        assert!(!found.is_empty());
        assert_eq!(found, table);
        drop((fourth, sixth));
        assert!(asked(port).unwrap().is_empty());
    }
}
