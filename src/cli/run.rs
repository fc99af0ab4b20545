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
mod second_try;
mod side_by_side;

use std::path::Path;

use super::arguments::RunArguments;
use crate::calls;
use crate::project::{Context, Project};
use crate::registry::{NoSuchTool, Registry};
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
        return each::each(ui, &project, typed, None);
    }
    let named = typed.tool.as_deref().unwrap_or_default();
    let registry = list_for(ui, &project, named)?;
    let may_be_of_package = named.contains(':') && !project.context.at_terminal().is_governed();
    let is_unknown = || matches!(calls::resolve(&project, &registry, named), Err(NoSuchTool::Unknown { .. }));
    if may_be_of_package && is_unknown() {
        // Lists leave out the packages of some workspaces, whose root has tools for all of them.
        let project = project.with_all_packages();
        let registry = list_for(ui, &project, named)?;
        return run_one(ui, &project, &registry, typed, None);
    }
    run_one(ui, &project, &registry, typed, None)
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
    run_one(ui, project, &registry, typed, of)
}

fn run_one(
    ui: &Ui,
    project: &Project,
    registry: &Registry,
    typed: &RunArguments,
    of: Option<&str>,
) -> Result<u8, Failed> {
    let line = line::read(ui, project, registry, typed, of)?;
    let came = execute(ui, project, registry, (line, &typed.how), of)?;
    if let Some(result) = &came.result {
        ui.json(result).map_err(unwritable)?;
    }
    Ok(came.code)
}
