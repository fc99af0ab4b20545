//! Logins at servers over HTTP: OAuth 2.1 as the authorization spec of MCP has it (2025-11-25 and 2026-07-28).
//!
//! This is our own code on reqwest, and not the SDK's module. That one brings a second set of clients, types
//! and crates (`oauth2` with its own random numbers, hashes and calendar). It also asks addresses that a
//! server names without looking where they lead.

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
