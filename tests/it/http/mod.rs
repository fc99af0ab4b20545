//! The MCP face over HTTP: access, limits, and several servers as one.

mod server;
mod two_servers;
