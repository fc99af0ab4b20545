//! A project that was opened, and what the binary hands to cuff.

pub(crate) mod approval;
mod confirmed_by;
mod definitions;
mod ground;
pub(crate) mod list;
mod member_packages;
mod open;
mod reload;
mod unmatched_patterns;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::broadcast;

use super::approval_status::ApprovalStatus;
use super::context::Context;
use super::open_error::OpenError;
use super::probe::HostProber;
use super::registry_cache::Current;
use super::secrets::{self, KeptSecrets};
use super::server_pins::ServerPins;
use super::servers::ProjectServers;
use super::starter::HostStarter;
use crate::execution::RunHost;
use crate::ledger::Ledger;
use crate::model::{
    AgentShell, Caller, Change, Origin, Patterns, PluginInfo, Problem, Registered, Role, Runner, Severity,
};
use crate::plugin::Plugin;
use crate::redact::Secrets;
use crate::registry::ReportedProblem;
use crate::settings::{self, Instance, ServerFile, ServerTransport, SettingsProblem, Upstream};
use crate::sources::Source;
use crate::sources::project::{Memory, Prober, ProjectPlace};
use crate::sources::upstream::ServerNotice;
use crate::store::Store;
use crate::sys::Stamps;
use crate::sys::process::ExpectedRuns;
use crate::sys::terminal::TypedConsent;

/// A project that was opened: its settings, and what was discovered under them.
#[derive(Debug)]
pub struct Project {
    /// Clock, environment and the rest that the binary brings.
    pub context: Context,
    /// The root, which relative paths refer to.
    pub root: PathBuf,
    /// The instances of sources that are asked for tools.
    pub instances: Vec<Instance>,
    /// The MCP servers of the settings that may be connected to.
    pub(crate) upstreams: Vec<Upstream>,
    /// The names of the others that are switched on: no person has approved them as they are.
    pub(crate) withheld_servers: Vec<String>,
    /// The names of both, in the order of their files.
    pub(crate) named_servers: Vec<String>,
    /// The runners of the settings; for agents those that a person approved as they are.
    pub(crate) runners: Vec<Runner>,
    /// The bytes of the settings file.
    pub(crate) settings_bytes: Option<Arc<[u8]>>,
    /// The `.toolscript.json` files that count.
    pub(crate) server_files: Vec<ServerFile>,
    /// The current selections of tools, where an agent has the approved settings of an instance.
    pub(crate) selections: Vec<Instance>,
    /// The problems of the workspaces whose packages the settings take in.
    pub(crate) package_problems: Vec<ReportedProblem>,
    /// While they hold, the same packages are there; `None`: the settings take in none.
    pub(crate) package_stamps: Option<Stamps>,
    pub(crate) file: Option<String>,
    /// The settings file; `None` when suggestions stand in for one.
    pub(crate) settings: Option<settings::SettingsPlace>,
    /// The plugin that a command of the terminal names; its tools are the only ones.
    pub named_plugin: Option<&'static str>,
    /// For whom it was opened.
    pub(crate) caller: Caller,
    /// How the settings stand to what was pinned.
    pub(crate) approval_status: ApprovalStatus,
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
    /// The tools that the sources took away at the last listing, in words.
    pub(crate) listing_problems: Mutex<Vec<String>>,
    /// The problem of the present settings, if those of before still hold.
    pub(crate) stale_settings: Mutex<Option<String>>,
    /// Why its settings file is not used, where only the MCP servers of other files are offered.
    pub(crate) unusable: Option<OpenError>,
    pub(crate) host: RunHost,
    /// Where people's decisions are kept; `None` where the environment names no place.
    pub(crate) ledger: Option<Ledger>,
    /// Where runs are recorded; `None` where the environment names no place.
    pub store: Option<Store>,
    /// Carries out probes on this machine.
    pub prober: Arc<HostProber>,
    pub(crate) starter: Arc<HostStarter>,
    /// The connections to MCP servers; shared as memory is.
    pub(crate) servers: Arc<ProjectServers>,
    /// The pinned definitions of their tools, once they are wanted.
    pub(crate) server_pins: ServerPins,
    /// Finds the secrets of the last runs.
    pub(crate) kept_secrets: KeptSecrets,
}

impl Project {
    /// Makes its runs cheaper to start from now on. To be called before this process has threads.
    pub fn prepare_runs(&self, expected: ExpectedRuns) {
        self.host.supervisor.prepare(expected);
    }

    /// The yes of a person who types a command, as [`Context::said_yes`] gives it.
    pub fn said_yes(&self) -> Option<TypedConsent> {
        self.context.said_yes()
    }

    /// Why the rules for agents hold for what is typed here; `None`: a person's do.
    pub fn why_governed(&self) -> Option<String> {
        self.context.why_governed()
    }

    /// The caller of commands that are typed here.
    pub fn at_terminal(&self) -> Caller {
        self.context.at_terminal()
    }

    /// Whether this user lets the clients of agents ask him, and say that he said yes. Not while his preferences cannot
    /// be understood.
    pub fn lets_clients_say_yes(&self) -> bool {
        let Context { environment, files, .. } = &self.context;
        settings::kept_preferences(environment, files).lets_clients_say_yes()
    }

    /// The fate of an agent's shell commands that tools could run. A looser word of the file counts once a person has
    /// approved it.
    pub fn agent_shell(&self) -> AgentShell {
        self.approval_status.agent_shell
    }

