//! `toolscript gateway status`.

use std::time::Duration;

use serde_json::{Value, json};

use super::chosen::chosen;
use crate::cli::arguments::GatewayStatus;
use crate::gateway::{GatewayConnection, Unhealthy};
use crate::model::{counted, visible};
use crate::project::Context;
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, widths};

/// How long an answer may take that connects to nothing, and one that does.
const PATIENCE: Duration = Duration::from_secs(10);
const TESTING: Duration = Duration::from_mins(1);

/// Shows how a gateway is. It ends with 1 where that is unhealthy, or where there is none.
pub(super) fn status(ui: &Ui, context: &Context, typed: &GatewayStatus) -> Result<u8, Failed> {
    let connection = match typed.session.as_deref() {
        None => GatewayConnection::named(context),
        Some(_) => None,
    };
    let connection = if let Some(connection) = connection {
        connection
    } else {
        let files = chosen(context, typed.session.as_deref())?;
        let Some(files) = files else {
            let failed = Failed::usage("no gateway runs here").unable();
            return Err(failed.help("`toolscript gateway start --detach` starts one"));
        };
        GatewayConnection::reached(context, &files)
    };
    shown(ui, connection, typed.json, typed.test)
}

/// Shows how a gateway is, each of its servers tried where `test`. It ends with 1 where the gateway is unhealthy.
pub(in crate::cli::toolscript) fn shown(
    ui: &Ui,
    connection: Result<GatewayConnection, Unhealthy>,
    is_json: bool,
    test: bool,
) -> Result<u8, Failed> {
    let (path, patience) = if test { ("/status?test=true", TESTING) } else { ("/status", PATIENCE) };
    match connection.and_then(|connection| connection.get_json(path, patience)) {
        Ok(status) if is_json => ui.json(&status)?,
        Ok(status) => show(ui, &status)?,
        Err(unhealthy) if is_json => {
            let Unhealthy { url, session, .. } = &unhealthy;
            ui.json(&json!({
                "healthy": false, "url": url, "session": session, "error": unhealthy.to_string(),
                "help": unhealthy.help(),
            }))?;
            return Ok(exit::FAILURE);
        }
        Err(error) => return Err(unhealthy(&error)),
    }
    Ok(exit::SUCCESS)
}

/// The failure of a command whose gateway cannot be used.
pub(in crate::cli::toolscript) fn unhealthy(unhealthy: &Unhealthy) -> Failed {
    Failed::usage(unhealthy.to_string()).unable().help(unhealthy.help())
}

fn show(ui: &Ui, status: &Value) -> Result<(), Failed> {
    let text = |name: &str| visible(status[name].as_str().unwrap_or_default()).into_owned();
    let seconds = status["uptime_ms"].as_u64().unwrap_or_default() / 1000;
    let mut lines = vec![
        format!("healthy, {} (process {}, for {seconds} s)", text("url"), status["pid"]),
        format!("session {} in {}", text("session"), text("directory")),
        counted(status["tools"].as_u64().unwrap_or_default(), "tool"),
    ];
    let servers = status["servers"].as_array().map_or(&[][..], Vec::as_slice);
    let rows: Vec<Vec<String>> = servers.iter().map(server_row).collect();
    if !rows.is_empty() {
        lines.push(columns(&rows, &widths(&rows, 2), NARROWEST, ui.width()));
    }
    ui.result(lines.join("\n"))?;
    for problem in status["problems"].as_array().into_iter().flatten() {
        let text = |name: &str| visible(problem[name].as_str().unwrap_or_default()).into_owned();
        let of = problem["server"].as_str().map_or_else(String::new, |_| format!("{}: ", text("server")));
        ui.say(format!("warning: {}: {of}{}", text("path"), text("message")));
        if problem["help"].is_string() {
            ui.help(&text("help"));
        }
    }
    Ok(())
}

fn server_row(server: &Value) -> Vec<String> {
    let text = |name: &str| visible(server[name].as_str().unwrap_or_default()).into_owned();
    let about = match (server["error"].as_str(), server["help"].as_str()) {
        (Some(_), Some(_)) => format!("{}; {}", text("error"), text("help")),
        (Some(_), None) => text("error"),
        (None, Some(_)) => text("help"),
        (None, None) => counted(server["tools"].as_u64().unwrap_or_default(), "tool"),
    };
    vec![text("name"), text("state"), about]
}
