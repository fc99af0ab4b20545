//! Live providers of tools, one contract.

pub mod project;
mod source;

pub use source::{CallInput, Freshness, Source, Unbindable, Waiting};
