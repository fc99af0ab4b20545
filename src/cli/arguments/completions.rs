//! `cuff completions`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(in crate::cli) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(in crate::cli) shell: Shell,
}

/// The shells that have a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
}
