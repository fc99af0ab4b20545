//! The paths of the server: `/mcp`, `/health`, `/health/details`, `/ready` and `/metrics`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode, header};
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::listeners::Listeners;
use super::sessions::{self, Sessions};
use super::{counts, origin};
use crate::calls::RunError;
use crate::http::{
    Bodies, HttpAnswer, HttpClient, JSON, LARGEST_BODY, Routes, Visit, holding, preflight, say, with,
};
use crate::mcp::exposure::{Exposure, LastShown};
use crate::mcp::lines::{LineContent, read_text};
use crate::mcp::preserialized::response;
use crate::mcp::raw::RawAnswer;
use crate::mcp::server::McpServer;
use crate::mcp::subscribers::Subscribers;
use crate::metrics::Metrics;
use crate::model::{Caller, Health, visible};
use crate::project::Live;
use crate::{doctor, wire};

/// The headers that a page may send.
const PAGE_HEADERS: &str = "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, \
                            mcp-session-id, traceparent";

/// The paths, and all that their answers come from.
pub struct Paths {
    source: Arc<Live>,
    /// Requests that are complete by themselves.
    mcp: StreamableHttpService<McpServer, NeverSessionManager>,
    sessions: Sessions,
    /// The one server that every connection has a clone of.
    server: McpServer,
    readiness: Arc<Readiness>,
    metrics: Arc<Metrics>,
    /// Cancels what is under way.
    calls: CancellationToken,
    listeners: Listeners,
    bodies: Bodies,
}

impl Paths {
    /// The paths of this project.
    pub fn new(source: Arc<Live>, exposure: Exposure, metrics: Arc<Metrics>) -> Self {
        let calls = CancellationToken::new();
        // Hosts and origins are checked here, for all paths alike.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_legacy_session_mode(false)
            .with_max_request_body_bytes(LARGEST_BODY);
        let last_shown = Arc::new(LastShown::new(exposure));
        let subscribers =
            Arc::new(Subscribers::new(Arc::clone(&source), Arc::clone(&last_shown), calls.clone()));
        let server = McpServer::new(Arc::clone(&source), last_shown, subscribers, origin::of, calls.clone());
        let shared = server.clone();
        let mcp = StreamableHttpService::new(move || Ok(shared.clone()), Arc::default(), config);
        let sessions = Sessions::new(server.clone(), calls.clone());
        Self {
            source,
            mcp,
            sessions,
            server,
            readiness: Arc::default(),
            metrics,
            calls,
            listeners: Listeners::new(),
            bodies: Bodies::default(),
        }
    }

    /// Begins to list, so that the server becomes ready before anybody asks.
    pub fn get_ready(&self) {
        self.readiness.look(&self.source);
    }

    /// How each instance is, as this server has it: 503 where one is not healthy, or there are no settings.
    async fn details(&self) -> HttpAnswer {
        let (healthy, mut details) = match self.source.project() {
            Ok(project) => {
                let registry = project.list().await;
                let all = doctor::health(&project, &registry);
                let instances: Vec<_> = all.iter().map(wire::health).collect();
                (all.iter().all(Health::is_healthy), json!({ "instances": instances }))
            }
            Err(why) => {
                let error = RunError::from(why);
                (
                    false,
                    json!({ "instances": [], "error": visible(&error.message), "error_code": error.code }),
                )
            }
        };
        details["healthy"] = json!(healthy);
        let status = if healthy { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        with(say(status, details.to_string()), header::CONTENT_TYPE, JSON)
    }

    /// MCP itself. A request's body is held until the answer is complete.
    async fn speak(&self, request: Request<Incoming>, client: &HttpClient) -> HttpAnswer {
        let (parts, body) = request.into_parts();
        if parts.method != Method::POST {
            let is_listener = parts.method == Method::GET;
            let is_of_session = sessions::is_of_session(&parts.method, &parts.headers);
            let request = Request::from_parts(parts, Full::<Bytes>::default());
            return match (is_of_session, is_listener) {
                (true, true) => self.listeners.admit(self.sessions.answer(request)).await,
                (true, false) => self.sessions.answer(request).await,
                (false, _) => self.mcp.handle(request).await,
            };
        }
        match self.bodies.read(body).await {
            Ok((body, held)) => holding(self.hear(parts, body, client).await, held, CancellationToken::new()),
            Err(unread) => unread.answer(),
        }
    }

    /// The message is looked at first. A body that is no message gets an error.
    async fn hear(&self, mut parts: Parts, body: Bytes, client: &HttpClient) -> HttpAnswer {
        let message = match read_text(&body) {
            LineContent::Message(message) => message,
            LineContent::Wrong(answer) => return wrong(&answer),
            LineContent::Nothing => return say(StatusCode::BAD_REQUEST, "it is no message\n"),
        };
        if is_call(&message) {
            parts.extensions.insert(caller(client).await);
        }
        let raw = RawAnswer::default();
        parts.extensions.insert(raw.clone());
        let is_of_session = sessions::named(&parts.headers).is_some();
        let request = Request::from_parts(parts, Full::new(body));
        let JsonRpcMessage::Request(asked) = message else {
            return if is_of_session {
                self.sessions.answer(request).await
            } else {
                self.mcp.handle(request).await
            };
        };
        let answer = match asked.request {
            ClientRequest::SubscriptionsListenRequest(_) => {
                return self.listeners.admit(self.mcp.handle(request)).await;
            }
            ClientRequest::InitializeRequest(_) => self.sessions.begin(request).await,
            ClientRequest::CallToolRequest(_) if is_of_session => self.sessions.call(request, asked.id).await,
            _ if is_of_session => self.sessions.answer(request).await,
            _ => self.mcp.handle(request).await,
        };
        with_raw(answer, raw)
    }
}

impl Routes for Paths {
    async fn answer(&self, request: Request<Incoming>, visit: Visit<'_>) -> HttpAnswer {
        let (asks, path) = (matches!(*request.method(), Method::GET | Method::HEAD), request.uri().path());
        match path {
            "/mcp" if visit.is_page && request.method() == Method::OPTIONS => preflight(PAGE_HEADERS),
            "/mcp" => match visit.token() {
                Ok(()) => self.speak(request, visit.client).await,
                Err(refused) => refused.answer(),
            },
            "/health" | "/health/details" | "/ready" | "/metrics" if !asks => {
                with(say(StatusCode::METHOD_NOT_ALLOWED, "it takes GET\n"), header::ALLOW, "GET, HEAD")
            }
            "/health" => say(StatusCode::OK, "ok\n"),
            "/health/details" => match visit.token() {
                Ok(()) => self.details().await,
                Err(refused) => refused.answer(),
            },
            "/ready" if self.readiness.is_ready() => say(StatusCode::OK, "ready\n"),
            "/ready" => {
                self.readiness.look(&self.source);
                say(StatusCode::SERVICE_UNAVAILABLE, "nothing was listed yet\n")
            }
            "/metrics" => match visit.token() {
                Ok(()) => counts::page(&self.metrics, visit.traffic, self.readiness.is_ready()).answer(),
                Err(refused) => refused.answer(),
            },
            _ => {
                say(StatusCode::NOT_FOUND, "there are /mcp, /health, /health/details, /ready and /metrics\n")
            }
        }
    }

