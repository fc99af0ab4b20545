//! Clients that want to know when the tools change: sessions of the old era, and listeners of 2026-07-28.

use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use rmcp::model::{SubscriptionFilter, Tool};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::exposure::Exposure;
use crate::project::{Live, Watching};

/// How long a client has to ask for its first list before a look is taken without that.
const HEAD_START: Duration = Duration::from_secs(1);
/// How long an answer takes to be on its way.
const MOMENT: Duration = Duration::from_millis(50);

/// Watches for them all, from the first on: a server that nobody wants to hear from watches nothing.
pub(super) struct Subscribers {
    source: Arc<Live>,
    exposure: Exposure,
    /// Cancelled when there is nobody left to tell: a listener that goes on holds up the end of the server.
    gone: CancellationToken,
    begun: Once,
    /// What they know: the tools as they were when they were last told of a change, or listed before the first look.
    known: Mutex<Option<Vec<Tool>>>,
    changes: watch::Sender<()>,
    /// Told when a list is asked for.
    asked: Notify,
}

impl Subscribers {
    pub(super) fn new(source: Arc<Live>, exposure: Exposure, gone: CancellationToken) -> Self {
        let changes = watch::Sender::new(());
        let (begun, known, asked) = (Once::new(), Mutex::default(), Notify::new());
        Self { source, exposure, gone, begun, known, changes, asked }
    }

    /// What they can subscribe to.
    pub(super) fn filter() -> SubscriptionFilter {
        SubscriptionFilter::builder().tools_list_changed().build()
    }

    /// Somebody was given this list.
    pub(super) fn listed(&self, tools: &[Tool]) {
        self.asked.notify_one();
        let mut known = self.known();
        if known.is_none() || !self.begun.is_completed() {
            *known = Some(tools.to_vec());
        }
    }

    /// Tells a session of the old era from now on.
    pub(super) fn join(self: &Arc<Self>, peer: Peer<RoleServer>) {
        self.begin();
        let (mut changes, gone) = (self.changes.subscribe(), self.gone.clone());
        tokio::spawn(async move {
            while next(&mut changes, &gone).await {
                // A session that is over is told nothing more.
                if peer.notify_tool_list_changed().await.is_err() {
                    break;
                }
            }
        });
    }

    /// Tells a listener, until it or its connection has enough.
    pub(super) async fn listen(self: &Arc<Self>, listener: SubscriptionContext) {
        let mut changes = self.changes.subscribe();
        if listener.accepted().tools_list_changed == Some(true) {
            self.begin();
        }
        let told = async {
            while next(&mut changes, &self.gone).await {
                if listener.sink().notify_tool_list_changed().await.is_err() {
                    break;
                }
            }
        };
        tokio::select! {
            () = listener.cancelled() => {}
            () = told => {}
        }
    }

    fn begin(self: &Arc<Self>) {
        self.begun.call_once(|| {
            let all = Arc::clone(self);
            tokio::spawn(async move {
                let gone = all.gone.clone();
                tokio::select! {
                    () = gone.cancelled() => {}
                    () = all.watch() => {}
                }
            });
        });
    }

    async fn watch(&self) {
        // Nothing is missed: the first look comes after the watch, and is compared with what was listed before it.
        let _ = timeout(HEAD_START, self.asked.notified()).await;
        sleep(MOMENT).await;
        let mut watching = Watching::of(Arc::clone(&self.source));
        loop {
            watching.next().await;
            let now = self.exposure.now(&self.source).await.0;
            let before = self.known().replace(now.clone());
            if before.is_some_and(|before| before != now) {
                self.changes.send_replace(());
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, Option<Vec<Tool>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a change; `false` when there will be none.
async fn next(changes: &mut watch::Receiver<()>, gone: &CancellationToken) -> bool {
    tokio::select! {
        () = gone.cancelled() => false,
        told = changes.changed() => told.is_ok(),
    }
}
