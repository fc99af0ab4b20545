//! `cuff list`: what is offered, and what is wrong with the project's own files.

mod described;
mod graph;
mod paged;
mod short;

pub(super) use described::marked;

use std::borrow::Cow;

use console::Style;
use serde_json::{Value, json};

use self::paged::paged;
use super::arguments::ListOptions;
use super::{call, declared};
use crate::calls::{parameters, with_declared};
use crate::doctor;
use crate::model::{Caller, Field, Problem, Role, Severity, Tool, gathered, listed, nearest, visible};
use crate::project::Project;
use crate::registry::{Noted, Registered, Registry, ReportedProblem};
use crate::settings;
use crate::setup::renew_schema;
use crate::terminal::{Complaint, Failed, Ui, exit, wait_for};
use crate::wire;

/// How many instances are named that share a problem.
const MOST_NAMES: usize = 4;

/// Prints the registry; the exit code says whether the settings were whole.
///
/// `of` is the one plugin or instance to list. Problems of the others are left out with them.
pub(super) fn list(ui: &Ui, project: &Project, typed: &ListOptions, of: Option<&str>) -> Result<u8, Failed> {
    let registry = wait_for(ui, project.list())?;
    if let Some(name) = of {
        known(project, name)?;
    }
    let belongs = |plugin: &str, instance: &str| of.is_none_or(|of| plugin == of || instance == of);
    let words: Vec<String> = typed.filter.iter().map(|word| word.to_lowercase()).collect();
    let is_in = |word: &String, texts: &[&str]| texts.iter().any(|text| text.to_lowercase().contains(word));
    let passes = |texts: &[&str]| words.iter().all(|word| is_in(word, texts));
    let tools: Vec<&Registered> = registry
        .tools()
        .iter()
        .filter(|tool| belongs(tool.plugin, &tool.name.instance))
        .filter(|tool| words.is_empty() || passes(&texts(tool).each_ref().map(|text| &**text)))
        .collect();
    let problems: Vec<&ReportedProblem> = registry
        .problems()
        .iter()
        .filter(|reported| belongs(reported.plugin, &reported.instance))
        .filter(|reported| words.is_empty() || passes(&[&reported.problem.to_string()]))
        .collect();
    let notes: Vec<&Noted> = registry
        .notes()
        .iter()
        .filter(|noted| belongs(noted.plugin, &noted.instance) && passes(&[&noted.note]))
        .collect();
    if typed.graph {
        return graph::print(ui, project, (&registry, &tools), typed);
    }
    if typed.json {
        ui.json(&as_json(project, &tools, &problems, &notes))?;
    } else {
        if !tools.is_empty() {
            let text = if typed.long {
                long(project, &tools)
            } else {
                short::lines(ui, project, &registry, (&tools, words.is_empty() && of.is_none()))
            };
            paged(ui, project, text, typed.no_pager)?;
        }
        let is_part = of.is_some() || project.settings.named_plugin.is_some() || !words.is_empty();
        say_notes(ui, project, &notes, is_part);
        complain(ui, project, &problems, |one| {
            is_broken(&registry, &tools, one) || !registry.is_package(&one.instance)
        });
        if tools.is_empty() {
            ui.note(nothing(&registry, typed, of));
        }
    }
    let failed = problems.iter().any(|one| is_broken(&registry, &tools, one));
    Ok(match (project.settings.is_partly_broken(), failed) {
        (true, _) => exit::BAD_SETTINGS,
        (false, true) => exit::FAILURE,
        (false, false) => exit::SUCCESS,
    })
}

/// Says how the tools were found, what agents have, and to a person who lists all of a project what its settings lack.
fn say_notes(ui: &Ui, project: &Project, notes: &[&Noted], is_part: bool) {
    if ui.verbose() {
        let settings = project.settings.file().unwrap_or("those that `cuff init` would suggest");
        ui.note(format!("note: the settings are {settings}"));
        for Noted { instance, note, .. } in notes {
            ui.note(format!("note: {instance}: {note}"));
        }
    }
    let passed_over = || settings::find(&project.context.environment, None).map(|found| found.passed_over);
    if project.settings.is_suggested() {
        for why in passed_over().unwrap_or_default() {
            ui.note(format!("note: {why}"));
        }
    }
    // People who never approved anything may have no agent; `doctor`, `status` and agents themselves say it.
    let is_quiet = project.settings.is_never_approved() && project.at_terminal() == Caller::Human;
    if let Some(note) = project.settings.agents_have().filter(|_| !is_quiet) {
        ui.note(format!("note: {note}"));
    }
    if project.at_terminal() == Caller::Human {
        renew_schema(&project.context, project.settings.place.as_ref());
        if !is_part && let Some(note) = doctor::lacking_settings(project) {
            ui.note(format!("note: {note}"));
        }
    }
}

