//! The life of a connection: connected, followed, lost, tried again.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, broadcast, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::cached::Cached;
use super::connection::Connection;
use super::context::UpstreamContext;
use super::handshake::Greeting;
#[cfg(feature = "http")]
use super::http::{self, HttpKind};
use super::last_failure::LastFailure;
use super::listing::{self, Entries, Listing};
#[cfg(feature = "http")]
use super::oauth::Access;
use super::offer::Notice;
use super::peer::Peer;
use super::sessionless;
use super::starter::Starter;
use super::state::{State, Took, UpstreamLimits};
use super::tail::Tail;
use crate::model::{Change, Command, Origin, Word};
use crate::settings::{Transport, Upstream};
use crate::sys::Clock;

/// The wait before the first try after a failure; each further one doubles it.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait between two tries.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// How long a connection must have lasted for the wait to begin anew.
const STABLE: Duration = Duration::from_mins(1);
/// How long changes of a list are gathered before it is asked for again: one change often says so several times.
const GATHERED: Duration = Duration::from_millis(50);
/// The shortest time between two such requests. Each change that comes within it doubles it.
const GAP: Duration = Duration::from_millis(500);
/// The longest time between two such requests, in a storm.
const LONGEST_GAP: Duration = Duration::from_secs(30);

/// All that is known of a server, shared by its source and the task that keeps the connection.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) upstream: Upstream,
    pub(super) limits: UpstreamLimits,
    pub(super) state: watch::Sender<State>,
    pub(super) slots: Semaphore,
    pub(super) tail: Arc<Tail>,
    /// The resources whose changes a server without sessions is asked for.
    pub(super) watched: watch::Sender<BTreeSet<String>>,
    /// Tells a server that is down to be tried again at once.
    pub(super) retry: Notify,
    is_down_for_login: AtomicBool,
    /// The login at a server over HTTP.
    #[cfg(feature = "http")]
    pub(super) access: Option<Arc<Access>>,
    starter: Arc<dyn Starter>,
    clock: Clock,
    cached: Cached,
    listing: Mutex<Option<Arc<Listing>>>,
    /// Whether the server itself gave that list to this process; else it is the one on disk.
    is_live: AtomicBool,
    /// How often the listing became another.
    generation: AtomicU64,
    notices: broadcast::Sender<Notice>,
}

impl Life {
    pub(super) fn new(upstream: Upstream, context: UpstreamContext) -> Self {
        #[cfg(feature = "http")]
        let access = Access::of(&upstream, context.logins.as_ref(), &context.clock).map(Arc::new);
        let UpstreamContext { starter, clock, cache, limits, notices, .. } = context;
        Self {
            #[cfg(feature = "http")]
            access,
            cached: Cached::of(cache, &upstream),
            upstream,
            limits,
            state: watch::Sender::new(State::NotStarted),
            slots: Semaphore::new(limits.concurrency.max(1)),
            tail: Arc::default(),
            watched: watch::Sender::default(),
            retry: Notify::new(),
            is_down_for_login: AtomicBool::new(false),
            starter,
            clock,
            listing: Mutex::default(),
            is_live: AtomicBool::new(false),
            generation: AtomicU64::new(0),
            notices,
        }
    }

    /// The list as it is known: the server's, else the one on disk.
    pub(super) fn listing(&self) -> Option<Arc<Listing>> {
        let mut known = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = self.cached.read().map(Arc::new);
        }
        known.clone()
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

    /// Keeps the connection for good: connects, follows, and connects again. Ends when `closing` is
    /// cancelled, or when it is dropped.
    pub(super) async fn keep(self: Arc<Self>, closing: CancellationToken) {
        let mut failures = 0;
        loop {
            self.state.send_replace(State::Connecting);
            let mut begun = None;
            let Some(reason) = self.live(&mut begun, &closing).await else { return };
            if begun.is_some_and(|begun: Instant| begun.elapsed() >= STABLE) {
                failures = 0;
            }
            let wait = wait_after(failures);
            failures += 1;
            let failure = LastFailure::new(self.clock.milliseconds(), &reason, &self.tail.lines());
            self.cached.keep_failure(Some(&failure));
            self.is_down_for_login.store(self.needs_login(), Ordering::Relaxed);
            let (next_try, at) = (self.clock.now() + wait, Instant::now() + wait);
            self.state.send_replace(State::Down { reason, next_try, at });
            tokio::select! {
                () = sleep(wait) => {}
                () = self.retry.notified() => {}
                () = closing.cancelled() => return,
            }
        }
    }

