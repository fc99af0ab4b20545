//! The lines of the audit log that a call writes.

use super::ending::in_short;
use super::error::{ErrorReason, RunError};
use super::step::{CallStep, Judgement, ToldCall};
use crate::ledger::{AuditDecision, LedgerError, NO_LEDGER};
use crate::model::{ErrorCode, Report, shown};
use crate::project::ProjectAuthority;

/// Writes the line of a step that has one. Returns the reason why it cannot, where somebody may have to hear of it.
pub(super) fn hear(call: &ToldCall<'_>, step: CallStep<'_>) -> Option<String> {
    match step {
        CallStep::Judged(Judgement { decision, rule, .. }) => note(call, decision, rule.clone()),
        CallStep::Ended(report) => note(call, "ended", ended(report)?),
        CallStep::Refused(error) => {
            // Nothing runs, so a log that cannot be written holds nothing back.
            let _ = refused(call, error).and_then(|rule| note(call, "refused", rule));
            None
        }
        CallStep::Started(_) | CallStep::Reported(_) => None,
    }
}

/// The rule of a call that was refused before it could be judged; `None` for mistakes, which are no matter of the log. A plugin's
/// words may hold the value that it refuses, so the line has the code alone.
fn refused(call: &ToldCall<'_>, error: &RunError) -> Option<String> {
    let (code, is_found) = (&error.code, call.found.is_some());
    match error.reason {
        _ if call.is_judged => None,
        ErrorReason::Refused if is_found => Some(format!("what the call brought is refused [{code}]")),
        // Nobody has approved it.
        _ if !is_found && code.ends_with(&ErrorCode::Unapproved.code("")) => Some(error.message.clone()),
        ErrorReason::NoSuchTool if !is_found => Some(format!("no such tool [{code}]")),
        _ => None,
    }
}

fn ended(report: &Report) -> Option<String> {
    let ending = in_short(report.ending.as_ref()?, report.success);
    let run = match report.run_id {
        Some(id) => format!("run {id}"),
        None if report.is_rehearsal() => "a dry run".to_owned(),
        None => "a run that was not recorded".to_owned(),
    };
    Some(format!("{run}: {ending}"))
}

fn note(call: &ToldCall<'_>, decision: &'static str, rule: String) -> Option<String> {
    let (project, request) = (call.project, call.request);
    let tool = call.found.map_or_else(|| shown(request.tool.name()), |found| found.name.to_string());
    let decided = AuditDecision {
        at: project.now(),
        caller: request.caller.name().to_owned(),
        tool,
        project: project.settings.root.display().to_string(),
        arguments: request.arguments.keys().cloned().collect(),
        decision,
        rule,
    };
    let written = project.authority.ledger.as_ref()?.note(&decided);
    written.err().filter(|_| !project.context.is_contained()).map(|error| unwritten(&error))
}

/// Whether the audit log can take a person's yes. Nothing that needs one runs without that.
///
/// # Errors
/// With the reason, when it cannot.
pub(crate) fn can_note_yes(authority: &ProjectAuthority) -> Result<(), String> {
    let ledger = authority.ledger.as_ref().ok_or(NO_LEDGER)?;
    ledger.is_writable().map_err(|error| unwritten(&error))
}

fn unwritten(error: &LedgerError) -> String {
    format!("the audit log cannot be written: {error}")
}
