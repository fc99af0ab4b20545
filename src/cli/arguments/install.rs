//! The options of `cuff install` and `cuff doctor`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::hosts::CLIENTS;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(in super::super) struct Install {
    /// The clients
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    #[arg(value_parser = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id)))]
    pub(in super::super) client: Vec<String>,
    /// Write the project's file [default where the client has one]
    #[arg(long, conflicts_with = "user")]
    pub(in super::super) project: bool,
    /// Write the user's file
    #[arg(long)]
    pub(in super::super) user: bool,
    /// The entry's name [default: cuff]
    #[arg(long, value_name = "NAME")]
    pub(in super::super) name: Option<String>,
    /// Print the entry, and write nothing
    #[arg(long, conflicts_with_all = ["remove", "dry_run", "force"])]
    pub(in super::super) print: bool,
    /// Remove the entry
    #[arg(long)]
    pub(in super::super) remove: bool,
    /// Show the changes, and make none
    #[arg(long)]
    pub(in super::super) dry_run: bool,
    /// Also remove the MCP servers that the client then reaches through cuff
    #[arg(long, conflicts_with_all = ["print", "remove"])]
    pub(in super::super) replace: bool,
    /// Replace or remove an entry of this name that is not this project's cuff
    #[arg(long)]
    pub(in super::super) force: bool,
}

#[derive(Debug, Args)]
pub(in super::super) struct Doctor {
    /// Repair what is safe to repair, and remove runs that are due
    #[arg(long)]
    pub(in super::super) fix: bool,
    /// End with 1 for warnings as well, for CI
    #[arg(long)]
    pub(in super::super) strict: bool,
    /// Print JSON
    #[arg(long)]
    pub(in super::super) json: bool,
}
