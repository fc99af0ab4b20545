//! What is in the way, looked for before somebody stumbles over it: settings, programs, and what is kept.

use std::path::PathBuf;

use super::programs::commands;
use crate::calls::record;
use crate::engine::Approvals;
use crate::engine::Engine;
use crate::engine::OpenError;
use crate::engine::Surroundings;
use crate::model::{self, Fault, Field, Kind, Problem, Role, Severity, gathered};
use crate::registry::{Registry, Reported};
use crate::settings::{self, Instance};
use crate::sources::project as discovery;
use crate::sys::{files, private::PrivateFolder};

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// How it is.
    pub grade: Grade,
    /// What was found, in one sentence without a full stop.
    pub what: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// What cuff itself can do about it.
    pub repair: Option<Repair>,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// As it should be.
    Pass,
    /// Something is odd; things work.
    Warn,
    /// Something does not work.
    Fail,
}

/// What can be mended: nothing is lost by it but runs that are due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// Take from others the right to write this file.
    Close(PathBuf),
    /// Remove the runs that are due.
    Prune,
}

impl Check {
    /// As it should be.
    pub fn pass(what: impl Into<String>) -> Self {
        Self { grade: Grade::Pass, what: what.into(), remedy: None, repair: None }
    }

    /// Odd, with what to do.
    pub fn warn(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { grade: Grade::Warn, remedy: Some(remedy.into()), ..Self::pass(what) }
    }

    /// In the way, with what to do.
    pub fn fail(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { grade: Grade::Fail, ..Self::warn(what, remedy) }
    }

    /// The same, which cuff can mend.
    #[must_use]
    pub fn mended_by(self, repair: Repair) -> Self {
        Self { repair: Some(repair), ..self }
    }

    /// The same, of a file that others may write. What a link leads to may be anybody's: that is no matter of cuff's.
    fn mended_by_closing(self, file: PathBuf) -> Self {
        match files::link_target(&file) {
            Some(to) => {
                Self { remedy: Some(format!("a link leads to {0}: `chmod go-w {0}`", to.display())), ..self }
            }
            None => self.mended_by(Repair::Close(file)),
        }
    }

    fn of(problem: &Problem) -> Self {
        let grade = match problem.severity {
            Severity::Error => Grade::Fail,
            Severity::Warning => Grade::Warn,
            Severity::Info => Grade::Pass,
        };
        Self { grade, remedy: problem.help.clone(), ..Self::pass(problem.to_string()) }
    }
}

impl Surroundings {
    /// What is kept for this user, and what he prefers.
    pub fn kept_checks(&self) -> Vec<Check> {
        let mut checks = vec![self.store_check()];
        checks.extend(self.ledger_checks());
        let file = settings::preferences_file(&self.environment);
        for complaint in self.preference_complaints() {
            let check = Check::of(&complaint);
            let is_open = complaint.message.contains("others may write it");
            checks.push(match &file {
                Some(file) if is_open => check.mended_by_closing(file.clone()),
                Some(_) | None => check,
            });
        }
        checks
    }

    fn store_check(&self) -> Check {
        let Some(path) = record::place(&self.environment) else {
            return Check::warn("no run is recorded: no variable says where", "set HOME or XDG_DATA_HOME");
        };
        let runs = self.runs().map(|runs| (runs.ids(), runs));
        let (ids, runs) = match runs {
            Some((Ok(ids), runs)) => (ids, runs),
            Some((Err(error), _)) => {
                let remedy = format!("make {} a folder that only you can write", path.display());
                return Check::fail(format!("the runs cannot be read: {error}"), remedy);
            }
            None => return Check::pass("no run was recorded yet"),
        };
        let bytes = ids.iter().filter_map(|id| PrivateFolder::open(&path.join(id.to_string())).ok());
        let bytes: u64 = bytes.map(|folder| folder.bytes()).sum();
        let count = if ids.len() == 1 {
            "1 run of all projects takes".to_owned()
        } else {
            format!("{} runs of all projects take", ids.len())
        };
        let size = format!("{count} {} in {}", model::size(bytes), path.display());
        let unreadable = ids.iter().filter(|id| runs.run(**id).is_err()).count();
        let limits = self.limits();
        let age = u64::try_from(limits.age.as_millis()).unwrap_or(u64::MAX);
        let youngest = runs.now().saturating_sub(age);
        let is_due = bytes > limits.bytes || ids.iter().any(|id| id.milliseconds() < youngest);
        match (unreadable, is_due) {
            (0, false) => Check::pass(size),
            (0, true) => Check::warn(format!("{size}, more than you keep"), "`cuff runs prune` removes them")
                .mended_by(Repair::Prune),
            (some, _) => {
                let what = format!("{size}; {some} of them cannot be read");
                let remedy = "`cuff runs list` says which; a newer cuff may have written them";
                Check::warn(what, remedy).mended_by(Repair::Prune)
            }
        }
    }

