//! Other MCP servers, the real ones of the protocol's authors, behind cuff.

mod bad_servers;
mod conversations;
mod offers;
mod real_servers;
mod served;
