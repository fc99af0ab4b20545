//! The parameters of a tool.

use std::sync::Arc;

use serde_json::Value;

use super::{Field, Parameter};

/// The parameters that a tool takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A plugin's own fields. The core adds `timeout`, `env` and `dry_run` to tools that run.
    Fields(&'static [Field]),
    /// The same, for a task whose parameters the project declares. The fields take them as words.
    Declared(&'static [Field], Arc<[Parameter]>),
    /// The JSON Schema of another MCP server, as the server wrote it. Nothing is added to it.
    Schema(Arc<Value>),
}

impl Input {
    /// The fields; none if a foreign schema describes the input.
    pub fn fields(&self) -> &'static [Field] {
        match self {
            Self::Fields(fields) | Self::Declared(fields, _) => fields,
            Self::Schema(_) => &[],
        }
    }

    /// The foreign schema; `None` where the parameters are fields.
    pub fn schema(&self) -> Option<&Value> {
        match self {
            Self::Fields(_) | Self::Declared(..) => None,
            Self::Schema(schema) => Some(schema),
        }
    }

    /// The parameters that the project declares; `None` where it declares nothing.
    pub fn declared(&self) -> Option<&[Parameter]> {
        match self {
            Self::Declared(_, parameters) => Some(parameters),
            Self::Fields(_) | Self::Schema(_) => None,
        }
    }
}
