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
use crate::project::{Context, Project};
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
    let project = if typed.recursive { project.with_all_packages() } else { project };
    run(ui, &project, typed, None)
}

/// Runs a tool, or several; the exit code is the tool's. `of` is the plugin whose own command it is.
pub(super) fn run(ui: &Ui, project: &Project, typed: &RunArguments, of: Option<&str>) -> Result<u8, Failed> {
    if typed.recursive {
        return recursive::recursive(ui, project, typed);
    }
    if typed.each {
        return each::each(ui, project, typed, of);
    }
    let named = typed.tool.as_deref().unwrap_or_default();
    let registry = list_for(ui, project, named)?;
    let line = line::read(ui, project, &registry, typed, of)?;
    let came = execute(ui, project, &registry, (line, &typed.how), of)?;
    if let Some(result) = &came.result {
        ui.json(result).map_err(unwritable)?;
    }
    Ok(came.code)
}
