//! `cuff init`: where it writes, what becomes of a file that is there, and what settings are to be about.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct Init {
    /// Where to write [default: settings.yml]
    #[arg(short, long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) existing: Existing,
    /// Print the settings instead of writing them
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Ask nothing
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    #[command(flatten)]
    pub(in crate::cli) scope: Scope,
}

/// What becomes of a settings file that is there.
#[derive(Debug, Args)]
pub(in crate::cli) struct Existing {
    /// Replace an existing file
    #[arg(long, conflicts_with = "merge")]
    pub(in crate::cli) force: bool,
    /// Add what is new to an existing file, and leave every line of it as it is
    #[arg(long)]
    pub(in crate::cli) merge: bool,
}

/// What settings are to be about.
#[derive(Debug, Args)]
pub(in crate::cli) struct Scope {
    /// Only these plugins, or packages of a workspace
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(in crate::cli) plugins: Vec<String>,
    /// All but these plugins, or packages of a workspace
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(in crate::cli) exclude: Vec<String>,
    /// Leave out the packages of a workspace
    #[arg(long)]
    pub(in crate::cli) no_workspaces: bool,
}
