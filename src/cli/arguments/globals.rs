//! What every command takes.

use std::path::PathBuf;

use clap::Args;

/// What every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(in crate::cli) struct Globals {
    /// Work as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(in crate::cli) directory: Option<PathBuf>,
    /// The settings file, instead of the one that is found
    #[arg(long, value_name = "PATH", global = true)]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Print without colours, and so whatever cuff runs
    #[arg(long, global = true)]
    pub(in crate::cli) no_color: bool,
    /// Print nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(in crate::cli) quiet: bool,
    /// Print more about what is done
    #[arg(short, long, global = true)]
    pub(in crate::cli) verbose: bool,
}
