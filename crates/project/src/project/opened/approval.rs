//! The settings that agents get: those that a person has approved, until a person approves the rest.

use crate::project::approval_status::{AgentsHave, ApprovalStatus};
use crate::project::open_error::not_known;
use crate::project::packages;
use crate::project::pins;
use crate::project::server_files;

use crate::ledger::Ledger;
use crate::model::{Caller, ErrorCode, Problem, Role, Severity, listed, shown};
use crate::policy;
use crate::project::open_error::OpenError;
use crate::project::opened::Project;
use crate::project::pins::SettingsPin;
use crate::registry::{Registered, Registry};
use crate::settings::{
    self, Difference, Effective, ServerFile, Settings, SettingsOrigin, Upstream, Withheld,
};
use crate::sources::project::{ProjectPlace, selects_more};

/// The help that tells a person how to approve a change.
pub(super) const APPROVE: &str =
    "a person runs `cuff approve settings` in a terminal, which shows the difference";
/// How many names a message lists before it stops.
pub(super) const MOST_NAMES: usize = 5;

impl Project {
    /// Compares the settings with what was pinned, and gives agents what holds.
    ///
    /// # Errors
    /// When an agent asks and it is not known what a person has seen.
    pub(crate) fn settle(mut self, settings: Option<&Settings>, caller: Caller) -> Result<Self, OpenError> {
        match self.approval_status(settings) {
            Ok((standing, Effective { instances, selections, upstreams, runners, .. })) => {
                self.approval_status = standing;
                // No server of a project starts unapproved, for any caller.
                let is_free = |one: &Upstream| one.origin == SettingsOrigin::Users || upstreams.contains(one);
                let is_shown =
                    |one: &Upstream| one.enabled && (one.is_open_to_agents() || !caller.is_governed());
                let withheld = self.upstreams.iter().filter(|one| is_shown(one) && !is_free(one));
                self.withheld_servers = withheld.map(|one| one.name.clone()).collect();
                let named = self.upstreams.iter().filter(|one| one.enabled);
                self.named_servers = named.map(|one| one.name.clone()).collect();
                self.upstreams.retain(is_free);
                if caller.is_governed() {
                    self.upstreams = upstreams;
                    self.instances = instances;
                    self.runners = runners;
                    self.selections = selections;
                    self.upstreams.retain(Upstream::is_open_to_agents);
                }
            }
            // The run around this one was judged by the pins, and the kernel holds it.
            Err(_) if self.context.is_contained() => {
                self.upstreams.clear();
                self.runners.clear();
            }
            Err(error) if caller.is_governed() => return Err(error),
            Err(error) => {
                let unknown = Some(format!("{error}; {}", error.help().unwrap_or_default()));
                self.approval_status = ApprovalStatus { unknown, ..ApprovalStatus::default() };
                self.upstreams.clear();
            }
        }
        Ok(self)
    }

    /// How the settings and the files with MCP servers stand, and what of them agents have.
    fn approval_status(&self, settings: Option<&Settings>) -> Result<(ApprovalStatus, Effective), OpenError> {
        let ledger = self.ledger.as_ref().ok_or(OpenError::NoPins)?;
        let of_settings = settings.map(|settings| self.standing_of(settings, ledger));
        let (mut standing, mut effective) = of_settings.transpose()?.unwrap_or_default();
        for file in &self.server_files {
            let approved = server_files::approved(&self.context, ledger, file);
            let approved = approved.map_err(|error| not_known(&error))?;
            effective.admit(&approved, &file.upstreams);
        }
        standing.withheld.clone_from(&effective.withheld);
        Ok((standing, effective))
    }

    /// How the settings stand, and what of them agents have.
    fn standing_of(
        &self,
        settings: &Settings,
        ledger: &Ledger,
    ) -> Result<(ApprovalStatus, Effective), OpenError> {
        let context = &self.context;
        let pinned = SettingsPin::of(
            ledger,
            (context.environment.directory(), &context.environment),
            Some(&settings.place),
        )
        .map_err(|error| not_known(&error))?;
        let known = pinned.text_of(&settings.place);
        let is_same = known.is_some_and(|text| {
            pins::say_the_same(context, &settings.place, text.as_bytes(), &settings.bytes)
        });
        let mut effective = Effective::default();
        let mut stricter = false;
        // Of another file nothing was pinned, so that all of this one is new.
        let before = known.map(|text| {
            if text.as_bytes() == &*settings.bytes {
                return settings.clone();
            }
            let (abouts, environment) = (context.abouts(), &context.environment);
            settings::read(&settings.place, text.as_bytes(), &abouts, environment).settings
        });
        let agent_shell = before
            .as_ref()
            .map_or(settings.agent_shell, |before| before.agent_shell.max(settings.agent_shell));
        let (before, servers, runners) = before
            .map_or_else(Default::default, |before| (before.instances, before.upstreams, before.runners));
        if is_same {
            effective.instances.clone_from(&settings.instances);
        } else {
            effective = settings::effective(&before, settings.instances.clone(), &context.abouts());
            effective.withhold_selections(|approved, current| {
                let root = &settings.place.root;
                context.plugin(approved.plugin).is_none_or(|plugin| {
                    selects_more(ProjectPlace::of(root, &context.environment), plugin, approved, current)
                        || packages::take_in_more(context, root, approved, current)
                })
            });
            stricter = effective.instances != before || !effective.selections.is_empty();
        }
        let approved = pinned.approved_servers(servers);
        effective.admit(&approved, &settings.upstreams);
        effective.admit_runners(&runners, &settings.runners);
        stricter |= approved.iter().any(|one| one.enabled && !effective.upstreams.contains(one));
        let unseen = !is_same && known.is_none();
        let pinned = Some(pinned);
        Ok((ApprovalStatus { pinned, agent_shell, stricter, unseen, ..ApprovalStatus::default() }, effective))
    }

