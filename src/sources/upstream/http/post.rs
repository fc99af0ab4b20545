//! One message to the server, and all that it answers to it.

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::Value;

use super::events::{Events, LARGEST};
use crate::sources::upstream::message::Reply;
use crate::sources::upstream::peer::{Outgoing, Peer};

const SESSION: &str = "mcp-session-id";
/// The number of the error that stands for an HTTP status.
const HTTP_ERROR: i64 = -32000;

/// What all requests to a server share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) client: Client,
    pub(super) url: String,
    pub(super) peer: Arc<Peer>,
    /// The session's id and protocol, once the server gave them.
    session: Mutex<(Option<String>, Option<String>)>,
}

impl Shared {
    pub(super) fn new(client: Client, url: String, peer: Arc<Peer>) -> Self {
        Self { client, url, peer, session: Mutex::default() }
    }

    /// Sends one message and reads the whole answer. Returns the reason when the connection is over with it.
    pub(super) async fn post(self: Arc<Self>, Outgoing { raw, id }: Outgoing) -> Option<String> {
        let text = raw.to_string();
        let request = self
            .headed(self.client.post(&self.url), &raw)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(text);
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return Some(reason(&error)),
        };
        let has_session = self.session().0.is_some();
        if response.status() == StatusCode::NOT_FOUND && has_session {
            return Some("its session ended".to_owned());
        }
        if let Some(given) = response.headers().get(SESSION).and_then(|value| value.to_str().ok()) {
            self.session().0 = Some(given.to_owned());
        }
        let status = response.status();
        let read = self.read(response, id).await;
        // An answer that came has ended the request; what is left is an answer that did not come.
        if let Some(id) = id {
            let message = match read {
                Err(reason) => reason,
                Ok(()) if status.is_success() => "the answer ended before the result".to_owned(),
                Ok(()) => format!("HTTP {status}"),
            };
            self.peer.fail(id, Reply::Error { code: HTTP_ERROR, message, data: None });
        }
        None
    }

    /// Follows what the server says of its own accord, where it offers that.
    pub(super) async fn listen(self: Arc<Self>) -> Option<String> {
        let request =
            self.headed(self.client.get(&self.url), &Value::Null).header(ACCEPT, "text/event-stream");
        if let Ok(response) = request.send().await
            && response.status().is_success()
        {
            let _ = self.read(response, None).await;
        }
        None
    }

    fn headed(&self, mut request: RequestBuilder, raw: &Value) -> RequestBuilder {
        let (session, protocol) = self.session().clone();
        let params = raw.get("params");
        let modern = params
            .and_then(|params| params.get("_meta")?.get("io.modelcontextprotocol/protocolVersion")?.as_str());
        if let Some(modern) = modern {
            let method = raw.get("method").and_then(Value::as_str).unwrap_or_default();
            request = request.header("mcp-method", method);
            let name = params.and_then(|params| params.get("name").or_else(|| params.get("uri"))?.as_str());
            if let Some(name) = name.filter(|name| name.bytes().all(|byte| (b' '..=b'~').contains(&byte))) {
                request = request.header("mcp-name", name);
            }
            return request.header("mcp-protocol-version", modern);
        }
        if let Some(session) = session {
            request = request.header(SESSION, session);
        }
        match protocol {
            Some(protocol) => request.header("mcp-protocol-version", protocol),
            None => request,
        }
    }

    /// Reads an answer: one message, or a stream of events.
    async fn read(&self, mut response: Response, origin: Option<u64>) -> Result<(), String> {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
        let (mut events, mut body) = (Events::default(), Vec::new());
        while let Some(bytes) = response.chunk().await.map_err(|error| reason(&error))? {
            if is_stream {
                events.push(&bytes, |data| self.take(data, origin))?;
                continue;
            }
            body.extend_from_slice(&bytes);
            if body.len() > LARGEST {
                return Err(format!("it sent a message of more than {} MiB", LARGEST / 1024 / 1024));
            }
        }
        self.take(&body, origin);
        Ok(())
    }

    fn take(&self, data: &[u8], origin: Option<u64>) {
        let Ok(raw) = serde_json::from_slice::<Value>(data) else { return };
        let protocol = raw.get("result").and_then(|result| result.get("protocolVersion")?.as_str());
        if let Some(protocol) = protocol {
            self.session().1.get_or_insert_with(|| protocol.to_owned());
        }
        match raw {
            Value::Array(batch) => {
                for raw in batch {
                    self.peer.receive(raw, origin);
                }
            }
            raw => {
                self.peer.receive(raw, origin);
            }
        }
    }

    fn session(&self) -> std::sync::MutexGuard<'_, (Option<String>, Option<String>)> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error in one line, with its innermost cause and without the address, which may have secrets in it.
fn reason(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let cause = cause.to_string();
    if error.is_redirect() {
        return "it redirects to another address, which cuff does not follow".to_owned();
    }
    let what = if error.is_connect() { "it cannot be reached" } else { "the connection failed" };
    format!("{what}: {}", cause.lines().next().unwrap_or_default())
}
