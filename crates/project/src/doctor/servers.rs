//! The MCP servers of the settings, for `cuff status` and `cuff doctor`. None is connected to.

use super::check::Check;
use crate::calls::ago;
use crate::project::Project;
use crate::registry::Registry;
use crate::settings::Upstream;
use crate::sources::upstream::LastFailure;

/// An MCP server of the settings that is switched on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStatus {
    /// The instance of the settings.
    pub name: String,
    /// Whether a person has approved it as it is; else it is not started.
    pub is_approved: bool,
    /// The number of its tools, as the server listed them last; 0 before the first connection.
    pub tools: usize,
    /// The number of those that agents do not get: no person has approved them as they are.
    pub withheld: usize,
    /// Whether it wants a login that there is not.
    pub needs_login: bool,
    /// How it failed when it was tried last, secrets taken out; `None` where it has answered since.
    pub failure: Option<LastFailure>,
}

/// A server by what settings and approvals say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerState {
    /// Switched off.
    Off,
    /// No person has approved it as it is.
    Waits,
    /// Its entry has an error.
    Wrong,
    /// It may be connected to, and wants a login that there is not.
    NeedsLogin,
    /// It may be connected to.
    Approved,
}

/// Every MCP server of the settings that is switched on, in the order of the files that name them.
pub fn servers(project: &Project, registry: &Registry) -> Vec<ServerStatus> {
    let status = |name: &String| {
        let is_approved = project.settings.servers().any(|approved| approved == name);
        let withheld = registry.of_instance(name).filter(|found| project.unreviewed(found).is_some());
        ServerStatus {
            name: name.clone(),
            is_approved,
            tools: registry.of_instance(name).count(),
            withheld: withheld.count(),
            needs_login: project.server(name).is_some_and(|source| source.needs_login()),
            failure: failure(project, name),
        }
    };
    project.settings.named_servers.iter().map(status).collect()
}

/// The servers that did not work when they were tried last, for `cuff doctor`.
pub fn server_checks(project: &Project) -> Vec<Check> {
    let now = project.now();
    let check = |name: &String| {
        // The want of a login is a problem of the tools.
        let is_down = !project.server(name)?.needs_login();
        let LastFailure { at, reason, lines } = failure(project, name).filter(|_| is_down)?;
        let what = format!("the MCP server {name} did not work when it was tried {}: {reason}", ago(at, now));
        Some(Check::warn(what, format!("`cuff mcp test {name}` tries it now")).with_lines(lines))
    };
    project.settings.named_servers.iter().filter_map(check).collect()
}

/// The state of a server as its file has it.
pub fn server_state(project: &Project, server: &Upstream) -> ServerState {
    if !server.enabled {
        ServerState::Off
    } else if project.settings.is_withheld(&server.name) {
        ServerState::Waits
    } else if project.settings.upstreams.iter().any(|one| one.name == server.name) {
        let needs_login = project.server(&server.name).is_some_and(|source| source.needs_login());
        if needs_login { ServerState::NeedsLogin } else { ServerState::Approved }
    } else {
        ServerState::Wrong
    }
}

fn failure(project: &Project, name: &str) -> Option<LastFailure> {
    let LastFailure { at, reason, lines } = project.server(name)?.last_failure()?;
    let secrets = project.secrets_of_server(name);
    let redacted = |text: &String| secrets.redact(text).into_owned();
    Some(LastFailure { at, reason: redacted(&reason), lines: lines.iter().map(redacted).collect() })
}
