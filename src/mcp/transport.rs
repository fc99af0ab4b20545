//! Standard input and output as MCP's transport: says when the client has gone, and waits for one that opens.

use std::future::Future;
use std::io;

use rmcp::model::{ClientRequest, GetMeta as _, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use tokio_util::sync::CancellationToken;

/// The SDK's transport with two habits of its own.
pub(super) struct Stdio {
    lines: AsyncRwTransport<RoleServer, StdioReader, StdioWriter>,
    gone: CancellationToken,
    open: bool,
}

impl Stdio {
    /// `gone` is cancelled at the end of the input: the SDK keeps that to itself for as long as calls go on.
    pub(super) fn new(gone: CancellationToken) -> Self {
        let (read, write) = stdio_pipes();
        Self { lines: AsyncRwTransport::new(read, write), gone, open: false }
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
        self.lines.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.lines.receive().await else {
                self.gone.cancel();
                return None;
            };
            if self.welcome(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.lines.close().await
    }
}
