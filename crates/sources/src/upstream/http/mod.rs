//! The transports over HTTP: streamable HTTP in both eras of the protocol, and the one with server-sent events before it.

pub(super) mod client;
mod endpoint;
mod events;
pub(super) mod failure;
mod headers;
mod session;
#[cfg(test)]
mod tests;

pub(super) use session::{HttpKind, open};
