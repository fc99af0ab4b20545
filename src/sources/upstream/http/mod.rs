//! The transport over streamable HTTP, in both eras of the protocol.

mod events;
mod post;
mod session;
#[cfg(test)]
mod tests;

pub(super) use session::open;
