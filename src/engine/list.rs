//! What is offered now.

use std::sync::PoisonError;

use super::Engine;
use crate::model::Role;
use crate::registry::{Registered, Registry};

impl Engine {
    /// Every tool that is offered now and every problem with the project's own files.
    ///
    /// The files are looked at each time; what their plugins made of them is remembered while they are the same.
    pub fn list(&self) -> Registry {
        let now = self.surroundings.clock.instant();
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let enabled = self.instances.iter().filter(|instance| instance.enabled);
        let discoveries: Vec<_> = enabled
            .filter_map(|instance| {
                let plugin = self.surroundings.plugin(instance.plugin)?;
                let discovery = memory.discover(self.place(), plugin, instance, now);
                Some((instance.name.clone(), instance.plugin, discovery))
            })
            .collect();
        drop(memory);
        Registry::new(discoveries)
    }

    /// Forgets what was discovered for an instance, so that it is read afresh.
    pub(super) fn forget(&self, instance: &str) {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).forget(instance);
    }
}

/// The tools that a list tool lists: those of its instance that run.
pub(super) fn listed<'a>(registry: &'a Registry, instance: &'a str) -> impl Iterator<Item = &'a Registered> {
    registry.of_instance(instance).filter(|tool| matches!(tool.tool.role, Role::Run { .. }))
}
