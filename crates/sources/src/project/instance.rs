//! The tools of a built-in plugin under one instance of the settings.
//!
//! If the settings changed which tools there are, agents are offered those that both the approved and the
//! current settings select. The second look uses the approved settings with the current selection. So it
//! starts no program and reads no file that nobody approved.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::Memory;
use super::look;
use super::place::{Prober, ProjectPlace};
use super::view::ProjectView;
use crate::model::{Absence, BadCall, BoundFile, Discovery, Plan, Problem, Role, Seen, Tool};
use crate::plugin::Plugin;
use crate::settings::Instance;
use crate::sys::Environment;
use crate::sys::watch::WatchedPlaces;
use crate::{CallInput, Freshness, Source, Unbindable, Waiting};

/// The place of all sources of a project, and what they share.
#[derive(Debug, Clone)]
pub struct SourceContext {
    /// The folder that relative paths refer to.
    pub root: PathBuf,
    /// For programs on the search path.
    pub environment: Environment,
    /// The prober; `None` where no settings allow probes.
    pub prober: Option<Arc<dyn Prober>>,
    /// The discoveries of before.
    pub memory: Arc<Memory>,
}

/// A plugin under an instance of the settings.
#[derive(Debug)]
pub struct ProjectSource {
    plugin: &'static dyn Plugin,
    instance: Instance,
    /// The instance with the current selection, where another was approved.
    selection: Option<Instance>,
    context: Arc<SourceContext>,
    /// The last discoveries under both selections, and the tools of both.
    selected: Mutex<Option<[Arc<Discovery>; 3]>>,
}

impl ProjectSource {
    /// A source that has not looked yet. `current`: the instance as the settings have it now, where agents have it as it was
    /// approved.
    pub fn new(
        plugin: &'static dyn Plugin,
        instance: Instance,
        current: Option<&Instance>,
        context: Arc<SourceContext>,
    ) -> Self {
        // In memory it stands beside the approved instance, under a name that no instance can have.
        let selection =
            current.map(|one| Instance { name: format!("{} (current)", one.name), ..one.clone() });
        Self { plugin, instance, selection, context, selected: Mutex::default() }
    }

    fn place(&self) -> ProjectPlace<'_> {
        let SourceContext { root, environment, prober, .. } = &*self.context;
        ProjectPlace { prober: prober.as_deref(), ..ProjectPlace::of(root, environment) }
    }

    fn memory(&self) -> &Memory {
        &self.context.memory
    }

    async fn discover(&self, instance: &Instance, view: &ProjectView) -> Arc<Discovery> {
        let place = ProjectPlace { view: Some(view), ..self.place() };
        self.memory().discover(place, self.plugin, instance).await
    }

    /// The plugin's answer about a name that is not offered. The current selection says why it leaves a tool out; the
    /// approved one may have it.
    async fn absent(&self, name: &str, view: Option<&ProjectView>) -> Absence {
        let instance = self.selection.as_ref().unwrap_or(&self.instance);
        self.memory().absence(ProjectPlace { view, ..self.place() }, self.plugin, instance, name).await
    }

    /// The tools of both selections; the very same value while both are.
    fn of_both(&self, approved: Arc<Discovery>, current: Arc<Discovery>) -> Arc<Discovery> {
        let mut selected = self.selected.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some([one, other, both]) = &*selected
            && Arc::ptr_eq(one, &approved)
            && Arc::ptr_eq(other, &current)
        {
            return Arc::clone(both);
        }
        let both = Arc::new(of_both(&approved, &current));
        *selected = Some([approved, current, Arc::clone(&both)]);
        both
    }
}

impl Source for ProjectSource {
    fn instance(&self) -> &str {
        &self.instance.name
    }

