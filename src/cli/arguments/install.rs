//! The options of `cuff install` and `cuff doctor`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::hosts::CLIENTS;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(in super::super) struct Install {
    /// Which clients
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    #[arg(value_parser = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id)))]
    pub(in super::super) client: Vec<String>,
    /// Write the project's own file; so where the client has one, unless --user is given
    #[arg(long, conflicts_with = "user")]
    pub(in super::super) project: bool,
    /// Write the user's file
    #[arg(long)]
    pub(in super::super) user: bool,
    /// The entry's name [default: cuff]
    #[arg(long, value_name = "NAME")]
    pub(in super::super) name: Option<String>,
    /// Print what would stand in the file, and write nothing
    #[arg(long, conflicts_with_all = ["remove", "dry_run", "force"])]
    pub(in super::super) print: bool,
    /// Take the entry out again
    #[arg(long)]
    pub(in super::super) remove: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(in super::super) dry_run: bool,
    /// Also take out the MCP servers that cuff has in its settings: the client reaches them through cuff alone
    #[arg(long, conflicts_with_all = ["print", "remove"])]
    pub(in super::super) replace: bool,
    /// Replace or remove an entry of this name that is not this project's cuff
    #[arg(long)]
    pub(in super::super) force: bool,
}

#[derive(Debug, Args)]
pub(in super::super) struct Doctor {
    /// Mend what can be mended safely, remove runs that are due, and say what was done
    #[arg(long)]
    pub(in super::super) fix: bool,
    /// End with 1 where there is a warning as well, for CI
    #[arg(long)]
    pub(in super::super) strict: bool,
    /// Print JSON
    #[arg(long)]
    pub(in super::super) json: bool,
}
