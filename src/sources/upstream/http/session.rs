//! The connection to an address: a request for each message, all ended with it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use super::post::Shared;
use crate::sources::upstream::connection::Connection;
use crate::sources::upstream::peer::{Outgoing, Peer};
use crate::sources::upstream::tail::Tail;

/// How long the way to the server may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The most redirects of one request.
const REDIRECTS: usize = 5;

/// A connection to an address. Nothing is sent yet.
///
/// # Errors
/// When a header cannot be sent, or there is no TLS.
pub(in crate::sources::upstream) fn open(
    url: &str,
    headers: &[(String, String)],
    tail: Arc<Tail>,
) -> Result<Connection, String> {
    // An earlier connection may have installed the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .default_headers(read(headers)?)
        .redirect(Policy::custom(|attempt| {
            let origins = attempt.previous().first().map(reqwest::Url::origin);
            if origins != Some(attempt.url().origin()) || attempt.previous().len() > REDIRECTS {
                return attempt.error("another origin");
            }
            attempt.follow()
        }))
        .connect_timeout(CONNECT)
        .build()
        .map_err(|error| format!("no client for HTTP: {error}"))?;
    let (peer, messages) = Peer::new();
    let peer = Arc::new(peer);
    let shared = Arc::new(Shared::new(client, url.to_owned(), Arc::clone(&peer)));
    let mut reader = JoinSet::new();
    reader.spawn(carry(shared, messages));
    Ok(Connection::of(peer, reader, tail))
}

fn read(headers: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut read = HeaderMap::new();
    for (name, value) in headers {
        let wrong = |_| format!("the header {name} cannot be sent");
        let key = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| format!("the header {name} cannot be sent"))?;
        let mut value = HeaderValue::from_str(value).map_err(wrong)?;
        value.set_sensitive(true);
        read.insert(key, value);
    }
    Ok(read)
}

/// Carries messages until one of them ends the connection. Returns why it ended.
async fn carry(shared: Arc<Shared>, mut messages: mpsc::Receiver<Outgoing>) -> Option<String> {
    let (mut posts, mut handles) = (JoinSet::new(), HashMap::<u64, AbortHandle>::new());
    loop {
        let message = tokio::select! {
            message = messages.recv() => message?,
            Some(ended) = posts.join_next() => {
                if let Ok(Some(reason)) = ended {
                    return Some(reason);
                }
                handles.retain(|_, handle| !handle.is_finished());
                continue;
            }
        };
        if let Some(id) = message.id {
            handles.insert(id, posts.spawn(Arc::clone(&shared).post(message)));
            continue;
        }
        let method = message.raw.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
        if method == "notifications/cancelled" {
            let id = message.raw.get("params").and_then(|params| params.get("requestId")?.as_u64());
            if let Some(handle) = id.and_then(|id| handles.remove(&id)) {
                handle.abort();
            }
            // The new era cancels by closing the stream alone.
            if shared.peer.is_modern() {
                continue;
            }
        }
        // One after the other: the server must hear that the session is open before the first request of it.
        if let Some(reason) = Arc::clone(&shared).post(message).await {
            return Some(reason);
        }
        if method == "notifications/initialized" {
            posts.spawn(Arc::clone(&shared).listen());
        }
    }
}
