//! The parameters of a tool.

use std::sync::Arc;

use serde_json::Value;

use super::Field;

/// The parameters that a tool takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A plugin's own fields. The core adds `timeout`, `env` and `dry_run` to tools that run.
    Fields(&'static [Field]),
    /// The JSON Schema of another MCP server, as the server wrote it. Nothing is added to it.
    Schema(Arc<Value>),
}

impl Input {
    /// The fields; none if a foreign schema describes the input.
    pub fn fields(&self) -> &'static [Field] {
        match self {
            Self::Fields(fields) => fields,
            Self::Schema(_) => &[],
        }
    }

    /// The foreign schema; `None` where the parameters are fields.
    pub fn schema(&self) -> Option<&Value> {
        match self {
            Self::Fields(_) => None,
            Self::Schema(schema) => Some(schema),
        }
    }
}
