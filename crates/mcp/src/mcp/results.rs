//! Results of calls: a text and a structure, each complete by itself.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode};
use serde_json::Value;

use super::instructions::explain;
use crate::calls::RunError;
use crate::model::Rejection;
use crate::wire::ToolResult;

/// The result of a call that started nothing.
pub(super) fn failure(error: &RunError) -> CallToolResult {
    let shape =
        ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, error.help.as_deref());
    let shape = shape.waiting_for(error.approval.as_deref());
    result(false, explain(error), shape.to_json())
}

/// A result: a text and a structure that say the same.
pub(super) fn result(success: bool, text: String, structure: Value) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if success { CallToolResult::success(content) } else { CallToolResult::error(content) };
    result.structured_content = Some(structure);
    result
}

/// The JSON-RPC error that another MCP server answered with, for the client.
pub(super) fn rejected(Rejection { code, message, data }: Rejection) -> ErrorData {
    let code = i32::try_from(code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
    ErrorData::new(code, message, data)
}
