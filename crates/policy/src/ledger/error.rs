//! The reasons why the ledger cannot be used.

use std::io::ErrorKind;
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

impl LedgerError {
    /// Whether there is something else in the place of a file: one that cuff did not write, or no file.
    pub(super) fn is_of_no_such_file(&self) -> bool {
        match self {
            Self::Corrupt(_) => true,
            Self::Io(_, error) => error.kind() == ErrorKind::InvalidInput,
            Self::Newer(..) | Self::NoSuchApproval(_) | Self::NotAsked(_) => false,
        }
    }
}

/// Why nobody's decision can be kept.
pub const NO_LEDGER: &str = "neither XDG_STATE_HOME nor HOME says where approvals are kept";
