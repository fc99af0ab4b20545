//! What plugins say about the sources of their instances.

use crate::engine::Check;
use crate::engine::Engine;
use crate::model::Tool;
use crate::registry::Registry;
use crate::sources::project as discovery;

impl Engine {
    /// What the plugin of each instance says about its sources.
    pub(crate) fn source_checks(&self, registry: &Registry) -> Vec<Check> {
        let mut checks = Vec::new();
        for instance in self.instances.iter().filter(|instance| instance.enabled) {
            let Some(plugin) = self.surroundings.plugin(instance.plugin) else { continue };
            let tools: Vec<&Tool> = registry.of_instance(&instance.name).map(|found| &found.tool).collect();
            let said = discovery::checks(self.place(), plugin, &instance.config, &tools);
            checks.extend(said.iter().map(|problem| Check::of_instance(&instance.name, problem)));
        }
        checks
    }
}
