//! What another MCP server says while one of its tools is called, for whoever waits for the call.

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::redact::{Secrets, redacted_json};
use crate::sources::{Conversation, Waiting};

/// Something that a server says during a call.
#[derive(Debug)]
pub enum ServerSays {
    /// The parameters of a `notifications/progress`, with cuff's own progress token in them.
    Progress(Value),
    /// The parameters of a `notifications/message`.
    Message(Value),
    /// A question for the person; the call waits for the answer.
    Asks(ServerQuestion),
}

/// A question that a server asks the person. Dropped, it is cancelled.
#[derive(Debug)]
pub struct ServerQuestion {
    /// The server, as the settings name it.
    pub server: String,
    /// The parameters of the `elicitation/create`, as they came.
    pub params: Value,
    reply: oneshot::Sender<Value>,
}

impl ServerQuestion {
    /// Answers with the result of an `elicitation/create`: `{"action": "accept", "content": {…}}`.
    pub fn answer(self, result: Value) {
        // A call that no longer waits was cancelled.
        let _ = self.reply.send(result);
    }
}

/// Passes on what a server says to whoever waits for the call.
#[derive(Debug)]
pub(crate) struct Conversing(mpsc::Sender<ServerSays>);

impl Conversing {
    pub(crate) fn over(sender: mpsc::Sender<ServerSays>) -> Self {
        Self(sender)
    }
}

impl Conversation for Conversing {
    fn progress(&self, raw: &Value) {
        // Where many wait to be passed on, a newer one says more.
        let _ = self.0.try_send(ServerSays::Progress(raw.clone()));
    }

    fn message(&self, raw: &Value) {
        let _ = self.0.try_send(ServerSays::Message(raw.clone()));
    }

    fn ask<'a>(&'a self, server: &'a str, raw: &'a Value) -> Waiting<'a, Option<Value>> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let question = ServerQuestion { server: server.to_owned(), params: raw.clone(), reply };
            self.0.send(ServerSays::Asks(question)).await.ok()?;
            answer.await.ok()
        })
    }
}

/// A conversation in which nobody sees the secrets that the server's words hold.
#[derive(Debug)]
pub(crate) struct Redacting<'a> {
    pub(crate) inner: &'a dyn Conversation,
    pub(crate) secrets: &'a Secrets,
}

impl Conversation for Redacting<'_> {
    fn progress(&self, raw: &Value) {
        self.inner.progress(&redacted_json(raw.clone(), self.secrets));
    }

    fn message(&self, raw: &Value) {
        self.inner.message(&redacted_json(raw.clone(), self.secrets));
    }

    fn ask<'a>(&'a self, server: &'a str, raw: &'a Value) -> Waiting<'a, Option<Value>> {
        Box::pin(async move {
            let redacted = redacted_json(raw.clone(), self.secrets);
            self.inner.ask(server, &redacted).await
        })
    }
}
