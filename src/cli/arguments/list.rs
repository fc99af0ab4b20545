//! `cuff list`: what is listed and how.

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArguments {
    #[command(flatten)]
    pub(in crate::cli) what: ListOptions,
    /// Only tools of this plugin, or of this entry under `plugins:`
    #[arg(long, value_name = "PLUGIN")]
    pub(in crate::cli) plugin: Option<String>,
}

/// The options for the selection and the form of a list, shared by all commands that list.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(in crate::cli) struct ListOptions {
    /// Only tools whose name, file or description contains each of these words
    #[arg(value_name = "FILTER")]
    pub(in crate::cli) filter: Vec<String>,
    /// Show all there is to say of each: where it is from, what it runs, what it takes
    #[arg(short, long, conflicts_with = "json")]
    pub(in crate::cli) long: bool,
    /// Show which tools start which others by their own text, as trees
    #[arg(long, conflicts_with = "long")]
    pub(in crate::cli) graph: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Print a list that is longer than the window at once, without a pager
    #[arg(long)]
    pub(in crate::cli) no_pager: bool,
}
