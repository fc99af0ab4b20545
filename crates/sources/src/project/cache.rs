//! The discoveries of before, for as long as they hold.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::look::{LookInProgress, LookResult};
use super::place::ProjectPlace;
use super::probes::{Probes, Trust};
use super::rediscover::conclude;
use super::view::ProjectView;
use super::{fingerprint, stamps, watched_paths};
use crate::model::{
    Absence, BoundFile, CACHE_TTL, Discovery, Files, Probe, Probed, Problem, Seen, Tool, Values, Want,
};
use crate::plugin::Plugin;
use crate::settings::Instance;
use crate::sys::watch::WatchedPlaces;
use crate::sys::{Cache, Clock, Stamps};

/// The discoveries of this process, and what probes brought in this one and in others.
///
/// Locks are held while something is looked up or put down, and never while a probe is waited for; but for the one
/// by which an instance's looks come one after the other.
#[derive(Debug, Default)]
pub struct Memory {
    clock: Clock,
    probes: Probes,
    known: Mutex<HashMap<String, InstanceMemory>>,
}

/// The memory of one instance.
#[derive(Debug, Default)]
struct InstanceMemory {
    remembered: Option<Remembered>,
    /// Whether it is to be read afresh, probes included.
    is_forgotten: bool,
    /// The stamps of the last look.
    looked_at: Option<Arc<Stamps>>,
    /// Held by the look that is under way.
    looking: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Remembered {
    discovery: Arc<Discovery>,
    plugin: &'static str,
    root: PathBuf,
    at: Instant,
    /// The hash of what was seen; `None` after the first look, with which most processes end.
    content: Option<blake3::Hash>,
    stamps: Arc<Stamps>,
    config: Values,
    probes: BTreeMap<Probe, Probed>,
}

impl Remembered {
    /// Whether it is of this instance, and not too old.
    fn is_of(&self, place: ProjectPlace<'_>, instance: &Instance, now: Instant) -> bool {
        let lifetime = Duration::from_secs(instance.config.integer(&CACHE_TTL));
        now.saturating_duration_since(self.at) < lifetime
            && self.config == instance.config
            && self.plugin == instance.plugin
            && self.root == place.root
    }
}

impl Memory {
    /// A memory that starts empty; what probes brought is kept for the next process where there is a cache for it.
    pub fn new(clock: Clock, cache: Option<Cache>) -> Self {
        Self { clock, probes: Probes::new(cache), ..Self::default() }
    }

    /// The discovery of an instance. The remembered one counts while its `cache_ttl` has not passed, and
    /// neither its config nor the files that the plugin looked at have changed. While their stamps are the
    /// same, nothing is read.
    ///
    /// It waits for nothing but probes; of several that ask at once, one looks, and the others wait for what it saw. When
    /// it is dropped meanwhile, nothing is remembered.
    pub async fn discover(
        &self,
        place: ProjectPlace<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
    ) -> Arc<Discovery> {
        let known = || self.known(place, instance).filter(|(_, stamps)| stamps.hold());
        // One that still holds waits for no look, however long its probe takes.
        if let Some((discovery, _)) = known() {
            return discovery;
        }
        let looking = Arc::clone(&locked(&self.known).entry(instance.name.clone()).or_default().looking);
        let _looking = looking.lock().await;
        match known() {
            Some((discovery, _)) => discovery,
            None => self.look(place, plugin, instance).await,
        }
    }

    /// The remembered discovery of an instance, unless it is too old, and the stamps while which it holds.
    fn known(&self, place: ProjectPlace<'_>, instance: &Instance) -> Option<(Arc<Discovery>, Arc<Stamps>)> {
        let known = locked(&self.known);
        let known = known.get(&instance.name).filter(|known| !known.is_forgotten)?;
        let before = known.remembered.as_ref()?;
        let is_of_it = before.is_of(place, instance, self.clock.instant());
        is_of_it.then(|| (Arc::clone(&before.discovery), Arc::clone(&before.stamps)))
    }

    /// A look at all that a plugin wants to see, without regard to stamps. It is for a tool that a yes or a
    /// pin is bound to: writes through a memory map leave a stamp as it was.
    pub async fn look(
        &self,
        place: ProjectPlace<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
    ) -> Arc<Discovery> {
        let lifetime = Duration::from_secs(instance.config.integer(&CACHE_TTL));
        let afresh = locked(&self.known).get(&instance.name).is_some_and(|known| known.is_forgotten);
        let began = self.clock.now();
        let trust = Trust { instance, now: began, lifetime, afresh };
        let wants = |seen: &Files| plugin.wants(&instance.config, seen);
        let LookResult { files, problem, stamped } = self.probes.look(place, trust, wants).await;
        let began = place.view.map_or(began, ProjectView::began);
        let stamps = Arc::new(stamps::of_look(place, &files, stamped, began));
        let is_first = self.remembered(&instance.name).is_none();
        let content = (!is_first).then(|| fingerprint::of_files(&files));
        let mut known = locked(&self.known);
        let known = known.entry(instance.name.clone()).or_default();
        known.is_forgotten &= !afresh;
        known.looked_at = Some(Arc::clone(&stamps));
        let now = self.clock.instant();
        let is_same =
            |before: &&mut Remembered| before.is_of(place, instance, now) && before.probes == files.probes;
        let mut before = known.remembered.as_mut().filter(is_same);
        if let Some(before) = before.as_mut().filter(|before| before.content == content) {
            before.stamps = stamps;
            return Arc::clone(&before.discovery);
        }
        let discovery = conclude(plugin, &instance.config, &files, problem);
        if let Some(before) =
            before.filter(|before| before.content.is_none() && *before.discovery == discovery)
        {
            (before.content, before.stamps) = (content, stamps);
            return Arc::clone(&before.discovery);
        }
        let discovery = Arc::new(discovery);
        known.remembered = Some(Remembered {
            discovery: Arc::clone(&discovery),
            plugin: instance.plugin,
            root: place.root.to_owned(),
            at: now,
            content,
            stamps,
            config: instance.config.clone(),
            probes: files.probes,
        });
        discovery
    }

