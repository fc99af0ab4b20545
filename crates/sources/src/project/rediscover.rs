//! A plugin's look at a directory, read afresh.

use std::sync::Arc;

use super::look::{self, LookResult};
use super::place::ProjectPlace;
use crate::model::{Discovery, Files, Problem, Values, Workspace};
use crate::plugin::Plugin;
use crate::sys::Stamped;

/// Shows a plugin what it scouts for, before there are any settings: no probe is carried out.
pub fn scout(place: ProjectPlace<'_>, plugin: &dyn Plugin) -> Files {
    look::without_probes(place, |seen| plugin.scout(seen)).files
}

/// The tools and problems of a plugin under these settings, read afresh. No probe is carried out; [`Memory`](super::Memory) does that.
pub fn discover(place: ProjectPlace<'_>, plugin: &dyn Plugin, config: &Values) -> Discovery {
    let LookResult { files, problem, .. } = look::without_probes(place, |seen| plugin.wants(config, seen));
    conclude(plugin, config, &files, problem)
}

/// The workspace that begins at these settings, and the stamps of what was looked at. No probe is carried out.
pub fn workspace(
    place: ProjectPlace<'_>,
    plugin: &dyn Plugin,
    config: &Values,
) -> (Workspace, Vec<Arc<Stamped>>) {
    let mut workspace = Workspace::default();
    // The last question is the one that wants nothing more, unless the look is cut short.
    let looked = look::without_probes(place, |seen| {
        workspace = plugin.workspace(config, seen);
        std::mem::take(&mut workspace.wants)
    });
    if looked.problem.is_some() {
        workspace = plugin.workspace(config, &looked.files);
    }
    workspace.notes.extend(looked.problem.map(|problem| problem.message));
    (workspace, looked.stamped)
}

pub(super) fn conclude(
    plugin: &dyn Plugin,
    config: &Values,
    files: &Files,
    problem: Option<Problem>,
) -> Discovery {
    let mut discovery = plugin.discover(config, files);
    discovery.problems.extend(problem);
    discovery
}
