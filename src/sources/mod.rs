//! Live providers of tools, one contract.

pub mod project;
mod source;
pub mod upstream;

pub use source::{CallInput, Freshness, Source, Unbindable, Waiting};
pub use upstream::{Held, Started, Starter};
