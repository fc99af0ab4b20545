//! MCP over HTTP: what is answered where.
//!
//! Requests of the newest protocol are complete by themselves, so that any of several servers behind a balancer can answer.

mod counts;
mod listeners;
mod origin;
mod routes;
mod serve;
mod sessions;

pub use routes::Paths;
pub use serve::serve_http;
