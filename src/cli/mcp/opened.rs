//! The project of a command about servers.

use std::path::Path;

use crate::cli::problems::complain;
use crate::project::{Context, OpenError, Project};
use crate::terminal::{Failed, Ui};

/// The project, and what is wrong with its settings said; `None` where there are neither settings nor servers.
pub(super) fn opened(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    is_json: bool,
) -> Result<Option<Project>, Failed> {
    let project = match Project::open_typed(context.clone(), config) {
        Ok(project) => project,
        Err(OpenError::NoSettings { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !is_json {
        complain(ui, &project);
    }
    Ok(Some(project))
}
