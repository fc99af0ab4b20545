//! MCP over HTTP: what is answered where.
//!
//! No session is kept: each request is complete by itself, so that any of several servers behind a balancer can answer.

mod cancellation;
mod counts;
mod listeners;
mod origin;
mod raw_body;
mod readiness;
mod routes;
mod serve;

pub use routes::Paths;
pub use serve::serve_http;
