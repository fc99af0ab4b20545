//! A call: the engine carries it out, and its report becomes a result.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomNotification,
    InputRequiredResult, ServerNotification,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use super::confirmation::{Brought, Means};
use super::desk::Desk;
use super::held::HeldCall;
use super::progress::Progress;
use super::raw::{Raw, RawAnswer};
use super::results::{failure, result};
use super::server_questions::{self, Asking};
use super::{correlation, runs};
use crate::calls::{
    Addressed, Asked, Call, CallOptions, Came, Colours, Detach, Going, Request, RunError, ServerSays,
};
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
    let name = name.into_owned();
    if let Some(HeldCall { call, question, .. }) =
        request_state.as_ref().and_then(|state| desk.held.take(state, &name))
    {
        question.answer(server_questions::answer(json!(input_responses).as_object()));
        // What needed cuff's own question had its answer before the server was called.
        return attend(desk, (&engine, name), call, Means::None, context).await;
    }
    let brought = Brought { state: request_state, responses: input_responses };
    let origin = (desk.origin_of)(&context.extensions);
    let caller = desk.caller(origin.caller);
    // A client inside a run is no person's: nothing that it answers is a yes.
    let may_ask = caller == Caller::Agent && engine.lets_clients_say_yes();
    let means = if may_ask { Means::of(context, brought) } else { Means::None };
    let request = Request {
        tool: Addressed::ByAgent(name.clone(), desk.spelling),
        arguments: arguments.unwrap_or_default(),
        caller,
        colours: Colours::Unwanted,
        asker: None,
        conversation: None,
        aside: Detach::default(),
        options: CallOptions::default(),
        correlation: correlation::of(context, origin.trace_parent.as_deref()),
    };
    match desk.background.begin(Arc::clone(&engine), request, means.can_ask()).await {
        Ok(call) => attend(desk, (&engine, name), call, means, context).await,
        Err(error) => failure(&error).into(),
    }
}

/// Waits for what comes of a call, and passes on what is said and asked meanwhile.
async fn attend(
    desk: &Desk,
    (engine, name): (&Project, String),
    mut call: Call,
    mut means: Means,
    context: &RequestContext<RoleServer>,
) -> CallToolResponse {
    let mut progress = Progress::of(context);
    if call.is_relayed() {
        progress.leave_to_server();
    }
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
            Ok(Came::Ended(report)) => return of_report(&report, reader, context).into(),
            Ok(Came::Goes(going)) => return of_going(&going, reader).into(),
            Err(error) => return failure(&error).into(),
            Ok(Came::Server(ServerSays::Progress(params))) => progress.pass_on(params).await,
            Ok(Came::Server(ServerSays::Message(params))) => pass_message_on(params, context).await,
            Ok(Came::Server(ServerSays::Asks(question))) => match Asking::of(context, &question.params) {
                // Dropped, it is cancelled.
                Asking::Not => {}
                Asking::InSession(peer) => {
                    if let Some(answer) = server_questions::ask(&peer, &question).await {
                        question.answer(answer);
                    }
                }
                Asking::ByResult => return hold(desk, HeldCall { tool: name, call, question }, context),
            },
            Ok(Came::Asks(asked)) => match put(&mut means, asked, engine, (&mut progress, &call)).await {
                Ok(None) => {}
                Ok(Some(question)) => return question.into(),
                Err(error) => return failure(&error).into(),
            },
        }
    }
}

/// Puts cuff's own question to the client, and tells it meanwhile that the call waits.
async fn put(
    means: &mut Means,
    asked: Asked,
    engine: &Project,
    (progress, call): (&mut Progress, &Call),
) -> Result<Option<InputRequiredResult>, RunError> {
    let mut put = std::pin::pin!(means.put(asked, engine));
    loop {
        tokio::select! {
            biased;
            put = &mut put => return put,
            () = progress.is_due() => {
                progress.tell(Some("waits for the user's yes".into()), call.duration()).await;
            }
        }
    }
}

/// Holds a call until the client comes back with the answer to a server's question.
fn hold(desk: &Desk, held: HeldCall, context: &RequestContext<RoleServer>) -> CallToolResponse {
    let params = held.question.params.clone();
    let server = held.question.server.clone();
    match desk.held.keep(held) {
        Ok(state) => {
            RawAnswer::set(context, Raw::Result(server_questions::result(&server, params, &state)));
            CallToolResult::success(Vec::new()).into()
        }
        Err(why) => {
            let text =
                format!("the call was cancelled: {server} asks for input, and {why}; call again later");
            CallToolResult::error(vec![ContentBlock::text(text)]).into()
        }
    }
}

/// Passes a log message of a server on.
async fn pass_message_on(params: Value, context: &RequestContext<RoleServer>) {
    let told = CustomNotification::new("notifications/message", Some(params));
    // A client that hears nothing any more has gone, and the session ends.
    let _ = context.peer.send_notification(ServerNotification::CustomNotification(told)).await;
}

/// A report as a result: the text is complete by itself, and so is the structure.
fn of_report(report: &Report, reader: Reader, context: &RequestContext<RoleServer>) -> CallToolResult {
    if let Some(answer) = &report.answer
        && RawAnswer::set(context, Raw::Result(answer.raw().clone()))
    {
        return CallToolResult::success(Vec::new());
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
