//! The answer of a tool, or the reason why it gives none.

use serde_json::Value;

use crate::calls::{ErrorReason, RunError, age, state_summary};
use crate::model::{ErrorCode, Recorded, visible};

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

/// `80e1c7a9 scripts.dev: running, 5 s ago`.
pub(super) fn line(run: &Recorded, now: u64) -> String {
    format!(
        "{} {}: {}, {}",
        run.id.short(),
        visible(&run.beginning.tool),
        state_summary(&run.state),
        age(run.id, now)
    )
}
