//! The process at the other end of a TCP connection within this machine.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use nix::unistd::{Pid, geteuid};

use super::process_table::pids;
use super::run_ancestry;

/// The kernel's tables of connections.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];

/// A connection as the kernel lists it for one of its ends.
#[derive(Debug, PartialEq, Eq)]
struct ListedSocket {
    user: u32,
    inode: u64,
}

/// The holder of a socket.
#[derive(Debug, PartialEq, Eq)]
enum Holder {
    InsideRun,
    Outside,
    Unknown,
}

/// Whether the client of a connection is inside a run. Looks at all processes, which takes some milliseconds.
///
/// A client of this machine that hides its process, or has closed the connection, counts as inside while
/// anything runs. A client of another machine is known by its credentials alone; one of another user counts as inside while a run goes on that the
/// kernel does not hold.
pub fn is_inside_run(client: SocketAddr, server: SocketAddr) -> bool {
    if !cfg!(target_os = "linux") {
        return false;
    }
    let is_here =
        client.ip().to_canonical().is_loopback() || client.ip().to_canonical() == server.ip().to_canonical();
    let Some(socket) = TABLES.iter().find_map(|table| find(&text(table), client, server)) else {
        return is_here && run_ancestry::is_any();
    };
    if socket.user != geteuid().as_raw() && !geteuid().is_root() {
        // A run may have become one of its subordinate users.
        return run_ancestry::is_any_uncontained();
    }
    match holder(socket.inode) {
        Holder::InsideRun => true,
        Holder::Outside => false,
        Holder::Unknown => run_ancestry::is_any(),
    }
}

#[expect(clippy::disallowed_methods, reason = "the kernel's table of connections")]
fn text(table: &str) -> String {
    fs::read_to_string(table).unwrap_or_default()
}

/// The client's end of a connection.
fn find(table: &str, client: SocketAddr, server: SocketAddr) -> Option<ListedSocket> {
    let is = |text: &str, address: SocketAddr| {
        parse(text).is_some_and(|(ip, port)| ip == address.ip().to_canonical() && port == address.port())
    };
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, local, remote, _, _, _, _, user, _, inode, ..] = fields[..] else { return None };
        let is_it = is(local, client) && is(remote, server);
        is_it.then(|| Some(ListedSocket { user: user.parse().ok()?, inode: inode.parse().ok()? }))?
    })
}

/// An address in the kernel's hexadecimal: words of the machine's own byte order, and a port.
fn parse(text: &str) -> Option<(IpAddr, u16)> {
    let (address, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word =
        |at: usize| Some(u32::from_str_radix(address.get(at * 8..at * 8 + 8)?, 16).ok()?.to_ne_bytes());
    let ip = match address.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let mut bytes = [0; 16];
            for (at, four) in bytes.chunks_exact_mut(4).enumerate() {
                four.copy_from_slice(&word(at)?);
            }
            IpAddr::V6(Ipv6Addr::from(bytes))
        }
        _ => return None,
    };
    Some((ip.to_canonical(), port))
}

/// Looks for the holder of a socket among the processes whose descriptors can be seen.
fn holder(inode: u64) -> Holder {
    let link = format!("socket:[{inode}]");
    let mut found = Holder::Unknown;
    for pid in pids().filter(|pid| holds(*pid, &link)) {
        if run_ancestry::is_of(pid) {
            return Holder::InsideRun;
        }
        found = Holder::Outside;
    }
    found
}

/// Whether a process is seen to have such a descriptor.
#[expect(clippy::disallowed_methods, reason = "the descriptors of a process")]
fn holds(pid: Pid, link: &str) -> bool {
    let is_it = |entry: fs::DirEntry| fs::read_link(entry.path()).is_ok_and(|to| to.as_os_str() == link);
    // Those of another user, and of one that hides them, cannot be seen.
    let entries = fs::read_dir(format!("/proc/{pid}/fd"));
    entries.is_ok_and(|entries| entries.filter_map(Result::ok).any(is_it))
}

#[cfg(test)]
#[cfg(target_endian = "little")]
mod tests {
    use super::*;

    const TABLE: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
        0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0\n\
        1: 0100007F:1F90 0100007F:A0F0 01 00000000:00000000 00:00000000 00000000  1000        0 22 1 0 20 4 30 10 -1\n\
        2: 0100007F:A0F0 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 33 1 0 20 4 30 10 -1\n";

    #[test]
    fn the_end_of_the_client_is_found() {
        let (client, server): (SocketAddr, SocketAddr) =
            ("127.0.0.1:41200".parse().unwrap(), "127.0.0.1:8080".parse().unwrap());
        assert_eq!(find(TABLE, client, server), Some(ListedSocket { user: 1001, inode: 33 }));
        assert_eq!(find(TABLE, server, client), Some(ListedSocket { user: 1000, inode: 22 }));
        let mapped: SocketAddr = "[::ffff:127.0.0.1]:41200".parse().unwrap();
        assert_eq!(find(TABLE, mapped, server), Some(ListedSocket { user: 1001, inode: 33 }));
        assert_eq!(find(TABLE, "127.0.0.2:41200".parse().unwrap(), server), None);
        assert_eq!(find("", client, server), None);
    }

    #[test]
    fn addresses_of_both_versions_are_read() {
        let known = |text: &str| parse(text).map(|(ip, port)| format!("{ip} {port}"));
        assert_eq!(known("0100007F:1F90").as_deref(), Some("127.0.0.1 8080"));
        assert_eq!(known("00000000000000000000000001000000:0050").as_deref(), Some("::1 80"));
        assert_eq!(known("0000000000000000FFFF00000100007F:0050").as_deref(), Some("127.0.0.1 80"));
        for bad in ["", "0100007F", "0100007G:0050", "0100:0050", "0100007F:10000"] {
            assert_eq!(known(bad), None, "{bad}");
        }
    }

    /// A connection of this very process, which is inside no run unless the tests are.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_client_outside_of_runs_is_one() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, peer) = listener.accept().unwrap();
        let socket =
            TABLES.iter().find_map(|table| find(&text(table), peer, accepted.local_addr().unwrap())).unwrap();
        let expected = match run_ancestry::of_this_process() {
            run_ancestry::RunAncestry::Outside => Holder::Outside,
            run_ancestry::RunAncestry::HumanRun | run_ancestry::RunAncestry::Run => Holder::InsideRun,
        };
        assert_eq!(holder(socket.inode), expected);
        drop(client);
    }
}
