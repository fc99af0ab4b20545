//! Plugins' checks of the sources of their instances.

use crate::doctor::check::Check;
use crate::model::Tool;
use crate::project::Project;
use crate::registry::Registry;
use crate::sources::project as discovery;

/// The checks of each instance's sources, from its plugin.
pub(crate) fn source_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    let mut checks = Vec::new();
    for instance in project.settings.instances.iter().filter(|instance| instance.enabled) {
        let Some(plugin) = project.context.plugin(instance.plugin) else { continue };
        let tools: Vec<&Tool> = registry.of_instance(&instance.name).map(|found| &*found.tool).collect();
        let said = discovery::checks(project.place(), plugin, &instance.config, &tools);
        checks.extend(said.iter().map(|problem| Check::of_instance(&instance.name, problem)));
    }
    checks
}
