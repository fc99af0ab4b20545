//! Tools as TypeScript: a module for each server, with a function for each tool and the types of what goes in and out.
//!
//! Schemas and descriptions are texts of strangers. Whatever is in them, the module compiles: what cannot be said in
//! TypeScript becomes `unknown`.

mod bounds;
mod doc;
mod expression;
mod module;
mod references;
mod schema;

pub use module::{ENVIRONMENT, declarations, tool_types};

#[cfg(test)]
mod tests;
