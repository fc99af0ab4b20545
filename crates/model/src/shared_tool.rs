//! A tool that stays in its discovery: a large project has thousands, and each is in several registries.

use std::fmt::{Debug, Formatter, Result};
use std::ops::Deref;
use std::sync::Arc;

use super::{Discovery, Tool};

/// One of the tools of a discovery.
#[derive(Clone)]
pub struct SharedTool {
    discovery: Arc<Discovery>,
    place: usize,
}

impl SharedTool {
    /// All tools of a discovery, in their order.
    pub fn all(discovery: &Arc<Discovery>) -> impl Iterator<Item = Self> {
        (0..discovery.tools.len()).map(|place| Self { discovery: Arc::clone(discovery), place })
    }
}

impl From<Tool> for SharedTool {
    fn from(tool: Tool) -> Self {
        let discovery = Arc::new(Discovery { tools: vec![tool], ..Discovery::default() });
        Self { discovery, place: 0 }
    }
}

impl Deref for SharedTool {
    type Target = Tool;

    fn deref(&self) -> &Tool {
        &self.discovery.tools[self.place]
    }
}

impl PartialEq for SharedTool {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Debug for SharedTool {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (**self).fmt(f)
    }
}
