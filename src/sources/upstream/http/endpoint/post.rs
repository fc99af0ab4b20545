//! One message to the server, and all that it answers to it.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::timeout;

use super::Endpoint;
use crate::sources::upstream::handshake;
use crate::sources::upstream::http::events::{Events, LARGEST};
use crate::sources::upstream::http::{failure, headers};
use crate::sources::upstream::message::Reply;
use crate::sources::upstream::peer::Outgoing;

/// How long the server may take to open another session.
const RENEWAL: Duration = Duration::from_secs(30);
/// The errors of JSON-RPC that a server of the protocol since 2026-07-28 answers a request of an earlier one with.
const MODERN_ERRORS: [i64; 4] = [-32020, -32021, -32022, -32601];

/// The end of a message's way.
#[derive(Debug)]
pub(in crate::sources::upstream::http) enum Posted {
    /// It was answered, or has failed alone.
    Done,
    /// The connection is over, for this reason.
    Ended(String),
    /// The address takes no POST: the server may speak the transport of 2024-11-05. The message and the failure.
    Refused(Outgoing, String),
}

/// The failure of one message.
enum Failed {
    /// No response, for this reason; whether there was not even a connection.
    Transport(String, bool),
    /// The session that the message named is over: its id.
    Session(String),
    /// A response with this status, and its body.
    Status(StatusCode, Vec<u8>),
    /// A response that brought no result, for this reason.
    Answer(String),
}

impl Endpoint {
    /// Sends one message and reads the whole answer.
    pub(in crate::sources::upstream::http) async fn post(self: Arc<Self>, message: Outgoing) -> Posted {
        let Outgoing { raw, id } = &message;
        let mut sent = self.send(raw, *id).await;
        if let (Err(Failed::Session(over)), Some(_)) = (&sent, id) {
            if let Err(reason) = self.renew(over).await {
                return Posted::Ended(format!("its session ended, and it opened no other: {reason}"));
            }
            sent = self.send(raw, *id).await;
        }
        let reason = match sent {
            Ok(()) => return Posted::Done,
            Err(Failed::Transport(reason, is_unreachable)) => {
                if is_unreachable {
                    return Posted::Ended(reason);
                }
                reason
            }
            Err(Failed::Session(_)) => "its session ended again at once".to_owned(),
            Err(Failed::Status(status, body)) => {
                let error = error(&body);
                let is_modern =
                    matches!(&error, Some(Reply::Error { code, .. }) if MODERN_ERRORS.contains(code));
                let is_first = raw.get("method").is_some_and(|method| method == "initialize");
                let reason = failure::of_status(status, &body);
                if is_first && !is_modern && !self.is_stream() && is_refusal(status) {
                    return Posted::Refused(message, reason);
                }
                if let (Some(id), Some(error)) = (id, error) {
                    self.peer.settle(*id, Ok(error));
                }
                reason
            }
            Err(Failed::Answer(reason)) => reason,
        };
        if let Some(id) = id {
            self.peer.settle(*id, Err(reason));
        }
        Posted::Done
    }

    async fn send(&self, raw: &Value, id: Option<u64>) -> Result<(), Failed> {
        let Some(url) = self.address().await else {
            return Err(Failed::Answer("its stream of events is over".to_owned()));
        };
        let session = self.session().0.clone();
        let request = headers::of(self, self.client.post(url), raw)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(raw.to_string());
        let response = request
            .send()
            .await
            .map_err(|error| Failed::Transport(failure::of_transport(&error), error.is_connect()))?;
        let status = response.status();
        if let (StatusCode::NOT_FOUND, Some(session)) = (status, session) {
            return Err(Failed::Session(session));
        }
        self.keep_session(&response);
        if self.is_stream() && status.is_success() {
            // The answer comes on the stream.
            return Ok(());
        }
        let body = self.read(response, id).await.map_err(Failed::Answer)?;
        match id {
            Some(id) if self.peer.is_pending(id) => Err(match body {
                body if !status.is_success() => Failed::Status(status, body.unwrap_or_default()),
                Some(body) if serde_json::from_slice::<Value>(&body).is_err() => {
                    Failed::Answer(failure::of_body(&body))
                }
                _ => Failed::Answer("the answer ended before the result".to_owned()),
            }),
            _ => Ok(()),
        }
    }

    /// Opens another session in place of the one that is over, unless another request has done so.
    async fn renew(&self, over: &str) -> Result<(), String> {
        let _renewing = self.renewal.lock().await;
        {
            let mut session = self.session();
            if session.0.as_deref() != Some(over) {
                return Ok(());
            }
            *session = (None, None);
        }
        let greeting = timeout(RENEWAL, handshake::greet(&self.peer)).await;
        greeting.unwrap_or_else(|_| Err("it did not answer in time".to_owned()))?;
        // The server may have been replaced by another version of it.
        self.peer.lists.notify_one();
        Ok(())
    }

    /// Reads an answer: a stream of events, or one message, whose bytes are returned.
    pub(super) async fn read(
        &self,
        mut response: Response,
        origin: Option<u64>,
    ) -> Result<Option<Vec<u8>>, String> {
        let is_stream = is_stream(&response);
        let too_large = || format!("it sent a message of more than {} MiB", LARGEST / 1024 / 1024);
        if !is_stream && response.content_length().is_some_and(|length| length > LARGEST as u64) {
            return Err(too_large());
        }
        let (mut events, mut body) = (Events::default(), Vec::new());
        while let Some(bytes) = response.chunk().await.map_err(|error| failure::of_transport(&error))? {
            if is_stream {
                events.push(&bytes, |_, data| self.take(data, origin))?;
                continue;
            }
            body.extend_from_slice(&bytes);
            if body.len() > LARGEST {
                return Err(too_large());
            }
        }
        self.take(&body, origin);
        Ok((!is_stream).then_some(body))
    }

    /// Passes a message, or a batch of them, to whom it concerns.
    pub(super) fn take(&self, data: &[u8], origin: Option<u64>) {
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

    fn keep_session(&self, response: &Response) {
        let given = response.headers().get(headers::SESSION).and_then(|value| value.to_str().ok());
        if let Some(given) = given {
            self.session().0 = Some(given.to_owned());
        }
    }

    pub(in crate::sources::upstream::http) fn session(
        &self,
    ) -> std::sync::MutexGuard<'_, (Option<String>, Option<String>)> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a response is a stream of events.
pub(super) fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// Whether a server that takes no POST at its address answers so (2025-03-26, backwards compatibility).
fn is_refusal(status: StatusCode) -> bool {
    [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED].contains(&status)
}

/// The error of JSON-RPC in a body, whatever id it names: a server that could not read the request names none.
fn error(body: &[u8]) -> Option<Reply> {
    let raw = serde_json::from_slice::<Value>(body).ok()?;
    raw.get("jsonrpc")?;
    let error = raw.get("error")?;
    Some(Reply::Error {
        code: error.get("code")?.as_i64()?,
        message: error.get("message")?.as_str()?.to_owned(),
        data: error.get("data").cloned(),
    })
}
