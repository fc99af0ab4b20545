//! `toolscript list-servers`, `list-tools`, `get-types` and `search`.

use serde_json::{Value, json};

use super::found_tools::{FoundTools, note_connecting};
use super::service::ToolService;
use crate::cli::arguments::{GetTypes, ListTools, SearchOutput, SearchTools};
use crate::model::{counted, visible};
use crate::terminal::{Failed, Ui, columns, exit, widest, widths};

/// Lists the MCP servers, and how each stands.
pub(super) fn servers(ui: &Ui, service: &ToolService, is_json: bool) -> Result<u8, Failed> {
    let servers = service.servers(ui)?;
    if is_json {
        ui.json(&json!({ "servers": servers }))?;
    } else {
        print_columns(ui, &servers.iter().map(server_row).collect::<Vec<_>>())?;
    }
    service.hint(ui, false)?;
    Ok(exit::SUCCESS)
}

fn server_row(server: &Value) -> Vec<String> {
    let tools = server["tools"].as_u64().unwrap_or_default();
    let name = text(server, "name");
    let state = match (server["state"].as_str().unwrap_or_default(), tools) {
        ("off", _) => "is switched off".to_owned(),
        ("wrong", _) => "has an error in its settings".to_owned(),
        ("waiting", _) => "waits for approval: `cuff approve settings`".to_owned(),
        ("needs_login", _) => format!("needs a login: `cuff mcp login {name}`"),
        ("down", _) => format!("is down: {}", text(server, "error")),
        ("connected", tools) => format!("connected, {}", counted(tools, "tool")),
        (_, 0) => "its tools are not known yet".to_owned(),
        (_, tools) => counted(tools, "tool"),
    };
    vec![name, text(server, "transport"), state]
}

/// Lists the tools that programs can call.
pub(super) fn tools(ui: &Ui, service: &ToolService, typed: &ListTools) -> Result<u8, Failed> {
    let FoundTools { tools, connecting } = service.tools(ui, typed.server.as_deref())?;
    note_connecting(ui, &connecting);
    if typed.json {
        ui.json(&json!({ "tools": tools.iter().map(without_schemas).collect::<Vec<_>>() }))?;
    } else {
        print_columns(ui, &tools.iter().map(tool_row).collect::<Vec<_>>())?;
    }
    if typed.server.is_some() && tools.is_empty() {
        ui.note("note: this server offers no tools");
    }
    service.hint(ui, !tools.is_empty())?;
    Ok(exit::SUCCESS)
}

/// Prints the types.
pub(super) fn types(ui: &Ui, service: &ToolService, typed: &GetTypes) -> Result<u8, Failed> {
    let declarations = service.types(ui, &typed.filter)?;
    ui.result(declarations.trim_end())?;
    service.hint(ui, true)?;
    Ok(exit::SUCCESS)
}

/// Shows the tools that match, the best first. It ends with 1 where none does.
pub(super) fn search(ui: &Ui, service: &ToolService, typed: &SearchTools) -> Result<u8, Failed> {
    let FoundTools { tools: hits, connecting } = service.search(ui, &typed.query.join(" "), typed.limit)?;
    note_connecting(ui, &connecting);
    match typed.output {
        SearchOutput::Json => {
            let shapes = hits.iter().map(|hit| {
                let mut shape = without_schemas(hit);
                shape["score"] = hit["score"].clone();
                shape["reason"] = hit["reason"].clone();
                shape
            });
            ui.json(&json!({ "tools": shapes.collect::<Vec<Value>>() }))?;
        }
        _ if hits.is_empty() => ui.note("note: no tool matches; `toolscript list-tools` shows all"),
        SearchOutput::Table => {
            print_columns(ui, &hits.iter().map(tool_row).collect::<Vec<_>>())?;
            if ui.verbose() {
                for hit in &hits {
                    ui.note(format!("note: {}: {}", text(hit, "function"), text(hit, "reason")));
                }
            }
        }
        SearchOutput::Types => {
            let declared = |hit: &Value| {
                let declared = hit["types"].as_str().unwrap_or_default();
                format!("// {} ({})\n{declared}", text(hit, "function"), text(hit, "reason"))
            };
            ui.result(hits.iter().map(declared).collect::<Vec<_>>().join("\n").trim_end())?;
        }
    }
    service.hint(ui, !hits.is_empty())?;
    Ok(if hits.is_empty() { exit::FAILURE } else { exit::SUCCESS })
}

/// A tool as a line: the function as programs write it, and the first line about it.
fn tool_row(tool: &Value) -> Vec<String> {
    let about = tool["description"].as_str().unwrap_or_default();
    let first = about.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    vec![text(tool, "function"), visible(first).into_owned()]
}

/// Prints rows whose last cell is text.
fn print_columns(ui: &Ui, rows: &[Vec<String>]) -> Result<(), Failed> {
    let Some(last) = rows.first().map(|row| row.len() - 1) else { return Ok(()) };
    let widest = widest(rows.iter().map(|row| row[last].as_str()));
    ui.result(columns(rows, &widths(rows, last), widest, ui.width()))?;
    Ok(())
}

fn without_schemas(tool: &Value) -> Value {
    json!({
        "server": tool["server"], "name": tool["tool"], "function": tool["function"],
        "description": tool["description"],
    })
}

fn text(of: &Value, name: &str) -> String {
    visible(of[name].as_str().unwrap_or_default()).into_owned()
}
