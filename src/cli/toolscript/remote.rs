//! The commands of a session that has a gateway, which `TOOLSCRIPT_GATEWAY_URL` names: it knows all tools and keeps their
//! servers connected.

mod exec;
mod listings;

use std::time::Duration;

use serde_json::Value;

use super::gateway::{shown, unhealthy};
use super::opened::CREATE;
use crate::cli::arguments::ToolscriptCommand;
use crate::gateway::{Connection, Reply};
use crate::model::visible;
use crate::project::Context;
use crate::terminal::{Failed, Ui, exit};

/// How long an answer may take that is made of what the gateway knows.
const PATIENCE: Duration = Duration::from_secs(10);

/// Carries out a command in the session's gateway; `None` where there is none, or the command is not for it.
pub(super) fn remote(
    ui: &Ui,
    surroundings: &Context,
    typed: &ToolscriptCommand,
) -> Option<Result<u8, Failed>> {
    let is_for_it = match typed {
        ToolscriptCommand::Exec(typed) => !typed.standalone,
        ToolscriptCommand::Gateway(_) | ToolscriptCommand::Hook(_) => false,
        _ => true,
    };
    let connection = Connection::named(&surroundings.environment).filter(|_| is_for_it)?;
    if let ToolscriptCommand::Status(typed) = typed {
        return Some(shown(ui, connection, typed.json, true));
    }
    Some(match connection {
        Ok(connection) => carry_out(ui, &connection, typed),
        Err(error) => Err(unhealthy(&error)),
    })
}

fn carry_out(ui: &Ui, connection: &Connection, typed: &ToolscriptCommand) -> Result<u8, Failed> {
    match typed {
        ToolscriptCommand::Exec(typed) => exec::exec(ui, connection, typed),
        ToolscriptCommand::ListServers(typed) => listings::servers(ui, connection, typed.json),
        ToolscriptCommand::ListTools(typed) => listings::tools(ui, connection, typed),
        ToolscriptCommand::GetTypes(typed) => listings::types(ui, connection, typed),
        ToolscriptCommand::Search(typed) => listings::search(ui, connection, typed),
        ToolscriptCommand::Status(_) | ToolscriptCommand::Gateway(_) | ToolscriptCommand::Hook(_) => {
            Ok(exit::SUCCESS)
        }
    }
}

/// What the gateway knows.
///
/// # Errors
/// When it does not answer, or with the error that it answers with.
fn asked(connection: &Connection, path: &str) -> Result<Vec<u8>, Failed> {
    let reply = connection.wait(connection.get(path, PATIENCE)).map_err(|error| unhealthy(&error))?;
    taken(reply)
}

/// The body of a success.
fn taken(reply: Reply) -> Result<Vec<u8>, Failed> {
    if reply.is_success {
        return Ok(reply.body);
    }
    let shape: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let text = |name: &str| shape[name].as_str().map(|text| visible(text).into_owned());
    let message =
        text("error").unwrap_or_else(|| format!("the gateway answered with status {}", reply.status));
    let failed = Failed::usage(message).unable();
    let failed = match text("error_code") {
        Some(error_code) => Failed { error_code, ..failed },
        None => failed,
    };
    Err(match text("help") {
        Some(help) => failed.help(help),
        None => failed,
    })
}

fn json(body: &[u8]) -> Result<Value, Failed> {
    serde_json::from_slice(body).map_err(|error| {
        let failed = Failed::usage(format!("the gateway answered with no JSON: {error}")).unable();
        failed.help("`toolscript gateway status` says which version it has")
    })
}

/// Says what is in the way of more tools: servers that wait or do not answer, settings with errors, none at all.
fn hint(ui: &Ui, connection: &Connection) -> Result<(), Failed> {
    let status = json(&asked(connection, "/status")?)?;
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
