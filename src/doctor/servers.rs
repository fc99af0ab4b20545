//! The MCP servers of the settings, for `cuff status`.

use crate::project::Project;
use crate::registry::Registry;

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
}

/// Every MCP server of the settings that is switched on, in the order of the files that name them.
pub fn servers(project: &Project, registry: &Registry) -> Vec<ServerStatus> {
    let status = |name: &String| {
        let is_approved = project.servers().any(|approved| approved == name);
        let withheld = registry.of_instance(name).filter(|found| project.unreviewed(found).is_some());
        let (tools, withheld) = (registry.of_instance(name).count(), withheld.count());
        ServerStatus { name: name.clone(), is_approved, tools, withheld }
    };
    project.named_servers.iter().map(status).collect()
}
