//! `cuff mcp list`: each server with its file and its state. No value of a variable is shown.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::complaints::complain;
use crate::model::visible;
use crate::project::{Context, OpenError, Project};
use crate::settings::{Transport, Upstream};
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, widths};

/// Shows the servers.
pub(super) fn list(
    ui: &Ui,
    surroundings: &Context,
    config: Option<&Path>,
    is_json: bool,
) -> Result<u8, Failed> {
    let project = match Project::open_typed(surroundings.clone(), config) {
        Ok(project) => Some(project),
        Err(OpenError::NoSettings(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let written = project.as_ref().map_or_else(Vec::new, Project::written_upstreams);
    let rows: Vec<_> = written
        .iter()
        .filter_map(|(file, server)| Some((file, server, state(project.as_ref()?, server))))
        .collect();
    if is_json {
        let servers: Vec<Value> =
            rows.iter().map(|(file, server, state)| shape(file, server, state)).collect();
        ui.json(&json!({ "servers": servers }))?;
        return Ok(exit::SUCCESS);
    }
    if let Some(project) = &project {
        complain(ui, project);
    }
    if rows.is_empty() {
        ui.note("there are no MCP servers here; `cuff mcp add` adds one");
        return Ok(exit::SUCCESS);
    }
    let cells = |(file, server, state): &(&String, &Upstream, &str)| {
        [&server.name, *state, file, &target(server)].map(|cell| visible(cell).into_owned()).to_vec()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    ui.result(columns(&rows, &widths(&rows, 3), NARROWEST, ui.width()))?;
    Ok(exit::SUCCESS)
}

fn state(project: &Project, server: &Upstream) -> &'static str {
    let is_used = project.upstreams().iter().any(|one| one.name == server.name);
    if !server.enabled {
        "off"
    } else if project.is_withheld(&server.name) {
        "waits for `cuff approve settings`"
    } else if is_used {
        "approved"
    } else {
        "has an error"
    }
}

/// What is started, or connected to, as it is written.
fn target(server: &Upstream) -> String {
    match &server.transport {
        Transport::Stdio { command, arguments, .. } => {
            let words = std::iter::once(command).chain(arguments).map(String::as_str);
            words.collect::<Vec<_>>().join(" ")
        }
        Transport::Http { url, .. } => url.clone(),
    }
}

fn shape(file: &str, server: &Upstream, state: &str) -> Value {
    let state = match state {
        "off" | "approved" => state,
        "has an error" => "error",
        _ => "waiting",
    };
    let mut shape = json!({
        "name": server.name, "file": file, "state": state, "open_to_agents": server.is_open_to_agents(),
    });
    match &server.transport {
        Transport::Stdio { command, arguments, .. } => {
            shape["transport"] = json!("stdio");
            shape["command"] = std::iter::once(command).chain(arguments).cloned().collect();
        }
        Transport::Http { url, is_legacy, .. } => {
            shape["transport"] = json!(if *is_legacy { "sse" } else { "http" });
            shape["url"] = json!(url);
        }
    }
    shape
}
