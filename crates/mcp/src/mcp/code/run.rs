//! Programs over MCP: each runs until its end, and asks the client's person what it must meanwhile.

use std::io;
use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};

use super::program_call::{ProgramCall, ProgramEvent};
use crate::calls::RunError;
use crate::code::{Executed, Program};
use crate::mcp::call_service::CallService;
use crate::mcp::confirmation::{ElicitationMode, ElicitationReply, elicit, form_of};
use crate::mcp::pending_elicitations::{self, HeldQuestions, HeldRequest};
use crate::mcp::progress::CallProgress;
use crate::mcp::results::{failure, result};
use crate::mcp::server_words;
use crate::model::visible_lines;
use crate::project::Project;

/// The name of the tool, which a program that waits is held under.
const NAME: &str = "execute_code";

/// Runs a program until its end, or until the answer to the request has to ask the person.
///
/// # Errors
/// None of its own: a program that fails is a result.
pub(super) async fn run(
    service: &CallService,
    project: &Arc<Project>,
    program: Program,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let can_ask = mode(service, project, context).can_ask();
    let client = server_words::client(service, context);
    let ongoing = service.background.ongoing();
    let call = ProgramCall::begin(Arc::clone(project), program, ongoing, (can_ask, client));
    Ok(attend(service, project, call, context).await)
}

/// Goes on with a program that waits under this state, with the answers that the request brought.
///
/// # Errors
/// When no program waits under it.
pub(super) async fn go_on(
    service: &CallService,
    project: &Project,
    (state, answers): (&str, Option<Map<String, Value>>),
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let held = service.held_programs.take(state, NAME).ok_or_else(pending_elicitations::unknown_state)?;
    held.questions.answer(answers.as_ref(), may_say_yes(service, project, context));
    Ok(attend(service, project, held.work, context).await)
}

/// How the client of a request can be asked for a yes.
fn mode(service: &CallService, project: &Project, context: &RequestContext<RoleServer>) -> ElicitationMode {
    if may_say_yes(service, project, context) {
        ElicitationMode::of(context, ElicitationReply { state: None, responses: None })
    } else {
        ElicitationMode::None
    }
}

fn may_say_yes(service: &CallService, project: &Project, context: &RequestContext<RoleServer>) -> bool {
    let origin = (service.origin_of)(&context.extensions);
    service.may_say_yes(project, origin.caller)
}

/// Waits for the end of a program, and passes on what is asked and said meanwhile.
async fn attend(
    service: &CallService,
    project: &Project,
    mut call: ProgramCall,
    context: &RequestContext<RoleServer>,
) -> CallToolResponse {
    let mut progress = CallProgress::of(context);
    loop {
        let event = tokio::select! {
            biased;
            event = call.next() => event,
            () = progress.is_due() => {
                progress.tell(None, call.duration()).await;
                continue;
            }
        };
        let held = match event {
            ProgramEvent::Ended(ended) => return answer(ended, &call).into(),
            ProgramEvent::Asks(asked) => match mode(service, project, context) {
                ElicitationMode::InSession(peer) => {
                    let answer = waiting(elicit(&peer, form_of(&asked)), &mut progress, &call).await;
                    asked.answer(&answer);
                    continue;
                }
                ElicitationMode::AskingBack(_) => HeldQuestions::Confirmation(asked),
                // It could not be asked when it began, or it can no longer.
                ElicitationMode::None => {
                    asked.answer(&Value::Null);
                    continue;
                }
            },
            ProgramEvent::Server(says) => {
                // Several calls of a program may be out: their progress is none of the program's.
                let passed_on = async { server_words::pass_on(says, None, &mut None, context).await };
                match waiting(passed_on, &mut progress, &call).await {
                    Some(questions) => HeldQuestions::Server(questions),
                    None => continue,
                }
            }
        };
        let request = HeldRequest { of: NAME.to_owned(), work: call, questions: held };
        return match service.held_programs.hold(request, context) {
            Ok(()) => CallToolResult::success(Vec::new()).into(),
            Err(why) => {
                let text = format!(
                    "the program was cancelled: it waits for a person, and {why}; `runs.list` has the calls that it made"
                );
                CallToolResult::error(vec![ContentBlock::text(text)]).into()
            }
        };
    }
}

/// Waits for a person, and tells the client meanwhile that the program waits.
async fn waiting<A>(
    answering: impl Future<Output = A>,
    progress: &mut CallProgress,
    call: &ProgramCall,
) -> A {
    let mut answering = std::pin::pin!(answering);
    loop {
        tokio::select! {
            biased;
            answer = &mut answering => return answer,
            () = progress.is_due() => {
                progress.tell(Some("waits for the user's answer".into()), call.duration()).await;
            }
        }
    }
}

/// The answer to the request: what the program printed and returned, and the images that are in it.
fn answer(ended: io::Result<Box<Executed>>, call: &ProgramCall) -> CallToolResult {
    match ended {
        Ok(mut executed) => {
            let media = executed.take_media();
            let shape = executed.to_json(call.source(), &call.printed().text(), false);
            let mut answer = result(executed.is_success(), text(&executed, call.source(), &shape), shape);
            // What a client cannot read as a block is in the record alone.
            answer.content.extend(media.into_iter().filter_map(|block| serde_json::from_value(block).ok()));
            answer
        }
        Err(error) => failure(&RunError::broken(&format!("no sandbox can be started: {error}"))),
    }
}

/// The same for clients that read text alone: the output, then the result or the error.
fn text(executed: &Executed, source: &str, shape: &Value) -> String {
    let printed = |key: &str| shape[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let mut parts: Vec<String> = [printed("stdout"), printed("stderr")].into_iter().flatten().collect();
    if executed.is_success() {
        match shape.get("result") {
            Some(Value::String(text)) => parts.push(text.clone()),
            Some(result) => parts.push(result.to_string()),
            None if parts.is_empty() => parts.push("the program returned nothing".to_owned()),
            None => {}
        }
        if shape.get("result_cut").is_some() {
            parts.push("[the result is shown in part; `await results.latest` has all of it]".to_owned());
        }
    } else {
        parts.push(executed.complaint(source));
    }
    visible_lines(&parts.join("\n")).into_owned()
}
