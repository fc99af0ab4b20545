//! The server's own tools: what ran in this project, how it ended, what it printed, and an end to it.
//!
//! `offer` says what they are, `answer` what they find in the run store. They see the runs of this project alone.

mod answer;
mod offer;

use std::sync::Arc;

use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Value, json};

use super::call::{Desk, failure, result};
use crate::engine::{Engine, Reason, RunError};
use crate::model::{Fault, check};

pub(super) use offer::{Own, briefly, described, named, tools};

/// Where their error codes begin.
const PREFIX: &str = "CUFF";

/// What a tool answers: a text that is complete by itself, and the same as a structure.
struct Told {
    text: String,
    shape: Value,
}

/// Answers a call of one of them.
pub(super) async fn call(
    own: &'static Own,
    desk: &Desk,
    engine: &Arc<Engine>,
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

/// Why there is no answer.
fn trouble(fault: Fault, message: String, help: String) -> RunError {
    let reason = if fault == Fault::NotFound { Reason::NoSuchTool } else { Reason::Unusable };
    RunError::new(reason, fault.code(PREFIX), message, Some(help))
}
