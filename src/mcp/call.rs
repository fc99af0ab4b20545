//! A call: the engine carries it out, and its report becomes a result.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult};
use rmcp::service::{RequestContext, RoleServer};

use super::confirmation::{Brought, Means};
use super::desk::Desk;
use super::progress::Progress;
use super::results::{failure, relayed, result};
use super::{correlation, runs};
use crate::calls::{Addressed, CallOptions, Came, Colours, Detach, Going, Request};
use crate::model::{Caller, Report};
use crate::project::Project;
use crate::wire::{GoesOn, Reader, ToolResult, text_of_going, text_of_report};

/// Carries out a call, until it ends or goes to the background. Dropping the future ends what it started.
pub(super) async fn carry_out(
    desk: &Desk,
    engine: Arc<Project>,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> CallToolResponse {
    if let Some(own) = runs::named(&request.name, desk.spelling) {
        return runs::call(own, desk, &engine, request.arguments).await.into();
    }
    let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
    let brought = Brought { state: request_state, responses: input_responses };
    let origin = (desk.origin_of)(&context.extensions);
    let caller = desk.caller(origin.caller);
    // A client inside a run is no person's: nothing that it answers is a yes.
    let may_ask = caller == Caller::Agent && engine.lets_clients_say_yes();
    let mut means = if may_ask { Means::of(context, brought) } else { Means::None };
    let request = Request {
        tool: Addressed::Exactly(name.into_owned(), desk.spelling),
        arguments: arguments.unwrap_or_default(),
        caller,
        colours: Colours::Unwanted,
        asker: None,
        aside: Detach::default(),
        options: CallOptions::default(),
        correlation: correlation::of(context, origin.trace_parent.as_deref()),
    };
    let mut progress = Progress::of(context);
    let mut call = match desk.background.begin(Arc::clone(&engine), request, means.can_ask()).await {
        Ok(call) => call,
        Err(error) => return failure(&error).into(),
    };
    let reader = Reader::Agent(desk.spelling);
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

/// A report as a result: the text is complete by itself, and so is the structure.
fn of_report(report: &Report, reader: Reader) -> CallToolResult {
    if let Some(relayed) = report.answer.as_ref().and_then(relayed) {
        return relayed;
    }
    let structure = ToolResult::of_report(report, reader).brief(report).to_json();
    result(report.success, text_of_report(report, reader), structure)
}

/// What goes on in the background as a result.
fn of_going(going: &Going, reader: Reader) -> CallToolResult {
    let Going { tool, run_id, ready, output, duration } = going;
    let going = GoesOn { tool, run_id: *run_id, ready: *ready, output, duration: *duration };
    result(true, text_of_going(&going, reader), ToolResult::of_going(&going, reader).to_json())
}
