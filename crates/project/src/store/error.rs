//! Errors of the store.

use std::path::PathBuf;

use super::format::BadMeta;
use crate::model::{RunId, shown};

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system's reason.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, std::io::Error),
    /// The metadata of another version of cuff, or damaged metadata.
    #[error("{0}: {1}")]
    Meta(RunId, BadMeta),
}

/// The reason why a text matches no single run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchRun {
    /// There are none that count.
    #[error("no run was recorded yet")]
    None,
    /// No id begins or ends so.
    #[error("no run has an id that begins or ends with {}", shown(.0))]
    Unknown(String),
    /// Several ids begin or end so.
    #[error("{count} runs have an id that begins or ends with {}", shown(.0), count = .1.len())]
    Ambiguous(String, Vec<RunId>),
    /// The store cannot be read, and why.
    #[error("the runs cannot be read: {0}")]
    Unreadable(String),
}
