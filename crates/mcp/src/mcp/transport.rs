//! A client on two streams as MCP's transport. It reports when the client has gone, answers lines that are no
//! messages, and limits the requests under way. It does not read on for a client that reads nothing.

use std::io;
use std::pin::Pin;

use rmcp::model::{ClientRequest, ErrorData, GetMeta as _, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::CancellationToken;

use super::lines::{InputLine, InputLines, LineContent, read};
use super::outbox::Outbox;
use super::question_ids::QuestionIds;
use super::request_limit::Admission;
use super::streams::{ClientInput, ClientOutput};

/// The client's two streams.
pub(super) struct Stdio {
    lines: InputLines<ClientInput>,
    outbox: Outbox,
    admission: Admission,
    questions: QuestionIds,
    /// The answer to a line that was no message, under way.
    answering: Option<Pin<Box<dyn Future<Output = io::Result<()>> + Send>>>,
    gone: CancellationToken,
    /// Whether a session has begun.
    open: bool,
    /// Whether the input has ended.
    ended: bool,
}

impl Stdio {
    /// `gone` is cancelled at the end of the input: the SDK keeps that to itself for as long as calls go on. Within a
    /// tokio runtime.
    pub(super) fn new((input, output): (ClientInput, ClientOutput), gone: CancellationToken) -> Self {
        Self {
            lines: InputLines::of(input),
            outbox: Outbox::to(output),
            admission: Admission::new(),
            questions: QuestionIds::default(),
            answering: None,
            gone,
            open: false,
            ended: false,
        }
    }

    /// Takes a line; comes back with what the SDK should see at once.
    fn take(&mut self, line: &InputLine) -> Option<RxJsonRpcMessage<RoleServer>> {
        let bytes = if let InputLine::Whole(line) = line { line.len() } else { 0 };
        match read(line) {
            LineContent::Message(JsonRpcMessage::Request(request))
                if !self.open && !may_come_first(&request.request) =>
            {
                let answer = too_early(request.id);
                self.answering = Some(Box::pin(self.outbox.send(&answer)));
            }
            LineContent::Message(message) if self.welcome(&message) => {
                let message = self.questions.incoming(message)?;
                return self.admission.take(message, bytes);
            }
            LineContent::Message(_) | LineContent::Nothing => {}
            LineContent::Wrong(answer) => self.answering = Some(Box::pin(self.outbox.send(&answer))),
        }
        None
    }

    /// Whether the SDK should see this. Before a session it takes anything but a request for a reason to give
    /// up. A client that tried something else first, or another server before, sends such things.
    fn welcome(&mut self, message: &RxJsonRpcMessage<RoleServer>) -> bool {
        if let JsonRpcMessage::Request(request) = message {
            self.open |= opens(&request.request);
            return true;
        }
        self.open
    }
}

/// Whether the SDK has an answer to this before a session.
fn may_come_first(request: &ClientRequest) -> bool {
    opens(request) || matches!(request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_))
}

fn too_early(id: RequestId) -> TxJsonRpcMessage<RoleServer> {
    let why = "no session was begun: send `initialize` first, or name the protocol in the `_meta` of each request, as \
               `io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities`";
    JsonRpcMessage::error(ErrorData::invalid_params(why, None), Some(id))
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
        let sent = self.questions.outgoing(message).map(|message| self.outbox.send(&message));
        async move { sent?.await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                // Where it cannot be written the next read finds the client gone.
                let _ = answering.await;
                self.answering = None;
            }
            self.outbox.room().await;
            if self.ended && self.admission.is_empty() {
                return None;
            }
            let reads_on = !self.ended && self.admission.has_room();
            let line = tokio::select! {
                biased;
                message = self.admission.next() => return Some(message),
                line = self.lines.next(), if reads_on => line,
            };
            let Some(line) = line else {
                self.gone.cancel();
                self.ended = true;
                continue;
            };
            if let Some(message) = self.take(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outbox.close().await
    }
}
