//! Sessions of the versions of MCP that have a handshake: a client gets a name for its session, questions and notices.
//!
//! A session is of the server that it began at. A client that sends no name of a session has none, and its requests are
//! complete by themselves.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{HeaderMap, Method, Request, StatusCode, header};
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification, RequestId,
};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::http::{HttpAnswer, LARGEST_BODY, holding, say, with};
use crate::mcp::server::McpServer;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";
/// The header that says which version of MCP a request is of.
const VERSION: &str = "mcp-protocol-version";
/// The first version with requests that are complete by themselves.
const WITHOUT_HANDSHAKE: &str = "2026-07-28";
/// How long a session lasts in which nothing is said.
const IDLE: Duration = Duration::from_hours(24);
/// How many sessions there are at once.
const MOST: usize = 1000;

/// The sessions that were begun at this server.
pub(super) struct Sessions {
    service: StreamableHttpService<McpServer, LocalSessionManager>,
    manager: Arc<LocalSessionManager>,
}

impl Sessions {
    /// Sessions that end when `stop` is cancelled.
    pub(super) fn new(server: McpServer, stop: CancellationToken) -> Self {
        let mut sessions = LocalSessionManager::default();
        let mut config = SessionConfig::default();
        (config.keep_alive, config.sse_retry) = (Some(IDLE), None);
        sessions.session_config = config;
        let manager = Arc::new(sessions);
        // Hosts and origins are checked before, for all paths alike.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_sse_retry(None)
            .with_max_request_body_bytes(LARGEST_BODY)
            .with_cancellation_token(stop);
        let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::clone(&manager), config);
        Self { service, manager }
    }

    /// The answer to a handshake, which begins a session.
    pub(super) async fn begin(&self, request: Request<Full<Bytes>>) -> HttpAnswer {
        if self.manager.sessions.read().await.len() >= MOST {
            let why = format!("{MOST} sessions are open already; one that nobody needs ends with DELETE\n");
            return with(say(StatusCode::SERVICE_UNAVAILABLE, why), header::RETRY_AFTER, "60");
        }
        self.service.handle(request).await
    }

    /// The answer to what is said in a session.
    pub(super) async fn answer(&self, request: Request<Full<Bytes>>) -> HttpAnswer {
        self.service.handle(request).await
    }

    /// The same for a call, which ends with its client's connection.
    pub(super) async fn call(&self, request: Request<Full<Bytes>>, id: RequestId) -> HttpAnswer {
        let session = named(request.headers()).unwrap_or_default().to_owned();
        let hang_up = HangUp { manager: Arc::clone(&self.manager), session, id };
        holding(self.service.handle(request).await, hang_up, CancellationToken::new())
    }
}

/// The session that a request names; `None`: it is complete by itself.
pub(super) fn named(headers: &HeaderMap) -> Option<&str> {
    let is_by_itself =
        headers.get(VERSION).is_some_and(|version| version.as_bytes() >= WITHOUT_HANDSHAKE.as_bytes());
    let session = headers.get(SESSION)?.to_str().ok()?;
    (!is_by_itself).then_some(session)
}

/// Whether a request without a body is of a session: it listens, or ends the session.
pub(super) fn is_of_session(method: &Method, headers: &HeaderMap) -> bool {
    matches!(*method, Method::GET | Method::DELETE) && named(headers).is_some()
}

/// Cancels a call when its answer is dropped; one that was answered is not there any more.
struct HangUp {
    manager: Arc<LocalSessionManager>,
    session: String,
    id: RequestId,
}

impl Drop for HangUp {
    fn drop(&mut self) {
        let Ok(runtime) = Handle::try_current() else { return };
        let (manager, session, id) = (Arc::clone(&self.manager), self.session.clone(), self.id.clone());
        runtime.spawn(async move {
            let params = CancelledNotificationParam::new(Some(id), None);
            let cancelled = ClientNotification::CancelledNotification(CancelledNotification::new(params));
            let message = ClientJsonRpcMessage::notification(cancelled);
            // A session that is over has no calls.
            let _ = manager.accept_message(&session.into(), message).await;
        });
    }
}
