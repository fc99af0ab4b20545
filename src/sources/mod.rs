//! Live providers of tools, one contract.

pub mod project;
mod source;
mod starter;

pub use source::{CallInput, Freshness, Source, Unbindable, Waiting};
pub use starter::{Held, Started, Starter};
