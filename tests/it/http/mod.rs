//! The MCP face over HTTP: access, limits, and several servers as one.

pub(crate) mod server;
mod two_servers;
