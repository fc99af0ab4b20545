//! The project with the tools that programs call.

use std::path::Path;
use std::sync::Arc;

use super::steps::step;
use crate::cli::problems::complain;
use crate::code::Tools;
use crate::model::{Caller, ErrorCode, shown};
use crate::project::{Connect, Context, OpenError, Project, ProjectSettings};
use crate::terminal::{Failed, Ui, runtime};

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

/// The project and its tools. Where names of servers or tools are wanted, their servers are waited for; else each server whose
/// tools are not known yet, for a moment.
///
/// # Errors
/// As [`opened`].
pub(super) fn with_tools(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    wanted: &[String],
) -> Result<(Arc<Project>, Tools), Failed> {
    let project = opened(ui, context, config)?;
    let waiting = ui.waiting();
    let (tools, connecting) = runtime()?.block_on(async {
        let tools = Tools::wanted(&project, wanted).await;
        let connecting: Vec<String> = project.connecting_servers().map(str::to_owned).collect();
        project.catalog.close().await;
        (tools, connecting)
    });
    waiting.finish_and_clear();
    if wanted.is_empty() {
        note_connecting(ui, connecting.iter().map(String::as_str));
    }
    Ok((project, tools))
}

/// Says which servers' tools are missing in a list of all.
pub(super) fn note_connecting<'s>(ui: &Ui, servers: impl Iterator<Item = &'s str>) {
    let names: Vec<String> = servers.map(shown).collect();
    let Some(first) = names.first() else { return };
    let who = match names.len() {
        1 => format!("the server {first} has"),
        _ => format!("the servers {} have", names.join(", ")),
    };
    ui.note(format!("note: {who} not answered yet: `toolscript list-tools {first}` waits for its tools"));
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
