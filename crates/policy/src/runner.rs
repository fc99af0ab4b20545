//! Whether a call may run on the runner of its plan.

use super::{PolicyCall, Refusal};
use crate::model::{Command, shown};

/// Refuses a runner that settings do not open to agents.
pub(super) fn judge(command: &Command, call: &PolicyCall<'_>) -> Result<(), Refusal> {
    let Some(runner) = &command.runner else { return Ok(()) };
    if !call.caller.is_governed() || runner.is_open_to_agents {
        return Ok(());
    }
    let name = shown(&runner.name);
    Err(Refusal::new(
        format!("The runner `{name}` is not open to agents"),
        format!(
            "the user may write `agents: true` below `{name}` in settings.yml; cuff contains what runs there only where the \
             same cuff is installed"
        ),
    ))
}
