//! Notes on what is in the way of more tools.

use serde_json::Value;

use super::answers::{PATIENCE, asked, json};
use crate::cli::toolscript::opened::CREATE;
use crate::gateway::GatewayConnection;
use crate::model::visible;
use crate::terminal::{Failed, Ui};

/// Says what is in the way of more tools: servers that wait or do not answer, settings with errors, none at all.
pub(super) fn hint(ui: &Ui, connection: &GatewayConnection) -> Result<(), Failed> {
    let status = json(&asked(connection, "/status", PATIENCE)?)?;
    let servers = status["servers"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |of: &Value, name: &str| visible(of[name].as_str().unwrap_or_default()).into_owned();
    for server in servers.iter().filter(|server| server["help"].is_string()) {
        let state = match server["state"].as_str() {
            Some("waiting") => "waits for approval".to_owned(),
            Some("needs_login") => "needs a login".to_owned(),
            _ => format!("is down: {}", text(server, "error")),
        };
        ui.say(format!("warning: the MCP server {} {state}", text(server, "name")));
        ui.help(&text(server, "help"));
    }
    let problems = status["problems"].as_array().map_or(&[][..], Vec::as_slice);
    for problem in problems {
        let place =
            problem["path"].as_str().map_or_else(String::new, |_| format!("{}: ", text(problem, "path")));
        let of =
            problem["server"].as_str().map_or_else(String::new, |_| format!("{}: ", text(problem, "server")));
        ui.say(format!("warning: {place}{of}{}", text(problem, "message")));
        if problem["help"].is_string() {
            ui.help(&text(problem, "help"));
        }
    }
    if servers.is_empty() && problems.is_empty() {
        ui.note(CREATE);
    }
    Ok(())
}