    async fn idle(&self) {
        self.metrics.idle().await;
    }

    async fn end(&self) {
        self.calls.cancel();
        self.server.end_runs().await;
    }
}

/// The caller of a client's requests.
async fn caller(client: &HttpClient) -> Caller {
    if client.is_inside_run().await { Caller::Run } else { Caller::Agent }
}

/// Whether a message calls a tool.
fn is_call(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    matches!(message, JsonRpcMessage::Request(asked) if matches!(asked.request, ClientRequest::CallToolRequest(_)))
}

/// Answers a body that is no message, in JSON-RPC's own terms.
fn wrong(answer: &TxJsonRpcMessage<RoleServer>) -> HttpAnswer {
    let body = serde_json::to_vec(answer).unwrap_or_default();
    with(say(StatusCode::BAD_REQUEST, body), header::CONTENT_TYPE, JSON)
}

/// The start of a line of an event that holds the message.
const DATA: &str = "data:";

/// The same answer; where the handler set raw JSON, that stands for the SDK's result.
fn with_raw(answer: HttpAnswer, raw: RawAnswer) -> HttpAnswer {
    answer.map(|body| {
        // The SDK makes a frame of each event, and one of a body that is no stream.
        body.map_frame(move |frame| frame.map_data(|bytes| replaced(&raw, bytes))).boxed()
    })
}

fn replaced(raw: &RawAnswer, bytes: Bytes) -> Bytes {
    let Some(text) = std::str::from_utf8(&bytes).ok().filter(|_| raw.is_set()) else { return bytes };
    let is_stream = !text.trim_start().starts_with('{');
    let mut changed = String::new();
    for line in text.split_inclusive('\n') {
        let (message, end) = (line.trim_end_matches('\n'), &line[line.trim_end_matches('\n').len()..]);
        let data = if is_stream { message.strip_prefix(DATA) } else { Some(message) };
        match data.and_then(|data| answered(raw, data)) {
            Some(message) => changed.extend([if is_stream { "data: " } else { "" }, &message, end]),
            None => changed.push_str(line),
        }
    }
    Bytes::from(changed)
}

/// A message with the raw JSON; `None` for all but the answer.
fn answered(raw: &RawAnswer, message: &str) -> Option<String> {
    let mut message: Value = serde_json::from_str(message).ok()?;
    let result = message.get_mut("result")?;
    let joined = raw.join(result.take())?;
    Some(response(&message.get("id")?.to_string(), &joined))
}

/// Ready once, ready ever after: a list that breaks later leaves the last good one.
#[derive(Debug, Default)]
struct Readiness {
    ready: AtomicBool,
    looking: AtomicBool,
}

impl Readiness {
    fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// Lists in the background, where nobody does and nobody did. Within a tokio runtime.
    fn look(self: &Arc<Self>, source: &Arc<Live>) {
        if self.is_ready() || self.looking.swap(true, Ordering::Relaxed) {
            return;
        }
        let (readiness, source) = (Arc::clone(self), Arc::clone(source));
        tokio::spawn(async move {
            // Without settings there is no project; the next request looks again.
            if let Ok(project) = source.project() {
                project.list().await;
                readiness.ready.store(true, Ordering::Relaxed);
            }
            readiness.looking.store(false, Ordering::Relaxed);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    use crate::mcp::raw::Raw;

    #[test]
    fn the_answer_alone_is_replaced_and_once() {
        let raw = RawAnswer::default();
        let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#;
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
        let event = |message: &str| Bytes::from(format!("event: message\ndata: {message}\n\n"));
        assert_eq!(replaced(&raw, event(answer)), event(answer));
        let place = |raw: &RawAnswer| raw.put(Raw::Result(json!({"content": [], "x": 1})));
        place(&raw);
        assert_eq!(replaced(&raw, event(progress)), event(progress));
        let expected = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":1}}"#;
        assert_eq!(replaced(&raw, event(answer)), event(expected));
        assert_eq!(replaced(&raw, event(answer)), event(answer), "it is used up");
        place(&raw);
        assert_eq!(replaced(&raw, Bytes::from(answer)), Bytes::from(expected), "no stream");
    }
}
