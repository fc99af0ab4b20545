//! `cuff run`: a tool's output live, its exit code as cuff's own.

mod afterwards;
pub(super) mod background;
mod each;
mod execute;
pub(super) mod launched;
pub(super) mod line;
mod output;
mod prefixed;
mod recursive;
mod side_by_side;

use std::path::Path;

use super::arguments::RunArguments;
use super::rerun;
use crate::calls;
use crate::project::{Context, Project};
use crate::registry::NoSuchTool;
use crate::terminal::{Failed, Ui};
use afterwards::unwritable;
use execute::{execute, list_for};

pub(super) use afterwards::say_error;

/// Opens the project, and runs a tool of it; the exit code is the tool's.
pub(super) fn open_and_run(
    ui: &Ui,
    context: Context,
    config: Option<&Path>,
    typed: &RunArguments,
) -> Result<u8, Failed> {
    let project = Project::open_typed(context, config);
    let project = project.map_err(|error| Failed::from(error).before_a_run())?;
    if typed.recursive {
        return recursive::recursive(ui, &project.with_all_packages(), typed);
    }
    if typed.each {
        let names = each::names(typed)?;
        return each::each(ui, &widened(ui, project, names.iter().map(String::as_str))?, typed, None);
    }
    let last = match typed.tool.as_deref() {
        Some(rerun::LAST) => Some(rerun::last(&project, typed, None)?.0),
        _ => None,
    };
    let named = last.as_deref().or(typed.tool.as_deref());
    run(ui, &widened(ui, project, named.into_iter())?, typed, None)
}

/// The project, with the packages of all its workspaces where one of these names is no tool without them: lists leave out the packages
/// of a workspace whose root has tools for all of them.
pub(super) fn widened<'n>(
    ui: &Ui,
    project: Project,
    mut names: impl Iterator<Item = &'n str>,
) -> Result<Project, Failed> {
    let registry = match names.find(|name| name.contains([':', '.'])) {
        Some(first) if !project.context.at_terminal().is_governed() => {
            (list_for(ui, &project, first)?, std::iter::once(first).chain(names))
        }
        _ => return Ok(project),
    };
    let (registry, mut names) = registry;
    let is_unknown =
        |name: &str| matches!(calls::resolve(&project, &registry, name), Err(NoSuchTool::Unknown { .. }));
    Ok(if names.any(is_unknown) { project.with_all_packages() } else { project })
}

/// Runs a tool, or several; the exit code is the tool's. `of` is the plugin whose own command it is.
pub(super) fn run(ui: &Ui, project: &Project, typed: &RunArguments, of: Option<&str>) -> Result<u8, Failed> {
    if typed.recursive {
        return recursive::recursive(ui, project, typed);
    }
    if typed.each {
        return each::each(ui, project, typed, of);
    }
    let registry = list_for(ui, project, typed.tool.as_deref().unwrap_or_default())?;
    let line = line::read(ui, project, &registry, typed, of)?;
    let came = execute(ui, project, &registry, (line, &typed.how), of)?;
    if let Some(result) = &came.result {
        ui.json(result).map_err(unwritable)?;
    }
    Ok(came.code)
}