/// The texts of a tool that a filter looks through.
fn texts(found: &Registered) -> [Cow<'_, str>; 6] {
    let Registered { name, shown, tool, .. } = found;
    let Tool { original, description, source, .. } = &**tool;
    [
        name.to_string().into(),
        shown.into(),
        original.into(),
        description.into(),
        tool.told(),
        (&source.file).into(),
    ]
}

/// Whether a source offers nothing because of an error, or nothing is left to list because of one. A package is no source,
/// but a part of its workspace.
fn is_broken(registry: &Registry, tools: &[&Registered], one: &ReportedProblem) -> bool {
    let is_source = || registry.is_barren(&one.instance) && !registry.is_package(&one.instance);
    one.problem.severity == Severity::Error && (tools.is_empty() || is_source())
}

/// Says what is wrong: what several instances share once, and what is no fault in a line for each instance. An error that is
/// none of the whole list is said as a warning.
fn complain(
    ui: &Ui,
    project: &Project,
    problems: &[&ReportedProblem],
    is_error: impl Fn(&ReportedProblem) -> bool,
) {
    for of_one in problems.chunk_by(|one, next| one.instance == next.instance) {
        let note = gathered(of_one.iter().map(|reported| &reported.problem));
        if let (Some(note), Some(ReportedProblem { instance, .. })) = (note, of_one.first()) {
            ui.note(format!("note: {instance}: {note}"));
        }
    }
    let mut told: Vec<&Problem> = Vec::new();
    for reported in problems.iter().filter(|reported| !reported.problem.is_note()) {
        let ReportedProblem { plugin, problem, .. } = reported;
        if told.contains(&problem) {
            continue;
        }
        told.push(problem);
        let sharing = problems.iter().filter(|other| other.problem == *problem);
        let (names, plugins): (Vec<&str>, Vec<&str>) =
            sharing.map(|other| (other.instance.as_str(), other.plugin)).unzip();
        let code = code(project, plugin, problem).filter(|_| plugins.iter().all(|other| other == plugin));
        let names = listed(&names, MOST_NAMES);
        if problem.severity == Severity::Error && !is_error(reported) {
            let warning = Problem { severity: Severity::Warning, ..problem.clone() };
            ui.problem(Some(&names), code.as_deref(), &warning);
        } else {
            ui.problem(Some(&names), code.as_deref(), problem);
        }
    }
}

/// Whether there is such a plugin or instance.
fn known(project: &Project, name: &str) -> Result<(), Failed> {
    let names = project.names();
    if names.contains(&name) {
        return Ok(());
    }
    let help = match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Err(Failed::usage(format!("there is no plugin or instance `{name}`")).help(help))
}

/// The number of a problem, as its plugin writes it.
pub(super) fn code(project: &Project, plugin: &str, problem: &Problem) -> Option<String> {
    let about = project.about_of(plugin)?;
    problem.fault.map(|fault| fault.code(about.code_prefix))
}

/// Says which patterns of the settings do not do what they were written for, to who calls a tool of that instance.
pub(super) fn complain_of_patterns(
    ui: &Ui,
    project: &Project,
    registry: &Registry,
    found: Option<&Registered>,
) {
    let Some(found) = found else { return };
    let of_it = registry.problems().iter().filter(|reported| reported.instance == found.name.instance);
    for ReportedProblem { instance, plugin, problem } in
        of_it.filter(|reported| reported.problem.is_of_pattern())
    {
        ui.problem(Some(instance), code(project, plugin, problem).as_deref(), problem);
    }
}

/// Why there is nothing to show.
fn nothing(registry: &Registry, typed: &ListOptions, of: Option<&str>) -> String {
    let filter = typed.filter.join(" ");
    let runs = registry.tools().iter().filter(|tool| !tool.tool.role.is_list());
    match (runs.count(), filter.as_str(), of) {
        (0, ..) => "Nothing is offered here".to_owned(),
        (count, "", Some(plugin)) => format!("None of the {count} tools belongs to `{plugin}`"),
        (count, ..) => {
            let meant = meant(registry, &typed.filter).filter(|meant| *meant != filter);
            let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            let none = match count {
                1 => "The one tool here does not match".to_owned(),
                _ => format!("None of the {count} tools matches"),
            };
            format!("{none} `{filter}`{meant}")
        }
    }
}

