//! The faces for agents.
//!
//! [`mcp`] offers the registry as MCP tools and calls as results, on standard input and output or, with the feature `http`, over HTTP.
//! [`http`] is what any face over HTTP needs: listeners, tokens, the rules for Host and Origin, limits of bodies. [`gateway`] is the
//! process that keeps the MCP servers of an agent's session connected.
//!
//! Invariants: nothing that goes out makes an official SDK refuse the list; no list waits longer than a second for another server; a
//! token is never printed.
//!
//! Begin with [`mcp::serve_stdio`].

#[cfg(feature = "code")]
use cuff_code as code;
#[cfg(feature = "code")]
use cuff_code::sandbox;
use cuff_findings::diagnostics;
use cuff_model as model;
use cuff_policy::ledger;
use cuff_project::calls;
use cuff_project::doctor;
use cuff_project::execution;
#[cfg(feature = "http")]
use cuff_project::metrics;
use cuff_project::project;
use cuff_project::registry;
use cuff_project::store;
use cuff_project::wire;
#[cfg(feature = "http")]
use cuff_system as sys;
#[cfg(feature = "team")]
use cuff_team as team;

#[cfg(all(feature = "code", feature = "http"))]
pub mod gateway;
#[cfg(feature = "http")]
pub mod http;
pub mod mcp;
