//! A plugin's verdict on a process that ended: success, an error, and the text that readers see.

use serde_json::{Map, Value};

use super::Findings;

/// A process that ended by itself, as a plugin is shown it; secrets are taken out.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// Its exit code.
    pub code: i32,
    /// The findings in its report, and in its other output.
    pub findings: &'a Findings,
    /// The two ends of its standard error.
    pub err: &'a str,
}

/// A plugin's verdict on a process that ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// The error, in one sentence without a full stop; `None` for success.
    pub error: Option<String>,
    /// The text that readers see instead of standard output; `None` shows standard output itself.
    pub text: Option<String>,
    /// The same as facts, for results. They replace standard output if that is too long to be passed on.
    pub data: Map<String, Value>,
}
