//! Connections to listeners of this project that are under way: the kernel sends their first packet again and again, and whoever listens
//! by then answers. So each goes on only while the listener is there.

use std::collections::HashSet;
use std::fs;
use std::net::SocketAddr;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, PoisonError};
use std::thread::{self, Builder};
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc::{self, c_int};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{getsockopt, sockopt};
use nix::sys::stat::fstat;
use nix::sys::time::TimeValLike as _;

use super::address::with_address;
use super::asking::WaitingCall;
use super::court::{Court, PendingConnection};
use super::socket_option::option;
use crate::Clock;

/// How often connections under way are looked at, in milliseconds.
const PACE: u8 = 5;
/// States of a socket of TCP, as the kernel numbers them.
const UNDER_WAY: i32 = 2;
const CLOSED: i32 = 7;

/// Makes a connection by `connect`, for which the thread that `asking` is of waits, unless its socket does not.
///
/// # Errors
/// Those of the kernel: `EINPROGRESS` where the socket does not wait so long, `EINTR` at a signal. `ECONNREFUSED` where a server of this
/// project goes before it answers.
pub(super) fn connect(
    court: &Arc<Court>,
    asking: &WaitingCall,
    connection: PendingConnection,
    connect: impl FnOnce(&OwnedFd) -> nix::Result<c_int>,
) -> nix::Result<c_int> {
    let socket = &Arc::clone(&connection.socket);
    let flags = OFlag::from_bits_truncate(fcntl(socket, FcntlArg::F_GETFL)?);
    let waits = !flags.contains(OFlag::O_NONBLOCK);
    if waits {
        fcntl(socket, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    }
    let mut result = connect(socket);
    if result == Err(Errno::EINPROGRESS) {
        if waits {
            result = await_end(court, asking, &connection);
        }
        // One for which a thread waits no longer may be there by now.
        let is_open = if waits { result.is_err() } else { state(socket) == Some(UNDER_WAY) };
        if connection.server.is_some() && is_open {
            watch(court, connection)?;
        }
    }
    if waits {
        fcntl(socket, FcntlArg::F_SETFL(flags))?;
    }
    result
}

/// The end of a connection that was under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConnectionEnd {
    Established,
    /// Ended here, with the error that the run is to see.
    GivenUp(Errno),
    /// The kernel has its error, which can be asked for once.
    Failed,
}

/// Waits until a connection is there, or fails, or a thread waits no longer.
fn await_end(court: &Court, asking: &WaitingCall, connection: &PendingConnection) -> nix::Result<c_int> {
    let clock = Clock::of_system();
    let begun = clock.instant();
    let patience = getsockopt(&connection.socket, sockopt::SendTimeout).map(|time| time.num_microseconds());
    let patience = patience.map(|micros| Duration::from_micros(micros.unsigned_abs())).unwrap_or_default();
    loop {
        if let Some(end) =
            end(court, connection, connection.server.is_none_or(|server| court.ports.has(server)))
        {
            // A call that waits has the error itself; later nobody asks for it.
            let error = getsockopt(&connection.socket, sockopt::SocketError);
            return match (end, error) {
                (ConnectionEnd::Established, _) => Ok(0),
                (ConnectionEnd::GivenUp(error), _) => Err(error),
                (ConnectionEnd::Failed, Ok(error)) if error != 0 => Err(Errno::from_raw(error)),
                (ConnectionEnd::Failed, _) => Err(Errno::ECONNREFUSED),
            };
        }
        let mut ready = [PollFd::new(connection.socket.as_fd(), PollFlags::POLLOUT)];
        let _ = poll(&mut ready, PollTimeout::from(PACE));
        asking.still_waits()?;
        if !patience.is_zero() && clock.instant().saturating_duration_since(begun) >= patience {
            return Err(Errno::EINPROGRESS);
        }
    }
}

/// Watches a connection for which nobody waits until its end. Without a thread that does so it fails.
fn watch(court: &Arc<Court>, connection: PendingConnection) -> nix::Result<()> {
    let mut all = court.connections.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(connection);
    if all.len() > 1 {
        return Ok(());
    }
    let theirs = Arc::clone(court);
    let watching = Builder::new().spawn(move || {
        loop {
            thread::sleep(Duration::from_millis(PACE.into()));
            let mut all = theirs.connections.lock().unwrap_or_else(PoisonError::into_inner);
            let servers: HashSet<SocketAddr> =
                all.iter().filter_map(|connection| connection.server).collect();
            let there: HashSet<_> = servers.into_iter().filter(|server| theirs.ports.has(*server)).collect();
            all.retain_mut(|connection| {
                if is_held(connection) {
                    let is_there = connection.server.is_some_and(|server| there.contains(&server));
                    return end(&theirs, connection, is_there).is_none();
                }
                given_up(&theirs, connection, Errno::ECONNRESET);
                false
            });
            if all.is_empty() {
                return;
            }
        }
    });
    watching.map(drop).map_err(|_| {
        let connection = all.pop();
        connection.map_or(Errno::EAGAIN, |connection| given_up(court, &connection, Errno::EAGAIN))
    })
}

/// Whether a process of the run is seen to have the socket. One that it closed would go on as long as the judge has it.
fn is_held(connection: &mut PendingConnection) -> bool {
    let Ok(socket) = fstat(&connection.socket) else { return false };
    let name = format!("socket:[{}]", socket.st_ino);
    let is_it = |place: &Path| fs::read_link(place).is_ok_and(|link| link.as_os_str() == &*name);
    if is_it(&connection.holder) {
        return true;
    }
    // Another process may have it by now.
    let others = entries(Path::new("/proc")).filter(|place| {
        let number = place.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
        number.is_some_and(|number| number != process::id())
    });
    let holder =
        others.map(|place| place.join("fd")).find_map(|fds| entries(&fds).find(|place| is_it(place)));
    holder.map(|holder| connection.holder = holder).is_some()
}

#[expect(clippy::disallowed_methods, reason = "the kernel's own table has neither links nor depth")]
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// How a connection ended; `None` while it is under way to its server. One that reaches another program ends here.
fn end(court: &Court, connection: &PendingConnection, is_there: bool) -> Option<ConnectionEnd> {
    let given_up = |error| Some(ConnectionEnd::GivenUp(given_up(court, connection, error)));
    match state(&connection.socket) {
        Some(UNDER_WAY) if is_there => None,
        Some(UNDER_WAY) => given_up(Errno::ECONNREFUSED),
        Some(CLOSED) | None => Some(ConnectionEnd::Failed),
        // A server may answer, and listen no longer, and hang up at once.
        Some(_) if connection.server.is_some_and(|server| court.ports.is_taken(server.port())) => {
            given_up(Errno::ECONNRESET)
        }
        Some(_) => Some(ConnectionEnd::Established),
    }
}

/// Ends a connection, and drops what came by it. A program that did not wait for it reads `ECONNRESET`.
fn given_up(court: &Court, connection: &PendingConnection, error: Errno) -> Errno {
    let _turn = court.turn();
    let _ = with_address(&connection.socket, &[0; 16], libc::connect);
    error
}

/// The state of a socket of TCP.
fn state(socket: &OwnedFd) -> Option<i32> {
    option(socket, libc::IPPROTO_TCP, libc::TCP_INFO).map(|value| value & 0xff)
}
