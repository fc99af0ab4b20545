//! The reasons why the ledger cannot be used.

use std::path::PathBuf;

/// Why the ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The operating system's reason.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, std::io::Error),
    /// A newer cuff wrote it.
    #[error("{path} was written by a newer cuff (format {1})", path = .0.display())]
    Newer(PathBuf, u32),
    /// It is no such file.
    #[error("{path} is damaged", path = .0.display())]
    Corrupt(PathBuf),
    /// No approval has an id that begins so, or more than one has.
    #[error("{0}")]
    NoSuchApproval(String),
    /// A question that a person is not asked, and why.
    #[error("{0}")]
    NotAsked(String),
}

/// Why nobody's decision can be kept.
pub const NO_LEDGER: &str = "neither XDG_STATE_HOME nor HOME says where approvals are kept";
