//! All that is known of a server and its connection.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, broadcast, watch};
use tokio::time::{Instant, timeout};

use super::cached::Cached;
use super::connection::ServerConnection;
use super::context::UpstreamContext;
use super::handshake::ServerGreeting;
#[cfg(feature = "http")]
use super::http::{self, HttpKind};
use super::instructions::Instructions;
use super::last_failure::LastFailure;
use super::listing::{self, ListEntries, ServerListing};
#[cfg(feature = "http")]
use super::oauth::ServerAccess;
use super::offer::ServerNotice;
use super::peer::Peer;
use super::starter::ServerStarter;
use super::state::{ConnectionState, Took, UpstreamLimits};
use super::tail::Tail;
use crate::model::{Change, Command, Origin, Profile, Word, containment};
use crate::settings::{ServerTransport, Upstream};
use crate::sys::Clock;

/// How long lists wait for a server whose tools nobody knows yet, from the start of its first connection: a second, less what
/// cuff itself takes. Not every client asks again when the list has changed.
const FIRST_LIST: Duration = Duration::from_millis(950);

/// All that is known of a server, shared by its source and the task that keeps the connection.
#[derive(Debug)]
pub(super) struct UpstreamLife {
    pub(super) upstream: Upstream,
    pub(super) limits: UpstreamLimits,
    pub(super) state: watch::Sender<ConnectionState>,
    pub(super) slots: Semaphore,
    pub(super) tail: Arc<Tail>,
    /// The resources whose changes a server without sessions is asked for.
    pub(super) watched: watch::Sender<BTreeSet<String>>,
    /// Tells that somebody waits for the first connection.
    pub(super) needed: Notify,
    /// Tells a server that is down to be tried again at once.
    pub(super) retry: Notify,
    pub(super) is_down_for_login: AtomicBool,
    /// The login at a server over HTTP.
    #[cfg(feature = "http")]
    pub(super) access: Option<Arc<ServerAccess>>,
    starter: Arc<dyn ServerStarter>,
    pub(super) clock: Clock,
    pub(super) cached: Cached,
    /// When the first connection was begun.
    begun: OnceLock<Instant>,
    listing: Mutex<Option<Arc<ServerListing>>>,
    /// The server's instructions for agents.
    pub(super) instructions: Instructions,
    /// Whether the server itself gave that list to this process; else it is the one on disk.
    is_live: AtomicBool,
    /// How often the listing became another.
    generation: AtomicU64,
    pub(super) notices: broadcast::Sender<ServerNotice>,
}

impl UpstreamLife {
    pub(super) fn new(upstream: Upstream, context: UpstreamContext) -> Self {
        #[cfg(feature = "http")]
        let access = ServerAccess::of(&upstream, context.logins.as_ref(), &context.clock).map(Arc::new);
        let UpstreamContext { starter, clock, cache, limits, notices, .. } = context;
        Self {
            #[cfg(feature = "http")]
            access,
            cached: Cached::of(cache, &upstream),
            upstream,
            limits,
            state: watch::Sender::new(ConnectionState::NotStarted),
            slots: Semaphore::new(limits.concurrency.max(1)),
            tail: Arc::default(),
            watched: watch::Sender::default(),
            needed: Notify::new(),
            retry: Notify::new(),
            is_down_for_login: AtomicBool::new(false),
            starter,
            clock,
            begun: OnceLock::new(),
            listing: Mutex::default(),
            instructions: Instructions::default(),
            is_live: AtomicBool::new(false),
            generation: AtomicU64::new(0),
            notices,
        }
    }

