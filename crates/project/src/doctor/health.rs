//! Checks of settings, programs and stored files before they cause a failure.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{Check, Repair};
use super::programs::{self, commands};
use super::status;
use crate::calls::{self, install_hint};
use crate::model::{self, ErrorCode, Field, Role, Severity, Tool, ValueKind, gathered, listed, shown};
use crate::project::{Approvals, Context, OpenError, Project, secrets, suggested};
use crate::registry::{Registered, Registry, ReportedProblem};
use crate::settings::{self, Instance};
use crate::sources::project as discovery;
use crate::store::Store;
#[cfg(target_os = "linux")]
use crate::sys::containment;
use crate::sys::private::PrivateFolder;

/// Checks of this user's stored files, and of his preferences.
pub fn kept_checks(context: &Context) -> Vec<Check> {
    let mut checks = vec![store_check(context), containment_check()];
    checks.extend(ledger_checks(context));
    let file = settings::preferences_file(&context.environment);
    for complaint in calls::preference_problems(context) {
        let check = Check::of(&complaint);
        let is_open = complaint.message.contains("others may write it");
        checks.push(match &file {
            Some(file) if is_open => check.mended_by_closing(file.clone()),
            Some(_) | None => check,
        });
    }
    checks
}

/// What this kernel can hold agents' runs to.
#[cfg(target_os = "linux")]
fn containment_check() -> Check {
    let support = containment::support();
    if support.missing.is_empty() {
        let what = "runs of agents are contained: files by Landlock";
        return Check::pass(format!(
            "{what} {}, sockets and processes by judged system calls",
            support.landlock
        ));
    }
    Check::warn(
        format!("runs of agents are contained in part, without {}", support.missing.join("; ")),
        "a newer kernel holds it, or another container; `containment: {required: true}` refuses such runs",
    )
}

/// Nothing holds runs here.
#[cfg(not(target_os = "linux"))]
fn containment_check() -> Check {
    Check::warn("runs of agents are not contained: only Linux can", "run agents on Linux, or in a container")
}