/// The filter that was probably meant: each word as it is if something matches it, else the nearest word of a
/// name.
fn meant(registry: &Registry, filter: &[String]) -> Option<String> {
    let spellings = |tool: &Registered| [tool.name.to_string(), tool.tool.original.clone()];
    let names: Vec<String> =
        registry.tools().iter().flat_map(spellings).map(|name| name.to_lowercase()).collect();
    let parts = names.iter().flat_map(|name| name.split(|c: char| !c.is_alphanumeric()));
    let known: Vec<&str> =
        parts.chain(names.iter().map(String::as_str)).filter(|part| !part.is_empty()).collect();
    let one = |word: &String| {
        let word = word.to_lowercase();
        // A package may be called with its scope, `@shop/ui`, an instance is not.
        let unscoped = word.rsplit('/').next().filter(|bare| !bare.is_empty()).unwrap_or(&word);
        if let Some(word) =
            [&word, unscoped].iter().find(|word| known.iter().any(|known| known.contains(**word)))
        {
            return Some((*word).to_owned());
        }
        // One slip in two letters is another word.
        nearest(&word, known.iter().copied()).filter(|_| word.chars().count() > 2).map(str::to_owned)
    };
    filter.iter().map(one).collect::<Option<Vec<_>>>().map(|words| words.join(" "))
}

/// All that there is to say of each tool, a block each.
fn long(project: &Project, tools: &[&Registered]) -> String {
    let block = |found: &&Registered| {
        let Registered { name, tool, .. } = found;
        let mut lines = vec![Style::new().bold().apply_to(name).to_string()];
        lines.push(format!("  {}", visible(&tool.description)));
        let mut say = |label: &str, text: &str| lines.push(format!("  {label:9} {}", visible(text)));
        let original = if tool.original.is_empty() { &name.local } else { &tool.original };
        say("from", &format!("{} ({original})", tool.source));
        let is_command =
            |text: &&String| matches!(&tool.role, Role::Run { command, .. } if command.line() == **text);
        if let Some(text) = tool.text.as_ref().filter(|text| !is_command(text)) {
            say("text", &text.lines().collect::<Vec<_>>().join("; "));
        }
        for also in tool.runs_also() {
            say("runs also", &also);
        }
        if let Role::Run { command, .. } = &tool.role {
            say("command", &command.line());
            if !command.directory.as_os_str().is_empty() && command.directory.as_os_str() != "." {
                say("in", &command.directory.display().to_string());
            }
        }
        if project.asks_first(found) {
            say("asks", "for your yes, each time");
        }
        if let Some((_, why)) = described::withheld(project, found) {
            say("agents", why);
        }
        let taken = call::typed(found);
        if !taken.is_empty() {
            say("takes", &taken.join(", "));
        }
        lines.extend(tool.input.schema().into_iter().flat_map(described::flags_of));
        let declared = tool.input.declared().unwrap_or_default();
        lines.extend(declared::lines(declared).into_iter().map(|line| format!("    {line}")));
        lines.join("\n")
    };
    tools.iter().map(block).collect::<Vec<_>>().join("\n\n")
}

fn as_json(
    project: &Project,
    tools: &[&Registered],
    problems: &[&ReportedProblem],
    notes: &[&Noted],
) -> Value {
    let problems: Vec<Value> = problems
        .iter()
        .map(|ReportedProblem { instance, plugin, problem }| {
            let code = code(project, plugin, problem);
            wire::problem(Some(instance), code, problem)
        })
        .chain(project.settings.complaints.iter().map(|problem| Complaint::from(problem).to_json()))
        .collect();
    let tools: Vec<Value> = tools.iter().map(|tool| tool_json(project, tool)).collect();
    let mut shape = json!({ "tools": tools, "problems": problems });
    if !notes.is_empty() {
        let note = |noted: &&Noted| json!({ "instance": noted.instance, "note": noted.note });
        shape["notes"] = notes.iter().map(note).collect();
    }
    if let Some(file) = project.settings.file() {
        shape["settings"] = json!(file);
    }
    shape
}

fn tool_json(project: &Project, tool: &Registered) -> Value {
    let mut shape = json!({
        "name": tool.name.to_string(),
        "instance": tool.name.instance,
        "plugin": tool.plugin,
        "local": tool.name.local,
        "original": tool.tool.original,
        "description": tool.tool.description,
        "file": tool.tool.source.file,
        "asks": project.asks_first(tool),
    });
    if let Some((why, _)) = described::withheld(project, tool) {
        shape["withheld"] = json!(why);
    }
    if let Some(line) = tool.tool.source.line {
        shape["line"] = json!(line);
    }
    if let Some(text) = &tool.tool.text {
        shape["text"] = json!(text);
    }
    shape["parameters"] = match tool.tool.input.schema() {
        Some(schema) => schema.clone(),
        None => with_declared(&tool.tool, Field::arguments_schema(&parameters(&tool.tool))),
    };
    shape
}
