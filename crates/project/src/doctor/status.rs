//! The status of a project: its instances, its settings, the part that agents use, and its stored data.

use std::path::PathBuf;
use std::time::Duration;

use crate::doctor::programs;
use crate::ledger::{Ledger, PinnedBy};
use crate::model::{CACHE_TTL, ErrorCode, Health, Problem, Severity};
use crate::project::{Context, Project, ProjectSettings};
use crate::registry::Registry;
use crate::settings::Instance;
use crate::store::Store;

/// A folder that cuff keeps things in.
#[derive(Debug, Clone)]
pub struct KeptFolder {
    /// Its path.
    pub path: PathBuf,
    /// How many things are in it: runs, or questions that wait for an answer.
    pub count: usize,
    /// How many bytes they take.
    pub bytes: u64,
}

/// The pin of the settings.
#[derive(Debug, Clone, Copy)]
pub struct PinnedAt {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The command or event that pinned it.
    pub by: PinnedBy,
}

/// The recorded runs; `None` where the environment names no place for them.
pub fn kept_runs(context: &Context) -> Option<KeptFolder> {
    let store = Store::of(&context.environment)?;
    let count = store.ids().map_or(0, |ids| ids.len());
    Some(KeptFolder { path: store.path().to_owned(), count, bytes: store.bytes() })
}

/// The ledger, and how many questions wait in it; `None` where the environment names no place for it.
pub fn kept_decisions(context: &Context) -> Option<KeptFolder> {
    let ledger: Ledger = context.ledger()?;
    let count = ledger.waiting(context.clock.milliseconds()).len();
    Some(KeptFolder { path: ledger.path().to_owned(), count, bytes: ledger.bytes() })
}

/// How each instance of the settings is, under a list that was made just now.
pub fn health(project: &Project, registry: &Registry) -> Vec<Health> {
    let now = project.context.clock.milliseconds();
    let whole = project.settings.instances.iter().map(|instance| {
        let age = project.catalog.memory.age(&instance.name);
        let lifetime = Duration::from_secs(instance.config.integer(&CACHE_TTL));
        let elapsed = |age: Duration| u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        Health {
            read: age.map(|age| now.saturating_sub(elapsed(age))),
            is_cache_valid: age.is_some_and(|age| age < lifetime),
            ..standing_of(project, registry, instance)
        }
    });
    let broken = project.settings.complaints.iter().filter(|complaint| complaint.severity == Severity::Error);
    let broken = broken.filter_map(|complaint| {
        let name = complaint.instance.clone()?;
        let is_whole = project.settings.instances.iter().any(|instance| instance.name == name);
        (!is_whole).then(|| unusable(name, complaint.into()))
    });
    let mut all: Vec<Health> = Vec::new();
    for health in whole.chain(broken) {
        match all.iter_mut().find(|other| other.name == health.name) {
            Some(known) => known.problems.extend(health.problems),
            None => all.push(health),
        }
    }
    all
}

/// The pin of the settings that count; `None` if there is none, or it is unknown.
pub fn pinned_at(settings: &ProjectSettings) -> Option<PinnedAt> {
    settings.approval_status.pinned.as_ref()?.pin().map(|pin| PinnedAt { at: pin.at, by: pin.by })
}

fn standing_of(project: &Project, registry: &Registry, instance: &Instance) -> Health {
    let problems = registry.problems().iter().filter(|reported| reported.instance == instance.name);
    let problems: Vec<&Problem> = problems.map(|reported| &reported.problem).collect();
    let is_missing = |problem: &&Problem| problem.fault == Some(ErrorCode::SourceNotFound);
    let said = |problem: &&&Problem| problem.severity == Severity::Error || problem.is_of_pattern();
    let said = problems.iter().filter(said).map(|problem| (*problem).clone());
    let tools: Vec<_> = registry.of_instance(&instance.name).collect();
    let about = project.about_of(instance.plugin);
    let keys = about.map(|about| about.config).unwrap_or_default();
    let mut facts = tools.iter().flat_map(|found| &found.tool.metadata);
    let runner = about.and_then(|about| about.runner);
    let runner = runner.and_then(|fact| facts.find(|(name, _)| *name == fact)).cloned();
    Health {
        name: instance.name.clone(),
        plugin: instance.plugin,
        enabled: instance.enabled,
        problems: said.chain(programs::missing_programs(project, registry, &instance.name)).collect(),
        source_exists: instance.enabled && !problems.iter().any(is_missing),
        source_key: keys.iter().find_map(|key| key.name.strip_suffix("_path")),
        runner,
        tools: tools.iter().filter(|tool| !tool.tool.role.is_list()).count(),
        read: None,
        is_cache_valid: false,
    }
}

fn unusable(name: String, problem: Problem) -> Health {
    Health {
        name,
        plugin: "",
        enabled: true,
        problems: vec![problem],
        source_exists: false,
        source_key: None,
        runner: None,
        tools: 0,
        read: None,
        is_cache_valid: false,
    }
}
