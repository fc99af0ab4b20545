//! Messages and questions of another MCP server during a call of one of its tools, passed on to the caller.

use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};

use crate::redact::{Secrets, redacted_json};
use crate::sources::{Conversation, Waiting};

/// How many words of a server wait to be passed on. More progress and messages are dropped.
const MOST_SAID: usize = 64;

/// Something that a server says during a call.
#[derive(Debug)]
pub enum ServerSays {
    /// The parameters of a `notifications/progress`, with cuff's own progress token in them.
    Progress(Value),
    /// The parameters of a `notifications/message`.
    Message(Value),
    /// Questions for the person; the call waits for the answers.
    Asks(ServerQuestions),
}

/// Questions that a server asks the person, all of which it wants answered at once. Dropped, they are cancelled.
#[derive(Debug)]
pub struct ServerQuestions {
    /// The server, as the settings name it.
    pub server: String,
    /// The parameters of each `elicitation/create`, as they came, by the server's key for it.
    pub asked: Map<String, Value>,
    reply: oneshot::Sender<Map<String, Value>>,
}

impl ServerQuestions {
    /// Answers with the results by key: `{"action": "accept", "content": {…}}`. Others are cancelled.
    pub fn answer(self, results: Map<String, Value>) {
        // A call that no longer waits was cancelled.
        let _ = self.reply.send(results);
    }
}

/// The abilities and wishes of the client that waits for a request to a server.
#[derive(Debug, Clone, Default)]
pub struct ServersClient {
    /// The capability `elicitation` as the client declared it; `None`: nobody can be asked.
    pub elicitation: Option<Value>,
    /// The least severe log messages that it wants; `None`: it did not say.
    pub log_level: Option<String>,
}

/// Passes on a server's messages to the client that waits for the call.
#[derive(Debug)]
pub(crate) struct Conversing {
    says: mpsc::Sender<ServerSays>,
    client: ServersClient,
}

impl Conversing {
    /// A conversation with this client, and the place where what the server says arrives.
    pub(crate) fn with(client: ServersClient) -> (Self, mpsc::Receiver<ServerSays>) {
        let (says, heard) = mpsc::channel(MOST_SAID);
        (Self { says, client }, heard)
    }
}

impl Conversation for Conversing {
    fn progress(&self, raw: &Value) {
        // Where many wait to be passed on, a newer one says more.
        let _ = self.says.try_send(ServerSays::Progress(raw.clone()));
    }

    fn message(&self, raw: &Value) {
        let _ = self.says.try_send(ServerSays::Message(raw.clone()));
    }

    fn ask<'a>(
        &'a self,
        server: &'a str,
        questions: &'a Map<String, Value>,
    ) -> Waiting<'a, Map<String, Value>> {
        Box::pin(async move {
            let (reply, answers) = oneshot::channel();
            let asked = ServerQuestions { server: server.to_owned(), asked: questions.clone(), reply };
            match self.says.send(ServerSays::Asks(asked)).await {
                Ok(()) => answers.await.unwrap_or_default(),
                Err(_) => Map::new(),
            }
        })
    }

    fn elicitation(&self) -> Option<&Value> {
        self.client.elicitation.as_ref()
    }

    fn log_level(&self) -> Option<&str> {
        self.client.log_level.as_deref()
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

    fn ask<'a>(
        &'a self,
        server: &'a str,
        questions: &'a Map<String, Value>,
    ) -> Waiting<'a, Map<String, Value>> {
        Box::pin(async move {
            let redact =
                |(key, raw): (&String, &Value)| (key.clone(), redacted_json(raw.clone(), self.secrets));
            let redacted = questions.iter().map(redact).collect();
            self.inner.ask(server, &redacted).await
        })
    }

    fn elicitation(&self) -> Option<&Value> {
        self.inner.elicitation()
    }

    fn log_level(&self) -> Option<&str> {
        self.inner.log_level()
    }
}
