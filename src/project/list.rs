//! What is offered now.

use std::sync::{Arc, PoisonError};

use crate::calls::error::in_one_line;
use crate::engine::Engine;
use crate::model::{Role, Severity};
use crate::registry::{Registered, Registry};

impl Engine {
    /// Every tool that is offered now and every problem with the project's own files.
    ///
    /// The files are looked at each time; what their plugins made of them is remembered while they are the same.
    ///
    /// It needs a tokio runtime only to probe: where nothing is to be probed it is ready when it is first polled, and
    /// where something is, no process is started before it was polled again.
    pub async fn list(&self) -> Registry {
        // Held while a probe runs, so that who asks meanwhile waits for its answer and starts none of his own.
        let mut memory = self.memory.lock().await;
        let (mut discoveries, mut fresh) = (Vec::new(), Vec::new());
        for instance in self.instances.iter().filter(|instance| instance.enabled) {
            if let Some(plugin) = self.surroundings.plugin(instance.plugin) {
                let begun = self.surroundings.clock.instant();
                let before = memory.remembered(&instance.name);
                let discovery = memory.discover(self.place(), plugin, instance).await;
                let again = before.is_some_and(|before| Arc::ptr_eq(&before, &discovery));
                let took = self.surroundings.clock.instant() - begun;
                let metrics = self.surroundings.metrics.instance(&instance.name, &plugin.about());
                metrics.extracted((!again).then_some(took));
                self.log_extraction(instance, &discovery, (took, again));
                if !again {
                    fresh.push(&instance.name);
                }
                let selected = self.selected(&mut memory, plugin, instance, discovery).await;
                discoveries.push((instance.name.clone(), instance.plugin, selected));
            }
        }
        let mut registry = Registry::new(discoveries);
        let unheeded = self.unheeded(&memory, &registry).await;
        drop(memory);
        let unreadable = registry.problems().iter().filter(|one| one.problem.severity == Severity::Error);
        for reported in unreadable.chain(&unheeded).filter(|one| fresh.contains(&&one.instance)) {
            self.log_problem(&registry, reported);
        }
        registry.complain(unheeded);
        self.count(&registry);
        self.note_losses(&registry);
        registry
    }

    fn count(&self, registry: &Registry) {
        let metrics = &self.surroundings.metrics;
        let enabled = || self.instances.iter().filter(|instance| instance.enabled);
        for instance in enabled() {
            if let Some(about) = self.about_of(instance.plugin) {
                let tools = listed(registry, &instance.name).count();
                metrics.instance(&instance.name, &about).discovered(tools);
            }
        }
        metrics.listed(|name| enabled().any(|instance| instance.name == name));
    }

    /// Every tool that can be told of at once: no probe is carried out, so that what only a program can say is as it was
    /// said last, however long ago.
    pub fn recalled(&self) -> Registry {
        // Held while a probe runs: then nothing can be told at once.
        let Ok(mut memory) = self.memory.try_lock() else { return Registry::default() };
        let enabled = self.instances.iter().filter(|instance| instance.enabled);
        Registry::new(enabled.filter_map(|instance| {
            let plugin = self.surroundings.plugin(instance.plugin)?;
            let discovery = memory.recalled(self.place(), plugin, instance);
            Some((instance.name.clone(), instance.plugin, discovery.into()))
        }))
    }

    fn note_losses(&self, registry: &Registry) {
        let sources = registry.problems().iter().map(|found| &found.problem);
        let errors = sources.filter(|problem| problem.severity == Severity::Error || problem.is_of_pattern());
        let losses = errors.map(in_one_line).chain(self.lost_texts(registry)).collect();
        *self.losses.lock().unwrap_or_else(PoisonError::into_inner) = losses;
    }

    /// Forgets what was discovered for an instance, so that it is read afresh.
    pub(crate) async fn forget(&self, instance: &str) {
        let mut memory = self.memory.lock().await;
        memory.forget(instance);
        if let Some(current) = self.selections.of(instance) {
            memory.forget(&current.name);
        }
    }
}

/// The tools that a list tool lists: those of its instance that run.
pub(crate) fn listed<'a>(registry: &'a Registry, instance: &'a str) -> impl Iterator<Item = &'a Registered> {
    registry.of_instance(instance).filter(|tool| matches!(tool.tool.role, Role::Run { .. }))
}
