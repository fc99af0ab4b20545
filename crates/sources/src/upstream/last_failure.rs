//! The last failure of a server, which processes that connect to none read from disk.

use serde::{Deserialize, Serialize};

/// How many lines of standard error are kept.
const LINES: usize = 20;

/// How a server failed when it was tried last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastFailure {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Why.
    pub reason: String,
    /// The last lines that it printed on standard error, oldest first.
    pub lines: Vec<String>,
}

impl LastFailure {
    /// A failure with the end of these lines.
    pub(super) fn new(at: u64, reason: &str, lines: &[String]) -> Self {
        let lines = lines[lines.len().saturating_sub(LINES)..].to_vec();
        Self { at, reason: reason.to_owned(), lines }
    }
}
