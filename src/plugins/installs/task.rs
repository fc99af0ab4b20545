//! The tasks that a package manager is asked to do.

use crate::model::Tool;
use crate::plugins::managers;

/// A task of a manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Install the dependencies of package.json, or add packages to it.
    Install,
    /// Install exactly the packages of the lock file.
    Ci,
}

impl Task {
    pub(super) fn of(tool: &Tool) -> Self {
        if tool.original == Self::Ci.name() { Self::Ci } else { Self::Install }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Install => managers::INSTALL,
            Self::Ci => managers::CI,
        }
    }
}
