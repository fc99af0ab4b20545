//! Clients that want to know when the tools change: sessions of the old era, and listeners of 2026-07-28.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use rmcp::model::{CustomNotification, ServerNotification, SubscriptionFilter};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::exposure::{LastShown, ShownTools};
use crate::calls::{self, ServerNotice};
use crate::project::{Live, Watching};

/// How long a client has to ask for its first list before a look is taken without that.
const HEAD_START: Duration = Duration::from_secs(1);
/// How long an answer takes to be on its way.
const MOMENT: Duration = Duration::from_millis(50);

/// Watches for them all, from the first on: a server that nobody wants to hear from watches nothing.
pub(super) struct Subscribers {
    source: Arc<Live>,
    last_shown: Arc<LastShown>,
    /// Cancelled when there is nobody left to tell: a listener that goes on holds up the end of the server.
    gone: CancellationToken,
    begun: Once,
    /// The tools that listeners know: as they were at the last notification, or when they were listed before
    /// the first look.
    known: Mutex<Option<Arc<ShownTools>>>,
    changes: watch::Sender<()>,
    /// Told when a list is asked for.
    asked: Notify,
    /// The resources that somebody wants to hear of: server and URI there, and the client's name for it.
    resources: Mutex<HashMap<(String, String), String>>,
    /// How many listeners want to hear of a resource, by server and URI there.
    watched: Mutex<HashMap<(String, String), usize>>,
}

/// A resource whose changes a listener wants to hear of.
#[derive(Debug, Clone)]
pub(super) struct WatchedResource {
    pub(super) server: String,
    /// The URI there.
    pub(super) original: String,
    /// The listener's name for it.
    pub(super) given: String,
}

impl Subscribers {
    pub(super) fn new(source: Arc<Live>, last_shown: Arc<LastShown>, gone: CancellationToken) -> Self {
        let changes = watch::Sender::new(());
        let (begun, known, asked) = (Once::new(), Mutex::default(), Notify::new());
        let (resources, watched) = (Mutex::default(), Mutex::default());
        Self { source, last_shown, gone, begun, known, changes, asked, resources, watched }
    }

    /// Narrows a requested subscription to the kinds that cuff offers.
    pub(super) fn filter(requested: &SubscriptionFilter) -> SubscriptionFilter {
        let mut filter = SubscriptionFilter::builder()
            .tools_list_changed()
            .prompts_list_changed()
            .resources_list_changed()
            .build();
        filter.resource_subscriptions.clone_from(&requested.resource_subscriptions);
        filter
    }

    /// One more listener wants to hear of a resource.
    pub(super) fn add_watched(&self, WatchedResource { server, original, .. }: &WatchedResource) {
        *self.watched().entry((server.clone(), original.clone())).or_default() += 1;
    }

    /// A listener no longer wants to hear of a resource; whether nobody does any more.
    pub(super) fn remove_watched(&self, WatchedResource { server, original, .. }: &WatchedResource) -> bool {
        let of = (server.clone(), original.clone());
        let mut watched = self.watched();
        let left = watched.get(&of).map_or(0, |count| count - 1);
        if left > 0 {
            watched.insert(of, left);
            return false;
        }
        watched.remove(&of);
        !self.resources().contains_key(&of)
    }

    /// Somebody was given this list.
    pub(super) fn listed(&self, shown: &Arc<ShownTools>) {
        self.asked.notify_one();
        let mut known = self.known();
        if known.is_none() || !self.begun.is_completed() {
            *known = Some(Arc::clone(shown));
        }
    }

    /// Somebody wants to know when a resource of a server changes, which the client calls `given`.
    pub(super) fn subscribe(&self, server: String, original: String, given: String) {
        self.resources().insert((server, original), given);
    }

    /// Nobody wants to know that any more.
    pub(super) fn unsubscribe(&self, server: &str, original: &str) {
        self.resources().remove(&(server.to_owned(), original.to_owned()));
    }

    /// A server's notice as a session gets it; `None` where it does not concern the session.
    fn passed_on(&self, notice: ServerNotice) -> Option<CustomNotification> {
        let ServerNotice { server, method, mut params } = notice;
        if let Some(uri) = params.get("uri").and_then(Value::as_str) {
            let given = self.resources().get(&(server, uri.to_owned())).cloned()?;
            params["uri"] = Value::String(given);
        }
        Some(CustomNotification::new(method, Some(params).filter(|params| !params.is_null())))
    }

