//! The shapes of cuff's own commands and their options.

mod examples;
mod http;
mod install;
mod runs;
mod serve;
mod typed;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) use self::http::{Http, LogFormat, Logging};
pub(super) use self::install::{Doctor, Install};
pub(super) use self::runs::{
    Answer, Approve, Audit, Json, Lines, LogOptions, Printing, Prune, RunAndEarlier, RunAndJson, RunsCommand,
    RunsList, RunsTyped,
};
pub(super) use self::serve::Serve;
pub(super) use self::typed::{Action, Typed, parse, tree};
use crate::model::LONGEST_TIMEOUT;

/// The command layer that people and coding agents share.
#[derive(Debug, Parser)]
#[command(name = "cuff", version, propagate_version = false, subcommand_required = true)]
#[command(arg_required_else_help = true)]
pub(super) struct Cuff {
    #[command(flatten)]
    pub(super) globals: Globals,
    #[command(subcommand)]
    pub(super) command: Commands,
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Globals {
    /// Work as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,
    /// The settings file, instead of the one that is found
    #[arg(long, value_name = "PATH", global = true)]
    pub(super) config: Option<PathBuf>,
    /// Print without colours, and so whatever cuff runs
    #[arg(long, global = true)]
    pub(super) no_color: bool,
    /// Print nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print more about what is done
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Commands {
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
    /// Look for what is in the way: programs, settings, what is kept, and clients
    Doctor(Doctor),
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

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Which shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(super) shell: Shell,
}

/// The shells that have a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Where to write [default: settings.yml]
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) existing: Existing,
    /// Print the settings instead of writing them
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Ask nothing
    #[arg(short, long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) scope: Scope,
}

/// What becomes of a settings file that is there.
#[derive(Debug, Args)]
pub(super) struct Existing {
    /// Replace an existing file
    #[arg(long, conflicts_with = "merge")]
    pub(super) force: bool,
    /// Add what is new to an existing file, and leave every line of it as it is
    #[arg(long)]
    pub(super) merge: bool,
}

/// What settings are to be about.
#[derive(Debug, Args)]
pub(super) struct Scope {
    /// Only these plugins, or packages of a workspace
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(super) plugins: Vec<String>,
    /// All but these plugins, or packages of a workspace
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(super) exclude: Vec<String>,
    /// Leave out the packages of a workspace
    #[arg(long)]
    pub(super) no_workspaces: bool,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) what: Shown,
    /// Only tools of this plugin, or of this entry under `plugins:`
    #[arg(long, value_name = "PLUGIN")]
    pub(super) plugin: Option<String>,
}

/// What is listed and how, whichever command lists it.
#[derive(Debug, Args)]
pub(super) struct Shown {
    /// Only tools whose name, file or description contains each of these words
    #[arg(value_name = "FILTER")]
    pub(super) filter: Vec<String>,
    /// Show all there is to say of each: where it is from, what it runs, what it takes
    #[arg(short, long, conflicts_with = "json")]
    pub(super) long: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Run {
    /// The tool, by any name that means it alone: `test`, `npm_test` or `packagejson.npm_test`, and a script by its file too;
    /// of several that are called so the one of the folder you are in. `-` repeats your last run, and without one you
    /// choose from a list
    #[arg(value_name = "TOOL", index = 1)]
    pub(super) tool: Option<String>,
    #[command(flatten)]
    pub(super) how: How,
}

#[derive(Debug, Args)]
pub(super) struct Why {
    /// The tool, by any name that means it alone: `test`, `npm_test` or `packagejson.npm_test`
    #[arg(value_name = "TOOL", index = 1)]
    pub(super) tool: String,
    #[command(flatten)]
    pub(super) call: Brought,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// What a call brings.
#[derive(Debug, Args)]
pub(super) struct Brought {
    /// Words for the tool; those that start with a dash go after --. They are all that it gets: its standard input is empty
    /// and no terminal. What reads keys, as a watch mode does, you start yourself: `cuff why TOOL` shows the line
    #[arg(value_name = "ARGS", index = 2)]
    pub(super) words: Vec<OsString>,
    /// Set an environment variable for this run
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) env: Vec<OsString>,
    /// Work in this folder, relative to the tool's own; for tools that let a call choose
    #[arg(long, value_name = "DIR")]
    pub(super) cwd: Option<String>,
    /// Stop it after this many seconds; else what a person runs ends by itself, unless the settings say when
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<u64>,
}

/// How a tool is run, whichever command runs it.
#[derive(Debug, Args)]
pub(super) struct How {
    #[command(flatten)]
    pub(super) call: Brought,
    /// Say yes beforehand to a tool that needs a yes; it counts only at a terminal
    #[arg(short, long)]
    pub(super) yes: bool,
    /// Show the command instead of running it; a program that can rehearse it (make -n) may still run parts of it
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the result as JSON, and nothing else on standard output
    #[arg(long)]
    pub(super) json: bool,
}

/// A time that a run may take.
fn seconds(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(seconds @ 1..=LONGEST_TIMEOUT) => Ok(seconds),
        _ => Err(format!("it is a whole number of seconds from 1 to {LONGEST_TIMEOUT}, such as 90")),
    }
}
