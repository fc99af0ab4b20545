//! The standard input of a server, which is written by one and closed by another.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::AsyncWrite;
use tokio::net::unix::pipe::Sender;

/// The standard input of a server. It ends when it is shut down or closed; writing then is a broken pipe.
#[derive(Debug, Clone)]
pub struct ServerInput(Arc<Mutex<ServerInputState>>);

#[derive(Debug)]
struct ServerInputState {
    pipe: Option<Sender>,
    /// The writer that waits, which must hear of the end.
    waiting: Option<Waker>,
}

impl ServerInput {
    pub(super) fn new(pipe: Sender) -> Self {
        Self(Arc::new(Mutex::new(ServerInputState { pipe: Some(pipe), waiting: None })))
    }

    /// Ends the input, even while another task writes to it.
    pub(super) fn close(&self) {
        let waiting = {
            let mut state = self.state();
            state.pipe = None;
            state.waiting.take()
        };
        if let Some(waiting) = waiting {
            waiting.wake();
        }
    }

    fn state(&self) -> MutexGuard<'_, ServerInputState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn poll<Answer>(
        &self,
        context: &mut Context<'_>,
        act: impl FnOnce(Pin<&mut Sender>, &mut Context<'_>) -> Poll<io::Result<Answer>>,
    ) -> Poll<io::Result<Answer>> {
        let mut state = self.state();
        let Some(pipe) = &mut state.pipe else {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        };
        let polled = act(Pin::new(pipe), context);
        state.waiting = polled.is_pending().then(|| context.waker().clone());
        polled
    }
}

impl AsyncWrite for ServerInput {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll(context, |pipe, context| pipe.poll_write(context, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll(context, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.close();
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::unix::pipe;

    use super::*;

    fn input() -> (ServerInput, pipe::Receiver) {
        let (read, written) = io::pipe().unwrap();
        let written = Sender::from_owned_fd(OwnedFd::from(written)).unwrap();
        (ServerInput::new(written), pipe::Receiver::from_owned_fd(OwnedFd::from(read)).unwrap())
    }

    #[tokio::test]
    async fn a_writer_that_waits_hears_that_the_input_was_closed() {
        let (mut writing, mut read) = input();
        let closing = writing.clone();
        let more_than_a_pipe_holds = vec![b'x'; 1 << 20];
        let (written, ()) = tokio::join!(writing.write_all(&more_than_a_pipe_holds), async {
            read.readable().await.unwrap();
            closing.close();
        });
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        let mut rest = Vec::new();
        read.read_to_end(&mut rest).await.unwrap();
        assert!(!rest.is_empty() && rest.len() < more_than_a_pipe_holds.len());
    }

    #[tokio::test]
    async fn the_reader_sees_the_end_once_it_is_shut_down() {
        let (mut writing, mut read) = input();
        writing.write_all(b"last").await.unwrap();
        writing.shutdown().await.unwrap();
        let mut text = String::new();
        read.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "last");
        assert!(writing.write_all(b"more").await.is_err());
    }
}
