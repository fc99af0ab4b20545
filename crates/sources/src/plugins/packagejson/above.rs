//! The workspace above the project's own folder that this is a package of, within the repository, and its
//! manager.

use std::iter;

use serde_json::json;

use super::config::{PACKAGE_MANAGER, WORKING_DIRECTORY};
use super::manager::PNPM;
use super::project::PackageProject;
use super::workspaces;
use crate::model::{Files, Seen, Values, Want, path};

/// How many folders above are looked at.
const MOST_STEPS: usize = 16;

/// The wants that find the repository's root, then those that find a workspace and its manager in each folder
/// up to there.
pub(super) fn wants(seen: &Files) -> Vec<Want> {
    let marks: Vec<Want> = marks().map(Want::File).collect();
    if !seen.exists("package.json") || !marks.iter().all(|want| seen.answers(want)) {
        return marks;
    }
    let of_workspaces = folders(seen).flat_map(|folder| {
        let mut wants = PackageProject::new(&at(&folder)).wants(seen);
        wants.push(Want::File(path::join(&folder, PNPM)));
        wants
    });
    of_workspaces.chain(marks.iter().cloned()).collect()
}

/// The usual config, with the manager of the workspace above where the folder itself has no sign of one.
pub(super) fn config(seen: &Files) -> Values {
    let usual = Values::default();
    let own = PackageProject::new(&usual);
    let is_asked = own.own(seen).is_ok_and(|own| !own.managers.is_empty());
    if is_asked || !own.signs(seen).is_empty() || workspaces::is_root(".", seen) {
        return usual;
    }
    let Some(root) = folders(seen).find(|folder| workspaces::is_root(folder, seen)) else { return usual };
    let workspace = PackageProject::new(&at(&root));
    let manager = workspace.manager(workspace.own(seen).ok().as_deref(), seen, &mut Vec::new());
    usual.with(&PACKAGE_MANAGER, json!(manager.program()))
}

fn at(folder: &str) -> Values {
    Values::of([(&WORKING_DIRECTORY, json!(folder))])
}

/// The marks of a repository's root, for the folder itself and each above it.
fn marks() -> impl Iterator<Item = String> {
    ups().map(|folder| path::join(&folder, ".git"))
}

/// The folder itself, then those above it.
fn ups() -> impl Iterator<Item = String> {
    iter::successors(Some(".".to_owned()), |folder| Some(path::join(folder, ".."))).take(MOST_STEPS + 1)
}

/// The folders above within the repository; none outside any.
fn folders(seen: &Files) -> impl Iterator<Item = String> {
    let is_there = |mark: String| seen.files.get(&mark).is_some_and(|there| !matches!(there, Seen::Missing));
    let steps = marks().position(is_there).unwrap_or_default();
    ups().skip(1).take(steps)
}
