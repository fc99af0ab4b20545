//! `cuff run --each`: several tools in order, until one fails.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::afterwards::unwritable;
use super::execute::{RunEnd, execute, list_for};
use super::line::{self, RunLine};
use super::side_by_side;
use crate::cli::arguments::RunArguments;
use crate::model::{Spelling, visible};
use crate::project::Project;
use crate::terminal::{Failed, SignalGap, Ui, exit, widest};

/// A tool of the row.
struct EachMember {
    qualified: String,
    shown: String,
    /// How it ended; `None`: it was not run.
    came: Option<RunEnd>,
}

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
        let registry = list_for(ui, project, &member.qualified)?;
        let found = registry.named(&member.qualified, Spelling::Dotted);
        let line = RunLine { is_told: !json && found.is_some(), ..RunLine::of(&member.qualified, found) };
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
    row: Vec<EachMember>,
) -> Result<u8, Failed> {
    let registry = list_for(ui, project, "")?;
    let mut members = Vec::new();
    for EachMember { qualified, shown, .. } in row {
        let found = registry.named(&qualified, Spelling::Dotted);
        let arguments = side_by_side::arguments(found, &shown, &typed.how, &[])?;
        members.push(side_by_side::RowMember {
            name: qualified,
            label: shown,
            arguments,
            needs: BTreeSet::new(),
            came: None,
        });
    }
    side_by_side::run(ui, project, &registry, (typed, jobs), members)
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
) -> Result<EachMember, Failed> {
    let registry = list_for(ui, project, name)?;
    let line = line::named(ui, project, &registry, (name, typed.how.json))?;
    if let Some(found) = line.found {
        return Ok(EachMember { qualified: found.name.to_string(), shown: found.shown.clone(), came: None });
    }
    let came = execute(ui, project, &registry, (line, &typed.how), of)?;
    Ok(EachMember { qualified: name.to_owned(), shown: name.to_owned(), came: Some(came) })
}

/// The exit code of the first that failed.
fn code(row: &[EachMember]) -> u8 {
    let mut codes = row.iter().filter_map(|member| Some(member.came.as_ref()?.code));
    codes.find(|code| *code != exit::SUCCESS).unwrap_or(exit::SUCCESS)
}

/// Says how the row ended.
fn conclude(ui: &Ui, row: Vec<EachMember>, typed: &RunArguments, code: u8) -> Result<u8, Failed> {
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
fn left(row: &[EachMember]) -> impl Iterator<Item = &str> {
    row.iter().filter(|member| member.came.is_none()).map(|member| member.shown.as_str())
}

/// A line for each tool.
fn summary(row: &[EachMember]) -> String {
    let width = widest(row.iter().map(|member| member.shown.as_str()));
    let line = |member: &EachMember| {
        let ended = match &member.came {
            None => "not run".to_owned(),
            Some(RunEnd { code: exit::SUCCESS, took, .. }) => format!("ok{}", seconds(*took)),
            Some(RunEnd { code: exit::INTERRUPTED, took, .. }) => format!("interrupted{}", seconds(*took)),
            Some(RunEnd { code, took, .. }) => format!("failed ({code}){}", seconds(*took)),
        };
        format!("{:width$}  {ended}", visible(&member.shown))
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

fn seconds(took: Option<std::time::Duration>) -> String {
    took.map_or_else(String::new, |took| format!(", {:.1} s", took.as_secs_f64()))
}

/// One document for the row: the result of each tool that was run, and the names of the others.
fn as_json(row: Vec<EachMember>, code: u8) -> Value {
    let left: Vec<String> =
        row.iter().filter(|member| member.came.is_none()).map(|member| member.qualified.clone()).collect();
    let results: Vec<Value> = row.into_iter().filter_map(|member| member.came?.result).collect();
    json!({ "success": code == exit::SUCCESS, "exit_code": code, "results": results, "not_run": left })
}
