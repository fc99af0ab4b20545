//! Live providers of tools, one contract.
//!
//! [`plugins`] are the built-in sources, [`plugin`] is their contract: values in, values out, no IO. [`project`] looks for them in a
//! repository, and [`upstream`] is a client of other MCP servers.
//!
//! Invariants: a plugin opens no file and starts no process; nothing outside of [`plugins`] knows one by its name; what a server sends is
//! hostile.
//!
//! Begin with [`Source`] and [`plugin::Plugin`].

#[cfg(test)]
use cuff_findings::diagnostics;
use cuff_model as model;
use cuff_settings as settings;
use cuff_system as sys;
pub mod plugin;
pub mod plugins;

pub mod project;
mod source;
pub mod upstream;
mod waiting;

pub use source::{CallInput, Freshness, Source, Unbindable};
pub use upstream::{Conversation, ServerProcesses, ServerStarter, StartedProgram, Unattended};
pub use waiting::Waiting;
