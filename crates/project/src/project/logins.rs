//! Logins at the MCP servers of a project.

use super::context::Context;
use super::opened::Project;
use crate::sources::upstream::oauth::{self, Begun, LoggedOut, Logins};

/// The reason of everything that needs a folder for logins where no variable names one.
const NOWHERE: &str = "no variable says where logins are kept: set HOME or XDG_STATE_HOME";

/// Begins a login at a server that a person has approved. `scope` is asked for as well. Needs a runtime.
///
/// # Errors
/// In words, when there is no such server, or it or its authorization server has not what a login needs.
pub async fn begin_login(project: &Project, server: &str, scope: Option<&str>) -> Result<Begun, String> {
    let Context { environment, clock, .. } = &project.context;
    let logins = Logins::of(environment).ok_or(NOWHERE)?;
    let upstream = project.settings.upstream(server).ok_or("nobody has approved it")?;
    oauth::begin(upstream, &logins, clock, scope).await
}

/// Ends the login at a server, also at one that the settings name no more. Returns the logins that there were. Needs a
/// runtime.
///
/// # Errors
/// In words, when tokens cannot be removed.
pub async fn log_out(
    context: &Context,
    project: Option<&Project>,
    server: &str,
) -> Result<Vec<LoggedOut>, String> {
    let logins = Logins::of(&context.environment).ok_or(NOWHERE)?;
    let upstream = project.and_then(|project| project.settings.upstream(server));
    oauth::log_out(&logins, server, upstream).await
}
