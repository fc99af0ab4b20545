//! Definitions of other MCP servers in the form that every client takes.
//!
//! The tables say what the protocol allows, not what servers get wrong. One entry that a client's schema refuses costs
//! that client the whole list, so each is brought into shape here, or withheld alone.

mod fields;
mod moment;
mod pattern;
mod record;
mod result_schema;
mod schema_keywords;
mod schema_root;
mod shape;
mod shape_misfit;

pub use record::{OfferedDefinition, OfferedKind};

#[cfg(test)]
mod tests;
