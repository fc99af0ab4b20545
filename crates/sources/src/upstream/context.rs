//! The context of a source of another server's tools.

use std::sync::Arc;

use tokio::sync::broadcast;

#[cfg(feature = "http")]
use super::oauth::Logins;
use super::offer::ServerNotice;
use super::starter::ServerStarter;
use super::state::{Connect, UpstreamLimits};
use crate::sys::{Cache, Clock};

/// The tools and limits that a source of another server's tools needs.
#[derive(Debug, Clone)]
pub struct UpstreamContext {
    /// Starts programs.
    pub starter: Arc<dyn ServerStarter>,
    /// The time.
    pub clock: Clock,
    /// The folder for lists; `None`: none is kept.
    pub cache: Option<Cache>,
    /// The logins at servers; `None`: there are none.
    #[cfg(feature = "http")]
    pub logins: Option<Logins>,
    /// When to connect.
    pub connect: Connect,
    /// The bounds.
    pub limits: UpstreamLimits,
    /// Where the server's notices go that belong to no call.
    pub notices: broadcast::Sender<ServerNotice>,
}
