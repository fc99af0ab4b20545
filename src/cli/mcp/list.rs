//! `cuff mcp list`: each server with its file and its state. No value of a variable is shown.

use std::path::Path;

use serde_json::{Value, json};

use super::opened::opened;
use crate::doctor::{Standing, standing, transport};
use crate::model::visible;
use crate::project::{Context, Project};
use crate::settings::{Transport, Upstream};
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, widths};

/// Shows the servers.
pub(super) fn list(
    ui: &Ui,
    surroundings: &Context,
    config: Option<&Path>,
    is_json: bool,
) -> Result<u8, Failed> {
    let project = opened(ui, surroundings, config, is_json)?;
    let written = project.as_ref().map_or_else(Vec::new, Project::written_upstreams);
    let rows: Vec<_> = written
        .iter()
        .filter_map(|(file, server)| Some((file, server, standing(project.as_ref()?, server))))
        .collect();
    if is_json {
        let servers: Vec<Value> =
            rows.iter().map(|(file, server, standing)| shape(file, server, *standing)).collect();
        ui.json(&json!({ "servers": servers }))?;
        return Ok(exit::SUCCESS);
    }
    if rows.is_empty() {
        ui.note("there are no MCP servers here; `cuff mcp add` adds one");
        return Ok(exit::SUCCESS);
    }
    let cells = |(file, server, standing): &(&String, &Upstream, Standing)| {
        [&server.name, state(*standing), file, &target(server)]
            .map(|cell| visible(cell).into_owned())
            .to_vec()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    ui.result(columns(&rows, &widths(&rows, 3), NARROWEST, ui.width()))?;
    Ok(exit::SUCCESS)
}

fn state(standing: Standing) -> &'static str {
    match standing {
        Standing::Off => "off",
        Standing::Waits => "waits for `cuff approve settings`",
        Standing::NeedsLogin => "needs `cuff mcp login`",
        Standing::Approved => "approved",
        Standing::Wrong => "has an error",
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

fn shape(file: &str, server: &Upstream, standing: Standing) -> Value {
    let state = match standing {
        Standing::Off => "off",
        Standing::Waits => "waiting",
        Standing::NeedsLogin => "needs_login",
        Standing::Approved => "approved",
        Standing::Wrong => "error",
    };
    let mut shape = json!({
        "name": server.name, "file": file, "state": state, "open_to_agents": server.is_open_to_agents(),
    });
    shape["transport"] = json!(transport(server));
    match &server.transport {
        Transport::Stdio { command, arguments, .. } => {
            shape["command"] = std::iter::once(command).chain(arguments).cloned().collect();
        }
        Transport::Http { url, .. } => shape["url"] = json!(url),
    }
    shape
}
