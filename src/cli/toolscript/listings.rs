//! `toolscript list-servers`, `list-tools` and `get-types`.

use std::path::Path;

use serde_json::{Value, json};

use super::opened::{hint, opened, with_tools};
use crate::cli::arguments::{GetTypes, ListTools};
use crate::code::{self, Tools};
use crate::doctor::{self, ServerState};
use crate::model::{counted, nearest, shown, visible};
use crate::project::{Context, Project};
use crate::sandbox::{NamedServer, NamedTool};
use crate::settings::Upstream;
use crate::terminal::{Failed, Ui, columns, exit, wait_for, widest, widths};

/// Lists the MCP servers, and how each stands. None is connected to.
pub(super) fn servers(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    is_json: bool,
) -> Result<u8, Failed> {
    let project = opened(ui, context, config)?;
    let registry = wait_for(ui, project.list())?;
    let written: Vec<Upstream> = project.written_upstreams().into_iter().map(|(_, server)| server).collect();
    let row = |server: &Upstream| {
        let count = registry.of_instance(&server.name).count();
        let state = state(&project, server, count);
        (server.name.clone(), doctor::transport(server), count, state)
    };
    let rows: Vec<_> = written.iter().map(row).collect();
    if is_json {
        let shape = |(name, transport, tools, state): &(String, &str, usize, String)| json!({"name": name, "transport": transport, "tools": tools, "state": state});
        ui.json(&json!({ "servers": rows.iter().map(shape).collect::<Vec<_>>() }))?;
    } else {
        let cells = |(name, transport, _, state): &(String, &str, usize, String)| {
            vec![visible(name).into_owned(), (*transport).to_owned(), visible(state).into_owned()]
        };
        let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
        if !cells.is_empty() {
            let last = widest(cells.iter().map(|row| row[2].as_str()));
            ui.result(columns(&cells, &widths(&cells, 2), last, ui.width()))?;
        }
    }
    hint(ui, &project.settings);
    Ok(exit::SUCCESS)
}

fn state(project: &Project, server: &Upstream, tools: usize) -> String {
    match doctor::server_state(project, server) {
        ServerState::Off => "is switched off".to_owned(),
        ServerState::Waits => "waits for approval: `cuff approve settings`".to_owned(),
        ServerState::Wrong => "has an error in its settings".to_owned(),
        ServerState::NeedsLogin => format!("needs a login: `cuff mcp login {}`", server.name),
        ServerState::Approved if tools == 0 => "its tools are not known yet".to_owned(),
        ServerState::Approved => counted(tools as u64, "tool"),
    }
}

/// Lists the tools that programs can call.
pub(super) fn tools(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &ListTools,
) -> Result<u8, Failed> {
    let (project, tools) = with_tools(ui, context, config, typed.server.as_slice())?;
    let servers: Vec<&NamedServer> = match &typed.server {
        Some(name) => vec![server(&tools, name)?],
        None => tools.catalog.servers().iter().collect(),
    };
    let all: Vec<(&NamedServer, &NamedTool)> =
        servers.iter().flat_map(|server| server.tools.iter().map(|tool| (*server, tool))).collect();
    if typed.json {
        let shape = |(server, tool): &(&NamedServer, &NamedTool)| {
            json!({
                "server": server.name,
                "name": tool.described.name,
                "function": format!("{}.{}", server.identifier, tool.function),
                "description": tool.described.description,
            })
        };
        ui.json(&json!({ "tools": all.iter().map(shape).collect::<Vec<Value>>() }))?;
    } else if !all.is_empty() {
        ui.result(table(ui, &all))?;
    }
    if let Some(server) = typed.server.as_ref().filter(|_| all.is_empty()) {
        if let Some(why) = project.why_unknown(server) {
            let message =
                format!("the tools of the server {} are not known: {}", shown(server), visible(&why));
            let failed = Failed::usage(message).unable();
            return Err(
                failed.help("`toolscript status` tries each server; the tools of the others work meanwhile")
            );
        }
        ui.note("note: this server offers no tools");
    }
    hint(ui, &project.settings);
    Ok(exit::SUCCESS)
}

/// A line for each tool: the function as programs write it, and the first line about it.
pub(super) fn table(ui: &Ui, tools: &[(&NamedServer, &NamedTool)]) -> String {
    let row = |(server, tool): &(&NamedServer, &NamedTool)| {
        let about = tool.described.description.as_deref().unwrap_or_default();
        let first = about.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        vec![format!("{}.{}", server.identifier, tool.function), visible(first).into_owned()]
    };
    let rows: Vec<Vec<String>> = tools.iter().map(row).collect();
    let last = widest(rows.iter().map(|row| row[1].as_str()));
    columns(&rows, &widths(&rows, 1), last, ui.width())
}

fn server<'t>(tools: &'t Tools, name: &str) -> Result<&'t NamedServer, Failed> {
    tools.catalog.server(name).ok_or_else(|| {
        let known = tools.catalog.servers().iter().map(|server| server.name.as_str());
        let help = nearest(name, known).map_or_else(
            || "`toolscript list-tools` shows the tools of all".to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        );
        Failed::usage(format!("there is no server `{}`", shown(name))).unable().help(help)
    })
}

/// Prints the types.
pub(super) fn types(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &GetTypes,
) -> Result<u8, Failed> {
    let (project, tools) = with_tools(ui, context, config, &typed.filter)?;
    if let Some((what, help)) = code::not_found(&tools.catalog, &typed.filter) {
        return Err(Failed::usage(what).unable().help(help));
    }
    ui.result(code::types(&tools.catalog, &typed.filter).trim_end())?;
    hint(ui, &project.settings);
    Ok(exit::SUCCESS)
}
