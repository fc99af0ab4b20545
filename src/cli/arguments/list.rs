//! `cuff list`: what is listed and how.

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    pub(in crate::cli) what: Shown,
    /// Only tools of this plugin, or of this entry under `plugins:`
    #[arg(long, value_name = "PLUGIN")]
    pub(in crate::cli) plugin: Option<String>,
}

/// What is listed and how, whichever command lists it.
#[derive(Debug, Args)]
pub(in crate::cli) struct Shown {
    /// Only tools whose name, file or description contains each of these words
    #[arg(value_name = "FILTER")]
    pub(in crate::cli) filter: Vec<String>,
    /// Show all there is to say of each: where it is from, what it runs, what it takes
    #[arg(short, long, conflicts_with = "json")]
    pub(in crate::cli) long: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
