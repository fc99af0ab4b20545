//! The registry: what is offered now.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::model::{Discovery, ErrorCode, Problem, Registered, Severity, shown};
use crate::project::opened::Project;
use crate::project::project_catalog::Current;
use crate::registry::{NoSuchTool, Registry, ReportedProblem};
use crate::settings::{Instance, SettingsOrigin, Upstream};
use crate::sources::project::{ProjectSource, SourceContext};
#[cfg(feature = "http")]
use crate::sources::upstream::oauth::Logins;
use crate::sources::upstream::{Connect, UpstreamContext, UpstreamHealth, UpstreamLimits, UpstreamSource};
use crate::sources::{Freshness, Source};
use crate::sys::Cache;

impl Project {
    /// The sources of the tools: one for each instance that is switched on.
    pub(crate) fn sources(&self) -> &[Arc<dyn Source>] {
        self.catalog.sources.get_or_init(|| {
            let prober = self.settings.place.is_some().then(|| Arc::clone(&self.catalog.prober) as _);
            let context = Arc::new(SourceContext {
                root: self.settings.root.clone(),
                environment: self.context.environment.clone(),
                prober,
                memory: Arc::clone(&self.catalog.memory),
            });
            let enabled = self.settings.instances.iter().filter(|instance| instance.enabled);
            let sources = enabled.filter_map(|instance| {
                let plugin = self.context.plugin(instance.plugin)?;
                let current = self.settings.selections.iter().find(|current| current.name == instance.name);
                let source = ProjectSource::new(plugin, instance.clone(), current, Arc::clone(&context));
                Some(Arc::new(source) as Arc<dyn Source>)
            });
            sources.chain(self.server_sources()).collect()
        })
    }

    /// The sources of the MCP servers that are switched on, connected to as the command wants.
    fn server_sources(&self) -> impl Iterator<Item = Arc<dyn Source>> {
        let environment = &self.context.environment;
        let context = |upstream: &Upstream, notices| UpstreamContext {
            notices,
            starter: Arc::clone(&self.catalog.starter) as _,
            clock: self.context.clock.clone(),
            cache: Cache::of(environment, "servers"),
            #[cfg(feature = "http")]
            logins: Logins::of(environment),
            connect: self.context.connect,
            limits: UpstreamLimits {
                connect: upstream.connect_timeout(),
                concurrency: upstream.concurrency(),
            },
        };
        let enabled = self.settings.upstreams.iter().filter(|upstream| upstream.enabled);
        self.catalog.servers.of(enabled, context).into_iter().map(|source| source as Arc<dyn Source>)
    }

    /// The connection of an MCP server that is switched on and approved.
    pub fn server(&self, name: &str) -> Option<Arc<UpstreamSource>> {
        // The sources bring it about.
        self.sources();
        self.catalog.servers.named(name)
    }

    /// The reason why the tools of an MCP server are not known, in words; `None` where they are, or there is no such server.
    pub fn why_unknown(&self, server: &str) -> Option<String> {
        let source = self.server(server).filter(|source| source.listing().is_none())?;
        let before = || source.last_failure().map(|failure| failure.reason);
        match source.health() {
            UpstreamHealth::Down { reason, .. } => Some(reason),
            UpstreamHealth::NotStarted | UpstreamHealth::Connecting => {
                Some(before().unwrap_or_else(|| "it has not answered yet".to_owned()))
            }
            UpstreamHealth::Connected { .. } => None,
        }
    }

    /// The source of an instance, unless it is switched off.
    pub(crate) fn source(&self, instance: &str) -> Option<&dyn Source> {
        self.sources().iter().find(|source| source.instance() == instance).map(|source| &**source)
    }

    /// Every tool that is offered now and every problem with the project's own files. It is the very same
    /// registry while the stamps of all that the sources looked at are the same.
    ///
    /// A list waits a moment for MCP servers whose tools nobody knows yet, and for them alone; others join when they are there.
    /// A runtime of tokio is needed only for that, and to probe. With nothing to wait for it is ready when it is first polled;
    /// otherwise no process is started before it is polled again.
    pub async fn list(&self) -> Arc<Registry> {
        self.sources();
        self.catalog.servers.settled(|server| self.is_unknown(server)).await;
        self.list_known().await
    }

    /// The same, for a command that ends with its answer: it connects to the servers whose tools nobody knows yet.
    pub async fn list_all(&self) -> Arc<Registry> {
        self.sources();
        self.catalog.servers.start(|server| self.is_unknown(server)).await;
        self.list().await
    }

