//! The second check of a permit, immediately before it is carried out.

use super::binding::named;
use super::permit::Judged;
use super::{Call, Cleared, Decision, Ground, Permit, authorize};
use crate::model::{NotStarted, Plan, UpstreamCall, shown};

/// Checks a permit a second time. A call may wait long for a slot, and the caller decides how long. So bound
/// files must be unchanged now, and a call that required no confirmation must still require none.
///
/// # Errors
/// With the changed files, or an error if there is no folder to start in.
pub async fn clear(permit: Permit, waited: bool, ground: &dyn Ground) -> Result<Cleared, NotStarted> {
    let Permit { judged, binding } = permit;
    let tool = &judged.tool;
    if let (Plan::Upstream(call), Some(_)) = (&judged.plan, &binding)
        && ground.bind(tool).await.is_err()
    {
        let UpstreamCall { server, tool, .. } = call.clone();
        return Err(NotStarted::DefinitionChanged { server, tool });
    }
    let changed = match &binding {
        Some(binding) => binding.changes(ground.bind(tool).await, &tool.tool.source.file),
        None if !waited || is_still_free(&judged, ground).await => Vec::new(),
        None => vec![shown(&tool.tool.source.file)],
    };
    if !changed.is_empty() {
        return Err(NotStarted::SourceChanged(named(&changed)));
    }
    let Judged { plan, folder, caller, containment, .. } = *judged;
    if let (Plan::Process(command), None) = (&plan, &folder) {
        let missing = ground.root().join(&command.directory);
        return Err(NotStarted::DirectoryMissing(missing.display().to_string()));
    }
    Ok(Cleared::new(plan, folder, caller, containment))
}

/// Whether the gate would let the same call of the same tool pass now without confirmation. A person may
/// always run the current tool.
async fn is_still_free(judged: &Judged, ground: &dyn Ground) -> bool {
    let Judged { tool, plan, caller, chose_folder, containment, .. } = judged;
    if !caller.is_governed() {
        return true;
    }
    let Some(now) = ground.current(tool).await.filter(|now| now.tool == tool.tool) else { return false };
    let again = Call {
        tool: &now,
        plan: plan.clone(),
        caller: *caller,
        chose_folder: *chose_folder,
        is_contained: containment.is_some(),
    };
    matches!(authorize(again, ground), Ok(Decision::Permitted(_)))
}
