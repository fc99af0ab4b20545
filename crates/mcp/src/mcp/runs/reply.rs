//! The answer of a tool, or the reason why it gives none.

use serde_json::Value;

use crate::calls::{ErrorReason, RunError};
use crate::model::ErrorCode;

/// Where their error codes begin.
pub(super) const PREFIX: &str = "CUFF";

/// The answer of a tool: a text that is complete by itself, and the same as a structure.
pub(super) struct RunsReply {
    pub(super) text: String,
    pub(super) shape: Value,
}

/// Why there is no answer.
pub(super) fn trouble(fault: ErrorCode, message: String, help: String) -> RunError {
    let reason = if fault == ErrorCode::NotFound { ErrorReason::NoSuchTool } else { ErrorReason::Unusable };
    RunError::new(reason, fault.code(PREFIX), message, Some(help))
}
