//! Connections and listeners: the judge makes them itself, with the address that it has read.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc::{self, socklen_t};
use nix::sys::socket::sockopt::SockType;
use nix::sys::socket::{Shutdown, getsockopt, shutdown};
use nix::sys::stat::fstat;

use super::address::{SocketAddress, is_of_this_machine, parse, specified, with, with_address};
use super::asking::WaitingCall;
use super::connections;
use super::court::{CallRuling, Court, Judgement, PendingConnection};
use super::files::{FileSpot, find};
use super::listeners;
use super::socket_option::option;
use crate::model::DeniedAct;

/// The longest address that there is.
const LONGEST: usize = 128;

/// Whether a call may wait for something else than this process: a connection that blocks.
pub(super) fn may_wait(asking: &WaitingCall) -> bool {
    asking.number() == libc::SYS_connect
        && asking.descriptor(asking.signed(0)).is_ok_and(|socket| !is_non_blocking(&socket))
}

fn is_non_blocking(socket: &OwnedFd) -> bool {
    fcntl(socket, FcntlArg::F_GETFL)
        .is_ok_and(|flags| OFlag::from_bits_truncate(flags).contains(OFlag::O_NONBLOCK))
}

/// Connects a socket of the run's.
pub(super) fn connect(court: &Arc<Court>, asking: &WaitingCall) -> Judgement {
    let bytes = address_of(asking)?;
    let socket = asking.descriptor(asking.signed(0))?;
    match parse(&bytes) {
        SocketAddress::Path(path) => connect_to_file(court, asking, &socket, &path),
        SocketAddress::Abstract => {
            court.denials.add(DeniedAct::ReachSocket, "with an abstract name");
            Err(Errno::EACCES)
        }
        SocketAddress::Internet(target) => connect_to_port(court, asking, &Arc::new(socket), &bytes, target),
        // To no address is to disconnect, after which the socket has no address either. Sockets of the kernel's own tables have
        // addresses of their own.
        SocketAddress::Other => {
            let _turn = court.turn();
            done(with_address(&socket, &bytes, libc::connect))
        }
    }
}

fn connect_to_port(
    court: &Arc<Court>,
    asking: &WaitingCall,
    socket: &Arc<OwnedFd>,
    bytes: &[u8],
    target: SocketAddr,
) -> Judgement {
    let (address, port) = (target.ip().to_canonical(), target.port());
    let is_open = court.rules.network.is_open();
    let connected = |server: Option<SocketAddr>, bytes: &[u8]| {
        let (socket, holder) = (Arc::clone(socket), asking.place(asking.signed(0)));
        let connection = PendingConnection { socket, server, holder };
        connections::connect(court, asking, connection, |socket| with_address(socket, bytes, libc::connect))
    };
    // Where nothing tells whose an address is, the stricter rule holds.
    if !is_of_this_machine(target).unwrap_or(is_open) {
        if is_open {
            return done(connected(None, bytes));
        }
        court.denials.add(DeniedAct::ReachAddress, &SocketAddr::new(address, port).to_string());
        return Err(Errno::EACCES);
    }
    // Where no address is named, the kernel takes that of the socket: the one that is judged is named.
    let host = specified(target.ip());
    let bytes = &with(bytes, host);
    let is_datagram =
        getsockopt(socket, SockType).is_ok_and(|kind| kind == nix::sys::socket::SockType::Datagram);
    // Name servers of this machine are part of an open network, which is reached by datagrams without judgement.
    let is_named = court.rules.network.ports().contains(&port) || is_datagram && is_open;
    let is_allowed = is_named || court.ports.has((host, port).into());
    let to_server =
        |server: IpAddr, bytes: &[u8]| connected((!is_named).then(|| (server, port).into()), bytes);
    // A server on no particular address is one on the loopback address of the fourth version.
    let fourth = || {
        let is_theirs = is_named || court.ports.has((Ipv4Addr::LOCALHOST, port).into());
        (host.to_canonical().is_ipv6() && takes_both(socket) && is_theirs)
            .then(|| with(bytes, Ipv4Addr::LOCALHOST.to_ipv6_mapped().into()))
    };
    if !is_allowed {
        if let Some(fourth) = fourth() {
            return done(to_server(Ipv4Addr::LOCALHOST.into(), &fourth));
        }
        // Programs wait for a server until its port is no longer closed, so a closed one answers as it does without containment.
        if !is_datagram && listeners::at_port(port).is_ok_and(|all| all.is_empty()) {
            return Err(Errno::ECONNREFUSED);
        }
        court.denials.add(DeniedAct::ReachPort, &SocketAddr::new(address, port).to_string());
        return Err(Errno::EACCES);
    }
    let result = to_server(host, bytes);
    if result == Err(Errno::ECONNREFUSED)
        && let Some(fourth) = fourth()
    {
        return done(to_server(Ipv4Addr::LOCALHOST.into(), &fourth));
    }
    done(result)
}

