//! Tools as TypeScript: a module for each server, with a function for each tool and the types of what goes in and out.
//!
//! Schemas and descriptions are texts of strangers. The module compiles with any of them: a part that cannot
//! be said in TypeScript becomes `unknown`.

mod doc;
mod expression;
mod module;
mod references;
mod schema;

pub use module::{ENVIRONMENT, declarations, declarations_of, tool_types};

#[cfg(test)]
mod tests;
