//! Answers in JSON.

use hyper::{StatusCode, header};
use serde_json::{Value, json};

use crate::calls::{ErrorReason, RunError};
use crate::http::{HttpAnswer, JSON, say, with};
use crate::model::{Report, Spelling};
use crate::wire::{Reader, ToolResult, text_of_report};

/// A value.
pub(super) fn json(status: StatusCode, value: &Value) -> HttpAnswer {
    with(say(status, format!("{value}\n")), header::CONTENT_TYPE, JSON)
}

/// A request that cannot be understood.
pub(super) fn bad(why: &str) -> HttpAnswer {
    json(StatusCode::BAD_REQUEST, &json!({ "success": false, "error": why }))
}

/// A call that started nothing.
pub(super) fn refused(error: &RunError) -> HttpAnswer {
    let status = match error.reason {
        ErrorReason::NoSuchTool => StatusCode::NOT_FOUND,
        ErrorReason::BadArguments => StatusCode::BAD_REQUEST,
        ErrorReason::Refused => StatusCode::FORBIDDEN,
        ErrorReason::Unusable => StatusCode::SERVICE_UNAVAILABLE,
    };
    let shape =
        ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, error.help.as_deref());
    json(status, &shape.waiting_for(error.approval.as_deref()).to_json())
}

/// The result of a call, as MCP has it. It is another server's answer as it came, or a text and a structure
/// for the project's own tools. A tool that failed says so by `isError`.
pub(super) fn result(report: &Report) -> HttpAnswer {
    let value = match (&report.answer, &report.rejection) {
        (Some(answer), _) => answer.raw().clone(),
        (None, Some(rejection)) => json!({
            "content": [{"type": "text", "text": rejection.message}],
            "isError": true,
            "code": rejection.code,
            "data": rejection.data,
        }),
        (None, None) => json!({
            "content": [{"type": "text", "text": text_of_report(report, Reader::Agent(Spelling::Portable))}],
            "structuredContent": ToolResult::of_report(report, Reader::Agent(Spelling::Portable)).to_json(),
            "isError": !report.success,
        }),
    };
    json(StatusCode::OK, &value)
}