    /// The list as it is known: the server's, else the one on disk.
    pub(super) fn listing(&self) -> Option<Arc<ServerListing>> {
        let mut known = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = self.cached.read().map(Arc::new);
        }
        known.clone()
    }

    /// Whether a list of this process or an earlier one had its tools, or has waited for them in vain.
    pub(super) fn was_seen(&self) -> bool {
        self.listing().is_some() || self.cached.is_late()
    }

    /// Whether the server itself gave the list to this process.
    pub(super) fn is_live(&self) -> bool {
        self.is_live.load(Ordering::Acquire)
    }

    /// Whether the server defines a tool by this digest, for all that it has said until now. A change that it announced is
    /// asked for first.
    pub(super) async fn defines(&self, peer: &Peer, tool: &str, digest: &str) -> bool {
        if peer.takes_stale_list() {
            // A list that fails is as it was.
            let _ = timeout(self.limits.connect, self.list(peer, true)).await;
        }
        let listing = self.listing().unwrap_or_default();
        let mut tools = listing.tools.iter();
        tools.any(|known| known.name == tool && **known.definition.digest() == *digest)
    }

    /// How the server failed when it was tried last, here or in another process.
    pub(super) fn failure(&self) -> Option<LastFailure> {
        self.cached.failure()
    }

    /// How often the list became another.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Notes that a connection is begun: a list that comes now has something to wait for.
    pub(super) fn begin(&self) {
        self.begun.get_or_init(Instant::now);
        self.state.send_replace(ConnectionState::Connecting);
    }

    /// How long lists wait for this server; `None`: nobody connects to it.
    pub(super) fn first_list(&self) -> Option<Instant> {
        self.begun.get().map(|begun| *begun + FIRST_LIST)
    }

    /// Whether the server wants a login that there is not.
    #[cfg_attr(not(feature = "http"), expect(clippy::unused_self, reason = "HTTP alone has logins"))]
    pub(super) fn needs_login(&self) -> bool {
        #[cfg(feature = "http")]
        return self.access.as_ref().is_some_and(|access| access.is_needed());
        #[cfg(not(feature = "http"))]
        false
    }

    /// Whether the server is down for want of a login that there is by now.
    pub(super) fn was_logged_in(&self) -> bool {
        self.is_down_for_login.load(Ordering::Relaxed) && !self.needs_login()
    }

    pub(super) async fn connect(&self) -> Result<(ServerConnection, ServerGreeting, Took), String> {
        let begun = Instant::now();
        let mut connection = self.open().await?;
        let greeting = connection.greet().await?;
        let connect = begun.elapsed();
        let has_tools = greeting.capabilities.get("tools").is_some();
        let peer = Arc::clone(&connection.peer);
        tokio::select! {
            biased;
            listed = self.list(&peer, has_tools) => listed?,
            reason = connection.lost() => return Err(reason),
        }
        let took = Took { connect, list: begun.elapsed().saturating_sub(connect) };
        Ok((connection, greeting, took))
    }

    async fn open(&self) -> Result<ServerConnection, String> {
        match &self.upstream.transport {
            ServerTransport::Stdio { .. } => {
                let Some(command) = command(&self.upstream) else {
                    return Err("settings name no program".to_owned());
                };
                let rules = containment(Profile::Server, &self.upstream.config, |_| false);
                let name = &self.upstream.name;
                ServerConnection::start(&*self.starter, name, (command, rules), Arc::clone(&self.tail)).await
            }
            #[cfg(feature = "http")]
            ServerTransport::Http { url, headers, is_legacy, .. } => {
                let kind = if *is_legacy { HttpKind::Events } else { HttpKind::Streamable };
                http::open(url, headers, kind, Arc::clone(&self.tail), self.access.clone())
            }
            #[cfg(not(feature = "http"))]
            ServerTransport::Http { .. } => Err("this build of cuff speaks no HTTP".to_owned()),
        }
    }

    /// Asks for the list, and keeps it.
    pub(super) async fn list(&self, peer: &Peer, has_tools: bool) -> Result<(), String> {
        peer.takes_stale_list();
        let mut entries = if has_tools {
            listing::pages(peer, "tools/list", "tools").await?
        } else {
            ListEntries::default()
        };
        entries.has_headers =
            peer.is_modern() && matches!(self.upstream.transport, ServerTransport::Http { .. });
        let before = self.listing();
        let listing = {
            let listing = ServerListing::of(&self.upstream.name, entries.clone());
            peer.parameters.set(listing.tools.iter().map(|tool| (tool.name.as_str(), &*tool.schema)));
            if before.as_deref() == Some(&listing) {
                self.is_live.store(true, Ordering::Release);
                return Ok(());
            }
            Arc::new(listing)
        };
        self.cached.write(&entries);
        *self.listing.lock().unwrap_or_else(PoisonError::into_inner) = Some(listing);
        self.is_live.store(true, Ordering::Release);
        self.generation.fetch_add(1, Ordering::Relaxed);
        // A change of the list wakes the tasks that wait for a change of the state.
        self.state.send_modify(|_| {});
        Ok(())
    }

    /// Asks for the list now, if there is a connection.
    pub(super) async fn list_now(&self) {
        let state = self.state.borrow().clone();
        if let ConnectionState::Connected { peer, greeting, .. } = state {
            let has_tools = greeting.capabilities.get("tools").is_some();
            // A list that fails is as it was.
            let _ = timeout(self.limits.connect, self.list(&peer, has_tools)).await;
        }
    }
}

/// The program of a server; `None`: it is reached by an address.
pub(super) fn command(upstream: &Upstream) -> Option<Command> {
    let ServerTransport::Stdio { command, arguments, environment, directory } = &upstream.transport else {
        return None;
    };
    let changes = environment.iter().map(|(name, value)| Change::new(name, value, Origin::Settings));
    let command = Command::new(Word::settings(command))
        .arguments(arguments.iter().map(Word::settings))
        .environment(changes);
    Some(match directory {
        Some(directory) => command.directory(upstream.folder.join(directory)),
        None => command.directory(&upstream.folder),
    })
}
