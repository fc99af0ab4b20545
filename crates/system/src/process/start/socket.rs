//! cuff's end of the socket of a job.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;

use nix::sys::socket::MsgFlags;
use tokio::io::AsyncWriteExt as _;
use tokio::net::UnixStream;

use crate::passed_descriptors::send;

/// Gives a supervisor its job. One that is gone already shows as the end of the socket.
pub(super) async fn give(control: &mut UnixStream, order: &[u8], input: Option<&OwnedFd>) {
    let handed_over = match input {
        Some(input) => match send(control.as_fd(), order, &[input.as_fd()], MsgFlags::empty()) {
            Ok(length) => length,
            Err(_) => return,
        },
        None => 0,
    };
    let _ = control.write_all(&order[handed_over..]).await;
}

pub(super) fn nonblocking(socket: StdStream) -> io::Result<UnixStream> {
    socket.set_nonblocking(true)?;
    UnixStream::from_std(socket)
}
