//! A socket that never blocks this process, even if others have it open.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use nix::sys::socket::{MsgFlags, SockType, getsockopt, recv, send, sockopt};
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream socket. Each read and write asks not to wait: a flag of the descriptor would hold for every process that has
/// it.
#[derive(Debug)]
pub(super) struct StreamSocket(AsyncFd<OwnedFd>);

impl StreamSocket {
    /// A stream socket at this descriptor, under a number of its own; `None`: it is none. Within a tokio runtime.
    pub(super) fn of(descriptor: BorrowedFd<'_>) -> Option<Self> {
        let kind = getsockopt(&descriptor, sockopt::SockType).ok()?;
        if kind != SockType::Stream {
            return None;
        }
        let own = descriptor.try_clone_to_owned().ok()?;
        // SAFETY: the descriptor is owned, so it stays open and the same until it is dropped with its registration.
        #[expect(unsafe_code, reason = "tokio's safe function for this is deprecated")]
        let registered = unsafe { AsyncFd::register(own) };
        registered.ok().map(Self)
    }
}

impl AsyncRead for StreamSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.0.poll_read_ready(context))?;
            let free = buffer.initialize_unfilled();
            let read = ready.try_io(|socket| {
                recv(socket.as_fd().as_raw_fd(), free, MsgFlags::MSG_DONTWAIT).map_err(io::Error::from)
            });
            match read {
                Ok(Ok(count)) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                // It is not ready, after all.
                Err(_) => {}
            }
        }
    }
}

impl AsyncWrite for StreamSocket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.0.poll_write_ready(context))?;
            let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
            let sent = ready
                .try_io(|socket| send(socket.as_fd().as_raw_fd(), bytes, flags).map_err(io::Error::from));
            match sent {
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(sent) => return Poll::Ready(sent),
                Err(_) => {}
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Other processes may have it open, so its end is when all have closed it.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::unix::net::UnixStream;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn large_messages_go_both_ways_and_the_descriptor_keeps_its_flags() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut socket = StreamSocket::of(ours.as_fd()).unwrap();
        let text = vec![b'x'; 3 << 20];
        let client = std::thread::spawn(move || {
            theirs.write_all(&text).unwrap();
            theirs.shutdown(std::net::Shutdown::Write).unwrap();
            let mut back = Vec::new();
            theirs.read_to_end(&mut back).unwrap();
            back.len()
        });
        let mut read = Vec::new();
        socket.read_to_end(&mut read).await.unwrap();
        assert_eq!(read.len(), 3 << 20);
        socket.write_all(&read).await.unwrap();
        let flags = nix::fcntl::fcntl(&ours, nix::fcntl::FcntlArg::F_GETFL).unwrap();
        assert_eq!(flags & nix::libc::O_NONBLOCK, 0);
        drop((ours, socket));
        assert_eq!(client.join().unwrap(), 3 << 20);
    }

    #[tokio::test]
    async fn a_client_that_has_gone_is_the_end_and_a_pipe_is_no_socket() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut socket = StreamSocket::of(ours.as_fd()).unwrap();
        drop(theirs);
        assert_eq!(socket.read(&mut [0; 9]).await.unwrap(), 0);
        assert_eq!(socket.write_all(b"x").await.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        let (pipe, _writer) = io::pipe().unwrap();
        assert!(StreamSocket::of(pipe.as_fd()).is_none());
    }
}
