//! The settings of a project as its caller has them.

pub(crate) mod approval;

use std::path::PathBuf;
use std::sync::Arc;

use super::approval_status::ApprovalStatus;
use super::open_error::OpenError;
use super::pins;
use crate::model::{AgentShell, Caller, Runner, Severity, TeamRecords, Values};
use crate::registry::ReportedProblem;
use crate::settings::{Instance, NewTools, ServerFile, SettingsPlace, SettingsProblem, Upstream};
use crate::sys::Stamps;

/// The settings that a project was opened under, as its caller has them: agents get what a person has approved. They never
/// change: under other settings the project is another one.
#[derive(Debug)]
pub struct ProjectSettings {
    /// The root, which relative paths refer to.
    pub root: PathBuf,
    /// The settings file; `None` when suggestions stand in for one.
    pub place: Option<SettingsPlace>,
    /// The settings file, or the file with MCP servers, as messages name it.
    pub(crate) file: Option<String>,
    /// The bytes of the settings file.
    pub(crate) bytes: Option<Arc<[u8]>>,
    /// The instances of sources that are asked for tools.
    pub instances: Vec<Instance>,
    /// The current selections of tools, where an agent has the approved settings of an instance.
    pub(crate) selections: Vec<Instance>,
    /// The problems of the workspaces whose packages the settings take in.
    pub(crate) package_problems: Vec<ReportedProblem>,
    /// While they hold, the same packages are there; `None`: the settings take in none.
    pub(crate) package_stamps: Option<Stamps>,
    /// The MCP servers of the settings and the files beside them that may be connected to, those that are switched off as well.
    pub upstreams: Vec<Upstream>,
    /// The names of the others that are switched on: no person has approved them as they are.
    pub(crate) withheld_servers: Vec<String>,
    /// The names of both, in the order of their files.
    pub(crate) named_servers: Vec<String>,
    /// The `.toolscript.json` files that count.
    pub(crate) server_files: Vec<ServerFile>,
    /// The runners of the settings; for agents those that a person approved as they are.
    pub runners: Vec<Runner>,
    /// The records of the team; for agents those that a person approved as they are.
    pub records: Option<TeamRecords>,
    /// The plugin that a command of the terminal names; its tools are the only ones.
    pub named_plugin: Option<&'static str>,
    /// For whom it was opened.
    pub(crate) caller: Caller,
    /// How the settings stand to what was pinned.
    pub(crate) approval_status: ApprovalStatus,
    /// Whether every user of this machine may write the settings file.
    pub(crate) world_writable: bool,
    /// Everything that is wrong with the settings; the rest works.
    pub complaints: Vec<SettingsProblem>,
    /// Why its settings file is not used, where only the MCP servers of other files are offered.
    pub(crate) unusable: Option<OpenError>,
}

impl ProjectSettings {
    /// These instances at this root, for a person, and nothing else.
    pub(crate) fn of(root: PathBuf, instances: Vec<Instance>) -> Self {
        Self {
            root,
            place: None,
            file: None,
            bytes: None,
            instances,
            selections: Vec::new(),
            package_problems: Vec::new(),
            package_stamps: None,
            upstreams: Vec::new(),
            withheld_servers: Vec::new(),
            named_servers: Vec::new(),
            server_files: Vec::new(),
            runners: Vec::new(),
            records: None,
            named_plugin: None,
            caller: Caller::Human,
            approval_status: ApprovalStatus::default(),
            world_writable: false,
            complaints: Vec::new(),
            unusable: None,
        }
    }

    /// The fate of an agent's shell commands that tools could run. A looser word of the file counts once a person has
    /// approved it.
    pub fn agent_shell(&self) -> AgentShell {
        self.approval_status.agent_shell
    }

    /// Whether suggestions stand in for settings, for the person who has none.
    pub fn is_suggested(&self) -> bool {
        self.place.is_none() && !self.instances.is_empty()
    }

    /// The settings file, or the file with MCP servers, as messages name it; `None` where there is neither.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Whether an instance is not offered since its settings are wrong.
    pub fn is_partly_broken(&self) -> bool {
        self.complaints.iter().any(|complaint| complaint.severity == Severity::Error)
    }

