//! A call of one of the tools.

use std::sync::Arc;

use rmcp::model::{CallToolResult, JsonObject};
use serde_json::json;

use super::answer;
use super::offer::Own;
use super::told::{PREFIX, Told};
use crate::calls::RunError;
use crate::mcp::desk::Desk;
use crate::mcp::results::{failure, result};
use crate::model::check;
use crate::project::Project;

/// Answers a call of one of them.
pub(in crate::mcp) async fn call(
    own: &'static Own,
    desk: &Desk,
    engine: &Arc<Project>,
    arguments: Option<JsonObject>,
) -> CallToolResult {
    let (values, mistakes) = check(own.parameters, &arguments.unwrap_or_default());
    let told = if mistakes.is_empty() {
        answer::answer(own, desk, engine, values).await
    } else {
        Err(RunError::mistaken(PREFIX, &own.name(), own.parameters, &mistakes))
    };
    match told {
        Ok(Told { text, mut shape }) => {
            shape["success"] = json!(true);
            result(true, text, shape)
        }
        Err(error) => failure(&RunError { tool: Some(Box::new(own.name())), ..error }),
    }
}
