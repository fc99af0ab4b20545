//! JSON Schemas of other MCP servers: judging values by them, and resolving their references.

mod alternatives;
mod containers;
mod found;
mod judge;
mod keywords;
mod misfit;
mod nulls;
mod reference;
mod scalars;

pub use containers::within;
pub use judge::misfits;
pub use misfit::SchemaError;
pub use nulls::without_nulls;
pub use reference::{named, resolved};

#[cfg(test)]
mod tests;
