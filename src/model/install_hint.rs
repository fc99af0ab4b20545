//! What a tool lacks that something installs.

use std::path::PathBuf;

use super::{ToolName, Want};

/// What a plugin knows of what must be installed before a tool can work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallHint {
    /// Nothing is missing that it knows of.
    Nothing,
    /// It must look at these first.
    Look(Vec<Want>),
    /// This is missing.
    Missing(Missing),
}

/// Something that a tool needs and that is not installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What is missing, in one sentence without a full stop: `nothing that package.json depends on is installed`.
    pub what: String,
    /// What installs it.
    pub installer: Installer,
}

/// What installs something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installer {
    /// A tool that is offered.
    Tool(ToolName),
    /// A command line that a person types.
    ByHand {
        /// The line: `npm install`.
        line: String,
        /// Where it is typed, relative to the project's root unless absolute.
        directory: PathBuf,
    },
}
