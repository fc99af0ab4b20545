//! The tools of other MCP servers that are not offered.

use crate::model::{Problem, Spelling};
use crate::project::Project;

/// The problem that keeps a tool of another MCP server from being offered.
pub(super) async fn withheld(project: &Project, typed: &str, spelling: Spelling) -> Option<Problem> {
    let view = project.context.view(&project.settings.root);
    for server in project.settings.servers() {
        let within = typed.strip_prefix(server).and_then(|rest| rest.strip_prefix(spelling.separator()));
        let (Some(name), Some(source)) = (within, project.source(server)) else { continue };
        let problem = source.absence(name, &view).await;
        return problem.filter(|problem| problem.withheld.iter().any(|withheld| withheld == name));
    }
    None
}
