//! Answers in the shape that the client expects of the tool that it named: a client refuses an answer whose structured
//! content is not what the tool's output schema says, and its model never sees the text.

use rmcp::model::CallToolResponse;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use super::dispatch::CALL;
use super::raw::RawAnswer;
use crate::model::{Answer, Spelling, schema};
use crate::registry::Registry;

/// Brings an answer into the shape that was declared for the tool of this name.
pub(super) fn declared(
    mut response: CallToolResponse,
    (registry, name, spelling): (&Registry, &str, Spelling),
    context: &RequestContext<RoleServer>,
) -> CallToolResponse {
    if name == CALL {
        RawAnswer::edit(context, structured);
        return response;
    }
    let found = registry.resolve(name, spelling).ok().or_else(|| registry.withheld_named(name, spelling));
    let definition = found.and_then(|found| found.tool.role.definition());
    let Some(declared) = definition.and_then(|definition| definition.offered().get("outputSchema")) else {
        return response;
    };
    RawAnswer::edit(context, |raw| without_misfit(raw, declared));
    if let CallToolResponse::Complete(result) = &mut response
        && result.is_error == Some(true)
    {
        // An error of cuff's own is no result of the server's.
        result.structured_content = None;
    }
    response
}

/// An answer of another server with structured content, where only its text says something: the tool that calls others
/// declares that there is some.
fn structured(raw: &mut Value) {
    let is_complete = raw.get("resultType").is_none_or(|kind| kind == "complete");
    if is_complete && !raw.get("structuredContent").is_some_and(Value::is_object) {
        let answer = Answer::new(raw.clone());
        raw["structuredContent"] = json!({"success": !answer.is_error(), "output": answer.text().trim_end()});
    }
}

/// An error of another server without structured content that is not what the server has declared.
fn without_misfit(raw: &mut Value, declared: &Value) {
    let is_error = raw.get("isError").and_then(Value::as_bool).unwrap_or_default();
    let is_misfit = |content: &Value| !content.is_object() || !schema::misfits(declared, content).is_empty();
    if is_error && raw.get("structuredContent").is_some_and(is_misfit) {
        raw.as_object_mut().and_then(|fields| fields.shift_remove("structuredContent"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_keeps_structured_content_that_fits_alone() {
        let declared = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
        for (structured, is_error, stays) in [
            (json!({"n": 1}), true, true),
            (json!({"error": "no"}), true, false),
            (Value::Null, true, false),
            (json!({"error": "no"}), false, true),
        ] {
            let mut raw = json!({"content": [], "isError": is_error, "structuredContent": structured});
            without_misfit(&mut raw, &declared);
            assert_eq!(raw.get("structuredContent").is_some(), stays, "{structured} {is_error}");
        }
    }

    #[test]
    fn an_answer_in_text_alone_gets_structured_content() {
        let mut raw = json!({"content": [{"type": "text", "text": "sold"}]});
        structured(&mut raw);
        assert_eq!(raw["structuredContent"], json!({"success": true, "output": "sold"}));
        for whole in [json!({"structuredContent": {"n": 1}}), json!({"resultType": "input_required"})] {
            let mut raw = whole.clone();
            structured(&mut raw);
            assert_eq!(raw, whole);
        }
    }
}