    /// The MCP servers that the settings name and have switched on.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.upstreams.iter().filter(|upstream| upstream.enabled).map(|upstream| upstream.name.as_str())
    }

    /// The MCP servers of the settings that are switched on, and that no person has approved as they are.
    pub fn withheld_servers(&self) -> impl Iterator<Item = &str> {
        self.withheld_servers.iter().map(String::as_str)
    }

    /// The name of every instance and server, and of the plugins that the instances are of.
    pub fn own_names(&self) -> Vec<&str> {
        let instances = self.instances.iter().map(|instance| instance.name.as_str()).chain(self.servers());
        let instances = instances.chain(self.withheld_servers());
        let broken = self.complaints.iter().filter_map(|complaint| complaint.instance.as_deref());
        let plugins = self.instances.iter().map(|instance| instance.plugin);
        each_once(instances.chain(broken).chain(plugins))
    }

    /// The names of a plugin's instances.
    pub fn instances_of(&self, plugin: &str) -> Vec<&str> {
        let of_it = self.instances.iter().filter(|instance| instance.plugin == plugin);
        of_it.map(|instance| instance.name.as_str()).collect()
    }

    /// The instance of this name.
    pub(crate) fn instance(&self, name: &str) -> Option<&Instance> {
        self.instances.iter().find(|instance| instance.name == name)
    }

    /// The MCP server of this name that may be connected to.
    pub(crate) fn upstream(&self, name: &str) -> Option<&Upstream> {
        self.upstreams.iter().find(|upstream| upstream.name == name)
    }

    /// The config of the instance or the MCP server of this name.
    pub(crate) fn config(&self, name: &str) -> Option<&Values> {
        let own = self.instance(name).map(|instance| &instance.config);
        own.or_else(|| Some(&self.upstream(name)?.config))
    }

    /// The instances of packages, each with that of its workspace.
    pub(super) fn workspaces(&self) -> impl Iterator<Item = (String, String)> {
        let of_workspace = |instance: &Instance| Some((instance.name.clone(), instance.workspace.clone()?));
        self.instances.iter().filter_map(of_workspace)
    }

    /// Whether packages of a workspace may have come or gone since this was opened.
    pub(crate) fn has_other_packages(&self) -> bool {
        self.package_stamps.as_ref().is_some_and(|stamps| !stamps.hold())
    }

    /// The file that names a server, as the ledger knows it.
    pub(crate) fn naming_file(&self, server: &str) -> Option<PathBuf> {
        let is_its = |one: &Upstream| one.name == server;
        let file = self.server_files.iter().find(|file| file.upstreams.iter().any(is_its));
        let place = file.map(|file| &file.place).or(self.place.as_ref())?;
        Some(pins::key(&place.file))
    }

    pub(super) fn takes_new(&self, server: &str) -> bool {
        let mut servers = self.upstreams.iter().filter(|one| one.name == server);
        servers.any(|one| one.new_tools() == NewTools::Allow)
    }

    /// Whether these settings may be offered to agents.
    ///
    /// # Errors
    /// When every user of this machine may write them.
    pub fn fit_for_serving(&self) -> Result<(), OpenError> {
        if self.world_writable {
            Err(OpenError::WorldWritable(self.file.clone().unwrap_or_default()))
        } else {
            Ok(())
        }
    }

    /// The problem that keeps an instance from being offered: the one that `is_meant` picks, or any if no
    /// instance works.
    pub(crate) fn broken_instance(&self, is_meant: impl Fn(&str) -> bool) -> Option<&SettingsProblem> {
        let mut broken = self.complaints.iter().filter(|complaint| complaint.severity == Severity::Error);
        broken.find(|complaint| {
            let named = complaint.instance.as_deref();
            named.is_some_and(|instance| self.instances.is_empty() || is_meant(instance))
        })
    }
}

pub(super) fn each_once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut kept: Vec<&str> = Vec::new();
    for name in names {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}
