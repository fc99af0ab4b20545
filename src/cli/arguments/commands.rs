//! cuff's own commands.

use clap::{Parser, Subcommand};

use super::completions::Completions;
use super::globals::Globals;
use super::hook::CuffHook;
use super::init::Init;
use super::install::{Doctor, Install};
use super::list::List;
use super::mcp::Mcp;
use super::run::{Run, Why};
use super::runs::{Answer, Approve, Audit, Json, RunsTyped};
use super::serve::Serve;
use super::toolscript::Toolscript;

/// The command layer that people and coding agents share.
#[derive(Debug, Parser)]
#[command(name = "cuff", version, propagate_version = false, subcommand_required = true)]
#[command(arg_required_else_help = true)]
pub(in crate::cli) struct Cuff {
    #[command(flatten)]
    pub(in crate::cli) globals: Globals,
    #[command(subcommand)]
    pub(in crate::cli) command: Commands,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Commands {
    /// Find what this project can do and write settings.yml
    Init(Init),
    /// Show every tool that is offered
    List(List),
    /// Run a tool
    Run(Run),
    /// Explain what would become of a call, and run nothing
    Why(Why),
    /// Show how the project stands: plugins, settings, and what is kept
    Status(Json),
    /// Offer the tools to agents over MCP, on standard input and output or over HTTP
    Serve(Serve),
    /// Write cuff into the configuration of an agent's client, or take it out again
    Install(Install),
    /// Add, remove, list and test other MCP servers, and log in to them
    Mcp(Mcp),
    /// Run programs in TypeScript that call the tools, in a sandbox
    Toolscript(Toolscript),
    /// Look for what is in the way: programs, settings, what is kept, and clients
    Doctor(Doctor),
    /// Answer an agent's program before it runs a command in a shell
    #[command(hide = true)]
    Hook(CuffHook),
    /// Show what ran, how it ended and what it printed
    Runs(RunsTyped),
    /// Say yes to a call that waits for a person, or let agents have changed settings
    Approve(Approve),
    /// Say no to a call that waits for a person, or take a yes back
    Deny(Answer),
    /// Show what waits for a person in any project, and changed settings here
    Approvals(Json),
    /// Show what was decided about calls
    Audit(Audit),
    /// Print the JSON Schema of settings.yml
    Schema,
    /// Print the script by which a shell completes cuff's command line
    Completions(Completions),
}
