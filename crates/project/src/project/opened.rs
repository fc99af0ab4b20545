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

use std::path::Path;
use std::sync::PoisonError;

use super::context::Context;
use super::project_authority::ProjectAuthority;
use super::project_catalog::ProjectCatalog;
use super::project_settings::{ProjectSettings, each_once};
use super::secrets::{self};
use crate::execution::RunHost;
use crate::model::{Caller, Change, Origin, PluginInfo, Problem, Registered, Role, Severity};
use crate::plugin::Plugin;
use crate::redact::Secrets;
use crate::settings::{self, ServerTransport, Upstream};
use crate::sources::project::{Prober, ProjectPlace};
use crate::store::Store;
use crate::sys::process::ExpectedRuns;
use crate::sys::terminal::TypedConsent;

/// A project that was opened.
#[derive(Debug)]
pub struct Project {
    /// Clock, environment and the rest that the binary brings.
    pub context: Context,
    /// The settings, as its caller has them.
    pub settings: ProjectSettings,
    /// The tools under these settings.
    pub catalog: ProjectCatalog,
    /// The decisions of people that its calls stand on.
    pub authority: ProjectAuthority,
    /// The start of its runs, and their records.
    pub runs: ProjectRuns,
}

/// The start of a project's runs, and their records.
#[derive(Debug)]
pub struct ProjectRuns {
    pub(crate) host: RunHost,
    /// Where runs are recorded; `None` where the environment names no place.
    pub store: Option<Store>,
}

impl Project {
    /// Makes its runs cheaper to start from now on. To be called before this process has threads.
    pub fn prepare_runs(&self, expected: ExpectedRuns) {
        self.runs.host.supervisor.prepare(expected);
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

    /// The secrets that must be hidden in what a process prints that is started with these changes.
    pub fn secrets_of(&self, changes: &[Change]) -> Secrets {
        let Context { environment, files, .. } = &self.context;
        self.authority.kept_secrets.of(secrets::pairs_of_run(
            files,
            &self.settings.root,
            environment,
            changes,
        ))
    }

    /// The secrets that a server could answer with: those of a run, and those in its own variables and headers.
    pub fn secrets_of_server(&self, server: &str) -> Secrets {
        let upstream = self.settings.upstream(server);
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

    /// The time of day in milliseconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.context.clock.milliseconds()
    }

    /// The folder that somebody is in, from the root; `None` outside of it.
    pub fn here(&self) -> Option<&Path> {
        self.context.environment.directory().strip_prefix(&self.settings.root).ok()
    }

    /// Everything that takes tools away, each in one line: what is wrong with the settings, and with the sources as
    /// they were last listed.
    pub fn agent_problems(&self) -> Vec<String> {
        let settings =
            self.settings.complaints.iter().filter(|complaint| complaint.severity == Severity::Error);
        let mut problems: Vec<String> = self.catalog.stale_settings().into_iter().collect();
        problems.extend(settings.map(|complaint| Problem::from(complaint).in_one_line()));
        problems.extend(self.settings.withheld_settings().as_ref().map(Problem::in_one_line));
        problems.extend(
            self.catalog.listing_problems.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned(),
        );
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
        each_once(plugins.chain(self.settings.own_names()))
    }

    /// The servers as their files have them, without the values of variables, each with the name of its file. An agent
    /// does not get those that are not open to agents.
    pub fn written_upstreams(&self) -> Vec<(String, Upstream)> {
        let bytes = self.settings.bytes.as_deref().unwrap_or_default();
        let own = settings::written_servers(bytes, &self.context.abouts()).into_iter();
        let name = self.settings.file().unwrap_or_default().to_owned();
        let own = own.map(|server| (name.clone(), server));
        let files = self.settings.server_files.iter().flat_map(|file| {
            let written = file.written().into_iter();
            written.map(|server| (file.place.name.clone(), server))
        });
        let is_seen = |server: &Upstream| server.is_open_to_agents() || !self.settings.caller.is_governed();
        own.chain(files).filter(|(_, server)| is_seen(server)).collect()
    }

    pub(crate) fn place(&self) -> ProjectPlace<'_> {
        // A suggestion is no permission: only who wrote settings may have agreed to start a process for a list.
        let prober = self.settings.place.is_some().then_some(&*self.catalog.prober as &dyn Prober);
        ProjectPlace { prober, ..ProjectPlace::of(&self.settings.root, &self.context.environment) }
    }
}
