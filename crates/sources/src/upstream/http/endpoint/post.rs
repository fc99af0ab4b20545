//! One message to the server, and all that it answers to it.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::timeout;

use super::Endpoint;
use super::answer::{UnreadAnswer, is_stream};
use super::dispatch::NoResponse;
use crate::upstream::handshake::{self, DISCOVERY, First};
use crate::upstream::http::events::EventStream;
use crate::upstream::http::{failure, headers};
use crate::upstream::listing::{self, ListEntries, ServerListing};
use crate::upstream::message::{METHOD_NOT_FOUND, Reply};
use crate::upstream::peer::Outgoing;

/// How long the server may take to open another session.
const RENEWAL: Duration = Duration::from_secs(30);
/// How long the server may take to end the session.
const CLOSING: Duration = Duration::from_secs(1);
/// The error of JSON-RPC for headers that do not fit the call.
const HEADER_MISMATCH: i64 = -32020;
/// The errors of JSON-RPC that a server of the protocol since 2026-07-28 answers a request of an earlier one with.
const MODERN_ERRORS: [i64; 4] = [HEADER_MISMATCH, -32021, -32022, METHOD_NOT_FOUND];
/// The reason of an answer that ended too early.
const NO_RESULT: &str = "the answer ended before the result";

/// The end of a message's way.
#[derive(Debug)]
pub(in crate::upstream::http) enum PostOutcome {
    /// It was answered, or has failed alone.
    Done,
    /// The connection is over, for this reason.
    Ended(String),
    /// The address takes no POST: the server may speak the transport of 2024-11-05. The message and the failure.
    Refused(Outgoing, String),
}

/// The failure of one message.
enum PostFailure {
    /// No response, for this reason; whether there was not even a connection.
    Transport(String, bool),
    /// The server wants a login.
    Login(String),
    /// The session that the message named is over: its id.
    Session(String),
    /// A response with this status, and its body.
    Status(StatusCode, Vec<u8>),
    /// A response that brought no result, for this reason.
    Answer(String),
}

impl Endpoint {
    /// Sends one message and reads the whole answer.
    pub(in crate::upstream::http) async fn post(self: Arc<Self>, message: Outgoing) -> PostOutcome {
        let Outgoing { raw, id } = &message;
        let mut sent = self.send(raw, *id).await;
        if let (Err(PostFailure::Session(over)), Some(_)) = (&sent, id) {
            if let Err(reason) = self.renew(over).await {
                return PostOutcome::Ended(format!("its session ended, and it opened no other: {reason}"));
            }
            sent = self.send(raw, *id).await;
        }
        if matches!(&sent, Err(PostFailure::Status(_, body)) if self.is_mismatch(raw, body))
            && self.relist().await
        {
            sent = self.send(raw, *id).await;
        }
        let reason = match sent {
            Ok(()) => return PostOutcome::Done,
            Err(PostFailure::Transport(reason, is_unreachable)) => {
                if is_unreachable {
                    return PostOutcome::Ended(reason);
                }
                reason
            }
            Err(PostFailure::Login(reason)) => {
                if let Some(id) = id {
                    self.peer.settle(*id, Ok(Reply::Refused(reason)));
                }
                return PostOutcome::Done;
            }
            Err(PostFailure::Session(_)) => "its session ended again at once".to_owned(),
            Err(PostFailure::Status(_, body)) if is(raw, DISCOVERY) => {
                self.settle_discovery(*id, error(&body));
                return PostOutcome::Done;
            }
            Err(PostFailure::Answer(_)) if is(raw, DISCOVERY) => {
                self.settle_discovery(*id, None);
                return PostOutcome::Done;
            }
            Err(PostFailure::Status(status, body)) => {
                let error = error(&body);
                let is_modern =
                    matches!(&error, Some(Reply::Error { code, .. }) if MODERN_ERRORS.contains(code));
                let reason = failure::of_status(status, &body);
                if is(raw, "initialize") && !is_modern && !self.is_stream() && is_refusal(status) {
                    return PostOutcome::Refused(message, reason);
                }
                if let (Some(id), Some(error)) = (id, error) {
                    self.peer.settle(*id, Ok(error));
                }
                reason
            }
            Err(PostFailure::Answer(reason)) => reason,
        };
        if let Some(id) = id {
            self.peer.settle(*id, Err(reason));
        }
        PostOutcome::Done
    }

