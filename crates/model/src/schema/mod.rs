//! JSON Schemas of other MCP servers: judging values by them, and resolving their references.

mod found;
mod judge;
mod keywords;
mod nulls;
mod reference;
mod scalars;
mod schema_error;

pub use judge::{misfits, within};
pub use nulls::without_nulls;
pub use reference::{named, resolved};
pub use schema_error::SchemaError;

#[cfg(test)]
mod tests;
