//! The body of a response: a stream of events, or one message.

use std::borrow::Cow;

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;

use super::Endpoint;
use crate::model::read_message;
use crate::upstream::http::events::{EventStream, LARGEST};
use crate::upstream::http::failure;

/// A body that was not read to its end.
#[derive(Debug)]
pub(super) enum UnreadAnswer {
    /// The connection broke off, for this reason.
    Broken(String),
    /// It is too large.
    TooLarge(String),
}

impl UnreadAnswer {
    /// The reason in words.
    pub(super) fn reason(self) -> String {
        match self {
            Self::Broken(reason) | Self::TooLarge(reason) => reason,
        }
    }
}

impl Endpoint {
    /// Reads a stream of events, and passes each message to whom it concerns.
    pub(super) async fn read_events(
        &self,
        mut response: Response,
        origin: Option<u64>,
        events: &mut EventStream,
    ) -> Result<(), UnreadAnswer> {
        while let Some(bytes) = chunk(&mut response).await? {
            events.push(&bytes, |_, data| self.take(data, origin)).map_err(UnreadAnswer::TooLarge)?;
        }
        Ok(())
    }

    /// Reads a body that is no stream. The server's own tokens are not in it.
    pub(super) async fn read_body(&self, mut response: Response) -> Result<Vec<u8>, UnreadAnswer> {
        let too_large = || {
            UnreadAnswer::TooLarge(format!("it sent a message of more than {} MiB", LARGEST / 1024 / 1024))
        };
        if response.content_length().is_some_and(|length| length > LARGEST as u64) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        while let Some(bytes) = chunk(&mut response).await? {
            body.extend_from_slice(&bytes);
            if body.len() > LARGEST {
                return Err(too_large());
            }
        }
        Ok(match self.hidden(&body) {
            Cow::Borrowed(_) => body,
            Cow::Owned(hidden) => hidden,
        })
    }

    /// Passes a message, or a batch of them, to whom it concerns.
    pub(super) fn take(&self, data: &[u8], origin: Option<u64>) {
        let raw = match read_message(&self.hidden(data)) {
            Ok(raw) => raw,
            Err(unreadable) => {
                // A page of a proxy is no answer, and has a status that says more.
                let origin = origin.filter(|_| data.trim_ascii_start().starts_with(b"{"));
                self.peer.refuse(unreadable, origin);
                return;
            }
        };
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

    fn hidden<'d>(&self, data: &'d [u8]) -> Cow<'d, [u8]> {
        self.access.as_ref().map_or(Cow::Borrowed(data), |access| access.hide(data))
    }
}

/// Whether a response is a stream of events.
pub(super) fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

async fn chunk(response: &mut Response) -> Result<Option<Vec<u8>>, UnreadAnswer> {
    let chunk =
        response.chunk().await.map_err(|error| UnreadAnswer::Broken(failure::of_transport(&error)))?;
    Ok(chunk.map(Vec::from))
}
