//! Sessions and their gateways: the scenarios of the plugin for Claude Code, with the hook scripts and real processes.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

mod commands;
mod crowd;
mod end;
mod isolation;
mod pages;
mod plugin;
mod recovery;
mod service;
mod session;
mod start;
