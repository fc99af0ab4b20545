//! The gateway of a session: its process, its files, and its face over HTTP.
//!
//! A session of an agent has one gateway, which keeps the session's MCP servers connected and its types at
//! hand. The files to find it again lie in a folder that only this user can read. A lock says whether it
//! lives.

mod access;
mod answers;
mod client;
mod detach;
mod env_file;
mod execution;
mod files;
mod folder;
mod judge;
mod lease;
mod owner;
mod record;
mod requests;
mod routes;
mod serve;
mod session_id;
mod start_error;
mod stop;
mod sweep;
mod types;

pub use access::{is_of_same_owner, may_reach, owner_here};
pub use client::{GatewayConnection, GatewayReply, URL_VARIABLE, Unhealthy, UnhealthyKind};
pub use detach::{DetachedGateway, greeting, start_detached};
pub use env_file::{EnvFile, announce};
pub use files::SessionFiles;
pub use folder::{NoFolder, SessionFolder};
pub use judge::{GatewayState, judge};
pub use owner::{SessionOwner, guessed_owner};
pub use record::GatewayRecord;
pub use serve::{Announce, GatewaySettings, serve};
pub use session_id::SessionId;
pub use start_error::StartError;
pub use stop::{Stopped, stop};
pub use sweep::sweep;
