//! The answers of a project to the gate.

use std::path::Path;
use std::sync::LazyLock;

use crate::model::{CONFIRM, Caller, Patterns, Reach, Registered, Role, Seen, Spelling, Values};
use crate::policy::{self, ContentBinding, Looking, PolicyContext, TextApproval, Unbound};
use crate::project::opened::Project;
use crate::sources::Unbindable;
use crate::sys::containment::is_supported;

/// The settings of a tool that no settings name.
static NOTHING: LazyLock<Values> = LazyLock::new(Values::default);

impl PolicyContext for Project {
    fn root(&self) -> &Path {
        &self.settings.root
    }

    /// Patterns that cannot be read name every tool.
    fn confirms(&self, tool: &Registered) -> bool {
        if tool.tool.confirms {
            return true;
        }
        let of_all = self.authority.confirm.get_or_init(|| {
            let instances = self.settings.instances.iter().map(|instance| (&instance.name, &instance.config));
            let servers = self.settings.upstreams.iter().map(|server| (&server.name, &server.config));
            let of_each = instances.chain(servers);
            of_each.map(|(name, config)| (name.clone(), confirm_patterns(config))).collect()
        });
        // To make the names of a thousand tools takes a millisecond, and most settings have no pattern.
        of_all.get(&tool.name.instance).and_then(Option::as_ref).is_none_or(|patterns| {
            !patterns.is_empty() && tool.rule_names().iter().any(|name| patterns.matches(name))
        })
    }

    fn config(&self, tool: &Registered) -> &Values {
        self.settings.config(&tool.name.instance).unwrap_or(&NOTHING)
    }

    fn approval(&self, tool: &Registered) -> TextApproval {
        if tool.tool.role.definition().is_some() {
            return self.unreviewed(tool).map_or(TextApproval::Approved, TextApproval::Unreviewed);
        }
        match (self.settings.pins_text_of(tool), self.settings.is_text_unapproved(tool)) {
            (false, _) => TextApproval::NotAsked,
            (true, false) => TextApproval::Approved,
            (true, true) => TextApproval::Unapproved,
        }
    }

    fn reach(&self, tool: &Registered) -> Reach {
        self.context.plugin(tool.plugin).map_or(Reach::Declared, |plugin| plugin.reach(&tool.tool))
    }

    fn script(&self, path: &Path, limit: u64) -> Seen {
        self.context.files.file(path, limit)
    }

    fn runs_tools(&self, program: &str) -> bool {
        self.context.plugins.iter().any(|plugin| plugin.about().programs.contains(&program))
    }

    fn is_contained(&self, tool: &Registered) -> bool {
        let Role::Run { command, .. } = &tool.tool.role else { return false };
        let rules = self.containment(tool, command.profile);
        !rules.is_off() && !rules.network.is_open() && is_supported()
    }

    fn current<'a>(&'a self, tool: &'a Registered) -> Looking<'a, Option<Registered>> {
        Box::pin(async move {
            let registry = self.list_known().await;
            registry.named(&tool.name.to_string(), Spelling::Dotted).cloned()
        })
    }

    fn bind<'a>(&'a self, tool: &'a Registered) -> Looking<'a, Result<ContentBinding, Unbound>> {
        Box::pin(async move {
            let source = self.source(&tool.name.instance).ok_or(Unbound::Gone)?;
            match source.bind(&tool.tool).await {
                Ok(files) => Ok(ContentBinding::of(files)),
                Err(Unbindable::Gone) => Err(Unbound::Gone),
                Err(Unbindable::TooMuch(problem)) => Err(Unbound::TooMuch(problem)),
            }
        })
    }
}

impl Project {
    /// Whether a tool requires confirmation of the caller that this was opened for.
    pub fn asks_first(&self, found: &Registered) -> bool {
        policy::confirmation(found, self.settings.caller, self).is_some()
    }

    /// Why a tool requires confirmation where an agent calls it, in words; `None`: it does not.
    pub fn asks_for_agents(&self, found: &Registered) -> Option<String> {
        let because = policy::confirmation(found, Caller::Agent, self)?;
        Some(self.confirmed_by(found, because))
    }
}

/// The patterns of `confirm` in the config of an instance or a server; `None` where one of them cannot be read.
fn confirm_patterns(config: &Values) -> Option<Patterns> {
    let (patterns, bad) = Patterns::new(config.texts(&CONFIRM));
    bad.is_empty().then_some(patterns)
}
