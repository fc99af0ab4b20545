//! The options of `cuff hook`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(in crate::cli) struct CuffHook {
    #[command(subcommand)]
    pub(in crate::cli) command: CuffHookCommand,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(in crate::cli) enum CuffHookCommand {
    /// Point to the tool for a shell command, where the settings say `agent_shell`; its JSON comes on standard input
    PreToolUse,
}
