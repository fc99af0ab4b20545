//! Other MCP servers, the real ones of the protocol's authors, behind cuff.

mod conformance;
mod logins;
mod real_servers;
mod trials;
