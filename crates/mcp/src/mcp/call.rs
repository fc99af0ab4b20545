//! A call: the project carries it out, and its report becomes a result.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, InputRequiredResult,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use super::call_service::CallService;
#[cfg(feature = "code")]
use super::code;
use super::confirmation::{ElicitationMode, ElicitationReply};
use super::pending_elicitations::{HeldQuestions, HeldRequest};
use super::progress::CallProgress;
use super::raw::{Raw, RawAnswer};
use super::results::{failure, rejected, result};
use super::{correlation, pending_elicitations, runs, server_words};
use crate::calls::{
    Addressed, BackgroundCall, CallEvent, CallRequest, ClientQuestion, RunError, ServerQuestions,
};
use crate::model::{OngoingRun, Rejection, Report, Spelling, TraceContext};
use crate::project::Project;
use crate::wire::{Reader, compact, compact_of_going, text_of_going, text_of_report};

/// Carries out a call, until it ends or goes to the background. Dropping the future ends what it started.
///
/// # Errors
/// The JSON-RPC error that another MCP server answered the call with, or that of a state that no call waits under.
pub(super) async fn call_tool(
    service: &CallService,
    project: Arc<Project>,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    if let Some(own) = runs::named(&request.name) {
        return Ok(runs::call(own, service, &project, request.arguments).await.into());
    }
    #[cfg(feature = "code")]
    if let Some(own) = code::named(&request.name) {
        return code::call(own, service, &project, request, context).await;
    }
    let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
    let name = name.into_owned();
    let responses = json!(input_responses).as_object().cloned();
    if let Some(state) = request_state.as_ref().filter(|state| pending_elicitations::is_held(state)) {
        let HeldRequest { work, questions, .. } =
            service.held.take(state, &name).ok_or_else(pending_elicitations::unknown_state)?;
        // A question of cuff's own had its answer before the server was called.
        questions.answer(responses.as_ref(), false);
        return attend(service, (&project, name), work, (ElicitationMode::None, None), context).await;
    }
    // With a state they are for cuff's own question.
    let for_server = responses.filter(|_| request_state.is_none());
    let reply = ElicitationReply { state: request_state, responses: input_responses };
    let origin = (service.origin_of)(&context.extensions);
    let caller = service.caller(origin.caller);
    let may_ask = service.may_say_yes(&project, origin.caller);
    let mode = if may_ask { ElicitationMode::of(context, reply) } else { ElicitationMode::None };
    let tool = Addressed::ByAgent(name.clone(), service.spelling);
    let trace = correlation::of(context, &origin);
    let request = CallRequest {
        correlation: trace.as_ref().map(TraceContext::trace_id),
        trace,
        is_mcp: true,
        ..CallRequest::new(tool, arguments.unwrap_or_default(), caller)
    };
    let client = server_words::client(service, context);
    match service.background.begin(Arc::clone(&project), request, (mode.can_ask(), client)).await {
        Ok(call) => attend(service, (&project, name), call, (mode, for_server), context).await,
        Err(error) => Ok(failure(&error).into()),
    }
}

/// Waits for what comes of a call, and passes on what is said and asked meanwhile.
async fn attend(
    service: &CallService,
    (project, name): (&Project, String),
    mut call: BackgroundCall,
    (mut mode, mut client_answers): (ElicitationMode, Option<Map<String, Value>>),
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let mut progress = CallProgress::of(context);
    if call.is_relayed() {
        progress.leave_to_server();
    }
    let reader = Reader::Agent(service.spelling);
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
            Ok(CallEvent::Ended(report)) => {
                return of_report(&report, (&name, service.spelling), context).map(Into::into);
            }
            Ok(CallEvent::Goes(going)) => return Ok(of_going(&going, reader).into()),
            Err(error) => return Ok(failure(&error).into()),
            Ok(CallEvent::Server(says)) => {
                if let Some(questions) =
                    server_words::pass_on(says, Some(&progress), &mut client_answers, context).await
                {
                    return Ok(hold(service, name, call, questions, context));
                }
            }
            Ok(CallEvent::Asks(asked)) => {
                match put(&mut mode, asked, project, (&mut progress, &call)).await {
                    Ok(None) => {}
                    Ok(Some(question)) => return Ok(question.into()),
                    Err(error) => return Ok(failure(&error).into()),
                }
            }
        }
    }
}

/// Puts cuff's own question to the client, and tells it meanwhile that the call waits.
async fn put(
    mode: &mut ElicitationMode,
    asked: ClientQuestion,
    project: &Project,
    (progress, call): (&mut CallProgress, &BackgroundCall),
) -> Result<Option<InputRequiredResult>, RunError> {
    let mut put = std::pin::pin!(mode.put(asked, project));
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

/// Holds a call until the client comes back with the answers to a server's questions.
fn hold(
    service: &CallService,
    of: String,
    work: BackgroundCall,
    questions: ServerQuestions,
    context: &RequestContext<RoleServer>,
) -> CallToolResponse {
    let server = questions.server.clone();
    match service.held.hold(HeldRequest { of, work, questions: HeldQuestions::Server(questions) }, context) {
        Ok(()) => CallToolResult::success(Vec::new()).into(),
        Err(why) => {
            let text =
                format!("the call was cancelled: {server} asks for input, and {why}; call again later");
            CallToolResult::error(vec![ContentBlock::text(text)]).into()
        }
    }
}

/// A report as a result: the text is complete by itself, and so is the structure.
///
/// # Errors
/// The JSON-RPC error of another MCP server, as it came: clients go by its number and its data.
fn of_report(
    report: &Report,
    (called, spelling): (&str, Spelling),
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    if let Some(rejection) = &report.rejection {
        let message = format!("{}: {}", report.tool.instance, rejection.message);
        return Err(rejected(Rejection { message, ..rejection.clone() }));
    }
    if let Some(answer) = &report.answer
        && RawAnswer::set(context, Raw::Result(answer.raw().clone()))
    {
        return Ok(CallToolResult::success(Vec::new()));
    }
    let text = text_of_report(report, Reader::Agent(spelling));
    Ok(result(report.success, text, compact(report, called, spelling)))
}

/// The result for a run that goes on in the background.
fn of_going(going: &OngoingRun, reader: Reader) -> CallToolResult {
    result(true, text_of_going(going, reader), compact_of_going(going, reader))
}
