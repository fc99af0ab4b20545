//! A client on two streams as MCP's transport: says when it has gone, answers what is no message, and does not read
//! on for one that reads nothing.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::model::{ClientRequest, GetMeta as _, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite, Empty, empty};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::lines::{Lines, Said, read};

/// Where a client is heard.
pub type Input = Box<dyn AsyncRead + Send + Unpin>;
/// Where it is answered.
pub type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// How many messages may wait for a client to read them before nothing more is read from it.
const MOST_UNREAD: usize = 128;

type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// The client's two streams.
pub(super) struct Stdio {
    lines: Lines<Input>,
    /// The SDK's transport, of which only the half that writes is used: what has begun to be written is written to its
    /// end, whoever drops the future.
    output: AsyncRwTransport<RoleServer, Empty, Output>,
    /// A permit for each message that may wait to be read.
    room: Arc<Semaphore>,
    /// The answer to a line that was no message, under way.
    answering: Option<Sending>,
    gone: CancellationToken,
    open: bool,
}

impl Stdio {
    /// `gone` is cancelled at the end of the input: the SDK keeps that to itself for as long as calls go on.
    pub(super) fn new((input, output): (Input, Output), gone: CancellationToken) -> Self {
        Self {
            lines: Lines::of(input),
            output: AsyncRwTransport::new(empty(), output),
            room: Arc::new(Semaphore::new(MOST_UNREAD)),
            answering: None,
            gone,
            open: false,
        }
    }

    /// Whether the SDK should see this. Before a session it takes anything but a request for a reason to give up;
    /// a client that tried something else first, or another server before, sends such things.
    fn welcome(&mut self, message: &RxJsonRpcMessage<RoleServer>) -> bool {
        if let JsonRpcMessage::Request(request) = message {
            self.open |= opens(&request.request);
            return true;
        }
        self.open
    }
}

/// Whether a session begins with this request: the old handshake, or a request that brings its own version.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other.get_meta().protocol_version().is_some(),
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let place = Arc::clone(&self.room).try_acquire_owned();
        let sending = self.output.send(message);
        async move {
            let _place = place;
            sending.await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                // Where it cannot be written the next read finds the client gone.
                let _ = answering.await;
                self.answering = None;
            }
            // Whether there is room is all that is asked: nothing keeps the permit.
            drop(self.room.acquire().await);
            let Some(line) = self.lines.next().await else {
                self.gone.cancel();
                return None;
            };
            match read(&line) {
                Said::Message(message) if self.welcome(&message) => return Some(message),
                Said::Message(_) | Said::Nothing => {}
                Said::Wrong(answer) => self.answering = Some(Box::pin(self.output.send(answer))),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.close().await
    }
}
