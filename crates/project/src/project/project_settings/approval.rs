//! The standing of a project's settings with the people who approve them.

use crate::model::{ErrorCode, Problem, Severity, listed, shown};
use crate::project::approval_status::{AgentsHave, ApprovalStatus};
use crate::project::pins::SettingsPin;
use crate::project::project_settings::ProjectSettings;
use crate::registry::{Registered, Registry};
use crate::settings::{self, Difference, ServerFile, SettingsOrigin, Withheld};

/// The help that tells a person how to approve a change.
pub(crate) const APPROVE: &str =
    "a person runs `cuff approve settings` in a terminal, which shows the difference";
/// How many names a message lists before it stops.
pub(crate) const MOST_NAMES: usize = 5;

impl ProjectSettings {
    /// Whether there are settings, and no person has approved any here: agents have nothing of them.
    pub fn is_never_approved(&self) -> bool {
        let is_nothing = self.approval_status.pinned.as_ref().is_some_and(SettingsPin::is_nothing);
        is_nothing && self.place.is_some() && !self.approval_status.withheld.is_empty()
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
            files.insert(0, self.file().unwrap_or(settings::FILE_NAME));
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
                let before = self.approval_status.pinned.as_ref().and_then(SettingsPin::settings);
                let before = before.map(|(file, _)| {
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
}

/// The first names, and how many more there are; `None` where there is none.
fn of_names<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = names.map(shown).collect();
    (!names.is_empty()).then(|| listed(&names, MOST_NAMES))
}
