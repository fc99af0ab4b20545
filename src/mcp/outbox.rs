//! What is on its way to a client: whole lines, in order, and how many bytes of them the client has not read.

use std::io::{self, ErrorKind};

use rmcp::service::{RoleServer, TxJsonRpcMessage};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::Output;

/// How many bytes may wait for a client to read them before nothing more is read from it.
const MOST_UNREAD: usize = 1024 * 1024;

/// A line, and who wants to know that it was written.
type Line = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// Messages for a client. A message becomes a line at once, which takes a fraction of its memory; what has begun to be
/// written is written to its end, whoever stopped waiting for that.
pub(super) struct Outbox {
    /// `None` once it is closed.
    lines: Option<mpsc::UnboundedSender<Line>>,
    unread: watch::Sender<usize>,
    writer: Option<JoinHandle<io::Result<()>>>,
}

impl Outbox {
    /// Within a tokio runtime.
    pub(super) fn to(output: Output) -> Self {
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
        let mut line = serde_json::to_vec(message)?;
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
    mut output: Output,
    mut lines: mpsc::UnboundedReceiver<Line>,
    unread: watch::Sender<usize>,
) -> io::Result<()> {
    while let Some((line, done)) = lines.recv().await {
        let written = async {
            output.write_all(&line).await?;
            output.flush().await
        };
        // A client that hears nothing any more has gone; each sender is told.
        let _ = done.send(written.await);
        unread.send_modify(|bytes| *bytes -= line.len());
    }
    output.shutdown().await
}
