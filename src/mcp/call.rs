//! A call: the engine carries it out, and its report becomes a result.

use std::sync::Arc;

use hyper::http::request::Parts;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::confirmation::{Brought, Means};
use super::instructions::explain;
use super::progress::Progress;
use super::{correlation, runs};
use crate::engine::{Addressed, Aside, Background, Came, Colours, Engine, Going, Request, RunError};
use crate::model::{Caller, Report, Spelling};
use crate::wire::{GoesOn, Reader, ToolResult, text_of_going, text_of_report};

/// What all calls of a server share.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) spelling: Spelling,
    /// The caller of a client that is not known to be inside a run.
    caller: Caller,
    /// The runs that go on.
    pub(super) background: Arc<Background>,
}

impl Desk {
    /// Runs that go on end when `stop` is cancelled.
    pub(super) fn new(spelling: Spelling, caller: Caller, stop: CancellationToken) -> Self {
        Self { spelling, caller, background: Arc::new(Background::until(stop)) }
    }

    /// The caller of one call. Over HTTP the connection says more than the server knows.
    fn caller_of(&self, context: &RequestContext<RoleServer>) -> Caller {
        let of_client = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Caller>());
        match (self.caller, of_client) {
            (Caller::Agent, Some(caller)) => *caller,
            (caller, _) => caller,
        }
    }

    /// Carries out a call, until it ends or goes to the background. Dropping the future ends what it started.
    pub(super) async fn carry_out(
        &self,
        engine: Arc<Engine>,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        if let Some(own) = runs::named(&request.name, self.spelling) {
            return runs::call(own, self, &engine, request.arguments).await.into();
        }
        let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
        let brought = Brought { state: request_state, responses: input_responses };
        let caller = self.caller_of(context);
        // A client inside a run is no person's: nothing that it answers is a yes.
        let may_ask = caller == Caller::Agent && engine.lets_clients_say_yes();
        let mut means = if may_ask { Means::of(context, brought) } else { Means::None };
        let request = Request {
            tool: Addressed::Exactly(name.into_owned(), self.spelling),
            arguments: arguments.unwrap_or_default(),
            caller,
            colours: Colours::Unwanted,
            asker: None,
            aside: Aside::default(),
            correlation: correlation::of(context),
        };
        let mut progress = Progress::of(context);
        let mut call = match self.background.begin(Arc::clone(&engine), request, means.can_ask()).await {
            Ok(call) => call,
            Err(error) => return failure(&error).into(),
        };
        let reader = Reader::Agent(self.spelling);
        loop {
            let came = tokio::select! {
                biased;
                came = call.next() => came,
                () = progress.is_due() => {
                    progress.tell(call.last_line(), call.duration()).await;
                    continue;
                }
            };
            match came {
                Ok(Came::Ended(report)) => return of_report(&report, reader).into(),
                Ok(Came::Goes(going)) => return of_going(&going, reader).into(),
                Err(error) => return failure(&error).into(),
                Ok(Came::Asks(asked)) => {
                    let mut put = std::pin::pin!(means.put(asked, &engine));
                    let asks_back = loop {
                        tokio::select! {
                            biased;
                            put = &mut put => break put,
                            () = progress.is_due() => {
                                progress.tell(Some("waits for the user's yes".into()), call.duration()).await;
                            }
                        }
                    };
                    match asks_back {
                        Ok(None) => {}
                        Ok(Some(question)) => return question.into(),
                        Err(error) => return failure(&error).into(),
                    }
                }
            }
        }
    }
}

/// A report as a result: the text is complete by itself, and so is the structure.
fn of_report(report: &Report, reader: Reader) -> CallToolResult {
    let structure = ToolResult::of_report(report, reader).brief(report).to_json();
    result(report.success, text_of_report(report, reader), structure)
}

/// What goes on in the background as a result.
fn of_going(going: &Going, reader: Reader) -> CallToolResult {
    let Going { tool, run_id, ready, output, duration } = going;
    let going = GoesOn { tool, run_id: *run_id, ready: *ready, output, duration: *duration };
    result(true, text_of_going(&going, reader), ToolResult::of_going(&going, reader).to_json())
}

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