    fn plugin(&self) -> &'static str {
        self.instance.plugin
    }

    fn snapshot(&self) -> Option<Arc<Discovery>> {
        let approved = self.memory().remembered(&self.instance.name)?;
        match &self.selection {
            None => Some(approved),
            Some(selection) => Some(self.of_both(approved, self.memory().remembered(&selection.name)?)),
        }
    }

    fn refresh<'a>(&'a self, how: Freshness, view: &'a ProjectView) -> Waiting<'a, Arc<Discovery>> {
        Box::pin(async move {
            if how == Freshness::Afresh {
                let selection = self.selection.as_ref().map(|selection| &selection.name);
                for name in std::iter::once(&self.instance.name).chain(selection) {
                    self.memory().forget(name);
                }
            }
            let approved = self.discover(&self.instance, view).await;
            match &self.selection {
                None => approved,
                Some(selection) => {
                    let current = self.discover(selection, view).await;
                    self.of_both(approved, current)
                }
            }
        })
    }

    fn recalled(&self, view: &ProjectView) -> Arc<Discovery> {
        let place = ProjectPlace { view: Some(view), ..self.place() };
        Arc::new(self.memory().recalled(place, self.plugin, &self.instance))
    }

    fn watched(&self) -> WatchedPlaces {
        let mut places = self.memory().watched(&self.instance.name);
        if let Some(selection) = &self.selection {
            places.join(&self.memory().watched(&selection.name));
        }
        places
    }

    fn plan(&self, tool: &Tool, input: &CallInput<'_>) -> Result<Plan, BadCall> {
        let Role::Run { command, .. } = &tool.role else {
            return Ok(Plan::Answer(serde_json::Map::new()));
        };
        let (plugin, config) = (self.plugin, &self.instance.config);
        let command = (**command).clone();
        let planned = if input.governance.is_governed() {
            plugin.plan(config, tool, command, input.values, input.governance)
        } else {
            let wants = |seen: &_| plugin.wants_of_person(config, tool, seen);
            let seen = look::without_probes(self.place(), wants).files;
            plugin.plan_of_person(config, tool, command, input.values, &seen)
        };
        planned.map(Plan::Process)
    }

    fn bind<'a>(&'a self, tool: &'a Tool) -> Waiting<'a, Result<Vec<(BoundFile, Seen)>, Unbindable>> {
        Box::pin(async move {
            let read = self.memory().look(self.place(), self.plugin, &self.instance).await;
            let is_listed = read.tools.contains(tool);
            if !is_listed && self.absent(&tool.original, None).await.for_person().as_ref() != Some(tool) {
                return Err(Unbindable::Gone);
            }
            let files = self.memory().bound_files(self.place(), self.plugin, &self.instance, tool);
            files.map_err(Unbindable::TooMuch)
        })
    }

    fn absence<'a>(&'a self, name: &'a str, view: &'a ProjectView) -> Waiting<'a, Option<Problem>> {
        Box::pin(async move { self.absent(name, Some(view)).await.reason() })
    }

    fn by_name<'a>(&'a self, name: &'a str, view: &'a ProjectView) -> Waiting<'a, Option<Tool>> {
        Box::pin(async move { self.absent(name, Some(view)).await.for_person() })
    }
}

/// The tools of both, and the problems of either.
fn of_both(approved: &Discovery, current: &Discovery) -> Discovery {
    let selected: HashSet<(&str, &str)> = current.tools.iter().map(Tool::key).collect();
    let mut both = approved.clone();
    both.tools.retain(|tool| selected.contains(&tool.key()));
    both.problems.extend(current.problems.iter().filter(|one| !approved.problems.contains(one)).cloned());
    both
}

/// Whether the current settings of an instance select a tool that the approved ones do not. Nothing is probed.
pub fn selects_more(
    place: ProjectPlace<'_>,
    plugin: &dyn Plugin,
    approved: &Instance,
    current: &Instance,
) -> bool {
    let [approved, current] =
        [approved, current].map(|instance| super::discover(place, plugin, &instance.config));
    let known: HashSet<(&str, &str)> = approved.tools.iter().map(Tool::key).collect();
    current.tools.iter().any(|tool| !known.contains(&tool.key()))
}
