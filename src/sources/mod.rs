//! Live providers of tools, one contract.

pub mod project;
mod source;
pub mod upstream;
mod waiting;

pub use source::{CallInput, Freshness, Source, Unbindable};
pub use upstream::{Conversation, ServerProcesses, ServerStarter, StartedProgram, Unattended};
pub use waiting::Waiting;
