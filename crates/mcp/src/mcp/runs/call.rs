//! A call of one of the tools.

use std::sync::Arc;

use rmcp::model::{CallToolResult, JsonObject};
use serde_json::json;

use super::answer;
use super::offer::Own;
use super::reply::{PREFIX, RunsReply};
use crate::calls::{RunError, as_taken};
use crate::mcp::call_service::CallService;
use crate::mcp::results::{failure, result};
use crate::model::check;
use crate::project::Project;

/// Answers a call of one of them.
pub(in crate::mcp) async fn call(
    own: &'static Own,
    service: &CallService,
    project: &Arc<Project>,
    arguments: Option<JsonObject>,
) -> CallToolResult {
    let arguments = arguments.unwrap_or_default();
    let (values, mistakes) = check(own.parameters, &as_taken(own.parameters, &arguments));
    let answer = if mistakes.is_empty() {
        answer::answer(own, service, project, values).await
    } else {
        Err(RunError::mistaken(
            PREFIX,
            &own.name().to_string(),
            own.parameters.iter().map(|field| field.name),
            &mistakes,
        ))
    };
    match answer {
        Ok(RunsReply { text, mut shape }) => {
            shape["success"] = json!(true);
            result(true, text, shape)
        }
        Err(error) => failure(&RunError { tool: Some(Box::new(own.name())), ..error }),
    }
}
