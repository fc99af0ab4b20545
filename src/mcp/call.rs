//! A call: the engine carries it out, and its report becomes a result.

use std::ops::ControlFlow;

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use tokio_util::sync::CancellationToken;

use super::instructions::explain;
use crate::engine::{Addressed, Engine, Request, RunError, Sink};
use crate::model::{Caller, Report, Spelling, Stream};
use crate::wire::{ToolResult, text_of_report};

/// Carries out a call, until it ends or is cancelled.
pub(super) async fn carry_out(
    engine: &Engine,
    request: CallToolRequestParams,
    spelling: Spelling,
    correlation: Option<String>,
    cancel: &CancellationToken,
) -> CallToolResult {
    let tool = Addressed::Exactly(request.name.into_owned(), spelling);
    let arguments = request.arguments.unwrap_or_default();
    let request =
        Request { tool, arguments, caller: Caller::Agent, colours: false, asker: None, correlation };
    match engine.run(request, &mut Unheard, cancel).await {
        Ok(report) => of_report(&report),
        Err(error) => failure(&error),
    }
}

/// A report as a result: the text is complete by itself, and so is the structure.
fn of_report(report: &Report) -> CallToolResult {
    let content = vec![ContentBlock::text(text_of_report(report))];
    let mut result =
        if report.success { CallToolResult::success(content) } else { CallToolResult::error(content) };
    result.structured_content = Some(ToolResult::of_report(report).brief(report).to_json());
    result
}

/// The result of a call that started nothing.
pub(super) fn failure(error: &RunError) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(explain(error))]);
    let shape =
        ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, error.help.as_deref());
    result.structured_content = Some(shape.to_json());
    result
}

/// Nobody watches while a tool runs: the report keeps what is needed.
struct Unheard;

impl Sink for Unheard {
    fn write(&mut self, _stream: Stream, _bytes: &[u8]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
