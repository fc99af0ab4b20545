//! A call of a tool of another MCP server: permit, record, connection, answer.

mod redacted;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::account::CallAccount;
use super::confirm;
use super::conversing::Redacting;
use super::error::RunError;
use super::parameters::DRY_RUN;
use super::step::{CallStep, ToldCall};
use super::{record, report};
use crate::execution::{self, Sink};
use crate::model::{
    Capture, Chunk, Ending, ErrorCode, Outcome, Plan, Registered, Report, Stream, UpstreamCall, not_started,
    shown, visible, visible_json,
};
use crate::policy;
use crate::project::Project;
use crate::redact::redacted_json;
use crate::sources::Unattended;

/// Carries out a call of another MCP server's tool, and records it.
///
/// # Errors
/// When policy refuses it, or a person has not said yes. A server that cannot be reached, or says no, is a report.
pub(crate) async fn relay(
    account: &mut CallAccount<'_>,
    found: &Registered,
    call: UpstreamCall,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let ToldCall { project, request, .. } = account.call;
    let Some(source) = project.source(&found.name.instance) else {
        return Err(RunError::broken("the MCP server of this tool is not among the sources"));
    };
    let secrets = project.secrets_of_server(&call.server);
    let planned = request.call(found, Plan::Upstream(call.clone()));
    let permit = confirm::permit(account, planned, cancel).await?;
    account.tell(CallStep::Started(None));
    let begun = record::begin_call(project, found, &call, request, &secrets);
    let (recording, unrecorded) = begun.map_or_else(|why| (None, why), |it| (Some(it), None));
    if let Some(recording) = &recording {
        sink.recorded(recording.id());
    }
    let outcome = match policy::clear(permit, false, project).await {
        Ok((cleared, _)) => {
            let inner = request.conversation.as_deref().unwrap_or(&Unattended);
            let conversation = Redacting { inner, secrets: &secrets };
            execution::relay(
                cleared,
                (source, &conversation),
                account.span_of_run(),
                &project.context.clock,
                cancel,
            )
            .await
        }
        Err(reason) => execution::without_process(Ending::NotStarted(reason)),
    };
    let outcome = redacted::outcome(outcome, &secrets);
    if let Some(answer) = &outcome.answer {
        // Nobody who left is waited for: the call has ended.
        let _ = sink.write(Stream::Out, answer.text().as_bytes());
    }
    let report = reported(found, project.prefix(found), &call, outcome);
    let report = record::end_call(&project.context, report, recording);
    account.tell(CallStep::Ended(&report));
    let unrecorded = report.unrecorded.clone().or(unrecorded).or(account.unwritten.take());
    Ok(Report { unrecorded, ..report })
}

/// The report of a call that was only shown. Nothing is connected to.
pub(crate) fn dry_run(project: &Project, found: &Registered, call: &UpstreamCall) -> Report {
    let secrets = project.secrets_of_server(&call.server);
    let arguments = redacted_json(Value::Object(call.arguments.clone()), &secrets);
    let (tool, server) = (shown(&call.tool), shown(&call.server));
    let text = format!("Would call: {tool} of the MCP server {server}\n{arguments:#}\n");
    let metadata = Map::from_iter([
        ("server".to_owned(), Value::from(call.server.as_str())),
        ("arguments".to_owned(), arguments),
        (DRY_RUN.name.to_owned(), Value::Bool(true)),
    ]);
    report::dry_run(found, visible_json(&text).into_owned(), metadata)
}

/// The report of a call that was answered, or could not be made.
fn reported(found: &Registered, prefix: &str, call: &UpstreamCall, outcome: Outcome) -> Report {
    let mut capture = Capture::default();
    if let Some(answer) = &outcome.answer {
        capture.push(Chunk::new(Stream::Out, answer.text().as_bytes()));
    }
    let trouble = trouble(&outcome.ending, call);
    Report {
        success: trouble.is_none(),
        error_code: trouble.as_ref().map(|(fault, ..)| fault.code(prefix)),
        error: trouble.as_ref().map(|(_, error, _)| error.clone()),
        help: trouble.and_then(|(.., help)| help),
        output: capture.output(),
        duration: outcome.duration,
        ending: Some(outcome.ending),
        answer: outcome.answer,
        rejection: outcome.rejection,
        ..report::blank(found, Map::new())
    }
}

/// The reason why a call failed and what to do about it; `None` for success.
fn trouble(ending: &Ending, call: &UpstreamCall) -> Option<(ErrorCode, String, Option<String>)> {
    let server = shown(&call.server);
    let failed = |error: String| (ErrorCode::Failed, error, None);
    Some(match ending {
        Ending::Answered { is_error: false } => return None,
        Ending::Answered { is_error: true } => {
            failed(format!("`{}` failed, says {server}", shown(&call.tool)))
        }
        Ending::Rejected(why) => failed(format!("{server} rejected the call: {}", visible(why))),
        Ending::Disconnected(why) => failed(visible(why).into_owned()),
        Ending::TimedOut(after) => (
            ErrorCode::TimedOut,
            format!("{server} did not answer within {} seconds", after.as_secs()),
            Some("raise `default_timeout` of the server in settings.yml".to_owned()),
        ),
        Ending::Cancelled => (ErrorCode::Cancelled, "the call was cancelled".to_owned(), None),
        Ending::NotStarted(why) => not_started(why, "Tool", None),
        Ending::Exited(_) | Ending::Signalled(_) | Ending::Lost => failed(format!("{server} gave no answer")),
    })
}

#[cfg(test)]
mod tests;
