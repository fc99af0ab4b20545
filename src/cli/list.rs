//! `cuff list`: what is offered, and what is wrong with the project's own files.

use comfy_table::{ContentArrangement, Table};
use serde_json::{Value, json};

use super::arguments::List;
use super::ui::Ui;
use super::{Failed, exit};
use crate::engine::{Engine, Registered, Registry, Reported, parameters};
use crate::model::{Field, Problem, visible};
use crate::wire;

/// Prints the registry; the exit code says whether the settings were whole.
pub(super) fn list(ui: &Ui, engine: &Engine, typed: &List) -> Result<u8, Failed> {
    let registry = engine.list();
    let wanted = |tool: &&Registered| {
        let plugin = typed.plugin.as_deref();
        plugin.is_none_or(|plugin| tool.plugin == plugin || tool.name.instance == plugin)
            && typed.filter.as_deref().is_none_or(|filter| contains(tool, filter))
    };
    let tools: Vec<&Registered> = registry.tools().iter().filter(wanted).collect();
    if typed.json {
        ui.json(&as_json(engine, &registry, &tools))?;
    } else {
        if !tools.is_empty() {
            ui.result(table(&tools, ui.width()))?;
        }
        for Reported { instance, plugin, problem } in registry.problems() {
            let code = code(engine, plugin, problem);
            ui.problem(Some(instance), code.as_deref(), problem);
        }
        if tools.is_empty() {
            ui.note(nothing(&registry, typed));
        }
    }
    Ok(if engine.is_partly_broken() { exit::BAD_SETTINGS } else { exit::SUCCESS })
}

fn code(engine: &Engine, plugin: &str, problem: &Problem) -> Option<String> {
    let about = engine.about_of(plugin)?;
    problem.fault.map(|fault| fault.code(about.code_prefix))
}

fn contains(tool: &Registered, filter: &str) -> bool {
    let filter = filter.to_lowercase();
    [&tool.name.to_string(), &tool.tool.original, &tool.tool.description]
        .iter()
        .any(|text| text.to_lowercase().contains(&filter))
}

fn nothing(registry: &Registry, typed: &List) -> String {
    match (registry.tools().len(), &typed.filter, &typed.plugin) {
        (0, ..) => "Nothing is offered here".to_owned(),
        (count, Some(filter), _) => format!("None of the {count} tools matches `{filter}`"),
        (count, None, Some(plugin)) => format!("None of the {count} tools belongs to `{plugin}`"),
        (_, None, None) => String::new(),
    }
}

/// Two columns, no frame: names that can be copied, descriptions that wrap within the terminal.
fn table(tools: &[&Registered], width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for tool in tools {
        table.add_row([tool.name.to_string().as_str(), &visible(&tool.tool.description)]);
    }
    let text = table.to_string();
    let lines: Vec<&str> =
        text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n")
}

fn as_json(engine: &Engine, registry: &Registry, tools: &[&Registered]) -> Value {
    let problems: Vec<Value> = registry
        .problems()
        .iter()
        .map(|Reported { instance, plugin, problem }| {
            let code = code(engine, plugin, problem);
            wire::problem(Some(instance), code, problem)
        })
        .chain(engine.complaints().iter().map(|complaint| {
            wire::problem(complaint.instance.as_deref(), complaint.code.clone(), &complaint.into())
        }))
        .collect();
    let tools: Vec<Value> = tools.iter().map(|tool| tool_json(tool)).collect();
    let mut shape = json!({ "tools": tools, "problems": problems });
    if let Some(file) = engine.settings_file() {
        shape["settings"] = json!(file);
    }
    shape
}

fn tool_json(tool: &Registered) -> Value {
    let mut shape = json!({
        "name": tool.name.to_string(),
        "instance": tool.name.instance,
        "plugin": tool.plugin,
        "local": tool.name.local,
        "original": tool.tool.original,
        "description": tool.tool.description,
        "file": tool.tool.source.file,
    });
    if let Some(line) = tool.tool.source.line {
        shape["line"] = json!(line);
    }
    if let Some(text) = &tool.tool.text {
        shape["text"] = json!(text);
    }
    shape["parameters"] = Field::object_schema(&parameters(&tool.tool));
    shape
}
