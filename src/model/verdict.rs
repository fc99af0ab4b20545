//! What a plugin makes of a process that ended: success, what is said of it, and what readers are shown.

use serde_json::{Map, Value};

use super::Findings;

/// A process that ended by itself, as a plugin is shown it; secrets are taken out.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// Its exit code.
    pub code: i32,
    /// What was found in its report, and in what else it printed.
    pub findings: &'a Findings,
    /// The two ends of its standard error.
    pub err: &'a str,
}

/// What a plugin makes of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// One sentence on what went wrong, without a full stop; `None` for success.
    pub error: Option<String>,
    /// What readers are shown in the place of standard output; `None` leaves that to speak for itself.
    pub text: Option<String>,
    /// The same as facts, for results. They stand in for standard output where that was too long to be passed on.
    pub data: Map<String, Value>,
}
