//! cuff from outside: the built binary, real package managers, real packages, and the rules of the house.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "these tests are the outside world: they start processes, read files, and fail by panicking"
)]

mod cli;
#[cfg(target_os = "linux")]
mod containment;
#[cfg(all(feature = "code", feature = "http"))]
mod gateway;
mod house;
mod http;
mod mcp;
mod plugins;
mod policy;
mod project;
mod runs;
#[cfg(feature = "code")]
mod sandbox;
mod support;
#[cfg(feature = "code")]
mod toolscript;
mod upstreams;
