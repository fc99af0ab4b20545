//! A project that was opened, and what the binary hands to cuff.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::list::Current;
use super::probe::HostProber;
use super::standing::Standing;
use crate::execution::Host;
use crate::ledger::Ledger;
use crate::metrics::Metrics;
use crate::model::{About, Caller, Patterns, Problem, Severity};
use crate::plugin::Plugin;
use crate::settings::{self, Instance, SettingsProblem, Upstream};
use crate::sources::Source;
use crate::sources::project::{Memory, Place, Prober};
use crate::store::Store;
use crate::sys::journal::Journal;
use crate::sys::process::Supervisor;
use crate::sys::{Clock, Environment};

/// What the binary hands to cuff: everything that a test would want to replace.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The built-in plugins, in order.
    pub plugins: &'static [&'static dyn Plugin],
    /// Variables and working directory.
    pub environment: Environment,
    /// The time.
    pub clock: Clock,
    /// The binary that supervises processes when it is started as `__supervise`.
    pub supervisor: Supervisor,
    /// Where lists and calls are logged.
    pub journal: Journal,
    /// Where they are counted.
    pub metrics: Arc<Metrics>,
}

impl Surroundings {
    /// What the plugins say of themselves, in order.
    pub fn abouts(&self) -> Vec<About> {
        self.plugins.iter().map(|plugin| plugin.about()).collect()
    }

    /// The JSON Schema of settings.yml.
    pub fn schema(&self) -> Value {
        settings::schema(&self.abouts())
    }

    /// The plugin of this id.
    pub fn plugin(&self, id: &str) -> Option<&'static dyn Plugin> {
        self.plugins.iter().copied().find(|plugin| plugin.about().id == id)
    }
}

/// A project that was opened: its settings, and what was discovered under them.
#[derive(Debug)]
pub struct Engine {
    pub(crate) surroundings: Surroundings,
    pub(crate) root: PathBuf,
    pub(crate) instances: Vec<Instance>,
    /// The MCP servers of the settings.
    pub(crate) upstreams: Vec<Upstream>,
    /// The current selections of tools, where an agent has the approved settings of an instance.
    pub(crate) selections: Vec<Instance>,
    pub(crate) file: Option<String>,
    /// The settings file; `None` when a plugin's suggestion stands in for one.
    pub(crate) settings: Option<settings::Place>,
    /// The plugin that a command of the terminal names; its tools are the only ones.
    pub(crate) named_plugin: Option<&'static str>,
    /// For whom it was opened.
    pub(crate) caller: Caller,
    /// How the settings stand to what was pinned.
    pub(crate) standing: Standing,
    pub(crate) world_writable: bool,
    pub(crate) complaints: Vec<SettingsProblem>,
    /// Shared by those that were opened one after the other for the same project.
    pub(crate) memory: Arc<Memory>,
    /// The sources of its tools, once they are wanted.
    pub(crate) sources: OnceLock<Vec<Arc<dyn Source>>>,
    /// How many registries there were; shared as memory is.
    pub(crate) generations: Arc<AtomicU64>,
    /// The registry as it was last, and the discoveries that it was made of.
    pub(crate) current: Mutex<Option<Current>>,
    /// The `confirm` patterns of each instance, once they are wanted; `None` where one cannot be read.
    pub(crate) confirm: OnceLock<BTreeMap<String, Option<Patterns>>>,
    /// What the sources took away when they were last listed.
    pub(crate) losses: Mutex<Vec<String>>,
    /// What is wrong with the settings of today, where these of before hold on.
    pub(crate) outlived: Mutex<Option<String>>,
    pub(crate) host: Host,
    /// Where people's decisions are kept; `None` where the environment names no place.
    pub(crate) ledger: Option<Ledger>,
    /// Where runs are recorded; `None` where the environment names no place.
    pub(crate) store: Option<Store>,
    pub(crate) prober: Arc<HostProber>,
}

impl Engine {
    /// The settings file as messages name it; `None` when a plugin's suggestion stands in for one.
    pub fn settings_file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The folder that names of files begin from.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Everything that is wrong with the settings; what is right works.
    pub fn complaints(&self) -> &[SettingsProblem] {
        &self.complaints
    }

    /// Whether an instance is not offered since its settings are wrong.
    pub fn is_partly_broken(&self) -> bool {
        self.complaints.iter().any(|complaint| complaint.severity == Severity::Error)
    }

    /// Everything that takes tools away, each in one line: what is wrong with the settings, and with the sources as
    /// they were last listed.
    pub fn losses(&self) -> Vec<String> {
        let settings = self.complaints.iter().filter(|complaint| complaint.severity == Severity::Error);
        let mut losses: Vec<String> = self.outlived().into_iter().collect();
        losses.extend(settings.map(|complaint| crate::calls::error::in_one_line(&Problem::from(complaint))));
        losses.extend(self.withheld_settings().as_ref().map(crate::calls::error::in_one_line));
        losses.extend(self.losses.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned());
        losses
    }

    /// The identity card of a plugin that an instance or a tool names.
    pub fn about_of(&self, plugin: &str) -> Option<About> {
        self.surroundings.plugin(plugin).map(Plugin::about)
    }

    /// Every plugin's id and every instance's name.
    pub fn names(&self) -> Vec<&str> {
        let plugins = self.surroundings.plugins.iter().map(|plugin| plugin.about().id);
        each_once(plugins.chain(self.own_names()))
    }

    /// The MCP servers that the settings name and have switched on.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.upstreams.iter().filter(|upstream| upstream.enabled).map(|upstream| upstream.name.as_str())
    }

    /// The name of every instance and server, and of the plugins that the instances are of.
    pub fn own_names(&self) -> Vec<&str> {
        let instances = self.instances.iter().map(|instance| instance.name.as_str()).chain(self.servers());
        let broken = self.complaints.iter().filter_map(|complaint| complaint.instance.as_deref());
        let plugins = self.instances.iter().map(|instance| instance.plugin);
        each_once(instances.chain(broken).chain(plugins))
    }

    /// The names of a plugin's instances.
    pub fn instances_of(&self, plugin: &str) -> Vec<&str> {
        let of_it = self.instances.iter().filter(|instance| instance.plugin == plugin);
        of_it.map(|instance| instance.name.as_str()).collect()
    }

    pub(crate) fn place(&self) -> Place<'_> {
        // A suggestion is no permission: only who wrote settings may have agreed to start a process for a list.
        let prober = self.file.is_some().then_some(&*self.prober as &dyn Prober);
        Place { root: &self.root, environment: &self.surroundings.environment, prober }
    }
}

fn each_once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut kept: Vec<&str> = Vec::new();
    for name in names {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}
