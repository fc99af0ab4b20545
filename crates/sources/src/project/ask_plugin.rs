//! Questions to a plugin about its own sources, beside what it offers.

use super::look::{self, LookResult};
use super::place::ProjectPlace;
use crate::model::{InstallHint, Missing, Problem, Registered, Tool, Values};
use crate::plugin::Plugin;

/// The problems that a plugin reports about the sources of an instance that offers these tools. No probe is
/// carried out.
pub fn checks(
    place: ProjectPlace<'_>,
    plugin: &dyn Plugin,
    config: &Values,
    tools: &[&Tool],
) -> Vec<Problem> {
    let files = look::without_probes(place, |seen| plugin.checks(config, tools, seen).wants).files;
    plugin.checks(config, tools, &files).found
}

/// The dependency that must be installed before a tool of an instance can work, if its plugin knows. No probe
/// is carried out.
pub fn install_hint(
    place: ProjectPlace<'_>,
    plugin: &dyn Plugin,
    config: &Values,
    tool: &Tool,
    offered: &[Registered],
) -> Option<Missing> {
    let LookResult { files, .. } =
        look::without_probes(place, |seen| match plugin.install_hint(config, tool, offered, seen) {
            InstallHint::Look(wants) => wants,
            InstallHint::Nothing | InstallHint::Missing(_) => Vec::new(),
        });
    match plugin.install_hint(config, tool, offered, &files) {
        InstallHint::Missing(missing) => Some(missing),
        InstallHint::Nothing | InstallHint::Look(_) => None,
    }
}
