//! Other MCP servers, the real ones of the protocol's authors, behind cuff.

mod real_servers;
mod trials;
