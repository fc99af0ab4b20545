//! The one gate: a tool, a plan and a caller in; a permit, a question for a person, or a refusal out.

use std::path::Path;

use super::permit::Judged;
use super::{
    ConfirmReason, Decision, Permit, PinnedPlan, PolicyCall, PolicyContext, Refusal, StartPermit,
    TextApproval, Unconfirmed, command, folder, runner,
};
use crate::model::{Caller, Command, Containment, Plan, Registered, Role};
use crate::sys::files;

/// The reason why each call of a tool requires confirmation; `None` if no confirmation is required. Settings ask
/// everybody. A plugin's own declaration does not ask a person, who typed the call.
pub fn confirmation(tool: &Registered, caller: Caller, ground: &dyn PolicyContext) -> Option<ConfirmReason> {
    match &tool.tool.role {
        Role::Run { command, .. } if command.requires_confirmation && caller != Caller::Human => {
            Some(ConfirmReason::Changes)
        }
        Role::Run { .. } | Role::Relay(_) => ground.confirms(tool).then_some(ConfirmReason::Settings),
        Role::List(_) => None,
    }
}

/// The refusal for all calls but a person's, if nobody has approved the tool's current text, or its current
/// definition by another MCP server.
pub fn unapproved_text(tool: &Registered, ground: &dyn PolicyContext) -> Option<Refusal> {
    if tool.tool.role.is_list() {
        return None;
    }
    match ground.approval(tool) {
        TextApproval::NotAsked | TextApproval::Approved => None,
        TextApproval::Unapproved => Some(Refusal::unapproved(tool)),
        TextApproval::Unreviewed(why) => Some(Refusal::unreviewed(tool, why)),
    }
}

/// Decides about a call. Run, dry run, `why`, the look after queueing and the lists of tools ask nothing
/// else.
///
/// The shape of words and variables is checked for every caller. For agents, and for callers inside a run,
/// the rules for words and variables and the approved text hold as well. A call's folder is in the project. A
/// tool that settings name under `confirm` requires confirmation of every caller.
///
/// # Errors
/// With the reason and what to do, when the call may not be carried out.
pub fn authorize(call: PolicyCall<'_>, ground: &dyn PolicyContext) -> Result<Decision, Refusal> {
    let mut approval = TextApproval::NotAsked;
    if call.caller.is_governed() {
        if let Some(refusal) = unapproved_text(call.tool, ground) {
            return Err(refusal);
        }
        approval = ground.approval(call.tool);
    }
    let mut place = None;
    if let Plan::Process(planned) = &call.plan {
        let own = base(call.tool);
        // A run may have put a link in the place of a folder that settings name within the project.
        let is_within = own.is_some_and(|own| call.caller.is_governed() && files::stays_below(own));
        let base = if is_within { Some(Path::new("")) } else { own.filter(|_| call.chose_folder) };
        place = folder::judge(ground.root(), planned, base)?;
        command::judge(planned, &call, ground)?;
        runner::judge(planned, &call)?;
    }
    let because = match &call.plan {
        Plan::Process(planned) if planned.requires_confirmation && call.caller != Caller::Human => {
            Some(ConfirmReason::Changes)
        }
        Plan::Process(_) | Plan::Upstream(_) => confirmation(call.tool, call.caller, ground),
        Plan::Answer(_) => None,
    };
    let containment = containment(&call, ground);
    let PolicyCall { tool, plan, caller, chose_folder, .. } = call;
    let judged = Judged { tool: tool.clone(), plan, caller, chose_folder, folder: place, containment };
    Ok(match (because, approval) {
        (Some(because), _) => Decision::Unconfirmed(Unconfirmed::new(judged, because)),
        (None, TextApproval::Approved) => Decision::Pinned(PinnedPlan::new(judged)),
        (None, _) => Decision::Permitted(Permit::new(judged, None)),
    })
}

/// The rules that the kernel holds for a call's run: for everybody but people, and for a person who wants them.
pub fn containment(call: &PolicyCall<'_>, ground: &dyn PolicyContext) -> Option<Containment> {
    let Plan::Process(command) = &call.plan else { return None };
    let is_held = call.caller.is_governed() || call.is_contained;
    is_held.then(|| ground.containment(call.tool, command.profile)).filter(|rules| !rules.is_off())
}

/// Decides about a probe, which the settings allow and no call has added anything to.
///
/// # Errors
/// With the reason, when it may not be carried out.
pub fn authorize_probe(command: Command, containment: Option<Containment>) -> Result<StartPermit, Refusal> {
    command::judge_own(&command)?;
    if command.requires_confirmation {
        return Err(Refusal::new("a person must say yes to it", "a list asks nobody"));
    }
    let containment = containment.filter(|rules| !rules.is_off());
    Ok(StartPermit::new(Plan::Process(command), None, Caller::Run, containment))
}

/// Decides about the start of a server, which no call has added anything to. That a person approved its configuration
/// was looked at before.
///
/// # Errors
/// With the reason, when it may not be started.
pub fn authorize_server(command: Command, containment: Option<Containment>) -> Result<StartPermit, Refusal> {
    command::judge_own(&command)?;
    if command.requires_confirmation {
        return Err(Refusal::new("a person must say yes to it", "the start of a server asks nobody"));
    }
    let containment = containment.filter(|rules| !rules.is_off());
    Ok(StartPermit::new(Plan::Process(command), None, Caller::Run, containment))
}

/// The folder of a tool if the call names none.
fn base(tool: &Registered) -> Option<&Path> {
    match &tool.tool.role {
        Role::Run { command, .. } => Some(&command.directory),
        Role::List(_) | Role::Relay(_) => None,
    }
}
