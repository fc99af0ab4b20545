//! Logins at servers over HTTP: OAuth 2.1 as the authorization spec of MCP has it (2025-11-25 and 2026-07-28).
//!
//! This is our own code on reqwest, and not the SDK's module, which does as much and filters addresses as this does since 3.9. That one brings
//! 24 crates, among them `oauth2` with a calendar of its own, whose last release is of January 2025. In a small program built as cuff is,
//! a login with it takes 356 kB of the binary, more than this code does.

mod access;
mod authorization_server;
mod challenge;
mod client;
mod grant;
mod kept;
mod login;
mod logout;
mod nearness;
mod pkce;
mod redirect;
mod resource;
mod scopes;
mod secret;
mod web;

pub(super) use access::ServerAccess;
pub(super) use challenge::Challenge;
pub use kept::Logins;
pub use login::{Begun, LoggedIn, begin};
pub use logout::{LoggedOut, log_out};
