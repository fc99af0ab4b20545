//! `toolscript search`: tools by words.

use std::path::Path;

use serde_json::json;

use super::listings::table;
use super::opened::{hint, with_tools};
use crate::cli::arguments::{SearchOutput, SearchTools};
use crate::code::{Hit, search as find};
use crate::project::Context;
use crate::sandbox::types::tool_types;
use crate::terminal::{Failed, Ui, exit};

/// Shows the tools that match, the best first. It ends with 1 where none does.
pub(super) fn search(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &SearchTools,
) -> Result<u8, Failed> {
    let (project, tools) = with_tools(ui, context, config, &[])?;
    let hits = find(&tools.catalog, &typed.query.join(" "), typed.limit.into());
    match typed.output {
        SearchOutput::Json => ui.json(&json!({ "tools": hits.iter().map(shape).collect::<Vec<_>>() }))?,
        _ if hits.is_empty() => ui.note("note: no tool matches; `toolscript list-tools` shows all"),
        SearchOutput::Table => {
            let found: Vec<_> = hits.iter().map(|hit| (hit.server, hit.tool)).collect();
            ui.result(table(ui, &found))?;
            if ui.verbose() {
                for hit in &hits {
                    ui.note(format!("note: {}.{}: {}", hit.server.identifier, hit.tool.function, hit.reason));
                }
            }
        }
        SearchOutput::Types => {
            let declared = |hit: &Hit<'_>| {
                format!(
                    "// {}.{} ({})\n{}",
                    hit.server.identifier,
                    hit.tool.function,
                    hit.reason,
                    tool_types(hit.tool)
                )
            };
            ui.result(hits.iter().map(declared).collect::<Vec<_>>().join("\n").trim_end())?;
        }
    }
    hint(ui, &project.settings);
    Ok(if hits.is_empty() { exit::FAILURE } else { exit::SUCCESS })
}

fn shape(hit: &Hit<'_>) -> serde_json::Value {
    json!({
        "server": hit.server.name,
        "name": hit.tool.described.name,
        "function": format!("{}.{}", hit.server.identifier, hit.tool.function),
        "description": hit.tool.described.description,
        "score": (hit.score * 1000.0).round() / 1000.0,
        "reason": hit.reason,
    })
}