    /// The MCP servers whose tools are not known yet, and that have not failed either.
    pub fn connecting_servers(&self) -> impl Iterator<Item = &str> {
        let is_late = |server: &UpstreamSource| {
            server.health() == UpstreamHealth::Connecting && self.is_unknown(server)
        };
        self.settings.servers().filter(move |name| self.server(name).is_some_and(|server| is_late(&server)))
    }

    /// Every tool that is known now: an MCP server that is still being connected to is not waited for.
    pub async fn list_known(&self) -> Arc<Registry> {
        self.listed(None).await
    }

    /// Every tool that is known now, for a call of one. The server that its name begins with is waited for where its tools
    /// are not known yet; no other one is. A name without its source waits as a list does.
    pub async fn list_for(&self, tool: &str) -> Arc<Registry> {
        let is_of = |name: &str| {
            let rest = tool.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || rest.starts_with("__"))
        };
        let servers: Vec<&str> = self.settings.servers().filter(|name| is_of(name)).collect();
        if servers.is_empty() && !self.sources().iter().any(|source| is_of(source.instance())) {
            return self.list().await;
        }
        self.list_of_servers(&servers).await
    }

    /// Every tool that is known now, once these servers have answered or failed, side by side, where their tools are not
    /// known yet.
    pub async fn list_of_servers(&self, names: &[&str]) -> Arc<Registry> {
        self.sources();
        let is_wanted = |server: &UpstreamSource| {
            names.contains(&server.upstream().name.as_str()) && self.is_unknown(server)
        };
        let has_waited = self.catalog.servers.connected(is_wanted).await;
        let registry = self.list_known().await;
        if has_waited && self.context.connect == Connect::WhenCalled {
            // A call may be in another runtime, which this connection does not live to see.
            self.catalog.close().await;
        }
        registry
    }

    /// Whether nobody knows the tools of a server. Agents get nothing of it before they are pinned.
    fn is_unknown(&self, server: &UpstreamSource) -> bool {
        let is_unpinned = || self.settings.caller.is_governed() && !self.is_pinned(&server.upstream().name);
        server.listing().is_none() || !server.is_live() && is_unpinned()
    }

    /// The registry for a person's call: where no tool has the name, with the one that a source has for it. For every
    /// other caller it is the registry itself.
    pub async fn list_with(&self, registry: Arc<Registry>, typed: &str) -> Arc<Registry> {
        let is_free = !self.at_terminal().is_governed() && !typed.is_empty();
        let is_unknown = || matches!(registry.find(typed, self.here()), Err(NoSuchTool::Unknown { .. }));
        if !is_free || !is_unknown() {
            return registry;
        }
        let view = self.context.view(&self.settings.root);
        for source in self.sources() {
            let within = typed.strip_prefix(source.instance()).and_then(|rest| rest.strip_prefix('.'));
            if let Some(tool) = source.by_name(within.unwrap_or(typed), &view).await {
                let (instance, plugin) = (source.instance(), source.plugin());
                return Arc::new(Registry::clone(&registry).with_tool(instance, plugin, tool));
            }
        }
        registry
    }

    /// The same, one instance of it read afresh.
    pub(crate) async fn listed_afresh(&self, instance: &str) -> Arc<Registry> {
        self.listed(Some(instance)).await
    }

    /// The list of what is known, one instance of it read afresh.
    async fn listed(&self, afresh: Option<&str>) -> Arc<Registry> {
        let (mut made_of, mut fresh) = (Vec::new(), Vec::new());
        let view = self.context.view(&self.settings.root);
        for source in self.sources() {
            let is_afresh = afresh == Some(source.instance());
            let how = if is_afresh { Freshness::Afresh } else { Freshness::Current };
            let before = source.snapshot();
            let begun = self.context.clock.instant();
            let discovery = source.refresh(how, &view).await;
            let again = before.is_some_and(|before| Arc::ptr_eq(&before, &discovery));
            let took = self.context.clock.instant() - begun;
            if let Some(about) = self.about_of(source.plugin()) {
                let metrics = self.context.metrics.instance(source.instance(), &about);
                metrics.extracted((!again).then_some(took));
            }
            crate::project::journal::log_extraction(self, source.instance(), &discovery, (took, again));
            if !again {
                fresh.push(source.instance());
            }
            made_of.push(discovery);
        }
        match self.catalog.current(&made_of) {
            Some(registry) => registry,
            None => self.registry_of(made_of, &fresh).await,
        }
    }

    async fn registry_of(&self, made_of: Vec<Arc<Discovery>>, fresh: &[&str]) -> Arc<Registry> {
        let generation = self.catalog.generations.fetch_add(1, Ordering::Relaxed) + 1;
        let of_sources = self.sources().iter().zip(&made_of);
        let discoveries = of_sources.map(|(source, discovery)| {
            (source.instance().to_owned(), source.plugin(), Arc::clone(discovery))
        });
        self.pin_seen_definitions();
        // The user's own settings are for all projects, and not every one has all sources.
        let is_users =
            self.settings.place.as_ref().is_some_and(|place| place.origin == SettingsOrigin::Users);
        let registry = Registry::new(discoveries)
            .with_workspaces(self.settings.workspaces())
            .without_problems(|problem| is_users && problem.fault == Some(ErrorCode::SourceNotFound));
        let registry = self.for_caller(registry).seen_from(self.here()).of_generation(generation);
        let unmatched = self.unmatched_patterns(&registry).await;
        let unreadable = registry.problems().iter().filter(|one| one.problem.severity == Severity::Error);
        for reported in unreadable.chain(&unmatched).filter(|one| fresh.contains(&&*one.instance)) {
            crate::project::journal::log_problem(self, &registry, reported);
        }
        let unreviewed = self.unreviewed_problems(&registry);
        for reported in unreviewed.iter().filter(|one| fresh.contains(&&*one.instance)) {
            crate::project::journal::log_problem(self, &registry, reported);
        }
        let withheld = self.settings.withheld_servers.iter().map(|name| withheld(name));
        let problems = unmatched.into_iter().chain(unreviewed).chain(withheld);
        let problems = problems.chain(self.settings.package_problems.iter().cloned());
        let registry = Arc::new(registry.with_problems(problems));
        self.count(&registry);
        self.note_losses(&registry);
        let current = Current { made_of, registry: Arc::clone(&registry) };
        *self.catalog.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(current);
        registry
    }

    fn count(&self, registry: &Registry) {
        let metrics = &self.context.metrics;
        let enabled = self.settings.instances.iter().filter(|instance| instance.enabled);
        let mut counts: HashMap<&str, (&Instance, usize)> =
            enabled.map(|instance| (&*instance.name, (instance, 0))).collect();
        for found in registry.tools().iter().filter(|found| !found.tool.role.is_list()) {
            if let Some((_, count)) = counts.get_mut(&*found.name.instance) {
                *count += 1;
            }
        }
        for (name, (instance, count)) in &counts {
            if let Some(about) = self.about_of(instance.plugin) {
                metrics.instance(name, &about).discovered(*count);
            }
        }
        metrics.listed(|name| counts.contains_key(name));
    }

    /// Every tool that is known at once. No probe is carried out, so answers of programs are the last ones,
    /// however old.
    pub fn recalled(&self) -> Registry {
        let view = self.context.view(&self.settings.root);
        let sources = self.sources().iter();
        self.for_caller(Registry::new(
            sources.map(|source| (source.instance().to_owned(), source.plugin(), source.recalled(&view))),
        ))
        .with_workspaces(self.settings.workspaces())
        .seen_from(self.here())
    }

    fn note_losses(&self, registry: &Registry) {
        let sources = registry.problems().iter().map(|found| &found.problem);
        let errors = sources.filter(|problem| problem.severity == Severity::Error || problem.is_of_pattern());
        let problems = errors.map(Problem::in_one_line).chain(self.settings.lost_texts(registry));
        let problems = problems.chain(self.lost_definitions(registry)).collect();
        *self.catalog.listing_problems.lock().unwrap_or_else(PoisonError::into_inner) = problems;
    }
}

/// The problem of a server that no person has approved.
fn withheld(server: &str) -> ReportedProblem {
    let message = format!("the MCP server {} waits for approval; it is not started", shown(server));
    let problem = Problem::warning(message).help("`cuff approve settings` shows it, and asks");
    ReportedProblem { instance: server.to_owned(), plugin: "mcp", problem }
}

/// The tools that a list tool lists: those of its instance that run, and of the packages of its workspace.
pub(crate) fn listed<'a>(registry: &'a Registry, instance: &'a str) -> impl Iterator<Item = &'a Registered> {
    let is_of_it = move |tool: &&Registered| registry.is_in_family(&tool.name.instance, instance);
    registry.tools().iter().filter(is_of_it).filter(|tool| !tool.tool.role.is_list())
}
