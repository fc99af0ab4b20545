//! The tasks of dotnet that are offered.

use crate::model::Tool;

/// A task of dotnet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    Build,
    Test,
    Restore,
}

impl Task {
    pub(super) const ALL: [Self; 3] = [Self::Build, Self::Test, Self::Restore];

    pub(super) fn of(tool: &Tool) -> Self {
        Self::ALL.into_iter().find(|task| task.name() == tool.original).unwrap_or(Self::Build)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Test => "test",
            Self::Restore => "restore",
        }
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Build => "Build",
            Self::Test => "Build and run the tests of",
            Self::Restore => "Fetch the packages of",
        }
    }
}
