//! Whether a call may run on the runner of its plan.

use super::{PolicyCall, PolicyContext, Refusal};
use crate::model::{Command, shown};

/// Refuses a runner that settings do not open to agents, and any where the run must be contained.
pub(super) fn judge(
    command: &Command,
    call: &PolicyCall<'_>,
    ground: &dyn PolicyContext,
) -> Result<(), Refusal> {
    let Some(runner) = &command.runner else { return Ok(()) };
    let name = shown(&runner.name);
    let is_governed = call.caller.is_governed();
    if is_governed && !runner.is_open_to_agents {
        return Err(Refusal::new(
            format!("The runner `{name}` is not open to agents"),
            format!(
                "the user may write `agents: true` below `{name}` in settings.yml; cuff does not contain what runs there"
            ),
        ));
    }
    let rules = ground.containment(call.tool, command.profile);
    if call.is_contained || is_governed && !rules.is_off() && rules.is_required {
        return Err(Refusal::new(
            format!("cuff does not contain what runs on the runner `{name}`, and this run must be contained"),
            "run it on this machine, or without that requirement",
        ));
    }
    Ok(())
}
