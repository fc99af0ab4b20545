//! A call as a face received it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::model::{CWD, Caller, Plan, Registered, RunId, Spelling, TraceContext};
use crate::policy::{self, Asker};
use crate::sources::Conversation;

/// A call as a face received it.
#[derive(Debug, Clone)]
pub struct CallRequest {
    /// Which tool.
    pub tool: Addressed,
    /// Its arguments, unchecked.
    pub arguments: Map<String, Value>,
    /// The caller.
    pub caller: Caller,
    /// Whether the tool may print in colours, where it sees a terminal; agents get none.
    pub colours: bool,
    /// The asker of the person in front of the face, where there is one.
    pub asker: Option<Arc<dyn Asker>>,
    /// The person who hears what another MCP server says during its call, and answers its questions; `None`: nobody.
    pub conversation: Option<Arc<dyn Conversation>>,
    /// Whether it may go on when nobody waits for it any more.
    pub detach: Detach,
    /// The run of the program that makes this call, where a program makes it.
    pub parent: Option<RunId>,
    /// The id of this call in the caller's own words, for logs; `None`: the run's id.
    pub correlation: Option<String>,
    /// The span of the caller; `None`: the one that the environment names, if any.
    pub trace: Option<TraceContext>,
    /// Whether it came as a request of MCP.
    pub is_mcp: bool,
    /// The caller's options for a tool of another MCP server. The arguments are the server's alone.
    pub options: CallOptions,
}

impl CallRequest {
    /// A call of this caller whom nobody watches or answers.
    pub fn new(tool: Addressed, arguments: Map<String, Value>, caller: Caller) -> Self {
        Self {
            tool,
            arguments,
            caller,
            colours: false,
            asker: None,
            conversation: None,
            detach: Detach::default(),
            parent: None,
            correlation: None,
            trace: None,
            is_mcp: false,
            options: CallOptions::default(),
        }
    }

    /// The call of this tool with this plan, for the gate.
    pub(crate) fn call<'a>(&self, tool: &'a Registered, plan: Plan) -> policy::PolicyCall<'a> {
        let chose_folder = self.arguments.contains_key(CWD.name);
        let is_contained = self.options.is_contained;
        policy::PolicyCall { tool, plan, caller: self.caller, chose_folder, is_contained }
    }
}

/// Options of a call that are no arguments of the tool. Tools of plugins take them as arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallOptions {
    /// Whether to show the call instead of making it.
    pub dry_run: bool,
    /// The longest time to wait for the answer; `None`: as the settings say.
    pub timeout: Option<Duration>,
    /// Whether a person wants it contained, as an agent's call always is.
    pub is_contained: bool,
}

/// How a tool is named.
#[derive(Debug, Clone)]
pub enum Addressed {
    /// By its qualified name alone.
    Exactly(String, Spelling),
    /// By its qualified name, or by its source's own name for it where that is unambiguous, as agents do.
    ByAgent(String, Spelling),
    /// Any name that a person may use: qualified, local or original.
    Loosely(String),
}

impl Addressed {
    /// The name as the caller gave it.
    pub fn name(&self) -> &str {
        match self {
            Self::Exactly(name, _) | Self::ByAgent(name, _) | Self::Loosely(name) => name,
        }
    }
}

/// Whether a run may go on when nobody waits for it any more.
#[derive(Debug, Clone, Default)]
pub struct Detach {
    /// Cancelled when nobody waits for it any more.
    pub token: CancellationToken,
    /// Whether it is meant to go on, so that only a call's own `timeout` ends it.
    pub long_running: bool,
}
