//! A missing dependency of a tool, and the way to install it.

use std::path::PathBuf;

use super::{ToolName, Want};

/// A plugin's answer about the dependencies that a tool needs installed.
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
    /// The missing thing, in one sentence without a full stop:
    /// `nothing that package.json depends on is installed`.
    pub what: String,
    /// The way to install it.
    pub installer: Installer,
}

/// The way to install a missing dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installer {
    /// A tool that is offered.
    Tool(ToolName),
    /// A command line that a person types.
    ByHand {
        /// The line: `npm install`.
        line: String,
        /// The folder to type it in, relative to the project's root unless absolute.
        directory: PathBuf,
    },
}
