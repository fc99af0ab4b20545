//! The lines of the audit log that a call writes.

use super::ending::in_short;
use super::error::ErrorReason;
use super::request::CallRequest;
use crate::calls::error::RunError;
use crate::ledger::{AuditDecision, LedgerError, NO_LEDGER};
use crate::model::ErrorCode;
use crate::model::{Report, shown};
use crate::project::Project;
use crate::registry::Registered;

/// Notes what a plugin refused of a call's input. The plugin's words may hold the value, so the line has the code alone.
pub(crate) fn note_refused_plan(
    project: &Project,
    found: &Registered,
    request: &CallRequest,
    error: &RunError,
) {
    if error.reason == ErrorReason::Refused {
        let rule = format!("what the call brought is refused [{}]", error.code);
        // Nothing runs, so a log that cannot be written holds nothing back.
        let _ = note(project, found.name.to_string(), request, "refused", rule);
    }
}

/// Notes a call of a tool that is not there, or that nobody has approved.
pub(crate) fn note_not_found(project: &Project, tool: &str, request: &CallRequest, error: &RunError) {
    if error.reason == ErrorReason::NoSuchTool {
        let rule = format!("no such tool [{}]", error.code);
        let _ = note(project, shown(tool), request, "refused", rule);
    }
    note_unapproved(project, tool, request, error);
}

/// Notes how a run ended. Returns the reason why it cannot.
pub(crate) fn note_end(
    project: &Project,
    found: &Registered,
    request: &CallRequest,
    report: &Report,
) -> Option<String> {
    let ending = in_short(report.ending.as_ref()?, report.success);
    let run = match report.run_id {
        Some(id) => format!("run {id}"),
        None if report.is_rehearsal() => "a dry run".to_owned(),
        None => "a run that was not recorded".to_owned(),
    };
    note(project, found.name.to_string(), request, "ended", format!("{run}: {ending}"))
}

/// Notes a decision. Returns the reason why it cannot.
pub(crate) fn note(
    project: &Project,
    tool: String,
    request: &CallRequest,
    decision: &'static str,
    rule: String,
) -> Option<String> {
    let decided = AuditDecision {
        at: project.now(),
        caller: request.caller.name().to_owned(),
        tool,
        project: project.root.display().to_string(),
        arguments: request.arguments.keys().cloned().collect(),
        decision,
        rule,
    };
    let written = project.ledger.as_ref()?.note(&decided);
    written.err().filter(|_| !project.context.is_contained()).map(|error| unwritten(&error))
}

/// Whether the audit log can take a person's yes. Nothing that needs one runs without that.
///
/// # Errors
/// With the reason, when it cannot.
pub(crate) fn can_note_yes(project: &Project) -> Result<(), String> {
    let ledger = project.ledger.as_ref().ok_or(NO_LEDGER)?;
    ledger.is_writable().map_err(|error| unwritten(&error))
}

fn unwritten(error: &LedgerError) -> String {
    format!("the audit log cannot be written: {error}")
}

/// Writes into the audit log that a call was refused since nobody has approved what it asks for.
pub(crate) fn note_unapproved(project: &Project, tool: &str, request: &CallRequest, error: &RunError) {
    if error.code.ends_with(&ErrorCode::Unapproved.code("")) {
        // Nothing runs, so a log that cannot be written holds nothing back. The tool's name comes from the
        // call and is shortened as names are.
        let _ = note(project, shown(tool), request, "refused", error.message.clone());
    }
}
