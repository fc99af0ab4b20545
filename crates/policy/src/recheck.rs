//! The second check of a permit, immediately before it is carried out.

use super::binding::named;
use super::held_binding::hold;
use super::permit::Judged;
use super::{
    ContentBinding, Decision, HeldBinding, Permit, PolicyCall, PolicyContext, StartPermit, authorize,
};
use crate::model::{NotStarted, Plan, Registered, UpstreamCall, shown};

/// Checks a permit a second time. A call may wait long for a slot, and the caller decides how long. So bound
/// files must be unchanged now, and a call that required no confirmation must still require none. The bound files
/// are held from before they are read until the second value is dropped.
///
/// # Errors
/// With the changed files, those that another process may be changing, or an error if there is no folder to start in.
pub async fn clear(
    permit: Permit,
    waited: bool,
    ground: &dyn PolicyContext,
) -> Result<(StartPermit, Option<HeldBinding>), NotStarted> {
    let Permit { judged, binding } = permit;
    let tool = &judged.tool;
    if let (Plan::Upstream(call), Some(_)) = (&judged.plan, &binding)
        && ground.bind(tool).await.is_err()
    {
        let UpstreamCall { server, tool, .. } = call.clone();
        return Err(NotStarted::DefinitionChanged { server, tool });
    }
    let source = &tool.tool.source.file;
    let held = match &binding {
        Some(binding) => Some(held(binding, tool, ground).await?),
        None if !waited || is_still_free(&judged, ground).await => None,
        None => return Err(NotStarted::SourceChanged(shown(source))),
    };
    let Judged { plan, folder, caller, containment, .. } = *judged;
    if let (Plan::Process(command), None) = (&plan, &folder) {
        let missing = ground.root().join(&command.directory);
        return Err(NotStarted::DirectoryMissing(missing.display().to_string()));
    }
    Ok((StartPermit::new(plan, folder, caller, containment), held))
}

/// The files of a binding, held and the same.
async fn held(
    binding: &ContentBinding,
    tool: &Registered,
    ground: &dyn PolicyContext,
) -> Result<HeldBinding, NotStarted> {
    let held = hold(binding, ground.root()).await.map_err(|busy| NotStarted::SourceBusy(named(&busy)))?;
    let place = (ground.root(), tool.tool.source.file.as_str());
    HeldBinding::of_unchanged(binding, ground.bind(tool).await, place, held)
        .map_err(|changed| NotStarted::SourceChanged(named(&changed)))
}

/// Whether the gate would let the same call of the same tool pass now without confirmation. A person may
/// always run the current tool.
async fn is_still_free(judged: &Judged, ground: &dyn PolicyContext) -> bool {
    let Judged { tool, plan, caller, chose_folder, containment, .. } = judged;
    if !caller.is_governed() {
        return true;
    }
    let Some(now) = ground.current(tool).await.filter(|now| now.tool == tool.tool) else { return false };
    let again = PolicyCall {
        tool: &now,
        plan: plan.clone(),
        caller: *caller,
        chose_folder: *chose_folder,
        is_contained: containment.is_some(),
    };
    matches!(authorize(again, ground), Ok(Decision::Permitted(_)))
}
