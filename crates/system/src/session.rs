//! The session that a command is typed in: an agent's, or that of a terminal window.

use nix::unistd::getsid;

use super::Environment;
use super::process_table::started;

/// The variables by which agents name their sessions.
const NAMED: [&str; 2] = ["TOOLSCRIPT_SESSION", "CLAUDE_CODE_SESSION_ID"];

/// A name that all commands of the session have in common, and no others. It is an agent's own name for it,
/// else the leader of the session and its start.
pub fn session(environment: &Environment) -> String {
    let named = NAMED.iter().find_map(|name| environment.get(name).filter(|value| !value.is_empty()));
    if let Some(name) = named {
        return format!("named:{}", name.to_string_lossy());
    }
    let Ok(leader) = getsid(None) else { return "none".to_owned() };
    format!("leader:{leader}:{}", started(leader).unwrap_or_default())
}
