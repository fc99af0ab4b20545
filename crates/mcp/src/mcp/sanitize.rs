//! The last step of every answer: an agent reads text that says all that it holds.

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, ContentBlock, Tool};
use serde_json::Value;

use crate::model::agent_text;

/// The answer to a call, with every text in it made plain.
pub(super) fn answer(answer: CallToolResponse) -> CallToolResponse {
    let CallToolResponse::Complete(mut result) = answer else { return answer };
    for block in &mut result.content {
        if let ContentBlock::Text(block) = block {
            text(&mut block.text);
        }
    }
    if let Some(structure) = &mut result.structured_content {
        value(structure);
    }
    CallToolResponse::Complete(result)
}

/// A tool of the list. Its schemas are cuff's own words.
pub(super) fn tool(mut tool: Tool) -> Tool {
    if let Some(title) = &mut tool.title {
        text(title);
    }
    if let Some(title) = tool.annotations.as_mut().and_then(|annotations| annotations.title.as_mut()) {
        text(title);
    }
    tool.description = tool.description.map(|about| agent_text(&about).into_owned().into());
    tool
}

pub(super) fn error(mut error: ErrorData) -> ErrorData {
    error.message = agent_text(&error.message).into_owned().into();
    error
}

fn text(text: &mut String) {
    if let std::borrow::Cow::Owned(plain) = agent_text(text) {
        *text = plain;
    }
}

fn value(of: &mut Value) {
    match of {
        Value::String(string) => text(string),
        Value::Array(values) => values.iter_mut().for_each(value),
        Value::Object(fields) => {
            fields.values_mut().for_each(value);
            if fields.keys().any(|key| agent_text(key) != *key) {
                let plain = std::mem::take(fields).into_iter();
                *fields = plain.map(|(key, value)| (agent_text(&key).into_owned(), value)).collect();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
