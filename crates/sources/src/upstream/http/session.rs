//! The connection to an address: a request for each message, all ended with it.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::client::{self, Resolver};
use super::endpoint::Endpoint;
use super::endpoint::post::PostOutcome;
use crate::Waiting;
use crate::upstream::connection::ServerConnection;
use crate::upstream::handshake::First;
use crate::upstream::oauth::ServerAccess;
use crate::upstream::peer::{Outgoing, Peer};
use crate::upstream::tail::Tail;

/// How long the way to the server may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The most redirects of one request.
const REDIRECTS: usize = 5;
/// How long requests wait for the server to hear that the session is open.
const OPENING: Duration = Duration::from_secs(1);
/// How long the server may take over any other message that has no answer.
const TELLING: Duration = Duration::from_secs(30);
/// The most messages on their way; more of those without an answer are dropped.
const MOST: usize = 512;

/// The transport over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::upstream) enum HttpKind {
    /// Streamable HTTP, and the transport of 2024-11-05 where the server takes no POST.
    Streamable,
    /// The transport of 2024-11-05, HTTP with server-sent events, from the start.
    Events,
}

/// A connection to an address. Nothing is sent yet.
///
/// # Errors
/// When a header cannot be sent, the address is none, or there is no TLS.
pub(in crate::upstream) fn open(
    url: &str,
    headers: &[(String, String)],
    kind: HttpKind,
    tail: Arc<Tail>,
    access: Option<Arc<ServerAccess>>,
) -> Result<ServerConnection, String> {
    let url = Url::parse(url).map_err(|error| format!("its address cannot be used: {error}"))?;
    let builder = Client::builder();
    // No certificate is asked for, so a system without any can reach such a server too.
    let builder = if url.scheme() == "http" { builder.tls_certs_only([]) } else { builder };
    let resolver = Resolver { may: |_: IpAddr| true, refusal: "it has no address" };
    let builder = builder.default_headers(read(headers)?).dns_resolver(resolver).connect_timeout(CONNECT);
    let client = client::build(builder, REDIRECTS)?;
    let (peer, messages) = Peer::new();
    let peer = Arc::new(peer);
    let endpoint = Arc::new(Endpoint::new(client, url, Arc::clone(&peer), access));
    let mut reader = JoinSet::new();
    reader.spawn(carry(Arc::clone(&endpoint), messages, kind));
    // A server of the oldest transport is spoken to as it expects from the start.
    let first = if kind == HttpKind::Events { First::Initialize } else { First::Discover };
    let farewell =
        Box::new(move || -> Waiting<'static, ()> { Box::pin(async move { endpoint.close().await }) });
    Ok(ServerConnection::of(peer, reader, tail, (first, farewell)))
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
async fn carry(
    endpoint: Arc<Endpoint>,
    mut messages: mpsc::Receiver<Outgoing>,
    kind: HttpKind,
) -> Option<String> {
    let (mut posts, mut handles) = (JoinSet::new(), HashMap::<u64, AbortHandle>::new());
    if kind == HttpKind::Events {
        endpoint.await_address();
        posts.spawn(Arc::clone(&endpoint).follow(None));
    }
    loop {
        let message = tokio::select! {
            message = messages.recv() => message?,
            Some(posted) = posts.join_next() => {
                match posted {
                    Ok(PostOutcome::Ended(reason)) => return Some(reason),
                    Ok(PostOutcome::Refused(message, reason)) => {
                        endpoint.await_address();
                        posts.spawn(Arc::clone(&endpoint).follow(Some(reason)));
                        ask(&endpoint, &mut posts, &mut handles, message);
                    }
                    Ok(PostOutcome::Done) | Err(_) => handles.retain(|_, handle| !handle.is_finished()),
                }
                continue;
            }
        };
        if message.id.is_some() {
            ask(&endpoint, &mut posts, &mut handles, message);
            continue;
        }
        let method = message.raw.get("method").and_then(Value::as_str).unwrap_or_default();
        if method == "notifications/cancelled" {
            let id = message.raw.get("params").and_then(|params| params.get("requestId")?.as_u64());
            if let Some(handle) = id.and_then(|id| handles.remove(&id)) {
                handle.abort();
            }
            // The new era cancels by closing the stream alone.
            if endpoint.peer.is_modern() {
                continue;
            }
        }
        if method == "notifications/initialized" {
            // The server must hear that the session is open before the first request of it.
            let (done, heard) = oneshot::channel::<()>();
            let sent = tell(Arc::clone(&endpoint), message);
            posts.spawn(async move {
                let posted = sent.await;
                drop(done);
                posted
            });
            let _ = timeout(OPENING, heard).await;
            if !endpoint.is_stream() {
                posts.spawn(Arc::clone(&endpoint).listen());
            }
        } else if posts.len() < MOST {
            posts.spawn(tell(Arc::clone(&endpoint), message));
        }
    }
}

/// Sends a request beside all others.
fn ask(
    endpoint: &Arc<Endpoint>,
    posts: &mut JoinSet<PostOutcome>,
    handles: &mut HashMap<u64, AbortHandle>,
    message: Outgoing,
) {
    let id = message.id;
    let handle = posts.spawn(Arc::clone(endpoint).post(message));
    handles.extend(id.map(|id| (id, handle)));
}

/// Sends a message that has no answer, unless the server takes too long over it.
async fn tell(endpoint: Arc<Endpoint>, message: Outgoing) -> PostOutcome {
    timeout(TELLING, endpoint.post(message)).await.unwrap_or(PostOutcome::Done)
}
