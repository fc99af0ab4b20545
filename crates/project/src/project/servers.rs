//! The connections to MCP servers, which outlive a reload of the settings that name them.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use tokio::sync::broadcast;
use tokio::task::{JoinSet, yield_now};

use crate::settings::Upstream;
use crate::sources::upstream::{ServerNotice, UpstreamContext, UpstreamSource};

/// How many notices wait for those who listen; older ones are dropped.
const MOST_NOTICES: usize = 256;

/// The connections of the projects that were opened one after the other for the same folder.
#[derive(Debug)]
pub(crate) struct ProjectServers {
    kept: Mutex<Vec<Arc<UpstreamSource>>>,
    notices: broadcast::Sender<ServerNotice>,
}

impl Default for ProjectServers {
    fn default() -> Self {
        Self { kept: Mutex::default(), notices: broadcast::Sender::new(MOST_NOTICES) }
    }
}

impl ProjectServers {
    /// The sources of these servers. A server with the same entry as before keeps its connection. The
    /// connections of all others end with their last call.
    pub(crate) fn of<'a>(
        &self,
        upstreams: impl Iterator<Item = &'a Upstream>,
        context: impl Fn(&Upstream, broadcast::Sender<ServerNotice>) -> UpstreamContext,
    ) -> Vec<Arc<UpstreamSource>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let source = |upstream: &Upstream| {
            let known = kept.iter().find(|known| known.upstream() == upstream);
            known.map_or_else(
                || Arc::new(UpstreamSource::new(upstream.clone(), context(upstream, self.notices.clone()))),
                Arc::clone,
            )
        };
        let sources: Vec<_> = upstreams.map(source).collect();
        for source in &sources {
            source.begin();
        }
        kept.clone_from(&sources);
        sources
    }

    /// The notices of all servers from now on.
    pub(crate) fn notices(&self) -> broadcast::Receiver<ServerNotice> {
        self.notices.subscribe()
    }

    /// The connection of the server with this name.
    pub(crate) fn named(&self, name: &str) -> Option<Arc<UpstreamSource>> {
        self.kept().into_iter().find(|source| source.upstream().name == name)
    }

    /// Ends all connections and tells the servers, within a bounded time.
    pub(crate) async fn close(&self) {
        let mut closing = JoinSet::new();
        for source in self.kept() {
            closing.spawn(async move { source.close().await });
        }
        closing.join_all().await;
    }

    /// Connects to the servers of which that is asked, in the background.
    pub(crate) async fn start(&self, is_wanted: impl Fn(&UpstreamSource) -> bool) {
        for source in self.kept().iter().filter(|source| is_wanted(source)) {
            // The first poll may be without a runtime.
            yield_now().await;
            source.start();
        }
    }

    /// Waits for the servers of which that is asked, but for no longer than lists wait.
    pub(crate) async fn settled(&self, is_awaited: impl Fn(&UpstreamSource) -> bool) {
        for source in self.kept().iter().filter(|source| is_awaited(source)) {
            source.settled().await;
        }
    }

    /// Connects to the servers of which that is asked, side by side, and waits until each has answered or failed. Whether
    /// there were any.
    pub(crate) async fn connected(&self, is_awaited: impl Fn(&UpstreamSource) -> bool) -> bool {
        let awaited: Vec<_> = self.kept().into_iter().filter(|source| is_awaited(source)).collect();
        if !awaited.is_empty() {
            // The first poll may be without a runtime.
            yield_now().await;
        }
        for source in &awaited {
            source.start();
        }
        for source in &awaited {
            source.connected().await;
        }
        !awaited.is_empty()
    }

    /// Waits until a list or a connection becomes another.
    pub(crate) async fn changed(&self) {
        let kept = self.kept();
        let mut waits: Vec<_> = kept.iter().map(|source| Box::pin(source.changed())).collect();
        poll_fn(|context| {
            let is_ready = waits.iter_mut().any(|wait| wait.as_mut().poll(context).is_ready());
            if is_ready { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    fn kept(&self) -> Vec<Arc<UpstreamSource>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
