//! The client's question about settings that nobody has approved: at the first list, or in answer to a call.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, InputRequiredResult};
use rmcp::service::{RequestContext, RoleServer};

use super::call_service::CallService;
use super::confirmation::{ElicitationMode, ElicitationReply};
use crate::calls::{FirstApproval, RunError, Settled};
use crate::model::Caller;
use crate::project::{Live, Project};

/// Asks the person behind a client with a session, once, while the client has its list already. Nobody is asked in a run.
pub(super) fn ask_at_list(
    service: &CallService,
    live: &Arc<Live>,
    project: &Arc<Project>,
    context: &RequestContext<RoleServer>,
) {
    if !project.settings.waits_for_first_approval() {
        return;
    }
    let mode = mode(service, project, context, ElicitationReply { state: None, responses: None });
    let (ElicitationMode::InSession(_), Ok(mut was_asked)) =
        (&mode, Arc::clone(&service.was_asked).try_lock_owned())
    else {
        return;
    };
    let (live, project, peer) = (Arc::clone(live), Arc::clone(project), context.peer.clone());
    tokio::spawn(async move {
        if *was_asked {
            return;
        }
        let mut mode = mode;
        if let Ok((Settled::Approved, _)) = put(&live, &project, &mut mode, &mut was_asked).await {
            // A session that is over gets no notification.
            let _ = peer.notify_tool_list_changed().await;
        }
    });
}

/// The outcome of the question before a call.
pub(super) enum FirstApprovalOutcome {
    /// The project as it is now, for the call.
    Project(Arc<Project>),
    /// The answer to the call: the protocol asks by that.
    Question(InputRequiredResult),
}

/// Asks the person before a call that settings would open which nobody has approved.
///
/// # Errors
/// When it cannot be kept that the question was asked.
pub(super) async fn ask_at_call(
    service: &CallService,
    live: &Live,
    project: Arc<Project>,
    request: &mut CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<FirstApprovalOutcome, RunError> {
    if !project.settings.is_never_approved() {
        return Ok(FirstApprovalOutcome::Project(project));
    }
    let reply =
        ElicitationReply { state: request.request_state.clone(), responses: request.input_responses.clone() };
    let mut mode = mode(service, &project, context, reply);
    if mode.can_ask() {
        let mut was_asked = service.was_asked.lock().await;
        if !*was_asked && let (_, Some(question)) = put(live, &project, &mut mode, &mut was_asked).await? {
            return Ok(FirstApprovalOutcome::Question(question));
        }
        // The state was for that question.
        (request.request_state, request.input_responses) = (None, None);
    }
    Ok(FirstApprovalOutcome::Project(live.project().unwrap_or(project)))
}

async fn put(
    live: &Live,
    project: &Project,
    mode: &mut ElicitationMode,
    was_asked: &mut bool,
) -> Result<(Settled, Option<InputRequiredResult>), RunError> {
    let Some(approval) = FirstApproval::of(live) else { return Ok((Settled::Not, None)) };
    let (asked, answer) = approval.ask();
    let back = mode.put(asked, project).await?;
    let settled = approval.settle(live, answer).await;
    *was_asked = settled == Settled::Not;
    Ok((settled, back))
}

fn mode(
    service: &CallService,
    project: &Project,
    context: &RequestContext<RoleServer>,
    reply: ElicitationReply,
) -> ElicitationMode {
    let caller = service.caller((service.origin_of)(&context.extensions).caller);
    // A client inside a run is no person's: nothing that it answers is a yes.
    let may_ask = caller == Caller::Agent && project.lets_clients_say_yes();
    if may_ask { ElicitationMode::of(context, reply) } else { ElicitationMode::None }
}
