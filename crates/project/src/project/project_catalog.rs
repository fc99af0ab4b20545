//! The tools of a project, as far as they are known.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::broadcast;

use super::open_error::OpenError;
use super::probe::HostProber;
use super::servers::ProjectServers;
use super::starter::HostStarter;
use crate::model::Discovery;
use crate::registry::Registry;
use crate::sources::Source;
use crate::sources::project::Memory;
use crate::sources::upstream::{ServerNotice, UpstreamHealth};

/// The tools of a project: its sources, the connections to other MCP servers, and the registry as it was last.
#[derive(Debug)]
pub struct ProjectCatalog {
    /// Shared by those that were opened one after the other for the same project.
    pub(crate) memory: Arc<Memory>,
    /// The sources of its tools, once they are wanted.
    pub(crate) sources: OnceLock<Vec<Arc<dyn Source>>>,
    /// How many registries there were; shared as memory is.
    pub(crate) generations: Arc<AtomicU64>,
    /// The registry as it was last, and the discoveries that it was made of.
    pub(crate) current: Mutex<Option<Current>>,
    /// The tools that the sources took away at the last listing, in words.
    pub(crate) listing_problems: Mutex<Vec<String>>,
    /// The problem of the present settings, if those of before still hold.
    pub(crate) stale_settings: Mutex<Option<String>>,
    /// Carries out probes on this machine.
    pub prober: Arc<HostProber>,
    pub(crate) starter: Arc<HostStarter>,
    /// The connections to MCP servers; shared as memory is.
    pub(crate) servers: Arc<ProjectServers>,
}

/// A registry, and the discoveries that it was made of.
#[derive(Debug)]
pub(crate) struct Current {
    pub(crate) made_of: Vec<Arc<Discovery>>,
    pub(crate) registry: Arc<Registry>,
}

impl ProjectCatalog {
    /// Ends the connections to MCP servers and tells those, within a bounded time.
    pub async fn close(&self) {
        self.servers.close().await;
    }

    /// Waits for the servers that are being connected to, until each has answered or failed. Whether there was one.
    pub(crate) async fn has_waited_for_servers(&self) -> bool {
        self.servers.connected(|server| server.health() == UpstreamHealth::Connecting).await
    }

    /// The registry as it was listed last; `None`: nobody has listed it yet.
    pub fn last_list(&self) -> Option<Arc<Registry>> {
        self.current
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(|current| Arc::clone(&current.registry))
    }

    /// The last registry, where it was made of these very discoveries.
    pub(super) fn current(&self, made_of: &[Arc<Discovery>]) -> Option<Arc<Registry>> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let current = current.as_ref()?;
        let is_same = current.made_of.len() == made_of.len()
            && current.made_of.iter().zip(made_of).all(|(one, other)| Arc::ptr_eq(one, other));
        is_same.then(|| Arc::clone(&current.registry))
    }

    pub(crate) fn set_stale_settings(&self, error: &OpenError) {
        let other = || format!("{error}; {}", error.help().unwrap_or_default());
        let what = error.first_problem().unwrap_or_else(other);
        let text = format!("{what}; until that is mended, the settings from before hold on");
        *self.stale_settings.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// The problem of the present settings, if these of before still hold.
    pub(crate) fn stale_settings(&self) -> Option<String> {
        self.stale_settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The notices of MCP servers from now on that belong to no call.
    pub fn notices(&self) -> broadcast::Receiver<ServerNotice> {
        self.servers.notices()
    }
}
