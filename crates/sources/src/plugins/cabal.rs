//! Haskell: build and test with cabal.

use super::tasks::config::{FIELDS, NARROWS};
use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskProgram};
use crate::model::PluginInfo;

pub(super) const CABAL: SourceSpec = SourceSpec {
    id: "cabal",
    codes: "CABAL",
    summary: "Haskell: build and test with cabal",
    read: cabal,
    programs: &[("cabal", "install cabal: https://www.haskell.org/ghcup")],
    // The file has the name of the package.
    card: Some(PluginInfo {
        summary: "Haskell: build and test with cabal",
        noun: "task",
        source: "cabal.project",
        looked_for: "a .cabal file",
        unknown: "Task not found",
        config: FIELDS,
        narrows: NARROWS,
        has_command: false,
        ..PluginInfo::new("cabal", "CABAL")
    }),
    ..SourceSpec::BLANK
};

fn cabal(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let found = look.find(&["cabal.project", "*.cabal"]);
    let has_project = found.iter().any(|name| name == "cabal.project");
    let Some(first) = found.first() else { return Vec::new() };
    let source = if has_project { "cabal.project" } else { first };
    look.name_source(look.place(source));
    let cabal = look.program(&["cabal"]);
    let fetch = ["build", "--only-dependencies", "--enable-tests", "all"];
    tasks(&cabal, [&["build", "all"], &["test", "all"], &fetch])
}

/// The tasks of cabal or stack, with the words that build, test, and fetch the dependencies.
pub(super) fn tasks(program: &TaskProgram, [build, test, fetch]: [&[&str]; 3]) -> Vec<SourceTask> {
    vec![
        program.usual("build", build, "Build all packages").building(),
        program.usual("test", test, "Build and run the tests of all packages").building(),
        program.usual("fetch", fetch, "Download and build what the packages depend on").fetching(),
    ]
}
