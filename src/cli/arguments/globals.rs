//! The options of every command.

use std::path::PathBuf;

use clap::Args;

/// The options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(in crate::cli) struct Globals {
    /// Run as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(in crate::cli) directory: Option<PathBuf>,
    /// Use this settings file
    #[arg(long, value_name = "PATH", global = true)]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Print no colours; tools get `NO_COLOR` as well
    #[arg(long, global = true)]
    pub(in crate::cli) no_color: bool,
    /// Print only results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(in crate::cli) quiet: bool,
    /// Print more details
    #[arg(short, long, global = true)]
    pub(in crate::cli) verbose: bool,
}
