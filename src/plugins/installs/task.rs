//! The tasks that a package manager is asked to do.

use crate::model::Tool;

/// What a manager can be asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Install what package.json says, or add packages to it.
    Install,
    /// Install exactly what the lock file says.
    Ci,
}

impl Task {
    pub(super) fn of(tool: &Tool) -> Self {
        if tool.original == Self::Ci.name() { Self::Ci } else { Self::Install }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Ci => "ci",
        }
    }
}
