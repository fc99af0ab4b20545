//! The project with the tools that programs call.

use std::path::Path;
use std::sync::Arc;

use super::steps::step;
use crate::cli::problems::complain;
use crate::model::{Caller, ErrorCode};
use crate::project::{Connect, Context, OpenError, Project, ProjectSettings};
use crate::terminal::{Failed, Ui};

/// The sentence for users without MCP servers.
pub(super) const CREATE: &str = "note: no MCP server is configured here; a file `.toolscript.json` names some: \
                      {\"mcpServers\": {\"time\": {\"command\": \"uvx\", \"args\": [\"mcp-server-time\"]}}}";

/// Opens the project as programs have it. Without settings there is one without tools.
///
/// # Errors
/// When its settings cannot be used at all.
pub(super) fn opened(ui: &Ui, context: &Context, config: Option<&Path>) -> Result<Arc<Project>, Failed> {
    let context = Context { connect: Connect::WhenCalled, ..context.clone() };
    let project = match Project::open(context.clone(), config, Caller::Code) {
        Ok(project) => project,
        Err(OpenError::NoSettings { .. }) => Project::without_settings(context, Caller::Code),
        Err(error) => return Err(error.into()),
    };
    complain(ui, &project);
    let root = ("root", project.settings.root.display().to_string());
    step(&project.context, "The project is open; no gateway is asked", &[root]);
    for instance in &project.settings.instances {
        step(&project.context, "A source of tools", &[("instance", instance.name.clone())]);
    }
    Ok(Arc::new(project))
}

/// Says what to create where there is no MCP server, and what waits for a person.
pub(super) fn hint(ui: &Ui, settings: &ProjectSettings) {
    if let Some(problem) = settings.withheld_settings().filter(|_| settings.is_never_approved()) {
        ui.problem(None, Some(&ErrorCode::Unapproved.code("CUFF")), &problem);
        return;
    }
    for server in settings.withheld_servers() {
        ui.say(format!(
            "warning: the MCP server {server} waits for approval: `cuff approve settings` shows it, and asks"
        ));
    }
    if settings.servers().next().is_none() && settings.withheld_servers().next().is_none() {
        ui.note(CREATE);
    }
}
