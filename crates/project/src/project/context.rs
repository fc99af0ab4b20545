//! The context that the binary hands to cuff, and the callers in it.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::execution;
use crate::ledger::Ledger;
use crate::metrics::Metrics;
use crate::model::{Caller, PluginInfo, listed};
use crate::plugin::Plugin;
use crate::settings;
use crate::sources::project::{ProjectView, SharedViews};
use crate::sources::upstream::Connect;
use crate::sys::journal::Journal;
use crate::sys::process::Supervisor;
use crate::sys::terminal::{self, TypedConsent};
use crate::sys::{Clock, Environment, KeptFiles, RunAncestry};
use crate::sys::{agents, containment};

/// How many kinds of files a help names.
const MOST_KINDS: usize = 8;

/// The context that the binary hands to cuff: everything that a test would want to replace.
#[derive(Debug, Clone)]
pub struct Context {
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
    /// When other MCP servers are connected to.
    pub connect: Connect,
    /// The files of settings, preferences, secrets and scripts, as they were read.
    pub files: Arc<KeptFiles>,
    /// The views that all parts of a command share which looks once; `None`: each part looks anew.
    pub views: Option<Arc<SharedViews>>,
}

impl Context {
    /// The identity cards of the plugins, in order.
    pub fn abouts(&self) -> Vec<PluginInfo> {
        self.plugins.iter().map(|plugin| plugin.about()).collect()
    }

    /// The help where nothing was found: the sources that the plugins look for, and what a person may write by hand.
    pub fn help_for_nothing(&self) -> String {
        let abouts = self.abouts();
        let mut kinds: Vec<&str> = abouts.iter().map(|about| about.looked_for).collect();
        kinds.retain(|kind| !kind.is_empty());
        let looked = format!(
            "cuff looks for {} kinds of files; add one, or name another folder with -C",
            listed(&kinds, MOST_KINDS)
        );
        // One example is enough: the first is the shortest way.
        let example = abouts.iter().map(|about| about.example).find(|example| !example.is_empty());
        let by_hand = |example: &str| {
            let lines = example.lines().map(|line| ["    ", line].concat());
            std::iter::once("or write settings.yml by hand:".to_owned()).chain(lines).collect::<Vec<_>>()
        };
        std::iter::once(looked).chain(example.into_iter().flat_map(by_hand)).collect::<Vec<_>>().join("\n")
    }

    /// The JSON Schema of settings.yml.
    pub fn schema(&self) -> Value {
        settings::schema(&self.abouts())
    }

    /// The same for a command that only looks, and ends: all its parts see a file as the first of them did.
    #[must_use]
    pub fn looking_once(self) -> Self {
        Self { views: Some(Arc::default()), ..self }
    }

    /// A view of a folder, to look at files by.
    pub(crate) fn view(&self, folder: &Path) -> Arc<ProjectView> {
        let now = self.clock.now();
        self.views.as_ref().map_or_else(|| ProjectView::since(now).into(), |views| views.of(folder, now))
    }

    /// The plugin of this id.
    pub fn plugin(&self, id: &str) -> Option<&'static dyn Plugin> {
        self.plugins.iter().copied().find(|plugin| plugin.about().id == id)
    }

    /// Where people's decisions are kept; `None` where the environment names no place.
    pub(crate) fn ledger(&self) -> Option<Ledger> {
        Ledger::of(&self.environment)
    }

    /// A person's yes by typing a command. It counts at a terminal, or where the user's own preferences let programs
    /// say it (`noninteractive_yes: true`). A process of a run and an agent's shell cannot say it.
    pub fn said_yes(&self) -> Option<TypedConsent> {
        if self.at_terminal() != Caller::Human {
            return None;
        }
        terminal::said(settings::preferences(&self.environment).noninteractive_yes)
    }

    /// The caller of commands that are typed in this environment.
    pub fn at_terminal(&self) -> Caller {
        match (self.environment.run_ancestry(), self.agent_marker()) {
            (RunAncestry::Outside, None) => Caller::Human,
            (RunAncestry::Outside, Some(_)) => Caller::Agent,
            (RunAncestry::HumanRun, None) => Caller::HumanRun,
            (RunAncestry::HumanRun | RunAncestry::Run, _) => Caller::Run,
        }
    }

    /// The caller of what comes over MCP to a server in this environment. A server inside a run serves nobody else.
    pub fn over_mcp(&self) -> Caller {
        match self.environment.run_ancestry() {
            RunAncestry::Outside => Caller::Agent,
            RunAncestry::HumanRun | RunAncestry::Run => Caller::Run,
        }
    }

    /// Why the rules for agents hold for what is typed here, in a sentence without a full stop; `None`: a person's do.
    pub fn why_governed(&self) -> Option<String> {
        let caller = Some(self.at_terminal()).filter(|caller| caller.is_governed())?;
        Some(match self.agent_marker() {
            Some(marker) => format!("an agent's rules hold here, since {marker} is set"),
            None if caller == Caller::Run => {
                "an agent's rules hold here: this is inside a run that no person at a terminal started"
                    .to_owned()
            }
            None => "an agent's rules hold here".to_owned(),
        })
    }

    /// Whether this is inside a contained run. Pins and records cannot be reached there, and the kernel holds what they would.
    pub fn is_contained(&self) -> bool {
        let is_outside = self.environment.run_ancestry() == RunAncestry::Outside;
        !is_outside && containment::holds_here(&execution::containment_probe(&self.environment))
    }

    /// The variable by which a coding agent marks its shells, where this is one.
    pub fn agent_marker(&self) -> Option<&'static str> {
        agents::marker(&self.environment)
    }
}