    /// One connection from its start to its end. Returns why it ended; `None`: it was closed here.
    async fn live(&self, begun: &mut Option<Instant>, closing: &CancellationToken) -> Option<String> {
        let connected = tokio::select! {
            connected = timeout(self.limits.connect, self.connect()) => connected,
            () = closing.cancelled() => return None,
        };
        let (mut connection, greeting, took) = match connected {
            Ok(Ok(connected)) => connected,
            Ok(Err(reason)) => return Some(reason),
            Err(_) => {
                return Some(format!("it did not answer within {} s", self.limits.connect.as_secs_f32()));
            }
        };
        *begun = Some(Instant::now());
        self.cached.keep_failure(None);
        #[cfg(feature = "http")]
        if let Some(access) = &self.access {
            access.accepted().await;
        }
        let peer = Arc::clone(&connection.peer);
        let greeting = Arc::new(greeting);
        self.state.send_replace(State::Connected {
            peer: Arc::clone(&peer),
            greeting,
            since: self.clock.now(),
            took,
        });
        let ended = tokio::select! {
            reason = connection.lost() => Some(reason),
            () = self.follow(&peer) => Some(String::new()),
            () = closing.cancelled() => None,
        };
        if ended.is_none() {
            connection.close().await;
        }
        ended
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

    async fn connect(&self) -> Result<(Connection, Greeting, Took), String> {
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

    async fn open(&self) -> Result<Connection, String> {
        match &self.upstream.transport {
            Transport::Stdio { .. } => {
                let Some(command) = command(&self.upstream) else {
                    return Err("settings name no program".to_owned());
                };
                Connection::start(&*self.starter, &self.upstream.name, command, Arc::clone(&self.tail)).await
            }
            #[cfg(feature = "http")]
            Transport::Http { url, headers, is_legacy, .. } => {
                let kind = if *is_legacy { HttpKind::Events } else { HttpKind::Streamable };
                http::open(url, headers, kind, Arc::clone(&self.tail), self.access.clone())
            }
            #[cfg(not(feature = "http"))]
            Transport::Http { .. } => Err("this build of cuff speaks no HTTP".to_owned()),
        }
    }

    /// Asks for the list, and keeps it.
    async fn list(&self, peer: &Peer, has_tools: bool) -> Result<(), String> {
        peer.takes_stale_list();
        let mut entries =
            if has_tools { listing::pages(peer, "tools/list", "tools").await? } else { Entries::default() };
        entries.has_headers = peer.is_modern() && matches!(self.upstream.transport, Transport::Http { .. });
        let before = self.listing();
        let listing = {
            let listing = Listing::of(&self.upstream.name, entries.clone());
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
        if let State::Connected { peer, greeting, .. } = state {
            let has_tools = greeting.capabilities.get("tools").is_some();
            // A list that fails is as it was.
            let _ = timeout(self.limits.connect, self.list(&peer, has_tools)).await;
        }
    }

    /// Asks for the list whenever the server says that it changed; in a storm of that, less and less often.
    async fn follow(&self, peer: &Peer) {
        tokio::select! {
            () = self.follow_lists(peer) => {}
            () = self.pass_notices_on(peer) => {}
            () = self.listen(peer) => {}
        }
    }

    /// Never ends.
    async fn follow_lists(&self, peer: &Peer) {
        let (mut gap, mut last) = (GAP, None::<Instant>);
        loop {
            peer.lists.notified().await;
            let early = last.map(|last| last + gap).filter(|due| *due > Instant::now());
            gap = if early.is_some() { (2 * gap).min(LONGEST_GAP) } else { GAP };
            sleep_until(early.unwrap_or_else(|| Instant::now() + GATHERED)).await;
            // A list that fails is as it was; the next change asks again.
            let _ = timeout(self.limits.connect, self.list(peer, true)).await;
            last = Some(Instant::now());
        }
    }

    /// Never ends.
    async fn pass_notices_on(&self, peer: &Peer) {
        let mut notices = peer.notices.subscribe();
        loop {
            // Of more than are kept the newer ones say the same.
            if let Ok((method, params)) = notices.recv().await {
                // Where nobody listens, nobody wants to know.
                let _ = self.notices.send(Notice { server: self.upstream.name.clone(), method, params });
            }
        }
    }

    /// Keeps the request open that brings a server's changes where there is no session. Never ends.
    async fn listen(&self, peer: &Peer) {
        let (mut watched, mut failures, mut listening) = (self.watched.subscribe(), 0, None);
        while peer.is_modern() {
            let params = sessionless::wanted(&watched.borrow_and_update());
            // The new one is there before the one before it ends.
            let next = peer.request("subscriptions/listen", params, false).await.ok();
            let Some(ticket) = listening.insert(next).as_mut() else { break };
            let begun = Instant::now();
            tokio::select! {
                // The sender lives as long as this.
                _ = watched.changed() => {}
                is_refused = ticket.refused() => {
                    if is_refused {
                        let _ = watched.changed().await;
                        continue;
                    }
                    failures = if begun.elapsed() >= STABLE { 0 } else { failures + 1 };
                    sleep(wait_after(failures)).await;
                    // Nobody knows what changed meanwhile.
                    peer.lists.notify_one();
                }
            }
        }
        std::future::pending::<()>().await;
    }
}

/// The wait after so many failures in a row.
fn wait_after(failures: u32) -> Duration {
    FIRST_WAIT.saturating_mul(1 << failures.min(16)).min(LONGEST_WAIT)
}

/// The program of a server; `None`: it is reached by an address.
pub(super) fn command(upstream: &Upstream) -> Option<Command> {
    let Transport::Stdio { command, arguments, environment, directory } = &upstream.transport else {
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
