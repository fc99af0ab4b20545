//! Settings as they were approved and as they are, to be compared.

use std::path::PathBuf;

use crate::ledger::PinnedTools;
use crate::settings::{Instance, Upstream};

/// The two sides of the comparison.
#[derive(Debug, Default)]
pub(crate) struct Sides {
    pub(crate) root: PathBuf,
    /// The instances as they were approved, and as they are.
    pub(crate) instances: (Vec<Instance>, Vec<Instance>),
    /// The MCP servers that were approved, and those that there are.
    pub(crate) servers: (Vec<Upstream>, Vec<Upstream>),
    /// The texts of tools as they were pinned, and as they are.
    pub(crate) texts: (Option<PinnedTools>, PinnedTools),
}
