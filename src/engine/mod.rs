//! All that cuff can do, one method a file: what every face calls, and nothing a face knows.

mod error;
mod init;
mod list;
mod open;
mod parameters;
mod report;
mod run;

use std::path::PathBuf;
use std::sync::Mutex;

use crate::discovery::{Memory, Place};
use crate::execution::Host;
use crate::model::{About, Severity};
use crate::plugin::Plugin;
use crate::settings::{Instance, SettingsProblem};
use crate::sys::process::Supervisor;
use crate::sys::{Clock, Environment};

pub use crate::execution::Sink;
pub use crate::registry::{Registered, Registry, Reported};
pub use error::{Reason, RunError};
pub use init::{Draft, Survey, WriteError};
pub use open::OpenError;
pub use parameters::parameters;
pub use run::{Addressed, Request};

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
}

impl Surroundings {
    /// What the plugins say of themselves, in order.
    pub fn abouts(&self) -> Vec<About> {
        self.plugins.iter().map(|plugin| plugin.about()).collect()
    }

    /// The plugin of this id.
    pub fn plugin(&self, id: &str) -> Option<&'static dyn Plugin> {
        self.plugins.iter().copied().find(|plugin| plugin.about().id == id)
    }
}

/// A project that was opened: its settings, and what was discovered under them.
#[derive(Debug)]
pub struct Engine {
    surroundings: Surroundings,
    root: PathBuf,
    instances: Vec<Instance>,
    file: Option<String>,
    world_writable: bool,
    complaints: Vec<SettingsProblem>,
    memory: Mutex<Memory>,
    host: Host,
}

impl Engine {
    /// The settings file as messages name it; `None` when a plugin's suggestion stands in for one.
    pub fn settings_file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Everything that is wrong with the settings; what is right works.
    pub fn complaints(&self) -> &[SettingsProblem] {
        &self.complaints
    }

    /// Whether an instance is not offered since its settings are wrong.
    pub fn is_partly_broken(&self) -> bool {
        self.complaints.iter().any(|complaint| complaint.severity == Severity::Error)
    }

    /// The identity card of a plugin that an instance or a tool names.
    pub fn about_of(&self, plugin: &str) -> Option<About> {
        self.surroundings.plugin(plugin).map(Plugin::about)
    }

    /// Every plugin's id and every instance's name.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.surroundings.plugins.iter().map(|plugin| plugin.about().id).collect();
        let instances = self.instances.iter().map(|instance| instance.name.as_str());
        let broken = self.complaints.iter().filter_map(|complaint| complaint.instance.as_deref());
        for name in instances.chain(broken) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn place(&self) -> Place<'_> {
        Place { root: &self.root, environment: &self.surroundings.environment }
    }
}