    fn ledger_checks(&self) -> Vec<Check> {
        let (Some(ledger), Some(approvals)) = (self.ledger(), self.approvals()) else {
            let what = "nothing can be approved: no variable says where that is kept";
            return vec![Check::fail(what, "set HOME or XDG_STATE_HOME")];
        };
        let all = Approvals::all(&approvals);
        let bytes = self.kept_decisions().map_or(0, |kept| kept.bytes);
        let kept =
            format!("decisions of all projects take {} in {}", model::size(bytes), ledger.path().display());
        let read = match all {
            Ok(_) => Check::pass(kept),
            Err(error) => {
                let remedy = format!("make {} a folder that only you can write", ledger.path().display());
                Check::fail(format!("decisions cannot be read: {error}"), remedy)
            }
        };
        let aside = approvals.set_aside().into_iter().map(|file| {
            let what = format!("questions that could not be read were set aside as {}", file.display());
            Check::warn(what, "look at it, then remove it")
        });
        std::iter::once(read).chain(aside).collect()
    }
}

/// What an error of opening a project comes to.
pub fn refused(error: &OpenError) -> Check {
    let first = match error {
        OpenError::Unusable { problems, .. } => problems.first().and_then(|first| first.help.clone()),
        _ => None,
    };
    let remedy: Vec<String> = first.into_iter().chain(error.help()).collect();
    Check::fail(error.to_string(), remedy.join("; "))
}

impl Engine {
    /// The settings, their sources, and the programs that tools need.
    pub fn checks(&self, registry: &Registry) -> Vec<Check> {
        let mut checks = vec![self.settings_check(registry)];
        checks.extend(self.complaints.iter().map(|complaint| Check::of(&complaint.into())));
        // A program that is not there is told once for all that need it.
        let others = registry.problems().iter().filter(|reported| {
            let Reported { instance, problem, .. } = reported;
            let is_told = problem.severity == Severity::Warning
                && problem.fault == Some(Fault::ProgramNotFound)
                && commands(registry, Some(instance)).next().is_some();
            !is_told && !problem.is_note()
        });
        for of_one in registry.problems().chunk_by(|one, next| one.instance == next.instance) {
            let note = gathered(of_one.iter().map(|reported| &reported.problem));
            let named = of_one.first().zip(note);
            checks.extend(named.map(|(first, note)| Check::pass(format!("{}: {note}", first.instance))));
        }
        checks.extend(others.map(|reported| {
            let check = Check::of(&reported.problem);
            Check { what: format!("{}: {}", reported.instance, check.what), ..check }
        }));
        checks.extend(self.irreversible_checks(registry));
        checks.extend(self.stale_entries());
        checks.extend(self.hidden_values());
        checks.extend(self.program_checks(registry));
        checks.extend(self.manager_checks(registry));
        checks.extend(self.dependency_checks(registry));
        checks
    }

    fn settings_check(&self, registry: &Registry) -> Check {
        let file = self.file.as_deref().unwrap_or(settings::FILE_NAME);
        let place = self.settings.as_ref().map(|place| place.file.clone());
        match (self.fit_for_serving(), place) {
            (Err(error), Some(file)) => refused(&error).mended_by_closing(file),
            (Err(error), None) => refused(&error),
            (Ok(()), _) => Check::pass(format!("{file} offers {}", counted(registry))),
        }
    }

    /// Entries of a list of what is offered that add nothing.
    fn stale_entries(&self) -> Vec<Check> {
        let remedy = "correct it, or take it out of the settings";
        let enabled = self.instances.iter().filter(|instance| instance.enabled);
        let of_instance = |instance: &Instance| {
            let check = |(key, entry): (&str, String)| {
                let what = format!("{}: `{key}` has `{entry}`, by which nothing is offered", instance.name);
                Check::warn(what, remedy)
            };
            self.barren_entries(instance).into_iter().map(check).collect::<Vec<_>>()
        };
        enabled.flat_map(of_instance).collect()
    }

    /// Of a list that says what is offered, the entries that offer nothing by themselves.
    fn barren_entries(&self, instance: &Instance) -> Vec<(&'static str, String)> {
        let Some(plugin) = self.surroundings.plugin(instance.plugin) else { return Vec::new() };
        let says_what = |field: &&Field| {
            matches!((field.kind, field.default), (Kind::TextList, model::Default::Required))
        };
        let mut barren = Vec::new();
        for field in plugin.about().config.iter().filter(says_what) {
            for entry in instance.config.texts(field) {
                let alone = instance.config.clone().with(field, serde_json::json!([entry]));
                let found = discovery::discover(self.place(), plugin, &alone);
                if !found.tools.iter().any(|tool| matches!(tool.role, Role::Run { .. })) {
                    barren.push((field.name, entry.to_owned()));
                }
            }
        }
        barren
    }
}

/// How many tools there are: those that run something, as everywhere, and those that only list them.
fn counted(registry: &Registry) -> String {
    let (runs, all) = (commands(registry, None).count(), registry.tools().len());
    let tools = if runs == 1 { "1 tool".to_owned() } else { format!("{runs} tools") };
    match all - runs {
        0 => tools,
        1 => format!("{tools}, and 1 more that lists them"),
        lists => format!("{tools}, and {lists} more that list them"),
    }
}
