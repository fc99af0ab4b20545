//! A client of other MCP servers: connects, lists their tools and calls them, and keeps their JSON as it came.
//!
//! Objects keep their order and their unknown fields, and numbers all their digits.

mod as_source;
mod cached;
mod calling;
mod connection;
mod connection_task;
mod context;
mod conversation;
mod foreign;
mod handshake;
#[cfg(feature = "http")]
mod http;
mod instructions;
mod keeper;
mod last_discovery;
mod last_failure;
mod listing;
mod message;
#[cfg(feature = "http")]
pub mod oauth;
mod offer;
mod parameter_headers;
mod peer;
mod sessionless;
mod starter;
mod state;
mod stdio;
mod steering;
mod tail;
#[cfg(test)]
mod tests;
mod upstream_source;

pub use context::UpstreamContext;
pub use conversation::{Conversation, ServerAnswer, Unattended};
pub use last_failure::LastFailure;
pub use listing::{ForeignTool, ServerListing};
pub use offer::{ForeignRequest, OfferKind, ServerNotice};
pub use starter::{ServerProcesses, ServerStarter, StartedProgram};
pub use state::{Connect, Took, UpstreamHealth, UpstreamLimits};
pub use steering::of_definition as steering_of;
pub use upstream_source::UpstreamSource;
