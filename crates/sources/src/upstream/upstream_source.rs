//! The tools of another MCP server, as a source.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, yield_now};
use tokio::time::timeout_at;
use tokio_util::sync::CancellationToken;

use super::calling::{self, ServerRequest};
use super::connection_task::UpstreamLife;
use super::context::UpstreamContext;
use super::conversation::{Conversation, ServerAnswer};
use super::foreign::Foreign;
use super::keeper::keep;
use super::last_discovery::LastDiscovery;
use super::last_failure::LastFailure;
use super::listing::{self, ServerListing};
use super::offer::{ForeignRequest, OfferKind};
use super::state::{Connect, ConnectionState, UpstreamHealth};
use crate::Waiting;
use crate::model::{ErrorCode, Problem, UpstreamCall, bounded};
use crate::settings::Upstream;

/// The longest wait for the end of a connection.
const CLOSING: Duration = Duration::from_millis(1500);

/// Another MCP server. Dropped, its connection and its processes end.
#[derive(Debug)]
pub struct UpstreamSource {
    pub(super) life: Arc<UpstreamLife>,
    connect: Connect,
    keeper: Mutex<Option<ConnectionKeeper>>,
    pub(super) made: LastDiscovery,
    /// The problems of each list beside that of the tools, as it was last asked for.
    offers: Mutex<BTreeMap<OfferKind, Vec<Problem>>>,
}

/// The task that keeps the connection, and the way to end it.
#[derive(Debug)]
struct ConnectionKeeper {
    task: JoinHandle<()>,
    closing: CancellationToken,
}

impl UpstreamSource {
    /// A source that has not connected yet. Needs no runtime.
    pub fn new(upstream: Upstream, context: UpstreamContext) -> Self {
        let (connect, life) = (context.connect, UpstreamLife::new(upstream, context));
        let life = Arc::new(life);
        Self {
            life,
            connect,
            keeper: Mutex::default(),
            made: LastDiscovery::default(),
            offers: Mutex::default(),
        }
    }

    /// Connects in the background where that is wanted at once, and a runtime is there.
    pub fn begin(&self) {
        if self.connect == Connect::AtOnce && Handle::try_current().is_ok() {
            self.keep();
        }
    }

    /// Connects in the background, where that is allowed; within a runtime.
    pub fn start(&self) {
        self.keep();
    }

