//! cuff's own commands: each stands here once, with its arguments, the line of its help, and the group of the help that shows it.

use clap::{Args, Command, Parser, Subcommand};

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

/// A command that takes nothing but the options of all.
#[derive(Debug, Args)]
pub(in crate::cli) struct NoArguments {}

/// Makes of one list the commands that a line is read into, their groups, and the command of a name.
macro_rules! commands {
    ($($group:literal { $($(#[$text:meta])* $name:literal $variant:ident($arguments:ty))* })*) => {
        #[derive(Debug, Subcommand)]
        pub(in crate::cli) enum Commands {
            $($($(#[$text])* $variant($arguments),)*)*
        }

        /// The commands by what they are for, in the order of the help.
        pub(super) const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$($name),*])),*];

        /// The command of this name alone, without the texts of its help.
        pub(super) fn command_alone(name: &str) -> Option<Command> {
            let augment: fn(Command) -> Command = match name {
                $($($name => <$arguments as Args>::augment_args,)*)*
                _ => return None,
            };
            Some(augment(Command::new(name.to_owned())))
        }
    };
}

commands! {
    "Everyday" {
        /// Find what this project can do and write settings.yml
        "init" Init(Init)
        /// List the tools of this project
        "list" List(ListArguments)
        /// Run a tool
        "run" Run(RunArguments)
        /// Explain how a call would be handled, without running it
        "why" Why(Why)
        /// Show past runs, their logs and their errors
        "runs" Runs(RunsTyped)
        /// Find the errors in the piped output of any program
        "read" Read(Read)
    }
    "Agents" {
        /// Offer the tools to agents over MCP, on stdio or over HTTP
        "serve" Serve(Serve)
        /// Add cuff to the configuration of an agent's client, or remove it
        "install" Install(Install)
        /// Confirm a waiting call, or approve changed settings for agents
        "approve" Approve(Approve)
        /// Refuse a waiting call, or withdraw a confirmation
        "deny" Deny(AnswerArguments)
        /// List waiting calls, changed settings and what you always allow
        "approvals" Approvals(ApprovalsTyped)
        /// Show past decisions about calls, by rules and by people
        "audit" Audit(Audit)
    }
    "Other servers" {
        /// Add, remove, list and test other MCP servers, and log in to them
        "mcp" Mcp(Mcp)
        /// Run programs in TypeScript that call the tools, in a sandbox
        "toolscript" Toolscript(Toolscript)
        /// List the runners, and whether they can be reached
        "runners" Runners(Json)
    }
    "Upkeep" {
        /// Show the health of plugins and servers, and the space of runs
        "status" Status(Json)
        /// Find and repair problems: programs, settings, records, clients
        "doctor" Doctor(Doctor)
        /// Print the JSON Schema of settings.yml
        "schema" Schema(NoArguments)
        /// Print the completion script of a shell
        "completions" Completions(Completions)
    }
    // Hidden from the help, as programs alone call these.
    "" {
        /// Answer an agent's program before it runs a command in a shell
        #[command(hide = true)]
        "hook" Hook(CuffHook)
    }
}
