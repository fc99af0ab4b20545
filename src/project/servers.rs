//! The connections to MCP servers, which outlive a reload of the settings that name them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::settings::Upstream;
use crate::sources::upstream::{UpstreamContext, UpstreamSource};

/// The connections of the projects that were opened one after the other for the same folder.
#[derive(Debug, Default)]
pub(crate) struct Servers(Mutex<Vec<Arc<UpstreamSource>>>);

impl Servers {
    /// The sources of these servers. One whose entry is as it was keeps its connection; the connections of all others
    /// end with their last call.
    pub(crate) fn of<'a>(
        &self,
        upstreams: impl Iterator<Item = &'a Upstream>,
        context: impl Fn() -> UpstreamContext,
    ) -> Vec<Arc<UpstreamSource>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let source = |upstream: &Upstream| {
            let known = kept.iter().find(|known| known.upstream() == upstream);
            known.map_or_else(|| Arc::new(UpstreamSource::new(upstream.clone(), context())), Arc::clone)
        };
        let sources: Vec<_> = upstreams.map(source).collect();
        kept.clone_from(&sources);
        sources
    }
}
