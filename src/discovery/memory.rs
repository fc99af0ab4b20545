//! What was discovered before, for as long as it holds.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::afresh::conclude;
use super::look::Look;
use super::place::Place;
use super::probes::{Probes, Trust};
use super::{fingerprint, sights};
use crate::model::{
    Absence, BoundFile, CACHE_TTL, Discovery, Files, Probe, Probed, Problem, Seen, Tool, Values, Want,
};
use crate::plugin::Plugin;
use crate::settings::Instance;
use crate::sys::watch::Places;
use crate::sys::{Cache, Clock};

/// The discoveries of this process, and what probes brought in this one and in others.
#[derive(Debug, Default)]
pub struct Memory {
    clock: Clock,
    remembered: HashMap<String, Remembered>,
    probes: Probes,
    /// The instances that are to be read afresh, probes included.
    forgotten: HashSet<String>,
    /// What each instance looked at last.
    sights: HashMap<String, Places>,
}

#[derive(Debug)]
struct Remembered {
    discovery: Arc<Discovery>,
    plugin: &'static str,
    root: PathBuf,
    at: Instant,
    content: blake3::Hash,
    config: Values,
    probes: BTreeMap<Probe, Probed>,
}

impl Memory {
    /// A memory that starts empty; what probes brought is kept for the next process where there is a cache for it.
    pub fn new(clock: Clock, cache: Option<Cache>) -> Self {
        Self { clock, probes: Probes::new(cache), ..Self::default() }
    }

    /// The discovery of an instance: the remembered one while its `cache_ttl` has not passed and neither what the
    /// plugin looked at nor its config has changed, else a new one.
    ///
    /// It waits for nothing but probes. When it is dropped meanwhile, nothing is remembered.
    pub async fn discover(
        &mut self,
        place: Place<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
    ) -> Arc<Discovery> {
        let lifetime = Duration::from_secs(instance.config.integer(&CACHE_TTL));
        let afresh = self.forgotten.contains(&instance.name);
        let trust = Trust { instance: &instance.name, now: self.clock.now(), lifetime, afresh };
        let wants = |seen: &_| plugin.wants(&instance.config, seen);
        let (files, problem) = self.probes.look(place, trust, wants).await;
        self.forgotten.remove(&instance.name);
        self.sights.insert(instance.name.clone(), sights::of_files(place.root, &files));
        let now = self.clock.instant();
        let content = fingerprint::of_files(&files);
        if let Some(before) = self.remembered.get(&instance.name)
            && now.saturating_duration_since(before.at) < lifetime
            && before.content == content
            && before.probes == files.probes
            && before.config == instance.config
            && before.plugin == instance.plugin
            && before.root == place.root
        {
            return Arc::clone(&before.discovery);
        }
        let discovery = Arc::new(conclude(plugin, &instance.config, &files, problem));
        let remembered = Remembered {
            discovery: Arc::clone(&discovery),
            plugin: instance.plugin,
            root: place.root.to_owned(),
            at: now,
            content,
            config: instance.config.clone(),
            probes: files.probes,
        };
        self.remembered.insert(instance.name.clone(), remembered);
        discovery
    }

    /// What was made of an instance when it was last looked at; [`discover`](Self::discover) gives the very same while
    /// it holds.
    pub fn remembered(&self, instance: &str) -> Option<Arc<Discovery>> {
        self.remembered.get(instance).map(|before| Arc::clone(&before.discovery))
    }

    /// The discovery of an instance for somebody who cannot wait: no probe is carried out, nothing is remembered, and
    /// what probes brought before is taken however old it is.
    pub fn recalled(&mut self, place: Place<'_>, plugin: &dyn Plugin, instance: &Instance) -> Discovery {
        let (files, problem) = self.recall(place, instance, |seen| plugin.wants(&instance.config, seen));
        conclude(plugin, &instance.config, &files, problem)
    }

    /// What the plugin of an instance sees now. No probe is carried out.
    pub fn seen(&mut self, place: Place<'_>, plugin: &dyn Plugin, instance: &Instance) -> Files {
        self.recall(place, instance, |seen| plugin.wants(&instance.config, seen)).0
    }

    fn recall(
        &mut self,
        place: Place<'_>,
        instance: &Instance,
        wants: impl Fn(&Files) -> Vec<Want>,
    ) -> (Files, Option<Problem>) {
        let (now, lifetime) = (self.clock.now(), Duration::MAX);
        let trust = Trust { instance: &instance.name, now, lifetime, afresh: false };
        self.probes.recalled(place, trust, wants)
    }

    /// The files that a tool of an instance is bound to, and what is there now. No probe is carried out.
    ///
    /// # Errors
    /// When there are more files than can be looked at.
    pub fn bound_files(
        &mut self,
        place: Place<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
        tool: &Tool,
    ) -> Result<Vec<(BoundFile, Seen)>, Box<Problem>> {
        let config = &instance.config;
        let wants = |seen: &Files| {
            let binding = plugin.binding(config, seen, tool);
            binding.all_wants().into_iter().chain(plugin.wants(config, seen)).collect()
        };
        let (files, cut) = self.recall(place, instance, wants);
        if let Some(problem) = cut {
            return Err(Box::new(problem));
        }
        let found = |file: BoundFile| {
            let seen = files.files.get(&file.path).cloned().unwrap_or(Seen::Missing);
            (file, seen)
        };
        Ok(plugin.binding(config, &files, tool).files.into_iter().map(found).collect())
    }

    /// Why an instance that was discovered offers nothing of this name, where its plugin knows. What probes brought
    /// to that discovery is not asked again.
    pub async fn absence(
        &self,
        place: Place<'_>,
        plugin: &dyn Plugin,
        instance: &Instance,
        name: &str,
    ) -> Option<Problem> {
        let config = &instance.config;
        let mut look = Look::new(place, |seen: &_| match plugin.absence(config, name, seen) {
            Absence::Look(wants) => wants,
            Absence::Unknown | Absence::Because(_) => Vec::new(),
        });
        let known = self.remembered.get(&instance.name);
        while let Some(probe) = look.go_on() {
            let probed = match known.and_then(|before| before.probes.get(&probe)) {
                Some(probed) => probed.clone(),
                None => super::probes::carry_out(place, &instance.name, &probe).await,
            };
            look.answer(probe, probed);
        }
        let (files, _) = look.end();
        match plugin.absence(config, name, &files) {
            Absence::Because(problem) => Some(*problem),
            Absence::Unknown | Absence::Look(_) => None,
        }
    }

    /// What instances of these names looked at last: a change of it may change what they offer.
    pub fn sights<'a>(&self, instances: impl Iterator<Item = &'a str>) -> Places {
        let mut all = Places::default();
        for places in instances.filter_map(|name| self.sights.get(name)) {
            all.join(places);
        }
        all
    }

    /// How long ago an instance was read; `None`: it was not.
    pub fn age(&self, instance: &str) -> Option<Duration> {
        let known = self.remembered.get(instance)?;
        Some(self.clock.instant().saturating_duration_since(known.at))
    }

    /// Forgets one instance, so that the next question reads it afresh (`refresh`).
    pub fn forget(&mut self, instance: &str) {
        self.remembered.remove(instance);
        self.forgotten.insert(instance.to_owned());
    }
}
