//! The last failure of a server, which processes that connect to none read from disk.

use serde_json::{Value, json};

/// How many lines of standard error are kept.
const LINES: usize = 20;

/// How a server failed when it was tried last.
#[derive(Debug, Clone, PartialEq, Eq)]
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

    /// The failure in a file; `None` where it is none.
    pub(super) fn read(kept: &Value) -> Option<Self> {
        let lines = kept.get("lines")?.as_array()?.iter();
        Some(Self {
            at: kept.get("at")?.as_u64()?,
            reason: kept.get("reason")?.as_str()?.to_owned(),
            lines: lines.filter_map(|line| line.as_str().map(str::to_owned)).collect(),
        })
    }

    /// The failure for a file.
    pub(super) fn shape(&self) -> Value {
        json!({"at": self.at, "reason": self.reason, "lines": self.lines})
    }
}
