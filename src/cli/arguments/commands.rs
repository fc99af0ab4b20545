//! cuff's own commands.

use clap::{Parser, Subcommand};

use super::completions::Completions;
use super::globals::Globals;
use super::hook::CuffHook;
use super::init::Init;
use super::install::{Doctor, Install};
use super::list::ListArguments;
use super::mcp::Mcp;
use super::read::Read;
use super::run::{RunArguments, Why};
use super::runs::{AnswerArguments, ApprovalsTyped, Approve, Audit, Json, RunsTyped};
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
    /// List the tools of this project
    List(ListArguments),
    /// Run a tool
    Run(RunArguments),
    /// Explain how a call would be handled, without running it
    Why(Why),
    /// Show the health of plugins and servers, and the space of runs
    Status(Json),
    /// Offer the tools to agents over MCP, on stdio or over HTTP
    Serve(Serve),
    /// Add cuff to the configuration of an agent's client, or remove it
    Install(Install),
    /// Add, remove, list and test other MCP servers, and log in to them
    Mcp(Mcp),
    /// Run programs in TypeScript that call the tools, in a sandbox
    Toolscript(Toolscript),
    /// Find and repair problems: programs, settings, records, clients
    Doctor(Doctor),
    /// Answer an agent's program before it runs a command in a shell
    #[command(hide = true)]
    Hook(CuffHook),
    /// Find the errors in the piped output of any program
    Read(Read),
    /// List the runners, and whether they can be reached
    Runners(Json),
    /// Show past runs, their logs and their errors
    Runs(RunsTyped),
    /// Confirm a waiting call, or approve changed settings for agents
    Approve(Approve),
    /// Refuse a waiting call, or withdraw a confirmation
    Deny(AnswerArguments),
    /// List waiting calls, changed settings and what you always allow
    Approvals(ApprovalsTyped),
    /// Show past decisions about calls, by rules and by people
    Audit(Audit),
    /// Print the JSON Schema of settings.yml
    Schema,
    /// Print the completion script of a shell
    Completions(Completions),
}
