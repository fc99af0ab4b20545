//! The answer of a tool, or the reason why it gives none.

use serde_json::Value;

use crate::calls::{Reason, RunError};
use crate::model::Fault;

/// Where their error codes begin.
pub(super) const PREFIX: &str = "CUFF";

/// The answer of a tool: a text that is complete by itself, and the same as a structure.
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) shape: Value,
}

/// Why there is no answer.
pub(super) fn trouble(fault: Fault, message: String, help: String) -> RunError {
    let reason = if fault == Fault::NotFound { Reason::NoSuchTool } else { Reason::Unusable };
    RunError::new(reason, fault.code(PREFIX), message, Some(help))
}