/// Connects to a socket that is a file: one that lies where the run may write, and that a run of the project listens at, or one
/// that settings name.
fn connect_to_file(court: &Court, asking: &WaitingCall, socket: &OwnedFd, path: &[u8]) -> Judgement {
    asking.is_of_our_user()?;
    let spot = find(asking, libc::AT_FDCWD, path, true)?;
    let is_allowed = spot.is_writable(court, asking)? && court.ports.answers_at(fstat(&spot.file)?.st_ino)
        || court.rules.sockets.contains(&spot.path) && !court.rules.fences.hides(&spot.path);
    if !is_allowed {
        court.denials.add(DeniedAct::ReachSocket, &spot.path.display().to_string());
        return Err(Errno::EACCES);
    }
    // By the descriptor, so that no other file can take the place of the one that was judged.
    let FileSpot { file, .. } = spot;
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    let mut bytes = u16::try_from(libc::AF_UNIX).unwrap_or_default().to_ne_bytes().to_vec();
    bytes.extend(std::ffi::OsStr::new(&name).as_bytes());
    bytes.push(0);
    done(with_address(socket, &bytes, libc::connect))
}

/// Gives a socket of the run's an address. One for all interfaces becomes one for this machine.
pub(super) fn bind(court: &Court, asking: &WaitingCall) -> Judgement {
    let bytes = address_of(asking)?;
    let SocketAddress::Internet(address) = parse(&bytes) else {
        // Landlock holds files and ports, whatever the address has become by now.
        return Ok(CallRuling::GoOn);
    };
    let socket = asking.descriptor(asking.signed(0))?;
    let is_stream =
        getsockopt(&socket, SockType).is_ok_and(|kind| kind == nix::sys::socket::SockType::Stream);
    if !is_stream {
        return done(with_address(&socket, &bytes, libc::bind));
    }
    let host = address.ip().to_canonical();
    // Beside another program's server the run's would be taken for it.
    if (host.is_loopback() || host.is_unspecified()) && court.ports.is_taken(address.port()) {
        return Err(Errno::EADDRINUSE);
    }
    if host.is_loopback() {
        return done(with_address(&socket, &bytes, libc::bind));
    }
    if host.is_unspecified() {
        return done(with_address(&socket, &with(&bytes, loopback(&socket, address.ip())), libc::bind));
    }
    court.denials.add(DeniedAct::Listen, &address.to_string());
    Err(Errno::EACCES)
}

/// Lets a socket of the run's listen, on this machine alone, and notes its port for others of the project.
pub(super) fn listen(court: &Court, asking: &WaitingCall) -> Judgement {
    let socket = asking.descriptor(asking.signed(0))?;
    // Another thread may disconnect the socket meanwhile.
    let _turn = court.turn();
    let is_here = |bytes: &[u8]| match parse(bytes) {
        SocketAddress::Internet(address) => address.ip().to_canonical().is_loopback(),
        _ => true,
    };
    let bytes = own_address(&socket)?;
    if let SocketAddress::Internet(address) = parse(&bytes) {
        if address.port() == 0 {
            let host = loopback(&socket, address.ip());
            with_address(&socket, &with(&bytes, host), libc::bind)?;
        } else if !is_here(&bytes) {
            court.denials.add(DeniedAct::Listen, &address.to_string());
            return Err(Errno::EACCES);
        } else if court.ports.is_taken(address.port()) {
            return Err(Errno::EADDRINUSE);
        }
    }
    // SAFETY: the call takes numbers, of a descriptor that is open.
    #[expect(unsafe_code, reason = "the library's own call takes no backlog beyond its own bounds")]
    let result = unsafe { libc::listen(socket.as_raw_fd(), asking.signed(1)) };
    let result = Errno::result(result)?;
    // A connection that failed at this moment took the address of the socket with it.
    if !own_address(&socket).is_ok_and(|bytes| is_here(&bytes)) {
        shutdown(socket.as_raw_fd(), Shutdown::Both)?;
        court.denials.add(DeniedAct::Listen, "all addresses");
        return Err(Errno::EACCES);
    }
    if let Ok(file) = fstat(&socket) {
        court.ports.note(file.st_ino);
    }
    Ok(CallRuling::Done(result.into()))
}

/// The loopback address for a socket that was to have this one, for all interfaces.
fn loopback(socket: &OwnedFd, address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) if takes_both(socket) => Ipv4Addr::LOCALHOST.to_ipv6_mapped().into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    }
}

/// Whether a socket of the sixth version speaks the fourth as well.
fn takes_both(socket: &OwnedFd) -> bool {
    option(socket, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY) == Some(0)
}

/// The address that a call brings.
fn address_of(asking: &WaitingCall) -> nix::Result<Vec<u8>> {
    let length = usize::try_from(asking.signed(2)).map_err(|_| Errno::EINVAL)?;
    if length > LONGEST {
        return Err(Errno::EINVAL);
    }
    asking.bytes(asking.argument(1), length)
}

/// The address that a socket has.
fn own_address(socket: &OwnedFd) -> nix::Result<Vec<u8>> {
    let mut bytes = vec![0; LONGEST];
    let mut length = socklen_t::try_from(LONGEST).unwrap_or_default();
    // SAFETY: the kernel writes no more than so many bytes.
    #[expect(unsafe_code, reason = "the library's own call knows some families alone")]
    let result = unsafe { libc::getsockname(socket.as_raw_fd(), bytes.as_mut_ptr().cast(), &raw mut length) };
    Errno::result(result)?;
    bytes.truncate(usize::try_from(length).unwrap_or_default().max(size_of::<u16>()).min(LONGEST));
    Ok(bytes)
}

fn done(result: nix::Result<i32>) -> Judgement {
    result.map(|result| CallRuling::Done(result.into()))
}
