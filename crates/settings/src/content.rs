//! The content of settings: instances, and everything that is wrong.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::find::SettingsPlace;
use super::problem::SettingsProblem;
use super::upstream::Upstream;
use crate::model::{AgentShell, Runner, Severity, TeamRecords, Values};

/// The content of a settings file.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The file.
    pub place: SettingsPlace,
    /// The very bytes that were read.
    pub bytes: Arc<[u8]>,
    /// Whether every user of the machine may write it; what to do then is the faces' to decide.
    pub world_writable: bool,
    /// The fate of an agent's shell commands that tools could run.
    pub agent_shell: AgentShell,
    /// Those that are whole, in the order of the file. An instance with an error is not here.
    pub instances: Vec<Instance>,
    /// The MCP servers that are whole, in the order of the file.
    pub upstreams: Vec<Upstream>,
    /// The runners that are whole, in the order of the file.
    pub runners: Vec<Runner>,
    /// The records of the team, where they are whole.
    pub records: Option<TeamRecords>,
    /// Every key under `plugins:`, those of entries with errors as well.
    pub names: Vec<String>,
    /// The variables whose values the instances and servers have.
    pub variables: BTreeSet<String>,
}

/// An entry under `plugins:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The key, which is the namespace of its tools.
    pub name: String,
    /// Whether it is to be used.
    pub enabled: bool,
    /// The [`About::id`](crate::model::PluginInfo::id) of its plugin.
    pub plugin: &'static str,
    /// Its `config:`, checked.
    pub config: Values,
    /// The instance whose workspace it is a package of; `None`: settings name it themselves.
    pub workspace: Option<String>,
}

/// Settings, and everything that is wrong with them at once.
#[derive(Debug, Clone)]
pub struct SettingsReading {
    /// The usable part.
    pub settings: Settings,
    /// Errors and warnings in the order of the file.
    pub problems: Vec<SettingsProblem>,
}

impl SettingsReading {
    /// Whether the file as a whole cannot be used: then there are no instances.
    pub fn is_unusable(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error && problem.instance.is_none())
    }
}
