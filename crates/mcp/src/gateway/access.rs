//! The gateways that a command may reach: a session's own one, and for people any.

use super::owner::{SessionOwner, guessed_owner};
use super::record::GatewayRecord;
use crate::model::Caller;
use crate::project::Context;
use crate::sys::ancestors::ancestors;

/// The variable by which Claude Code tells a shell the id of its session.
const SESSION: &str = "CLAUDE_CODE_SESSION_ID";

/// Whether a command in this environment may reach a gateway. An agent's commands, and all inside a run, reach that of
/// their own session alone: the one whose owner they were started by. People reach any.
pub fn may_reach(context: &Context, record: &GatewayRecord) -> bool {
    if context.at_terminal() == Caller::Human {
        return true;
    }
    let named = context.environment.get(SESSION);
    named.is_none_or(|session| session == record.session.as_str()) && is_of_same_owner(record)
}

/// Whether the owner of a gateway's session is above this process, or is not known.
pub fn is_of_same_owner(record: &GatewayRecord) -> bool {
    record.owner().is_none_or(|owner| ancestors().iter().any(|ancestor| ancestor.process == owner))
}

/// The owner of a gateway that a command starts: for an agent's shell the agent, so that no other session reaches it.
pub fn owner_here(context: &Context) -> Option<SessionOwner> {
    let is_agents = context.at_terminal() == Caller::Agent;
    guessed_owner().filter(|_| is_agents)
}
