//! `cuff init`: the file that it writes, an existing file, and the scope of the settings.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct Init {
    /// Write to this file [default: settings.yml, or .cuff/settings.yml where that is another program's]
    #[arg(short, long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) existing: ExistingArguments,
    /// Write settings for the home folder, or for `/`
    #[arg(long)]
    pub(in crate::cli) here: bool,
    /// Print the settings instead of writing them
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Ask nothing
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    #[command(flatten)]
    pub(in crate::cli) scope: ScopeArguments,
}

/// The treatment of an existing settings file.
#[derive(Debug, Args)]
pub(in crate::cli) struct ExistingArguments {
    /// Replace an existing file, and keep a copy of it
    #[arg(long, conflicts_with = "merge")]
    pub(in crate::cli) force: bool,
    /// Add new tools to an existing file, and change no line of it
    #[arg(long)]
    pub(in crate::cli) merge: bool,
}

/// The scope of the settings.
#[derive(Debug, Args)]
pub(in crate::cli) struct ScopeArguments {
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
