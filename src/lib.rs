#![doc = include_str!("README.md")]

#[cfg(not(unix))]
compile_error!("cuff supervises processes as Linux and macOS have them; other systems are not supported");

#[cfg(feature = "code")]
pub use cuff_code::{self as code, sandbox};
pub use cuff_findings::{diagnostics, dialect, redact};
#[cfg(all(feature = "code", feature = "http"))]
pub use cuff_mcp::gateway;
#[cfg(feature = "http")]
pub use cuff_mcp::http;
pub use cuff_mcp::mcp;
pub use cuff_model as model;
pub use cuff_policy::{self as policy, ledger};
pub use cuff_project::{calls, doctor, execution, metrics, project, registry, setup, store, wire};
pub use cuff_settings::{self as settings, hosts};
pub use cuff_sources::{self as sources, plugin, plugins};
pub use cuff_system as sys;
#[cfg(feature = "team")]
pub use cuff_team as team;

pub mod boot;
pub mod cli;
pub mod terminal;