    /// Whether there are settings, and no person has approved any here: agents have nothing of them.
    pub fn is_never_approved(&self) -> bool {
        let is_nothing = matches!(self.approval_status.pinned, Some(SettingsPin::Nothing));
        is_nothing && self.settings.is_some() && !self.approval_status.withheld.is_empty()
    }

    /// The instances of the settings of which agents have nothing, or not all, until a person approves.
    pub fn withheld_instances(&self) -> impl Iterator<Item = &str> {
        self.approval_status.withheld.iter().map(|one| &*one.instance)
    }

    /// Whether something here waits that nobody may ever have approved: the settings, or a server.
    pub fn waits_for_first_approval(&self) -> bool {
        self.is_never_approved() || !self.withheld_servers.is_empty()
    }

    /// Says so, with what a person does about it.
    pub(crate) fn never_approved(&self) -> Option<(String, String)> {
        if !self.is_never_approved() {
            return None;
        }
        let (files, root) = (shown(&self.withheld_in()), shown(&self.root.display().to_string()));
        let what = format!("no person has approved {files} in {root}, so agents have nothing of it");
        Some((what, format!("a person runs `cuff approve settings` in {root}, in a terminal")))
    }

    /// A problem for the parts of the settings that agents do not get, since nobody has approved them.
    pub fn withheld_settings(&self) -> Option<Problem> {
        if let Some((what, help)) = self.never_approved() {
            let problem = Problem::error(ErrorCode::Unapproved, what).help(help);
            return Some(Problem { severity: Severity::Warning, ..problem });
        }
        let withheld = &self.approval_status.withheld;
        let named = |differs: fn(&Difference) -> bool| {
            let names = withheld.iter().filter(|one| differs(&one.difference)).map(|one| &*one.instance);
            of_names(names)
        };
        let parts = [
            (named(|difference| *difference == Difference::New), "new and not offered"),
            (named(|difference| *difference == Difference::SwitchedOn), "switched on and not offered"),
            (
                named(|difference| *difference == Difference::Changed),
                "changed, and offered as far as it was approved",
            ),
            (named(|difference| *difference == Difference::ChangedServer), "changed and not offered"),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter_map(|(names, what)| Some(format!("{what}: {}", names?))).collect();
        let file = self.withheld_in();
        (!parts.is_empty()).then(|| {
            let what = format!("{file} is not what a person approved; {}", parts.join("; "));
            Problem { severity: Severity::Warning, ..Problem::error(ErrorCode::Unapproved, what) }
                .help(APPROVE)
        })
    }

    /// Whether the instance or MCP server of this name has something that no person has approved.
    pub fn is_withheld(&self, name: &str) -> bool {
        self.approval_status.withheld.iter().any(|one| one.instance == name)
    }

    /// The files that have something which no person has approved.
    fn withheld_in(&self) -> String {
        let of_file = |file: &ServerFile, withheld: &Withheld| {
            file.place.origin != SettingsOrigin::Users
                && file.upstreams.iter().any(|one| one.name == withheld.instance)
        };
        let withheld = &self.approval_status.withheld;
        let files = self.server_files.iter().filter(|file| withheld.iter().any(|one| of_file(file, one)));
        let mut files: Vec<&str> = files.map(|file| file.place.name.as_str()).collect();
        if withheld.iter().any(|one| !self.server_files.iter().any(|file| of_file(file, one))) {
            files.insert(0, self.settings_file().unwrap_or(settings::FILE_NAME));
        }
        files.join(" with ")
    }

    /// Explains how the agents' settings differ from the file, and what to do about it; `None` if they do
    /// not.
    ///
    /// Every face says it in these words.
    pub fn agents_have(&self) -> Option<AgentsHave> {
        let ApprovalStatus { withheld, stricter, unseen, unknown, .. } = &self.approval_status;
        let (what, remedy) = match unknown {
            Some(why) => {
                return Some(AgentsHave { what: format!("agents are offered nothing: {why}"), remedy: None });
            }
            None if !withheld.is_empty() && *unseen => {
                let what = "agents have nothing of these settings, which nobody has approved yet";
                let before = self.approval_status.pinned.as_ref().and_then(SettingsPin::file);
                let before = before.map(|file| {
                    format!(": those of {} counted here before", shown(&file.display().to_string()))
                });
                let what = format!("{what}{}", before.unwrap_or_default());
                return Some(AgentsHave { what, remedy: Some("`cuff approve settings` shows them") });
            }
            None if !withheld.is_empty() => (
                "agents still use the last approved settings",
                "`cuff approve settings` shows the difference",
            ),
            None if *stricter => (
                "agents use the current settings, which are stricter than the approved ones",
                "`cuff approve settings` makes that last",
            ),
            None => return None,
        };
        Some(AgentsHave { what: what.to_owned(), remedy: Some(remedy) })
    }

    /// Whether nobody has approved what a tool runs, where the settings want that.
    pub fn is_text_unapproved(&self, found: &Registered) -> bool {
        if found.tool.role.is_list() || !self.pins_text_of(found) {
            return false;
        }
        let pinned = self.approval_status.pinned.as_ref().and_then(SettingsPin::tools);
        let approved = pinned.and_then(|tools| tools.digest(&found.name.to_string()));
        found.tool.content.as_ref().is_none_or(|content| approved != Some(&*content.digest))
    }

    /// Whether the settings of a tool's instance let agents run only a text that a person approved.
    pub(crate) fn pins_text_of(&self, found: &Registered) -> bool {
        let mut instances = self.instances.iter().filter(|instance| instance.name == found.name.instance);
        instances.any(|instance| instance.config.pins_texts())
    }

    /// The loss to report if tools have texts that nobody has approved.
    pub(crate) fn lost_texts(&self, registry: &Registry) -> Option<String> {
        Some(format!("{}; {APPROVE}", self.unapproved_texts(registry)?))
    }

    pub(crate) fn unapproved_texts(&self, registry: &Registry) -> Option<String> {
        if !self.instances.iter().any(|instance| instance.config.pins_texts()) {
            return None;
        }
        let tools = registry.tools().iter().filter(|found| self.is_text_unapproved(found));
        let names: Vec<String> = tools.map(|found| found.name.to_string()).collect();
        let names = of_names(names.iter().map(String::as_str))?;
        Some(format!("refused, since no person has approved what they run now: {names}"))
    }

    /// The reason why an agent does not get a tool that a person has; `None` if it has it as well.
    pub(crate) fn withheld_from_agents(&self, found: &Registered) -> Option<String> {
        if let Some(why) = &self.approval_status.unknown {
            return Some(format!("are offered nothing: {why}"));
        }
        if self.is_suggested() && !matches!(found.tool.role, Role::Relay(_)) {
            return Some("get nothing without settings; `cuff init` writes them".to_owned());
        }
        if self.is_never_approved() {
            return Some(
                "get nothing before a person approves these settings; `cuff approve settings` shows them"
                    .to_owned(),
            );
        }
        // A change of a workspace that waits holds its packages back as well.
        let named = self.instance(&found.name.instance).and_then(|instance| instance.workspace.as_ref());
        let named = named.unwrap_or(&found.name.instance);
        let waits = self.approval_status.withheld.iter().find(|one| one.instance == *named);
        let settings =
            waits.map(|Withheld { instance, difference }| not_offered(&shown(instance), *difference));
        let is_offered = waits.is_none_or(|one| one.difference == Difference::Changed);
        let text = policy::unapproved_text(found, self).filter(|_| is_offered);
        let text = text.map(|refusal| format!("are refused it: {}", refusal.message));
        Some(format!("{}; {APPROVE}", text.or(settings)?))
    }
}

/// How the settings of an instance differ from those that a person has approved, for agents who want something of it.
pub(crate) fn not_offered(instance: &str, difference: Difference) -> String {
    match difference {
        Difference::New => {
            format!("`{instance}` is not offered: it is new in the settings, and nobody has approved it")
        }
        Difference::SwitchedOn => {
            format!(
                "`{instance}` is not offered: it was switched on in the settings, and nobody has approved that"
            )
        }
        Difference::Changed => format!("`{instance}` is offered as it was approved; it was changed since"),
        Difference::ChangedServer => {
            format!(
                "`{instance}` is not offered: it was changed in the settings, and nobody has approved that"
            )
        }
    }
}

/// The same for a tool that is not there.
pub(crate) fn not_there(instance: &str, difference: Difference) -> String {
    if difference == Difference::Changed {
        return format!(
            "`{instance}` does not offer it: the settings were changed, and hold for agents as they were approved"
        );
    }
    not_offered(instance, difference)
}

/// The first names, and how many more there are; `None` where there is none.
fn of_names<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = names.map(shown).collect();
    (!names.is_empty()).then(|| listed(&names, MOST_NAMES))
}
