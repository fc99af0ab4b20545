//! The kinds of things that a call can come to.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::{Command, TraceContext};

/// The action of a call, as its source planned it.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Start a process.
    Process(Command),
    /// Call a tool of another MCP server.
    Upstream(UpstreamCall),
    /// Nothing: the answer is known.
    Answer(Map<String, Value>),
}

/// A call of a tool of another MCP server.
#[derive(Debug, Clone, PartialEq)]
pub struct UpstreamCall {
    /// The instance of the settings that names the server.
    pub server: String,
    /// The tool, as the server calls it.
    pub tool: String,
    /// Its arguments, as the server gets them.
    pub arguments: Map<String, Value>,
    /// How long the answer may take.
    pub timeout: Duration,
    /// The digest of the definition that the call was judged by: the server must still define the tool so when it is
    /// called. `None` for a person's call.
    pub definition: Option<Arc<str>>,
    /// The span that its work belongs to, once the call is made and traced.
    pub trace: Option<TraceContext>,
}

impl Plan {
    /// The process that would be started; `None` where none would.
    pub fn command(&self) -> Option<&Command> {
        match self {
            Self::Process(command) => Some(command),
            Self::Upstream(_) | Self::Answer(_) => None,
        }
    }
}
