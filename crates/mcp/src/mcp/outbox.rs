//! Lines on their way to a client: whole and in order, with a count of the bytes that the client has not
//! read.

use std::io::{self, ErrorKind};

use rmcp::service::{RoleServer, TxJsonRpcMessage};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::preserialized::to_json;
use super::streams::ClientOutput;

/// How many bytes may wait for a client to read them before nothing more is read from it.
const MOST_UNREAD: usize = 1024 * 1024;

/// A line, and who wants to know that it was written.
type QueuedLine = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// Messages for a client. A message becomes a line at once, which takes a fraction of its memory. A line that
/// has begun is written to its end, even if its sender stopped waiting.
pub(super) struct Outbox {
    /// `None` once it is closed.
    lines: Option<mpsc::UnboundedSender<QueuedLine>>,
    unread: watch::Sender<usize>,
    writer: Option<JoinHandle<io::Result<()>>>,
}

impl Outbox {
    /// Within a tokio runtime.
    pub(super) fn to(output: ClientOutput) -> Self {
        let (lines, waiting) = mpsc::unbounded_channel();
        let unread = watch::Sender::new(0);
        let writer = tokio::spawn(write_all(output, waiting, unread.clone()));
        Self { lines: Some(lines), unread, writer: Some(writer) }
    }

    /// Sends a message after those before it; the future ends when it is written, and need not be waited for.
    pub(super) fn send(
        &self,
        message: &TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + use<> {
        let written = self.begin(message);
        async move { written?.await.unwrap_or_else(|_| Err(ErrorKind::BrokenPipe.into())) }
    }

    fn begin(&self, message: &TxJsonRpcMessage<RoleServer>) -> io::Result<oneshot::Receiver<io::Result<()>>> {
        let lines = self.lines.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        let mut line = to_json(message)?;
        line.push(b'\n');
        let (done, written) = oneshot::channel();
        let length = line.len();
        self.unread.send_modify(|bytes| *bytes += length);
        lines.send((line, done)).map_err(|_| ErrorKind::BrokenPipe)?;
        Ok(written)
    }

    /// Ends when more may be read from the client.
    pub(super) async fn room(&self) {
        // Only a sender that is gone fails, and this one is here.
        let _ = self.unread.subscribe().wait_for(|bytes| *bytes < MOST_UNREAD).await;
    }

    /// Takes nothing more, and ends when everything is written.
    pub(super) async fn close(&mut self) -> io::Result<()> {
        self.lines = None;
        match self.writer.take() {
            Some(writer) => writer.await?,
            None => Ok(()),
        }
    }
}

async fn write_all(
    mut output: ClientOutput,
    mut lines: mpsc::UnboundedReceiver<QueuedLine>,
    unread: watch::Sender<usize>,
) -> io::Result<()> {
    while let Some((line, done)) = lines.recv().await {
        let written = async {
            output.write_all(&line).await?;
            output.flush().await
        };
        // A client that reads nothing any more has gone; each sender gets the error.
        let _ = done.send(written.await);
        unread.send_modify(|bytes| *bytes -= line.len());
    }
    output.shutdown().await
}

#[cfg(test)]
mod tests {
    use rmcp::model::{JsonRpcMessage, RequestId, ServerResult};
    use tokio::io::{AsyncReadExt as _, duplex};
    use tokio::time::{Duration, timeout};

    use super::*;

    fn answer(id: i64) -> TxJsonRpcMessage<RoleServer> {
        JsonRpcMessage::response(ServerResult::empty(()), RequestId::Number(id))
    }

    #[tokio::test(start_paused = true)]
    async fn abandoned_messages_are_written_and_unread_bytes_counted() {
        let (mut client, server) = duplex(64);
        let mut outbox = Outbox::to(Box::new(server));
        let line = serde_json::to_vec(&answer(1)).unwrap().len() + 1;
        let many = MOST_UNREAD / line + 1;
        for _ in 0..many {
            drop(outbox.send(&answer(1)));
        }
        let last = outbox.send(&answer(2));
        assert!(timeout(Duration::from_mins(1), outbox.room()).await.is_err(), "nobody reads");
        let read = tokio::spawn(async move {
            let mut text = String::new();
            client.read_to_string(&mut text).await.map(|_| text)
        });
        last.await.unwrap();
        outbox.room().await;
        outbox.close().await.unwrap();
        let text = read.await.unwrap().unwrap();
        assert_eq!(text.lines().count(), many + 1);
        assert!(text.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "whole lines alone");
        assert!(outbox.send(&answer(3)).await.is_err(), "it is closed");
    }

    #[tokio::test]
    async fn a_client_that_has_gone_holds_nothing_up() {
        let (client, server) = duplex(64);
        drop(client);
        let outbox = Outbox::to(Box::new(server));
        assert!(outbox.send(&answer(1)).await.is_err());
        outbox.room().await;
    }
}
