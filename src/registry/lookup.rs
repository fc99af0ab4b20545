//! From what somebody typed to a tool: the qualified name, the local name, or the original.

use super::{Registered, Registry};
use crate::model::{ToolName, nearest};

/// Why a name leads to no tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSuchTool {
    /// Nothing is called so; these come near.
    Unknown {
        /// The tool that was probably meant.
        meant: Option<ToolName>,
    },
    /// Several are called so.
    Ambiguous {
        /// All of them.
        candidates: Vec<ToolName>,
    },
}

impl Registry {
    /// The tool of exactly this qualified name, as MCP names it.
    pub fn named(&self, qualified: &str) -> Option<&Registered> {
        let (instance, local) = qualified.split_once('.')?;
        self.tools.iter().find(|tool| tool.name.instance == instance && tool.name.local == local)
    }

    /// The tool that somebody means by a qualified name, a local name or an original (`test:unit`).
    ///
    /// # Errors
    /// When nothing or more than one thing is called so.
    pub fn find(&self, typed: &str) -> Result<&Registered, NoSuchTool> {
        if let Some(exact) = self.named(typed) {
            return Ok(exact);
        }
        let called = |tool: &&Registered| {
            let within = typed.strip_prefix(&tool.name.instance).and_then(|rest| rest.strip_prefix('.'));
            let original = Some(tool.tool.original.as_str()).filter(|original| !original.is_empty());
            tool.name.local == typed || original == Some(typed) || (within.is_some() && within == original)
        };
        let found: Vec<&Registered> = self.tools.iter().filter(called).collect();
        match found.as_slice() {
            [one] => Ok(one),
            [] => Err(NoSuchTool::Unknown { meant: self.meant(typed) }),
            several => {
                Err(NoSuchTool::Ambiguous { candidates: several.iter().map(|tool| tool.name.clone()).collect() })
            }
        }
    }

    fn meant(&self, typed: &str) -> Option<ToolName> {
        let spellings: Vec<(String, &ToolName)> = self
            .tools
            .iter()
            .flat_map(|tool| {
                [tool.name.to_string(), tool.name.local.clone(), tool.tool.original.clone()].map(|s| (s, &tool.name))
            })
            .filter(|(spelling, _)| !spelling.is_empty())
            .collect();
        let near = nearest(typed, spellings.iter().map(|(spelling, _)| spelling.as_str()))?;
        spellings.iter().find(|(spelling, _)| spelling == near).map(|(_, name)| (*name).clone())
    }
}
