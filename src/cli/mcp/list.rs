//! `cuff mcp list`: each server with its file and its state. No value of a variable is shown.

use std::path::Path;

use serde_json::{Value, json};

use super::opened::opened;
use crate::doctor::{ServerState, server_state, transport};
use crate::model::visible;
use crate::project::{Context, Project};
use crate::settings::{ServerTransport, Upstream};
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, widths};

/// Shows the servers.
pub(super) fn list(ui: &Ui, context: &Context, config: Option<&Path>, is_json: bool) -> Result<u8, Failed> {
    let project = opened(ui, context, config, is_json)?;
    let written = project.as_ref().map_or_else(Vec::new, Project::written_upstreams);
    let rows: Vec<_> = written
        .iter()
        .filter_map(|(file, server)| Some((file, server, server_state(project.as_ref()?, server))))
        .collect();
    if is_json {
        let servers: Vec<Value> =
            rows.iter().map(|(file, server, state)| shape(file, server, *state)).collect();
        ui.json(&json!({ "servers": servers }))?;
        return Ok(exit::SUCCESS);
    }
    if rows.is_empty() {
        ui.note("there are no MCP servers here; `cuff mcp add` adds one");
        return Ok(exit::SUCCESS);
    }
    let cells = |(file, server, state): &(&String, &Upstream, ServerState)| {
        [&server.name, state_in_words(*state), file, &target(server)]
            .map(|cell| visible(cell).into_owned())
            .to_vec()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    ui.result(columns(&rows, &widths(&rows, 3), NARROWEST, ui.width()))?;
    Ok(exit::SUCCESS)
}

fn state_in_words(state: ServerState) -> &'static str {
    match state {
        ServerState::Off => "off",
        ServerState::Waits => "waits for `cuff approve settings`",
        ServerState::NeedsLogin => "needs `cuff mcp login`",
        ServerState::Approved => "approved",
        ServerState::Wrong => "has an error",
    }
}

/// The command line that is started, or the address that cuff connects to, as it is written.
fn target(server: &Upstream) -> String {
    match &server.transport {
        ServerTransport::Stdio { command, arguments, .. } => {
            let words = std::iter::once(command).chain(arguments).map(String::as_str);
            words.collect::<Vec<_>>().join(" ")
        }
        ServerTransport::Http { url, .. } => url.clone(),
    }
}

fn shape(file: &str, server: &Upstream, state: ServerState) -> Value {
    let state = match state {
        ServerState::Off => "off",
        ServerState::Waits => "waiting",
        ServerState::NeedsLogin => "needs_login",
        ServerState::Approved => "approved",
        ServerState::Wrong => "error",
    };
    let mut shape = json!({
        "name": server.name, "file": file, "state": state, "open_to_agents": server.is_open_to_agents(),
    });
    shape["transport"] = json!(transport(server));
    match &server.transport {
        ServerTransport::Stdio { command, arguments, .. } => {
            shape["command"] = std::iter::once(command).chain(arguments).cloned().collect();
        }
        ServerTransport::Http { url, .. } => shape["url"] = json!(url),
    }
    shape
}
