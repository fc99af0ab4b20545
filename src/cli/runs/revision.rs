//! The state of a repository as people read it.

use crate::model::{Revision, visible};

/// The branch and the commit of a run: `main 1a2b3c4d5e6f`.
pub(super) fn revision(revision: &Revision) -> Option<String> {
    const DIGITS: usize = 12;
    let commit = revision.commit.as_ref().map(|commit| commit.chars().take(DIGITS).collect());
    let parts: Vec<String> = revision.branch.clone().into_iter().chain(commit).collect();
    (!parts.is_empty()).then(|| visible(&parts.join(" ")).into_owned())
}
