//! `cuff list`: what is offered, and what is wrong with the project's own files.

use comfy_table::{ColumnConstraint, ContentArrangement, Table};
use serde_json::{Value, json};

use super::arguments::Shown;
use super::ui::Ui;
use super::{Failed, exit};
use crate::engine::{Engine, Noted, Registered, Registry, Reported, parameters};
use crate::model::{Field, Problem, Severity, nearest, visible};
use crate::wire;

/// Prints the registry; the exit code says whether the settings were whole.
///
/// `of` is the plugin or instance that alone is wanted. What is left out takes its problems along.
pub(super) fn list(ui: &Ui, engine: &Engine, typed: &Shown, of: Option<&str>) -> Result<u8, Failed> {
    let registry = super::wait_for(ui, engine.list())?;
    if let Some(name) = of {
        known(engine, name)?;
    }
    let belongs = |plugin: &str, instance: &str| of.is_none_or(|of| plugin == of || instance == of);
    let filter = typed.filter.as_deref().map(str::to_lowercase);
    let passes = |texts: &[&str]| {
        filter.as_ref().is_none_or(|filter| texts.iter().any(|text| text.to_lowercase().contains(filter)))
    };
    let tools: Vec<&Registered> = registry
        .tools()
        .iter()
        .filter(|tool| belongs(tool.plugin, &tool.name.instance))
        .filter(|tool| passes(&[&tool.name.to_string(), &tool.tool.original, &tool.tool.description]))
        .collect();
    let problems: Vec<&Reported> = registry
        .problems()
        .iter()
        .filter(|reported| belongs(reported.plugin, &reported.instance))
        .filter(|reported| passes(&[&reported.problem.to_string()]))
        .collect();
    let notes: Vec<&Noted> = registry
        .notes()
        .iter()
        .filter(|noted| belongs(noted.plugin, &noted.instance) && passes(&[&noted.note]))
        .collect();
    if typed.json {
        ui.json(&as_json(engine, &tools, &problems, &notes))?;
    } else {
        if !tools.is_empty() {
            ui.result(table(&tools, ui.width()))?;
        }
        if ui.verbose() {
            ui.note(format!(
                "note: the settings are {}",
                engine.settings_file().unwrap_or("those that a plugin suggests")
            ));
            for Noted { instance, note, .. } in &notes {
                ui.note(format!("note: {instance}: {note}"));
            }
        }
        if let Some(note) = engine.agents_have() {
            ui.note(format!("note: {note}"));
        }
        for Reported { instance, plugin, problem } in &problems {
            let code = code(engine, plugin, problem);
            ui.problem(Some(instance), code.as_deref(), problem);
        }
        if tools.is_empty() {
            ui.note(nothing(&registry, typed, of));
        }
    }
    let failed = problems.iter().any(|reported| reported.problem.severity == Severity::Error);
    Ok(match (engine.is_partly_broken(), tools.is_empty() && failed) {
        (true, _) => exit::BAD_SETTINGS,
        (false, true) => exit::FAILURE,
        (false, false) => exit::SUCCESS,
    })
}

/// Whether there is such a plugin or instance.
fn known(engine: &Engine, name: &str) -> Result<(), Failed> {
    let names = engine.names();
    if names.contains(&name) {
        return Ok(());
    }
    let help = match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Err(Failed::usage(format!("there is no plugin or instance `{name}`")).help(help))
}

fn code(engine: &Engine, plugin: &str, problem: &Problem) -> Option<String> {
    let about = engine.about_of(plugin)?;
    problem.fault.map(|fault| fault.code(about.code_prefix))
}

fn nothing(registry: &Registry, typed: &Shown, of: Option<&str>) -> String {
    match (registry.tools().len(), &typed.filter, of) {
        (0, ..) => "Nothing is offered here".to_owned(),
        (count, Some(filter), _) => format!("None of the {count} tools matches `{filter}`"),
        (count, None, Some(plugin)) => format!("None of the {count} tools belongs to `{plugin}`"),
        (_, None, None) => String::new(),
    }
}

/// Two columns, no frame: names that can be copied, descriptions that wrap within the terminal. Where it is too
/// narrow for both, each description stands below its name.
fn table(tools: &[&Registered], width: Option<u16>) -> String {
    /// A description in fewer columns than this is no pleasure to read.
    const NARROWEST: usize = 24;
    let longest = tools.iter().map(|tool| tool.name.to_string().len()).max().unwrap_or_default();
    if width.is_some_and(|width| usize::from(width) < longest + NARROWEST) {
        let entries = tools.iter().map(|tool| format!("{}\n  {}", tool.name, tool.tool.description));
        return entries.collect::<Vec<_>>().join("\n");
    }
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for tool in tools {
        table.add_row([tool.name.to_string().as_str(), &visible(&tool.tool.description)]);
    }
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    let text = table.to_string();
    let lines: Vec<&str> =
        text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n")
}

fn as_json(engine: &Engine, tools: &[&Registered], problems: &[&Reported], notes: &[&Noted]) -> Value {
    let problems: Vec<Value> = problems
        .iter()
        .map(|Reported { instance, plugin, problem }| {
            let code = code(engine, plugin, problem);
            wire::problem(Some(instance), code, problem)
        })
        .chain(engine.complaints().iter().map(super::complaint_json))
        .collect();
    let tools: Vec<Value> = tools.iter().map(|tool| tool_json(tool)).collect();
    let mut shape = json!({ "tools": tools, "problems": problems });
    if !notes.is_empty() {
        let note = |noted: &&Noted| json!({ "instance": noted.instance, "note": noted.note });
        shape["notes"] = notes.iter().map(note).collect();
    }
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
