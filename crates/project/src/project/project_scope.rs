//! The projects that runs and questions must belong to.

use std::path::{Path, PathBuf};

use crate::sys::{Environment, files};

/// Which of them count.
#[derive(Debug)]
pub(crate) enum ProjectScope {
    /// Those of all projects.
    All,
    /// Those of one project, as if there were no other.
    Project(String),
    /// Where none is named, those of projects around a folder or in it.
    Near(PathBuf),
}

impl ProjectScope {
    /// Those that somebody in the working directory means who names none.
    pub(crate) fn near(environment: &Environment) -> Self {
        Self::Near(files::canonical(environment.directory()))
    }

    pub(crate) fn counts(&self, project: &str) -> bool {
        match self {
            Self::All => true,
            Self::Project(own) => own == project,
            Self::Near(folder) => folder.starts_with(project) || Path::new(project).starts_with(folder),
        }
    }
}
