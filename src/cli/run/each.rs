//! `cuff run --each`: several tools in order, until one fails.

use serde_json::{Value, json};

use super::afterwards::unwritable;
use super::execute::{RunEnd, execute, list_for};
use super::line::{self, RunLine};
use super::side_by_side::{self, RowMember};
use crate::cli::arguments::RunArguments;
use crate::model::{Spelling, visible};
use crate::project::Project;
use crate::terminal::{Failed, SignalGap, Ui, exit, widest};

/// Runs each tool that was named; the exit code is that of the first that failed.
pub(super) fn each(ui: &Ui, project: &Project, typed: &RunArguments, of: Option<&str>) -> Result<u8, Failed> {
    let json = typed.how.json;
    let mut row = Vec::new();
    for name in names(typed)? {
        let member = member(ui, project, (&name, typed), of)?;
        let is_known = member.came.is_none();
        row.push(member);
        // A name that no tool has ends the row before anything runs.
        if !is_known {
            return conclude(ui, row, typed, exit::NO_SUCH_TOOL);
        }
    }
    if let Some(jobs) = typed.jobs {
        return side_by_side(ui, project, (typed, usize::from(jobs)), row);
    }
    let mut gap = SignalGap::new().map_err(|error| Failed::from(error).before_a_run())?;
    let mut stopped = false;
    for at in 0..row.len() {
        if stopped || (!typed.keep_going && code(&row) != exit::SUCCESS) {
            break;
        }
        let Some(member) = row.get_mut(at) else { break };
        // The run before may have changed the tools.
        let registry = list_for(ui, project, &member.name)?;
        let found = registry.named(&member.name, Spelling::Dotted);
        let line = RunLine { is_told: !json && found.is_some(), ..RunLine::of(&member.name, found) };
        let came = execute(ui, project, &registry, (line, &typed.how), of)?;
        stopped = came.is_stopped || gap.was_interrupted();
        member.came = Some(came);
    }
    let code = if stopped && code(&row) == exit::SUCCESS { exit::INTERRUPTED } else { code(&row) };
    conclude(ui, row, typed, code)
}

/// Runs them all at once, or as many as may run.
fn side_by_side(
    ui: &Ui,
    project: &Project,
    (typed, jobs): (&RunArguments, usize),
    mut row: Vec<RowMember>,
) -> Result<u8, Failed> {
    let registry = list_for(ui, project, "")?;
    for member in &mut row {
        let found = registry.named(&member.name, Spelling::Dotted);
        member.arguments = side_by_side::arguments(found, &member.label, &typed.how, &[])?;
    }
    side_by_side::run(ui, project, &registry, (typed, jobs), row)
}

/// The names of the tools.
pub(super) fn names(typed: &RunArguments) -> Result<Vec<String>, Failed> {
    let words = typed.how.call.words.iter().map(|word| word.to_string_lossy().into_owned());
    let names: Vec<String> = typed.tool.iter().cloned().chain(words).collect();
    match names.iter().find(|name| name.starts_with('-')) {
        Some(name) => {
            let failed = Failed::usage(format!("`{name}` names no tool; tools of --each get no words"));
            Err(failed.help("run a tool alone to give it words: `cuff run TOOL -- WORDS`"))
        }
        None => Ok(names),
    }
}

/// The tool of a name, not yet run. Where there is none, it has ended with the reason.
fn member(
    ui: &Ui,
    project: &Project,
    (name, typed): (&str, &RunArguments),
    of: Option<&str>,
) -> Result<RowMember, Failed> {
    let registry = list_for(ui, project, name)?;
    let line = line::named(ui, project, &registry, (name, typed.how.json))?;
    if let Some(found) = line.found {
        return Ok(RowMember::new(found.name.to_string(), found.shown.clone()));
    }
    let came = execute(ui, project, &registry, (line, &typed.how), of)?;
    Ok(RowMember { came: Some(came), ..RowMember::new(name.to_owned(), name.to_owned()) })
}

/// The exit code of the first that failed.
fn code(row: &[RowMember]) -> u8 {
    let mut codes = row.iter().filter_map(|member| Some(member.came.as_ref()?.code));
    codes.find(|code| *code != exit::SUCCESS).unwrap_or(exit::SUCCESS)
}

/// Says how the row ended.
fn conclude(ui: &Ui, row: Vec<RowMember>, typed: &RunArguments, code: u8) -> Result<u8, Failed> {
    if typed.how.json {
        ui.json(&as_json(row, code)).map_err(unwritable)?;
    } else if typed.keep_going && code != exit::NO_SUCH_TOOL {
        ui.note(summary(&row));
    } else {
        let left: Vec<String> = left(&row).map(|shown| format!("`{}`", visible(shown))).collect();
        let was = if left.len() == 1 { "was" } else { "were" };
        if !left.is_empty() {
            ui.note(format!("note: {} {was} not run", left.join(", ")));
        }
    }
    Ok(code)
}

/// The tools that were not run.
fn left(row: &[RowMember]) -> impl Iterator<Item = &str> {
    row.iter().filter(|member| member.came.is_none()).map(|member| member.label.as_str())
}

/// A line for each tool.
fn summary(row: &[RowMember]) -> String {
    let width = widest(row.iter().map(|member| member.label.as_str()));
    let line = |member: &RowMember| {
        let ended = member.came.as_ref().map_or_else(|| "not run".to_owned(), RunEnd::in_words);
        format!("{:width$}  {ended}", visible(&member.label))
    };
    let failed = row.iter().filter(|member| member.came.as_ref().is_some_and(|came| came.code != 0)).count();
    let first = match failed {
        0 => format!("none of {} failed:", row.len()),
        _ => format!("{failed} of {} failed:", row.len()),
    };
    std::iter::once(first)
        .chain(row.iter().map(|member| format!("  {}", line(member))))
        .collect::<Vec<_>>()
        .join("\n")
}

/// One document for the row: the result of each tool that was run, and the names of the others.
fn as_json(row: Vec<RowMember>, code: u8) -> Value {
    let left: Vec<String> =
        row.iter().filter(|member| member.came.is_none()).map(|member| member.name.clone()).collect();
    let results: Vec<Value> = row.into_iter().filter_map(|member| member.came?.result).collect();
    json!({ "success": code == exit::SUCCESS, "exit_code": code, "results": results, "not_run": left })
}
