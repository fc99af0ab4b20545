//! Tools that look irreversible and are not covered by `confirm`, and values of `.env` files: both for `cuff doctor`.

use std::collections::BTreeMap;

use crate::doctor::check::Check;
use crate::model::{counted, shown};
use crate::project::Project;
use crate::project::secrets;
use crate::project::suggested;
use crate::registry::{Registered, Registry};

/// A check for each instance with tools that look irreversible and require no confirmation.
pub(crate) fn irreversible_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    let mut of_instances: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let is_unguarded =
        |found: &&Registered| !found.tool.effects.read_only && project.asks_for_agents(found).is_none();
    for found in registry.tools().iter().filter(is_unguarded) {
        let Registered { name, tool, .. } = found;
        if let Some(because) = suggested::reason(&tool.original, tool.text.as_deref(), &tool.source) {
            let line = format!("{} ({because})", shown(&tool.original));
            of_instances.entry(&name.instance).or_default().push(line);
        }
    }
    let check = |(instance, tools): (&str, Vec<String>)| {
        let tools = tools.join(", ");
        Check::pass(format!(
            "{instance}: these tools look irreversible and `confirm` does not cover them: {tools}"
        ))
    };
    of_instances.into_iter().map(check).collect()
}

/// The number of values of `.env` files that are never shown.
pub(crate) fn hidden_values(project: &Project) -> Vec<Check> {
    let check = |(file, names): (String, Vec<String>)| {
        let values = counted(names.len() as u64, "value");
        Check::pass(format!("{file}: {values} never shown in output: {}", names.join(", ")))
    };
    secrets::hidden(&project.context.files, &project.settings.root).into_iter().map(check).collect()
}
