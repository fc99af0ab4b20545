//! Other MCP servers, the real ones of the protocol's authors, behind cuff.

mod bad_servers;
mod conformance;
mod conversations;
mod exact_integers;
#[cfg(target_os = "linux")]
mod kills;
mod logins;
mod odd_answers;
mod odd_definitions;
mod offers;
mod programs_ask;
mod real_servers;
mod served;
mod slow_servers;
mod trials;
