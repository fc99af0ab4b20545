//! `cuff run` and `cuff why`: the tool, and what a call brings.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::model::LONGEST_TIMEOUT;

#[derive(Debug, Args)]
pub(in crate::cli) struct Run {
    /// The tool, by any name that means it alone: `test`, `npm_test` or `packagejson.npm_test`, and a script by its file too;
    /// of several that are called so the one of the folder you are in. `-` repeats your last run, and without one you
    /// choose from a list
    #[arg(value_name = "TOOL", index = 1)]
    pub(in crate::cli) tool: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) how: How,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Why {
    /// The tool, by any name that means it alone: `test`, `npm_test` or `packagejson.npm_test`
    #[arg(value_name = "TOOL", index = 1)]
    pub(in crate::cli) tool: String,
    #[command(flatten)]
    pub(in crate::cli) call: Brought,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// What a call brings.
#[derive(Debug, Args)]
pub(in crate::cli) struct Brought {
    /// Words for the tool; those that start with a dash go after --. They are all that it gets: its standard input is empty
    /// and no terminal. What reads keys, as a watch mode does, you start yourself: `cuff why TOOL` shows the line
    #[arg(value_name = "ARGS", index = 2)]
    pub(in crate::cli) words: Vec<OsString>,
    /// Set an environment variable for this run
    #[arg(long, value_name = "NAME=VALUE")]
    pub(in crate::cli) env: Vec<OsString>,
    /// Work in this folder, relative to the tool's own; for tools that let a call choose
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) cwd: Option<String>,
    /// Stop it after this many seconds; else what a person runs ends by itself, unless the settings say when
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(in crate::cli) timeout: Option<u64>,
    /// Take the arguments of an MCP server's tool from a file that holds a JSON object, or from standard input (`-`); flags
    /// of the tool go before what it says
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) json_input: Option<PathBuf>,
}

/// How a tool is run, whichever command runs it.
#[derive(Debug, Args)]
pub(in crate::cli) struct How {
    #[command(flatten)]
    pub(in crate::cli) call: Brought,
    /// Say yes beforehand to a tool that needs a yes; it counts only at a terminal
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    /// Show the command instead of running it; a program that can rehearse it (make -n) may still run parts of it
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Print the result as JSON, and nothing else on standard output
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// A time that a run may take.
fn seconds(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(seconds @ 1..=LONGEST_TIMEOUT) => Ok(seconds),
        _ => Err(format!("it is a whole number of seconds from 1 to {LONGEST_TIMEOUT}, such as 90")),
    }
}
