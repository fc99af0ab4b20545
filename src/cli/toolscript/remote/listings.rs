//! Lists, types and search from the session's gateway.

use serde_json::{Value, json as made};

use super::answers::{asked, asked_of_servers, json};
use super::hint::hint;
use crate::cli::arguments::{GetTypes, ListTools, SearchOutput, SearchTools};
use crate::cli::toolscript::opened::note_connecting;
use crate::gateway::GatewayConnection;
use crate::model::{counted, visible};
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, widest, widths};

/// Lists the servers, and how each is.
pub(super) fn servers(ui: &Ui, connection: &GatewayConnection, is_json: bool) -> Result<u8, Failed> {
    let shape = json(&asked(connection, "/servers")?)?;
    if is_json {
        ui.json(&shape)?;
    } else {
        let rows: Vec<Vec<String>> = entries(&shape, "servers").iter().map(server_row).collect();
        if !rows.is_empty() {
            ui.result(columns(&rows, &widths(&rows, 2), NARROWEST, ui.width()))?;
        }
    }
    hint(ui, connection)?;
    Ok(exit::SUCCESS)
}

fn server_row(server: &Value) -> Vec<String> {
    let tools = counted(server["tools"].as_u64().unwrap_or_default(), "tool");
    vec![text(server, "name"), text(server, "state"), tools]
}

/// Lists the tools that programs can call.
pub(super) fn tools(ui: &Ui, connection: &GatewayConnection, typed: &ListTools) -> Result<u8, Failed> {
    let path = match &typed.server {
        Some(server) => GatewayConnection::path("/tools", "server", server),
        None => "/tools".to_owned(),
    };
    let shape = json(&asked_of_servers(connection, &path)?)?;
    let tools = entries(&shape, "tools");
    if typed.server.is_none() {
        note_connecting_servers(ui, &shape);
    }
    if typed.json {
        ui.json(&made!({ "tools": tools.iter().map(short).collect::<Vec<Value>>() }))?;
    } else {
        show(ui, tools)?;
    }
    if tools.is_empty() {
        hint(ui, connection)?;
    }
    Ok(exit::SUCCESS)
}

/// Prints the types.
pub(super) fn types(ui: &Ui, connection: &GatewayConnection, typed: &GetTypes) -> Result<u8, Failed> {
    let body =
        asked_of_servers(connection, &GatewayConnection::path("/types", "filter", &typed.filter.join(",")))?;
    ui.result(String::from_utf8_lossy(&body).trim_end())?;
    Ok(exit::SUCCESS)
}

/// Shows the tools that match, the best first. It ends with 1 where none does.
pub(super) fn search(ui: &Ui, connection: &GatewayConnection, typed: &SearchTools) -> Result<u8, Failed> {
    let path = GatewayConnection::path("/search", "q", &typed.query.join(" "));
    let shape = json(&asked(connection, &format!("{path}&limit={}", typed.limit))?)?;
    let hits = entries(&shape, "tools");
    note_connecting_servers(ui, &shape);
    match typed.output {
        SearchOutput::Json => {
            let shapes = hits.iter().map(|hit| {
                let mut shape = short(hit);
                shape["score"] = hit["score"].clone();
                shape["reason"] = hit["reason"].clone();
                shape
            });
            ui.json(&made!({ "tools": shapes.collect::<Vec<Value>>() }))?;
        }
        _ if hits.is_empty() => ui.note("note: no tool matches; `toolscript list-tools` shows all"),
        SearchOutput::Table => show(ui, hits)?,
        SearchOutput::Types => {
            let declared = |hit: &Value| {
                format!(
                    "// {} ({})\n{}",
                    text(hit, "function"),
                    text(hit, "reason"),
                    hit["types"].as_str().unwrap_or_default()
                )
            };
            ui.result(hits.iter().map(declared).collect::<Vec<_>>().join("\n").trim_end())?;
        }
    }
    if hits.is_empty() {
        hint(ui, connection)?;
    }
    Ok(if hits.is_empty() { exit::FAILURE } else { exit::SUCCESS })
}

/// Says which servers have not answered yet.
fn note_connecting_servers(ui: &Ui, shape: &Value) {
    note_connecting(ui, entries(shape, "connecting_servers").iter().filter_map(Value::as_str));
}

/// A line for each tool: the function as programs write it, and the first line about it.
fn show(ui: &Ui, tools: &[Value]) -> Result<(), Failed> {
    if tools.is_empty() {
        return Ok(());
    }
    let row = |tool: &Value| {
        let about = tool["description"].as_str().unwrap_or_default();
        let first = about.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        vec![text(tool, "function"), visible(first).into_owned()]
    };
    let rows: Vec<Vec<String>> = tools.iter().map(row).collect();
    let last = widest(rows.iter().map(|row| row[1].as_str()));
    ui.result(columns(&rows, &widths(&rows, 1), last, ui.width()))?;
    Ok(())
}

/// A tool without its schemas.
fn short(tool: &Value) -> Value {
    made!({
        "server": tool["server"], "name": tool["tool"], "function": tool["function"],
        "description": tool["description"],
    })
}

fn entries<'s>(shape: &'s Value, name: &str) -> &'s [Value] {
    shape[name].as_array().map_or(&[], Vec::as_slice)
}

fn text(of: &Value, name: &str) -> String {
    visible(of[name].as_str().unwrap_or_default()).into_owned()
}
