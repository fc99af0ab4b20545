//! The MCP face: `cuff serve` over stdio, spoken to by hand and by official clients.

mod conformance;
mod dispatcher;
mod long_calls;
mod official_clients;
mod packages;
mod robustness;
mod run_tools;
mod spec_wording;
mod stdio;
