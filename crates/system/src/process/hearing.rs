//! The messages of a supervisor, as they arrive.

use std::os::fd::AsRawFd;

use nix::errno::Errno;
use nix::sys::socket::{MsgFlags, recv};
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;

/// Reads messages of the supervisor. Returns true at the end of the socket.
pub(super) async fn hear(control: &mut Option<UnixStream>, arrived: &mut Vec<u8>) -> bool {
    match control {
        Some(control) => control.read_buf(arrived).await.unwrap_or(0) == 0,
        None => true,
    }
}

/// Reads what of these messages is there. Returns true at the end of the socket.
pub(super) fn hear_now(control: &UnixStream, arrived: &mut Vec<u8>) -> bool {
    let mut some = [0; 256];
    // Not by the runtime, which may be over, or have other things to do first.
    loop {
        match recv(control.as_raw_fd(), &mut some, MsgFlags::MSG_DONTWAIT) {
            Ok(0) => return true,
            Ok(count) => arrived.extend_from_slice(&some[..count]),
            Err(Errno::EINTR) => {}
            Err(error) => return error != Errno::EAGAIN,
        }
    }
}