    async fn send(&self, raw: &Value, id: Option<u64>) -> Result<(), PostFailure> {
        let Some(url) = self.address().await else {
            return Err(PostFailure::Answer("its stream of events is over".to_owned()));
        };
        let session = self.session().0.clone();
        let request = || {
            headers::of(self, self.client.post(url.clone()), raw)
                .header(CONTENT_TYPE, "application/json")
                .header(ACCEPT, "application/json, text/event-stream")
                .body(raw.to_string())
        };
        let response = self.dispatch(request).await.map_err(|error| match error {
            NoResponse::Transport(reason, is_unreachable) => PostFailure::Transport(reason, is_unreachable),
            NoResponse::Login(reason) => PostFailure::Login(reason),
        })?;
        let status = response.status();
        if let (StatusCode::NOT_FOUND, Some(session)) = (status, &session) {
            return Err(PostFailure::Session(session.clone()));
        }
        self.keep_session(&response);
        if self.is_stream() && status.is_success() {
            // The answer comes on the stream.
            return Ok(());
        }
        if is_stream(&response) {
            return self.follow_answer(response, id).await;
        }
        let body = self.read_body(response).await.map_err(|unread| PostFailure::Answer(unread.reason()))?;
        if let (StatusCode::BAD_REQUEST, Some(session)) = (status, session)
            && is_about_session(&body)
        {
            return Err(PostFailure::Session(session));
        }
        if !self.is_mismatch(raw, &body) {
            self.take(&body, id);
        }
        match id {
            Some(id) if self.peer.is_pending(id) => Err(match body {
                body if !status.is_success() => PostFailure::Status(status, body),
                body if serde_json::from_slice::<Value>(&body).is_err() => {
                    PostFailure::Answer(failure::of_body(&body))
                }
                _ => PostFailure::Answer(NO_RESULT.to_owned()),
            }),
            _ => Ok(()),
        }
    }

    /// Reads an answer that is a stream, over further connections where it breaks off and the server goes on with it.
    async fn follow_answer(&self, response: Response, id: Option<u64>) -> Result<(), PostFailure> {
        let mut events = EventStream::default();
        let read = self.read_events(response, id, &mut events).await;
        let Some(id) = id.filter(|id| self.peer.is_pending(*id)) else { return Ok(()) };
        // Since 2026-07-28 no stream is resumed.
        let may_resume = events.last_id().is_some() && !self.peer.is_modern();
        match read {
            Ok(()) | Err(UnreadAnswer::Broken(_)) if may_resume => {
                self.resume(id, &mut events).await.map_err(PostFailure::Answer)?;
            }
            Ok(()) => {}
            Err(unread) => return Err(PostFailure::Answer(unread.reason())),
        }
        if self.peer.is_pending(id) { Err(PostFailure::Answer(NO_RESULT.to_owned())) } else { Ok(()) }
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
        let greeting = timeout(RENEWAL, handshake::greet(&self.peer, First::Initialize)).await;
        greeting.unwrap_or_else(|_| Err("it did not answer in time".to_owned()))?;
        // The server may have been replaced by another version of it.
        self.peer.lists.notify_one();
        Ok(())
    }

    /// Answers cuff's own question for the era of the server: a server before 2026-07-28 may say anything to it.
    fn settle_discovery(&self, id: Option<u64>, said: Option<Reply>) {
        let unknown = || Reply::Error { code: METHOD_NOT_FOUND, message: String::new(), data: None };
        if let Some(id) = id {
            self.peer.settle(id, Ok(said.unwrap_or_else(unknown)));
        }
    }

    /// Whether a call was refused since its headers are not those that the tool wants now (2026-07-28).
    fn is_mismatch(&self, raw: &Value, body: &[u8]) -> bool {
        let is_call = is(raw, "tools/call") && self.peer.is_modern();
        is_call && matches!(error(body), Some(Reply::Error { code: HEADER_MISMATCH, .. }))
    }

    /// Asks for the tools, whose schemas say which headers a call has.
    async fn relist(&self) -> bool {
        let Ok(entries) = listing::pages(&self.peer, "tools/list", "tools").await else { return false };
        let listing = ServerListing::of("", ListEntries { has_headers: true, ..entries });
        self.peer.parameters.set(listing.tools.iter().map(|tool| (tool.name.as_str(), &*tool.schema)));
        // The keeper of the list finds out what else has changed.
        self.peer.lists.notify_one();
        true
    }

    /// Ends the session, where there is one.
    pub(in crate::upstream::http) async fn close(&self) {
        if self.session().0.is_none() || self.is_stream() || self.peer.is_modern() {
            return;
        }
        let request = || headers::of(self, self.client.delete(self.url.clone()), &Value::Null);
        // A server need not take this, and nobody waits for it longer than that.
        let _ = timeout(CLOSING, self.dispatch(request)).await;
    }

    fn keep_session(&self, response: &Response) {
        let given = response.headers().get(headers::SESSION).and_then(|value| value.to_str().ok());
        if let Some(given) = given {
            self.session().0 = Some(given.to_owned());
        }
    }

    pub(in crate::upstream::http) fn session(
        &self,
    ) -> std::sync::MutexGuard<'_, (Option<String>, Option<String>)> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is(raw: &Value, method: &str) -> bool {
    raw.get("method").is_some_and(|known| known == method)
}

/// Whether the body of HTTP 400 is about the session: many servers answer so where the spec has HTTP 404.
fn is_about_session(body: &[u8]) -> bool {
    let said = match error(body) {
        // The arguments of the call itself are wrong.
        Some(Reply::Error { code: -32602, .. }) => return false,
        Some(Reply::Error { message, .. }) => message,
        _ => String::from_utf8_lossy(&body[..body.len().min(1024)]).into_owned(),
    };
    said.to_ascii_lowercase().contains("session")
}

/// Whether a server that takes no POST at its address answers so (2025-03-26, backwards compatibility).
fn is_refusal(status: StatusCode) -> bool {
    [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED].contains(&status)
}

/// The error of JSON-RPC in a body, with any id or none: a server that could not read the request names none.
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
