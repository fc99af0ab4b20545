//! The report of a call as the value that a program gets, or the error that is thrown there.

use serde_json::Value;

use crate::calls::RunError;
use crate::model::{Answer, Diagnostic, Report, Spelling};
use crate::sandbox::CallFailure;
use crate::wire::{Reader, ToolResult, diagnostic};

/// Programs name tools as settings do.
const READER: Reader = Reader::Agent(Spelling::Dotted);

/// The value of a call that succeeded. For another server it is the structured content, else the text, read
/// as JSON if that is an object or a list. For a tool of the project it is the whole result.
///
/// # Errors
/// The failure, with all that is known of it as its data.
pub(super) fn value(report: &Report) -> Result<Value, CallFailure> {
    if let Some(rejection) = &report.rejection {
        let message = format!("{} ({})", rejection.message, rejection.code);
        return Err(CallFailure { message, data: rejection.data.clone() });
    }
    match &report.answer {
        Some(answer) if answer.is_error() => {
            let text = answer.text().trim_end().to_owned();
            let message = if text.is_empty() { report.error.clone().unwrap_or_default() } else { text };
            Err(CallFailure { message, data: answer.raw().get("structuredContent").cloned() })
        }
        Some(answer) => Ok(content(answer)),
        None => of_project(report),
    }
}

/// The failure of a call that started nothing.
pub(super) fn refused(error: &RunError) -> CallFailure {
    let shape =
        ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, error.help.as_deref());
    let data = shape.waiting_for(error.approval.as_deref()).to_json();
    let help = error.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    CallFailure { message: format!("{}{help}", error.message), data: Some(data) }
}

fn of_project(report: &Report) -> Result<Value, CallFailure> {
    let mut data = ToolResult::of_report(report, READER).to_json();
    // All of them, and a list where there are none: a program counts, and reads nothing that costs words.
    data["diagnostics"] = report.findings.diagnostics.iter().map(finding).collect();
    if report.success {
        return Ok(data);
    }
    let message = report.error.clone().unwrap_or_else(|| "the tool failed".to_owned());
    let message = match report.help.as_ref().filter(|_| report.output.bytes == 0) {
        Some(help) => format!("{message}; {help}"),
        None => message,
    };
    Err(CallFailure { message, data: Some(data) })
}

/// A finding as programs have it. The place in the log is for those who read that.
fn finding(found: &Diagnostic) -> Value {
    let mut shape = diagnostic(found);
    if let Some(fields) = shape.as_object_mut() {
        fields.shift_remove("log");
    }
    shape
}

/// The content of an answer: structured, else as text, else as the blocks that came.
fn content(answer: &Answer) -> Value {
    let raw = answer.raw();
    if let Some(structured) = raw.get("structuredContent") {
        return structured.clone();
    }
    let blocks = raw.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |block: &Value| {
        let is_text = block.get("type").and_then(Value::as_str) == Some("text");
        block.get("text").and_then(Value::as_str).filter(|_| is_text).map(str::to_owned)
    };
    match blocks {
        [] => Value::Null,
        [only] => text(only).map_or_else(|| only.clone(), read),
        several => {
            let texts: Option<Vec<String>> = several.iter().map(text).collect();
            texts.map_or_else(|| several.into(), |texts| texts.join("\n").into())
        }
    }
}

/// A text as JSON where it is an object or a list.
fn read(text: String) -> Value {
    let begins_so = text.trim_start().starts_with(['{', '[']);
    match begins_so.then(|| serde_json::from_str(&text)) {
        Some(Ok(value)) => value,
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_structured_content_goes_before_the_text() {
        for (raw, expected) in [
            (
                json!({"content": [{"type": "text", "text": "[1]"}], "structuredContent": {"a": 1}}),
                json!({"a": 1}),
            ),
            (json!({"content": [{"type": "text", "text": "{\"a\": 2}"}]}), json!({"a": 2})),
            (json!({"content": [{"type": "text", "text": "12"}]}), json!("12")),
            (json!({"content": [{"type": "text", "text": "{not json"}]}), json!("{not json")),
            (
                json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
                json!("a\nb"),
            ),
            (
                json!({"content": [{"type": "image", "data": "aGk="}]}),
                json!({"type": "image", "data": "aGk="}),
            ),
            (
                json!({"content": [{"type": "text", "text": "a"}, {"type": "image", "data": ""}]}),
                json!([{"type": "text", "text": "a"}, {"type": "image", "data": ""}]),
            ),
            (json!({"content": []}), Value::Null),
        ] {
            assert_eq!(content(&Answer::new(raw.clone())), expected, "{raw}");
        }
    }
}
