//! Reads Makefiles as text and runs nothing.

use super::project::Project;
use super::targets::Makefile;
use crate::model::{Files, Location, Want};

/// What the text alone says.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The targets.
    pub(super) makefile: Makefile,
    /// What must be seen to read on: included files, folders that `$(wildcard …)` asks for.
    pub(super) wants: Vec<Want>,
    /// Every rule that a comment describes, in order, also those whose names reading cannot know.
    pub(super) remarks: Vec<Remark>,
}

/// A comment that describes a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    /// Where the rule begins.
    pub(super) at: Location,
    /// What the comment says.
    pub(super) description: String,
}

/// Reads the project's Makefile and what it includes, as far as they were seen; `prefix` begins descriptions (`##`).
pub(super) fn read(project: &Project, prefix: &str, files: &Files) -> Reading {
    let _ = (project, prefix, files);
    Reading::default()
}