    /// The notices of MCP servers from now on that belong to no call.
    pub fn notices(&self) -> broadcast::Receiver<ServerNotice> {
        self.servers.notices()
    }

    /// The secrets that must be hidden in what a process prints that is started with these changes.
    pub fn secrets_of(&self, changes: &[Change]) -> Secrets {
        let Context { environment, files, .. } = &self.context;
        self.kept_secrets.of(secrets::pairs_of_run(files, &self.root, environment, changes))
    }

    /// The secrets that a server could answer with: those of a run, and those in its own variables and headers.
    pub fn secrets_of_server(&self, server: &str) -> Secrets {
        let upstream = self.upstreams.iter().find(|upstream| upstream.name == server);
        let pairs = upstream.map_or(&[][..], |upstream| match &upstream.transport {
            ServerTransport::Stdio { environment: pairs, .. }
            | ServerTransport::Http { headers: pairs, .. } => pairs,
        });
        // A header has the scheme of its credential before it: `Bearer …`.
        let credential = |value: &str| value.split_once(' ').map_or("", |(_, rest)| rest).to_owned();
        let whole = pairs.iter().map(|(name, value)| Change::new(name, value, Origin::Settings));
        let parts = pairs.iter().map(|(name, value)| Change::new(name, credential(value), Origin::Settings));
        let tokens = self.server(server).map(|source| source.tokens()).unwrap_or_default();
        let tokens = tokens.iter().map(|token| Change::new("LOGIN_TOKEN", token, Origin::Settings));
        let changes = whole.chain(parts.filter(|part| !part.value.is_empty())).chain(tokens);
        let changes: Vec<Change> = changes.collect();
        self.secrets_of(&changes)
    }

    /// Whether suggestions stand in for settings, for the person who has none.
    pub fn is_suggested(&self) -> bool {
        self.settings.is_none() && !self.instances.is_empty()
    }

    /// The settings file, or the file with MCP servers, as messages name it; `None` where there is neither.
    pub fn settings_file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The place of the settings file, where there is one.
    pub fn settings_place(&self) -> Option<&settings::SettingsPlace> {
        self.settings.as_ref()
    }

    /// The folder that names of files begin from.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The time of day in milliseconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.context.clock.milliseconds()
    }

    /// The folder that somebody is in, from the root; `None` outside of it.
    pub fn here(&self) -> Option<&Path> {
        self.context.environment.directory().strip_prefix(&self.root).ok()
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
    pub fn agent_problems(&self) -> Vec<String> {
        let settings = self.complaints.iter().filter(|complaint| complaint.severity == Severity::Error);
        let mut problems: Vec<String> = self.stale_settings().into_iter().collect();
        problems.extend(settings.map(|complaint| Problem::from(complaint).in_one_line()));
        problems.extend(self.withheld_settings().as_ref().map(Problem::in_one_line));
        problems.extend(self.listing_problems.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned());
        problems
    }

    /// The identity card of a plugin that an instance or a tool names.
    pub fn about_of(&self, plugin: &str) -> Option<PluginInfo> {
        self.context.plugin(plugin).map(Plugin::about)
    }

    /// The front of a tool's error codes: `PKGJSON`.
    pub(crate) fn prefix(&self, found: &Registered) -> &'static str {
        if matches!(found.tool.role, Role::Relay(_)) {
            return settings::UPSTREAM_CODE_PREFIX;
        }
        self.about_of(found.plugin).map_or("CUFF", |about| about.code_prefix)
    }

    /// Every plugin's id and every instance's name.
    pub fn names(&self) -> Vec<&str> {
        let plugins = self.context.plugins.iter().map(|plugin| plugin.about().id);
        each_once(plugins.chain(self.own_names()))
    }

    /// The MCP servers that the settings name and have switched on.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.upstreams.iter().filter(|upstream| upstream.enabled).map(|upstream| upstream.name.as_str())
    }

    /// The MCP servers of the settings that are switched on, and that no person has approved as they are.
    pub fn withheld_servers(&self) -> impl Iterator<Item = &str> {
        self.withheld_servers.iter().map(String::as_str)
    }

    /// The MCP servers of the settings and the files beside them, those that are switched off as well.
    pub fn upstreams(&self) -> &[Upstream] {
        &self.upstreams
    }

    /// The servers as their files have them, without the values of variables, each with the name of its file. An agent
    /// does not get those that are not open to agents.
    pub fn written_upstreams(&self) -> Vec<(String, Upstream)> {
        let bytes = self.settings_bytes.as_deref().unwrap_or_default();
        let own = settings::written_servers(bytes, &self.context.abouts()).into_iter();
        let name = self.settings_file().unwrap_or_default().to_owned();
        let own = own.map(|server| (name.clone(), server));
        let files = self.server_files.iter().flat_map(|file| {
            let written = file.written().into_iter();
            written.map(|server| (file.place.name.clone(), server))
        });
        let is_seen = |server: &Upstream| server.is_open_to_agents() || !self.caller.is_governed();
        own.chain(files).filter(|(_, server)| is_seen(server)).collect()
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

    pub(crate) fn place(&self) -> ProjectPlace<'_> {
        // A suggestion is no permission: only who wrote settings may have agreed to start a process for a list.
        let prober = self.settings.is_some().then_some(&*self.prober as &dyn Prober);
        ProjectPlace { prober, ..ProjectPlace::of(&self.root, &self.context.environment) }
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
