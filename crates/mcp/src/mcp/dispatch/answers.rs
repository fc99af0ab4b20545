//! Answers of the dispatcher to questions, and to what it cannot understand.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::calls::{ErrorReason, RunError};
use crate::model::{ErrorCode, visible_lines};

/// A question that was answered: a result of the same shape as a run's.
pub(super) fn answer(text: &str, data: &Value) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(visible_lines(text).into_owned())]);
    result.structured_content = Some(json!({"success": true, "data": data}));
    result
}

/// Arguments of these tools that cannot be understood.
pub(super) fn bad(message: String, help: String) -> RunError {
    let code = ErrorCode::BadArgument.code("CUFF");
    RunError::new(ErrorReason::BadArguments, code, message, Some(help))
}