    /// Calls a tool.
    pub fn call_with<'a>(
        &'a self,
        call: &'a UpstreamCall,
        conversation: &'a dyn Conversation,
        cancel: &'a CancellationToken,
    ) -> Waiting<'a, ServerAnswer> {
        let mut params = json!({"name": call.tool, "arguments": call.arguments});
        if let Some(trace) = &call.trace {
            params["_meta"] = json!({"traceparent": trace.parent()});
            if !trace.state.is_empty() {
                params["_meta"]["tracestate"] = json!(trace.state);
            }
        }
        let defined = call.definition.as_deref().map(|digest| (call.tool.as_str(), digest));
        let timeout = call.timeout;
        self.send(ServerRequest { method: "tools/call", params, timeout, conversation, cancel, defined })
    }

    /// Passes a request on as it is, within the time of the server's calls: `prompts/get`, `resources/read`.
    pub fn pass_on<'a>(
        &'a self,
        ForeignRequest { method, params }: ForeignRequest<'a>,
        conversation: &'a dyn Conversation,
        cancel: &'a CancellationToken,
    ) -> Waiting<'a, ServerAnswer> {
        let timeout = self.upstream().config.default_timeout();
        self.send(ServerRequest { method, params, timeout, conversation, cancel, defined: None })
    }

    /// All pages of a list beside that of the tools, as clients take them; empty where the server has no such list.
    ///
    /// # Errors
    /// In words, when the server is not connected or does not answer in time.
    pub async fn list(&self, kind: OfferKind) -> Result<Vec<Value>, String> {
        match self.connect {
            // The server's notice tells of the entries of one that is late.
            Connect::AtOnce => self.settled().await,
            Connect::Never | Connect::WhenCalled => self.connected().await,
        }
        let state = self.life.state.borrow().clone();
        let server = &self.life.upstream.name;
        let ConnectionState::Connected { peer, greeting, .. } = state else {
            return Err(self.down().unwrap_or_else(|| format!("the server {server} is not connected")));
        };
        if greeting.capabilities.get(kind.capability()).is_none() {
            return Ok(Vec::new());
        }
        let limit = self.life.limits.connect;
        let pages = tokio::time::timeout(limit, listing::pages(&peer, kind.method(), kind.key())).await;
        let pages =
            pages.unwrap_or_else(|_| Err(format!("it did not answer within {} s", limit.as_secs_f32())));
        let entries = pages.map_err(|reason| format!("the server {server}: {reason}"))?;
        let (mut offered, mut withheld, mut partial) = (Vec::new(), Vec::new(), Vec::new());
        for (at, raw) in entries.values.iter().enumerate() {
            match (Foreign { server, of: kind.entries(), at, raw }).offered() {
                Ok((entry, problem)) => {
                    partial.extend(problem);
                    offered.push(entry);
                }
                Err(problem) => withheld.push(*problem),
            }
        }
        let mut problems = Vec::new();
        bounded(withheld, &mut problems);
        bounded(partial, &mut problems);
        self.offers.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, problems);
        Ok(offered)
    }

    /// The instance of the settings.
    pub fn upstream(&self) -> &Upstream {
        &self.life.upstream
    }

    /// How the connection is.
    pub fn health(&self) -> UpstreamHealth {
        self.life.state.borrow().health()
    }

    /// The last lines that the server printed on standard error, oldest first.
    pub fn last_lines(&self) -> Vec<String> {
        self.life.tail.lines()
    }

    /// How the server failed when it was tried last, in this process or another; `None` where it has answered since.
    pub fn last_failure(&self) -> Option<LastFailure> {
        self.life.failure()
    }

    /// Connects, lists, and says how that went.
    pub async fn tried(&self) -> UpstreamHealth {
        self.connected().await;
        self.health()
    }

    /// Ends the connection and tells the server, within a bounded time. The next call connects again.
    pub async fn close(&self) {
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(ConnectionKeeper { task, closing }) = keeper else { return };
        closing.cancel();
        let _ = tokio::time::timeout(CLOSING, task).await;
        self.life.state.send_replace(ConnectionState::NotStarted);
    }

    /// Whether the server wants a login that there is not, as far as is known.
    pub fn needs_login(&self) -> bool {
        self.life.needs_login()
    }

    /// The tokens of the login at the server.
    pub fn tokens(&self) -> Vec<String> {
        #[cfg(feature = "http")]
        return self.life.access.as_ref().map(|access| access.tokens()).unwrap_or_default();
        #[cfg(not(feature = "http"))]
        Vec::new()
    }

    /// The server's capabilities, as it said them; `None` while it is not connected.
    pub fn capabilities(&self) -> Option<Value> {
        match &*self.life.state.borrow() {
            ConnectionState::Connected { greeting, .. } => Some(greeting.capabilities.clone()),
            _ => None,
        }
    }

    /// The tools as they are known, without any wait; `None`: nobody knows them yet.
    pub fn listing(&self) -> Option<Arc<ServerListing>> {
        self.life.listing()
    }

    /// Whether the server itself gave that list to this process; else it is the one of before.
    pub fn is_live(&self) -> bool {
        self.life.is_live()
    }

    /// Waits until the server has answered or failed, but never longer than lists wait for servers that nobody knows: a
    /// while from the start of its first connection, and once. Where nothing connects to it there is no wait.
    pub async fn settled(&self) {
        if self.connect == Connect::Never || self.health() != UpstreamHealth::Connecting {
            return;
        }
        let Some(until) = self.life.first_list() else { return };
        if !self.life.cached.is_late() && timeout_at(until, self.connected()).await.is_err() {
            self.life.cached.keep_late();
        }
    }

    /// The tools, asked of the server just now; as they are known where it does not answer.
    pub(super) async fn listed_afresh(&self) -> Arc<ServerListing> {
        // Polled without a runtime, this panics here.
        yield_now().await;
        self.connected().await;
        self.life.list_now().await;
        self.listing().unwrap_or_default()
    }

    /// How often the list became another.
    pub fn generation(&self) -> u64 {
        self.life.generation()
    }

    /// Waits until the state or the list becomes another.
    pub async fn changed(&self) {
        // The sender lives as long as this source.
        let _ = self.life.state.subscribe().changed().await;
    }

    /// Problems of the connection and the list.
    pub fn problems(&self) -> Vec<Problem> {
        let server = &self.life.upstream.name;
        let mut problems: Vec<_> =
            self.down().map(|down| Problem::error(ErrorCode::Failed, down)).into_iter().collect();
        // One that is connected, or down, says so itself.
        if self.health() == UpstreamHealth::NotStarted && self.needs_login() {
            let problem = Problem::warning(format!("the MCP server {server} needs a login"));
            problems.push(problem.help(format!("`cuff mcp login {server}`")));
        }
        let (count, first) = self.life.tail.noises();
        if count > 0 {
            let message = format!(
                "the server {server} prints noise on standard output: {count} lines, first {first:?}"
            );
            problems.push(Problem::warning(message));
        }
        problems.extend(self.instructions_warning());
        problems.extend(self.listing().iter().flat_map(|listing| listing.problems.clone()));
        let offers = self.offers.lock().unwrap_or_else(PoisonError::into_inner);
        problems.extend(offers.values().flatten().cloned());
        problems
    }

    /// The problem that the server's instructions have text which may steer a model.
    fn instructions_warning(&self) -> Option<Problem> {
        let ConnectionState::Connected { greeting, .. } = &*self.life.state.borrow() else { return None };
        let steering = greeting.steering.as_ref()?;
        let server = &self.life.upstream.name;
        let message =
            format!("the instructions of the server {server} have text that may steer a model: {steering}");
        Some(Problem::warning(message).help("cuff does not pass them on"))
    }

    fn down(&self) -> Option<String> {
        match &*self.life.state.borrow() {
            ConnectionState::Down { reason, .. } => {
                Some(format!("the server {} is down: {reason}", self.life.upstream.name))
            }
            _ => None,
        }
    }

    /// Connects where that is allowed, and waits for how it went.
    pub async fn connected(&self) {
        if !self.keep() {
            return;
        }
        self.life.needed.notify_one();
        let mut states = self.life.state.subscribe();
        let is_over = |state: &ConnectionState| {
            !matches!(state, ConnectionState::NotStarted | ConnectionState::Connecting)
        };
        let _ = states.wait_for(is_over).await;
    }

    fn send<'a>(&'a self, request: ServerRequest<'a>) -> Waiting<'a, ServerAnswer> {
        Box::pin(async move {
            if !self.keep() {
                let server = &self.life.upstream.name;
                return ServerAnswer::Unreachable(format!(
                    "the server {server} is not connected: nothing is called here"
                ));
            }
            self.life.needed.notify_one();
            calling::send(&self.life, request).await
        })
    }

    /// Sees to it that the connection is kept; `false`: it must not be.
    fn keep(&self) -> bool {
        if self.connect == Connect::Never {
            return false;
        }
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        // A keeper ends with its runtime, and its connection with it.
        if keeper.as_ref().is_some_and(|keeper| keeper.task.is_finished()) {
            self.life.state.send_replace(ConnectionState::NotStarted);
            *keeper = None;
        }
        if keeper.is_none() {
            self.life.begin();
            let closing = CancellationToken::new();
            let task = tokio::spawn(keep(Arc::clone(&self.life), closing.clone()));
            *keeper = Some(ConnectionKeeper { task, closing });
        }
        true
    }
}

impl Drop for UpstreamSource {
    fn drop(&mut self) {
        let keeper = self.keeper.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(keeper) = keeper {
            // The server hears of it where the runtime lives on.
            keeper.closing.cancel();
        }
    }
}
