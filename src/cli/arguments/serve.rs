//! `cuff serve`: the tools that clients see, and their names.

use clap::Args;

use super::http::{Http, Logging};
use super::one_of::{one_of, word_of};
use crate::mcp::Expose;
use crate::model::Spelling;

#[derive(Debug, Args)]
pub(in crate::cli) struct Serve {
    /// The form of tool names: `npm.install`, or `npm__install` for clients that reject dots
    #[arg(long, value_parser = one_of(TOOL_NAMES), default_value = "dotted")]
    pub(in crate::cli) tool_names: Spelling,
    /// The tools that clients see: all of them (tools), one tool `cuff` that lists and runs them (dispatch), or three tools for programs in TypeScript (code); auto takes dispatch for more than 40
    #[arg(long, value_parser = one_of(EXPOSED), default_value = "auto")]
    pub(in crate::cli) expose: Expose,
    /// Start a server and try it as a client would, without running a tool
    #[arg(long)]
    pub(in crate::cli) self_test: bool,
    #[command(flatten)]
    pub(in crate::cli) http: Http,
    #[command(flatten)]
    pub(in crate::cli) logging: Logging,
}

impl Serve {
    /// The options that say which tools clients see, and their names.
    pub(in crate::cli) fn exposure_options(&self) -> [&'static str; 4] {
        let names = word_of(TOOL_NAMES, &self.tool_names);
        ["--tool-names", names, "--expose", word_of(EXPOSED, &self.expose)]
    }
}

const TOOL_NAMES: &[(&str, Spelling)] = &[("dotted", Spelling::Dotted), ("portable", Spelling::Portable)];

const EXPOSED: &[(&str, Expose)] = &[
    ("auto", Expose::Auto),
    ("tools", Expose::Tools),
    ("dispatch", Expose::Dispatch),
    #[cfg(feature = "code")]
    ("code", Expose::Code),
];