    /// The discovery of an instance when it was last looked at; [`discover`](Self::discover) gives the very
    /// same while it holds.
    pub fn remembered(&self, instance: &str) -> Option<Arc<Discovery>> {
        let known = locked(&self.known);
        known.get(instance)?.remembered.as_ref().map(|before| Arc::clone(&before.discovery))
    }

    /// The discovery of an instance for a caller that cannot wait. No probe is carried out, nothing is
    /// remembered, and earlier answers of probes count however old they are.
    pub fn recalled(&self, place: ProjectPlace<'_>, plugin: &dyn Plugin, instance: &Instance) -> Discovery {
        let LookResult { files, problem, .. } =
            self.recall(place, instance, |seen| plugin.wants(&instance.config, seen));
        conclude(plugin, &instance.config, &files, problem)
    }

    /// The files that the plugin of an instance sees now. No probe is carried out.
    pub fn seen(&self, place: ProjectPlace<'_>, plugin: &dyn Plugin, instance: &Instance) -> Files {
        self.recall(place, instance, |seen| plugin.wants(&instance.config, seen)).files
    }

    fn recall(
        &self,
        place: ProjectPlace<'_>,
        instance: &Instance,
        wants: impl Fn(&Files) -> Vec<Want>,
    ) -> LookResult {
        let (now, lifetime) = (self.clock.now(), Duration::MAX);
        let trust = Trust { instance, now, lifetime, afresh: false };
        self.probes.recalled(place, trust, wants)
    }

    /// The files that a tool of an instance is bound to, and what is there now. No probe is carried out.
    ///
    /// # Errors
    /// When there are more files than can be looked at.
    pub fn bound_files(
        &self,
        place: ProjectPlace<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
        tool: &Tool,
    ) -> Result<Vec<(BoundFile, Seen)>, Box<Problem>> {
        let config = &instance.config;
        let wants = |seen: &Files| {
            let binding = plugin.binding(config, seen, tool);
            binding.all_wants().into_iter().chain(plugin.wants(config, seen)).collect()
        };
        let LookResult { files, problem, .. } = self.recall(place, instance, wants);
        if let Some(problem) = problem {
            return Err(Box::new(problem));
        }
        let found = |file: BoundFile| {
            let seen = files.files.get(&file.path).cloned().unwrap_or(Seen::Missing);
            (file, seen)
        };
        Ok(plugin.binding(config, &files, tool).files.into_iter().map(found).collect())
    }

    /// The answer of an instance's plugin about a name that it does not offer. Probes of its discovery are not
    /// carried out again.
    pub async fn absence(
        &self,
        place: ProjectPlace<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
        name: &str,
    ) -> Absence {
        let config = &instance.config;
        let mut look = LookInProgress::new(place, |seen: &_| match plugin.absence(config, name, seen) {
            Absence::Look(wants) => wants,
            Absence::Unknown | Absence::Because(_) | Absence::ByName(..) => Vec::new(),
        })
        .without(super::probes::hidden(place, instance));
        while let Some(probe) = look.go_on() {
            let probed = if let Some(probed) = self.probed(&instance.name, &probe) {
                probed
            } else {
                let probed = super::probes::run_probe(place, instance, &probe).await;
                look.forget();
                probed
            };
            look.answer(probe, probed);
        }
        let files = look.end().files;
        plugin.absence(config, name, &files)
    }

    /// The answer of a probe that the remembered discovery of an instance was made of.
    fn probed(&self, instance: &str, probe: &Probe) -> Option<Probed> {
        locked(&self.known).get(instance)?.remembered.as_ref()?.probes.get(probe).cloned()
    }

    /// The paths that an instance looked at last: a change of one may change what it offers.
    pub fn watched(&self, instance: &str) -> WatchedPlaces {
        let looked_at = locked(&self.known).get(instance).and_then(|known| known.looked_at.clone());
        looked_at.map_or_else(WatchedPlaces::default, |stamps| watched_paths::of_stamps(&stamps))
    }

    /// How long ago an instance was read; `None`: it was not.
    pub fn age(&self, instance: &str) -> Option<Duration> {
        let known = locked(&self.known);
        let at = known.get(instance)?.remembered.as_ref()?.at;
        Some(self.clock.instant().saturating_duration_since(at))
    }

    /// Forgets one instance, so that the next question reads it afresh (`refresh`).
    pub fn forget(&self, instance: &str) {
        let mut known = locked(&self.known);
        let known = known.entry(instance.to_owned()).or_default();
        known.remembered = None;
        known.is_forgotten = true;
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
