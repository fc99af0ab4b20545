//! The project with the tools that programs call.

use std::path::Path;
use std::sync::Arc;

use crate::cli::problems::complain;
use crate::code::Tools;
use crate::model::Caller;
use crate::project::{Connect, Context, OpenError, Project};
use crate::terminal::{Failed, Ui, runtime};

/// The sentence for users without MCP servers.
pub(super) const CREATE: &str = "note: no MCP server is configured here; a file `.toolscript.json` names some: \
                      {\"mcpServers\": {\"time\": {\"command\": \"uvx\", \"args\": [\"mcp-server-time\"]}}}";

/// Opens the project as programs have it. Without settings there is one without tools.
///
/// # Errors
/// When its settings cannot be used at all.
pub(super) fn opened(ui: &Ui, surroundings: &Context, config: Option<&Path>) -> Result<Arc<Project>, Failed> {
    let surroundings = Context { connect: Connect::WhenCalled, ..surroundings.clone() };
    let project = match Project::open(surroundings.clone(), config, Caller::Code) {
        Ok(project) => project,
        Err(OpenError::NoSettings { .. }) => Project::without_settings(surroundings, Caller::Code),
        Err(error) => return Err(error.into()),
    };
    complain(ui, &project);
    Ok(Arc::new(project))
}

/// The project and all of its tools. Servers whose tools are not known yet are connected to.
///
/// # Errors
/// As [`opened`].
pub(super) fn with_tools(
    ui: &Ui,
    surroundings: &Context,
    config: Option<&Path>,
) -> Result<(Arc<Project>, Tools), Failed> {
    let project = opened(ui, surroundings, config)?;
    let waiting = ui.waiting();
    let tools = runtime()?.block_on(async {
        let tools = Tools::all(&project).await;
        project.close().await;
        tools
    });
    waiting.finish_and_clear();
    Ok((project, tools))
}

/// Says what to create where there is no MCP server, and which servers wait for a person.
pub(super) fn hint(ui: &Ui, project: &Project) {
    for server in project.withheld_servers() {
        ui.say(format!(
            "warning: the MCP server {server} waits for approval: `cuff approve settings` shows it, and asks"
        ));
    }
    if project.servers().next().is_none() && project.withheld_servers().next().is_none() {
        ui.note(CREATE);
    }
}
