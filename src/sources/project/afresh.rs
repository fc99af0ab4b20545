//! A plugin's look at a directory, read afresh.

use super::look::{self, Looked};
use super::place::Place;
use crate::model::{Discovery, Files, Problem, Values};
use crate::plugin::Plugin;

/// Shows a plugin what it scouts for, before there are any settings: no probe is carried out.
pub fn scout(place: Place<'_>, plugin: &dyn Plugin) -> Files {
    look::without_probes(place, |seen| plugin.scout(seen)).files
}

/// The tools and problems of a plugin under these settings, read afresh. No probe is carried out; [`Memory`](super::Memory) does that.
pub fn discover(place: Place<'_>, plugin: &dyn Plugin, config: &Values) -> Discovery {
    let Looked { files, problem, .. } = look::without_probes(place, |seen| plugin.wants(config, seen));
    conclude(plugin, config, &files, problem)
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
