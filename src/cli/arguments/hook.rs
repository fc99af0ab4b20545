//! The options of `cuff hook`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(in crate::cli) struct CuffHook {
    #[command(subcommand)]
    pub(in crate::cli) command: CuffHookCommand,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(in crate::cli) enum CuffHookCommand {
    /// Name the tool for a shell command, if settings have `agent_shell`; JSON on standard input
    PreToolUse,
}