    /// Tells a session of the old era from now on.
    pub(super) fn join(self: &Arc<Self>, peer: Peer<RoleServer>) {
        self.begin();
        self.pass_notices_on(peer.clone());
        let (mut changes, gone) = (self.changes.subscribe(), self.gone.clone());
        tokio::spawn(async move {
            while next(&mut changes, &gone).await {
                // A session that is over gets no more notifications.
                if peer.notify_tool_list_changed().await.is_err() {
                    break;
                }
            }
        });
    }

    fn pass_notices_on(self: &Arc<Self>, peer: Peer<RoleServer>) {
        let Ok(project) = self.source.project() else { return };
        let (mut notices, gone, all) = (project.catalog.notices(), self.gone.clone(), Arc::clone(self));
        tokio::spawn(async move {
            while let Some(notice) = next_notice(&mut notices, &gone).await {
                let Some(notification) = all.passed_on(calls::without_secrets(&project, notice)) else {
                    continue;
                };
                if peer.send_notification(ServerNotification::CustomNotification(notification)).await.is_err()
                {
                    break;
                }
            }
        });
    }

    /// Tells a listener, until it or its connection has enough.
    pub(super) async fn listen(
        self: &Arc<Self>,
        listener: &SubscriptionContext,
        watched: &[WatchedResource],
    ) {
        let mut changes = self.changes.subscribe();
        if listener.accepted().tools_list_changed == Some(true) {
            self.begin();
        }
        let notifying = async {
            while next(&mut changes, &self.gone).await {
                if listener.sink().notify_tool_list_changed().await.is_err() {
                    break;
                }
            }
        };
        tokio::select! {
            () = listener.cancelled() => {}
            () = notifying => {}
            () = self.notify(listener, watched) => {}
        }
    }

    /// Tells a listener of the lists and resources of other servers. Never ends before the listener has gone.
    async fn notify(&self, listener: &SubscriptionContext, watched: &[WatchedResource]) {
        let Ok(project) = self.source.project() else { return std::future::pending().await };
        let mut notices = project.catalog.notices();
        while let Some(ServerNotice { server, method, params }) = next_notice(&mut notices, &self.gone).await
        {
            let (sink, accepted) = (listener.sink(), listener.accepted());
            let sent = match method.as_str() {
                "notifications/prompts/list_changed" if accepted.prompts_list_changed == Some(true) => {
                    sink.notify_prompt_list_changed().await
                }
                "notifications/resources/list_changed" if accepted.resources_list_changed == Some(true) => {
                    sink.notify_resource_list_changed().await
                }
                "notifications/resources/updated" => {
                    let uri = params.get("uri").and_then(Value::as_str);
                    let is_it = |watched: &&WatchedResource| {
                        watched.server == server && uri == Some(&watched.original)
                    };
                    match watched.iter().find(is_it) {
                        Some(watched) => sink.notify_resource_updated(&watched.given).await,
                        None => Ok(()),
                    }
                }
                _ => Ok(()),
            };
            if sent.is_err() {
                return;
            }
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
            let now = self.last_shown.now(&self.source).await;
            let before = self.known().replace(Arc::clone(&now));
            if before.is_some_and(|before| before != now) {
                self.changes.send_replace(());
            }
        }
    }

    fn resources(&self) -> MutexGuard<'_, HashMap<(String, String), String>> {
        self.resources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<(String, String), usize>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, Option<Arc<ShownTools>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a notice; `None` when there will be none.
async fn next_notice(
    notices: &mut broadcast::Receiver<ServerNotice>,
    gone: &CancellationToken,
) -> Option<ServerNotice> {
    loop {
        let notice = tokio::select! {
            () = gone.cancelled() => return None,
            notice = notices.recv() => notice,
        };
        match notice {
            Ok(notice) => return Some(notice),
            // The newer ones say the same.
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
    }
}

/// Waits for a change; `false` when there will be none.
async fn next(changes: &mut watch::Receiver<()>, gone: &CancellationToken) -> bool {
    tokio::select! {
        () = gone.cancelled() => false,
        done = changes.changed() => done.is_ok(),
    }
}
