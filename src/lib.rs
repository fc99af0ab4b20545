#![doc = include_str!("README.md")]

#[cfg(not(unix))]
compile_error!("cuff supervises processes as Linux and macOS have them; other systems are not supported");

pub use cuff_pure::{diagnostics, dialect, model, redact};

pub mod boot;
pub mod calls;
pub mod cli;
#[cfg(feature = "code")]
pub mod code;
pub mod doctor;
pub mod execution;
#[cfg(all(feature = "code", feature = "http"))]
pub mod gateway;
pub mod hosts;
#[cfg(feature = "http")]
pub mod http;
pub mod ledger;
pub mod mcp;
pub mod metrics;
pub mod plugin;
pub mod plugins;
pub mod policy;
pub mod project;
pub mod registry;
#[cfg(feature = "code")]
pub mod sandbox;
pub mod settings;
pub mod setup;
pub mod sources;
pub mod store;
pub mod sys;
pub mod terminal;
pub mod wire;
