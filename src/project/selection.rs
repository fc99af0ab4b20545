//! Tools that agents are offered where the settings changed which tools there are: those that both the approved and the
//! current settings select.
//!
//! The second look has the approved settings but for the keys that select, so that it starts no program and reads no file
//! that nobody approved.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::discovery::{self, Memory, Place};
use crate::engine::Engine;
use crate::engine::Surroundings;
use crate::model::{Discovery, Tool};
use crate::plugin::Plugin;
use crate::settings::Instance;

/// The instances whose selection the settings changed, with the current selection, by their names.
#[derive(Debug, Default)]
pub(crate) struct Selections(BTreeMap<String, Instance>);

impl Selections {
    pub(crate) fn new(selections: Vec<Instance>) -> Self {
        // In memory it stands beside the approved instance, under a name that no instance can have.
        let aside =
            |one: Instance| (one.name.clone(), Instance { name: format!("{} (current)", one.name), ..one });
        Self(selections.into_iter().map(aside).collect())
    }

    /// The instance with the current selection, if the settings changed it.
    pub(crate) fn of(&self, instance: &str) -> Option<&Instance> {
        self.0.get(instance)
    }

    /// The names under which memory has the second looks.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(|instance| instance.name.as_str())
    }
}

impl Engine {
    /// The discovery of an instance without the tools that the current settings no longer select.
    pub(crate) async fn selected(
        &self,
        memory: &mut Memory,
        plugin: &dyn Plugin,
        instance: &Instance,
        approved: Arc<Discovery>,
    ) -> Arc<Discovery> {
        let Some(current) = self.selections.of(&instance.name) else { return approved };
        let current = memory.discover(self.place(), plugin, current).await;
        Arc::new(of_both(&approved, &current))
    }
}

impl Surroundings {
    /// Whether the current settings select a tool that the approved ones do not. Nothing is probed.
    pub(crate) fn selects_more(&self, root: &Path, approved: &Instance, current: &Instance) -> bool {
        let Some(plugin) = self.plugin(approved.plugin) else { return true };
        let place = Place { root, environment: &self.environment, prober: None };
        let [approved, current] =
            [approved, current].map(|instance| discovery::discover(place, plugin, &instance.config));
        let known = keys(&approved.tools);
        current.tools.iter().any(|tool| !known.contains(&key(tool)))
    }
}

/// The tools of both, and the problems of either.
fn of_both(approved: &Discovery, current: &Discovery) -> Discovery {
    let selected = keys(&current.tools);
    let mut both = approved.clone();
    both.tools.retain(|tool| selected.contains(&key(tool)));
    both.problems.extend(current.problems.iter().filter(|one| !approved.problems.contains(one)).cloned());
    both
}

fn keys(tools: &[Tool]) -> HashSet<(&str, &str)> {
    tools.iter().map(key).collect()
}

fn key(tool: &Tool) -> (&str, &str) {
    (&tool.name, &tool.original)
}