fn store_check(context: &Context) -> Check {
    let Some(store) = Store::of(&context.environment) else {
        return Check::warn("no run is recorded: no variable says where", "set HOME or XDG_DATA_HOME");
    };
    let path = store.path();
    let runs = calls::all_runs(context).map(|runs| (runs.ids(), runs));
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
    let limits = calls::limits(&context.environment);
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

fn ledger_checks(context: &Context) -> Vec<Check> {
    let (Some(ledger), Some(approvals)) = (context.ledger(), Approvals::of(context)) else {
        let what = "nothing can be approved: no variable says where that is kept";
        return vec![Check::fail(what, "set HOME or XDG_STATE_HOME")];
    };
    let all = Approvals::all(&approvals);
    let bytes = status::kept_decisions(context).map_or(0, |kept| kept.bytes);
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

/// The check for an error of opening a project.
pub fn refused(error: &OpenError) -> Check {
    let first = match error {
        OpenError::Unusable { problems, .. } => problems.first().and_then(|first| first.help.clone()),
        _ => None,
    };
    let remedy: Vec<String> = first.into_iter().chain(error.help()).collect();
    Check::fail(error.to_string(), remedy.join("; "))
}

/// The settings, their sources, and the programs that tools need.
pub fn checks(project: &Project, registry: &Registry) -> Vec<Check> {
    let mut checks = vec![settings_check(project, registry)];
    checks.extend(project.settings.complaints.iter().map(|complaint| Check::of(&complaint.into())));
    // A missing program is reported once for all tools that need it.
    let others = registry.problems().iter().filter(|reported| {
        let ReportedProblem { instance, problem, .. } = reported;
        let is_reported = problem.severity == Severity::Warning
            && problem.fault == Some(ErrorCode::ProgramNotFound)
            && commands(registry, Some(instance)).next().is_some();
        !is_reported && !problem.is_note()
    });
    for of_one in registry.problems().chunk_by(|one, next| one.instance == next.instance) {
        let note = gathered(of_one.iter().map(|reported| &reported.problem));
        let named = of_one.first().zip(note);
        checks.extend(named.map(|(first, note)| Check::pass(format!("{}: {note}", first.instance))));
    }
    checks.extend(others.map(|reported| Check::of_instance(&reported.instance, &reported.problem)));
    checks.extend(irreversible_checks(project, registry));
    checks.extend(stale_entries(project));
    checks.extend(hidden_values(project));
    checks.extend(programs::program_checks(project, registry));
    checks.extend(source_checks(project, registry));
    checks.extend(dependency_checks(project, registry));
    checks
}

fn settings_check(project: &Project, registry: &Registry) -> Check {
    let file = project.settings.file.as_deref().unwrap_or(settings::FILE_NAME);
    let place = project.settings.place.as_ref().map(|place| place.file.clone());
    match (project.settings.fit_for_serving(), place) {
        (Err(error), Some(file)) => refused(&error).mended_by_closing(file),
        (Err(error), None) => refused(&error),
        (Ok(()), None) if project.settings.is_suggested() => {
            Check::pass(format!("cuff finds {}", counted(registry)))
        }
        (Ok(()), _) => Check::pass(format!("{file} offers {}", counted(registry))),
    }
}

/// Entries of a list of offered tools that add nothing.
fn stale_entries(project: &Project) -> Vec<Check> {
    let remedy = "correct it, or take it out of the settings";
    let enabled = project.settings.instances.iter().filter(|instance| instance.enabled);
    let of_instance = |instance: &Instance| {
        let check = |(key, entry): (&str, String)| {
            let what = format!("{}: `{key}` has `{entry}`, by which nothing is offered", instance.name);
            Check::warn(what, remedy)
        };
        barren_entries(project, instance).into_iter().map(check).collect::<Vec<_>>()
    };
    enabled.flat_map(of_instance).collect()
}

/// The entries of a list of offered tools that offer nothing by themselves.
fn barren_entries(project: &Project, instance: &Instance) -> Vec<(&'static str, String)> {
    let Some(plugin) = project.context.plugin(instance.plugin) else { return Vec::new() };
    let says_what = |field: &&Field| {
        matches!((field.kind, field.default), (ValueKind::TextList, model::Default::Required))
    };
    let mut barren = Vec::new();
    for field in plugin.about().config.iter().filter(says_what) {
        for entry in instance.config.texts(field) {
            let alone = instance.config.clone().with(field, serde_json::json!([entry]));
            let found = discovery::discover(project.place(), plugin, &alone);
            if !found.tools.iter().any(|tool| !tool.role.is_list()) {
                barren.push((field.name, entry.to_owned()));
            }
        }
    }
    barren
}

/// How many tools there are: those that run something, as everywhere, and those that only list them.
fn counted(registry: &Registry) -> String {
    let all = registry.tools().len();
    let runs = registry.tools().iter().filter(|found| !found.tool.role.is_list()).count();
    let tools = if runs == 1 { "1 tool".to_owned() } else { format!("{runs} tools") };
    match all - runs {
        0 => tools,
        1 => format!("{tools}, and 1 more that lists them"),
        lists => format!("{tools}, and {lists} more that list them"),
    }
}

/// A check for each instance with tools that look irreversible and require no confirmation.
fn irreversible_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    let mut of_instances: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let is_unguarded =
        |found: &&Registered| !found.tool.effects.read_only && project.asks_for_agents(found).is_none();
    for found in registry.tools().iter().filter(is_unguarded) {
        let Registered { name, tool, .. } = found;
        if let Some(because) = suggested::reason(&tool.original, tool.text.as_deref(), &tool.source) {
            let line = format!("{} ({because})", shown(&tool.original));
            of_instances.entry(&name.instance).or_default().push(line);
        }
    }
    let check = |(instance, tools): (&str, Vec<String>)| {
        let tools = tools.join(", ");
        Check::pass(format!(
            "{instance}: these tools look irreversible and `confirm` does not cover them: {tools}"
        ))
    };
    of_instances.into_iter().map(check).collect()
}

/// The number of values of `.env` files that are never shown.
fn hidden_values(project: &Project) -> Vec<Check> {
    let check = |(file, names): (String, Vec<String>)| {
        let values = model::counted(names.len() as u64, "value");
        Check::pass(format!("{file}: {values} never shown in output: {}", names.join(", ")))
    };
    secrets::hidden(&project.context.files, &project.settings.root).into_iter().map(check).collect()
}

/// The checks of each instance's sources, from its plugin.
fn source_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    let mut checks = Vec::new();
    for instance in project.settings.instances.iter().filter(|instance| instance.enabled) {
        let Some(plugin) = project.context.plugin(instance.plugin) else { continue };
        let tools: Vec<&Tool> = registry.of_instance(&instance.name).map(|found| &*found.tool).collect();
        let said = discovery::checks(project.place(), plugin, &instance.config, &tools);
        checks.extend(said.iter().map(|problem| Check::of_instance(&instance.name, problem)));
    }
    checks
}

/// A warning for each install of dependencies that was left out, as in a fresh clone.
fn dependency_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    /// How many instances a line names.
    const MOST_NAMES: usize = 3;
    let (mut seen, mut lacking) = (BTreeSet::new(), BTreeMap::<_, Vec<&str>>::new());
    for found in registry.tools() {
        // The tools of an instance share their sources, so the first one is enough.
        let instance = found.name.instance.as_str();
        if !matches!(found.tool.role, Role::Run { .. }) || !seen.insert(instance) {
            continue;
        }
        if let Some(missing) = install_hint::missing(project, found, registry.tools()) {
            let remedy = install_hint::for_people(&project.settings, registry, &missing.installer);
            lacking.entry((remedy, missing.what)).or_default().push(instance);
        }
    }
    let check = |((remedy, what), instances): ((String, String), Vec<&str>)| {
        Check::warn(format!("{}: {what}", listed(&instances, MOST_NAMES)), remedy)
    };
    lacking.into_iter().map(check).collect()
}
