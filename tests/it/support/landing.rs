//! Whether an attack landed: it makes a file outside the project where it does.

use std::fs;
use std::path::PathBuf;

use crate::support::project::Project;

/// The file that an attack makes.
#[derive(Debug)]
pub(crate) struct Landing(PathBuf);

impl Landing {
    pub(crate) fn beside(project: &Project) -> Self {
        Self(project.outside().join("landed"))
    }

    /// Its path, as attacks need it.
    pub(crate) fn path(&self) -> String {
        self.0.display().to_string()
    }

    /// The line of a shell that makes it.
    pub(crate) fn touch(&self) -> String {
        format!("touch '{}'", self.path())
    }

    /// Whether something landed, cleared for the next attack.
    pub(crate) fn happened(&self) -> bool {
        let landed = self.0.exists();
        if landed {
            fs::remove_file(&self.0).expect("a file of ours");
        }
        landed
    }
}
