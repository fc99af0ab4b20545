//! The registry as it was last.

use std::sync::Arc;

use crate::model::Discovery;
use crate::registry::Registry;

/// A registry, and the discoveries that it was made of.
#[derive(Debug)]
pub(crate) struct Current {
    pub(crate) made_of: Vec<Arc<Discovery>>,
    pub(crate) registry: Arc<Registry>,
}
