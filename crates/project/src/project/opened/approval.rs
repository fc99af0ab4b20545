//! The settings that agents get: those that a person has approved, until a person approves the rest.

use crate::project::approval_status::ApprovalStatus;
use crate::project::open_error::not_known;
use crate::project::packages;
use crate::project::pins;
use crate::project::server_files;

use crate::ledger::Ledger;
use crate::model::{Caller, Role, shown};
use crate::policy;
use crate::project::open_error::OpenError;
use crate::project::opened::Project;
use crate::project::pins::SettingsPin;
use crate::project::project_settings::approval::APPROVE;
use crate::registry::Registered;
use crate::settings::{self, Difference, Effective, Settings, SettingsOrigin, Upstream, Withheld};
use crate::sources::project::{ProjectPlace, selects_more};

impl Project {
    /// Compares the settings with what was pinned, and gives agents what holds.
    ///
    /// # Errors
    /// When an agent asks and it is not known what a person has seen.
    pub(crate) fn settle(mut self, settings: Option<&Settings>, caller: Caller) -> Result<Self, OpenError> {
        match self.approval_status(settings) {
            Ok((standing, Effective { instances, selections, upstreams, runners, records, .. })) => {
                self.settings.approval_status = standing;
                // No server of a project starts unapproved, for any caller.
                let is_free = |one: &Upstream| one.origin == SettingsOrigin::Users || upstreams.contains(one);
                let is_shown =
                    |one: &Upstream| one.enabled && (one.is_open_to_agents() || !caller.is_governed());
                let withheld = self.settings.upstreams.iter().filter(|one| is_shown(one) && !is_free(one));
                self.settings.withheld_servers = withheld.map(|one| one.name.clone()).collect();
                let named = self.settings.upstreams.iter().filter(|one| one.enabled);
                self.settings.named_servers = named.map(|one| one.name.clone()).collect();
                self.settings.upstreams.retain(is_free);
                if caller.is_governed() {
                    self.settings.upstreams = upstreams;
                    self.settings.instances = instances;
                    self.settings.runners = runners;
                    self.settings.records = records;
                    self.settings.selections = selections;
                    self.settings.upstreams.retain(Upstream::is_open_to_agents);
                }
            }
            // The run around this one was judged by the pins, and the kernel holds it.
            Err(_) if self.context.is_contained() => {
                self.settings.upstreams.clear();
                self.settings.runners.clear();
                self.settings.records = None;
            }
            Err(error) if caller.is_governed() => return Err(error),
            Err(error) => {
                let unknown = Some(format!("{error}; {}", error.help().unwrap_or_default()));
                self.settings.approval_status = ApprovalStatus { unknown, ..ApprovalStatus::default() };
                self.settings.upstreams.clear();
            }
        }
        Ok(self)
    }

    /// How the settings and the files with MCP servers stand, and what of them agents have.
    fn approval_status(&self, settings: Option<&Settings>) -> Result<(ApprovalStatus, Effective), OpenError> {
        let ledger = self.authority.ledger.as_ref().ok_or(OpenError::NoPins)?;
        let of_settings = settings.map(|settings| self.standing_of(settings, ledger));
        let (mut standing, mut effective) = of_settings.transpose()?.unwrap_or_default();
        for file in &self.settings.server_files {
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
        let (before, servers, runners, records) = before.map_or_else(Default::default, |before| {
            (before.instances, before.upstreams, before.runners, before.records)
        });
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
        effective.admit_records(records.as_ref(), settings.records.as_ref());
        stricter |= approved.iter().any(|one| one.enabled && !effective.upstreams.contains(one));
        let unseen = !is_same && known.is_none();
        let pinned = Some(pinned);
        Ok((ApprovalStatus { pinned, agent_shell, stricter, unseen, ..ApprovalStatus::default() }, effective))
    }

    /// The reason why an agent does not get a tool that a person has; `None` if it has it as well.
    pub(crate) fn withheld_from_agents(&self, found: &Registered) -> Option<String> {
        if let Some(why) = &self.settings.approval_status.unknown {
            return Some(format!("are offered nothing: {why}"));
        }
        if self.settings.is_suggested() && !matches!(found.tool.role, Role::Relay(_)) {
            return Some("get nothing without settings; `cuff init` writes them".to_owned());
        }
        if self.settings.is_never_approved() {
            return Some(
                "get nothing before a person approves these settings; `cuff approve settings` shows them"
                    .to_owned(),
            );
        }
        // A change of a workspace that waits holds its packages back as well.
        let named =
            self.settings.instance(&found.name.instance).and_then(|instance| instance.workspace.as_ref());
        let named = named.unwrap_or(&found.name.instance);
        let waits = self.settings.approval_status.withheld.iter().find(|one| one.instance == *named);
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
