//! The packages of workspaces: an instance each, made of the one that settings have for the workspace.

mod name;

pub(crate) use name::of_members;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::model::{Files, Member, PackageChoice, Problem, Want};
use crate::project::context::Context;
use crate::registry::ReportedProblem;
use crate::settings::Instance;
use crate::sources::project::{ProjectPlace, ProjectView, selects_more, workspace};
use crate::sys::{Stamped, Stamps, files};

/// The instances of settings, and those of the packages that they take in.
#[derive(Debug, Default)]
pub(crate) struct ExpandedInstances {
    /// In the order of the settings, the packages of a workspace behind its root.
    pub(crate) instances: Vec<Instance>,
    /// Their selections of the current settings, where others were approved.
    pub(crate) selections: Vec<Instance>,
    /// The problems of the workspaces: parts that were left out, and why.
    pub(crate) problems: Vec<ReportedProblem>,
    /// While they hold, the packages are the same.
    pub(crate) stamps: Option<Stamps>,
}

/// Which workspaces take in their packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Workspaces {
    /// Those whose settings say so.
    AsSettingsSay,
    /// All; where settings do not say which packages, the usual ones.
    All,
}

/// Adds an instance for each package that settings take in. Where other settings were approved than are current, a package
/// must be taken in by both. One that settings name themselves stays as they have it. No package gets a `reserved` name: rules
/// of settings are found by names.
pub(crate) fn expanded(
    context: &Context,
    root: &Path,
    instances: &[Instance],
    selections: &[Instance],
    (workspaces, reserved): (Workspaces, &BTreeSet<String>),
) -> ExpandedInstances {
    let mut taken: BTreeSet<String> = instances.iter().map(|instance| instance.name.clone()).collect();
    taken.extend(context.abouts().iter().map(|about| about.id.to_owned()));
    taken.extend(reserved.iter().cloned());
    let named: Vec<(&'static str, PathBuf)> = instances
        .iter()
        .filter_map(|instance| Some((instance.plugin, first_file(context, root, instance)?)))
        .collect();
    let is_named = |package: &Instance| {
        let mut files = named.iter().filter(|(plugin, _)| *plugin == package.plugin).map(|(_, file)| file);
        // A package is not the folder of its workspace, and to look for it takes time in a large one.
        files.clone().count() > 1 && {
            let own = first_file(context, root, package);
            files.any(|file| Some(file) == own.as_ref())
        }
    };
    let mut expanded = ExpandedInstances::default();
    let view = context.view(root);
    for instance in instances {
        let selection = selections.iter().find(|selection| selection.name == instance.name);
        expanded.instances.push(instance.clone());
        expanded.selections.extend(selection.cloned());
        let taken_of = |instance| Taken::of(context, root, instance, workspaces, &view);
        let Some(approved) = taken_of(instance) else { continue };
        let current = selection.map(taken_of);
        let called = of_members(&approved.members, &taken);
        taken.extend(called.iter().cloned());
        for (name, member) in called.into_iter().zip(&approved.members) {
            let of = |member: &Member| Instance {
                name: name.clone(),
                enabled: true,
                plugin: instance.plugin,
                config: member.config.clone(),
                workspace: Some(instance.name.clone()),
            };
            let package = of(member);
            if !approved.choice.has(member) || is_named(&package) {
                continue;
            }
            if let Some(current) = &current {
                let Some(selected) = current.as_ref().and_then(|current| current.at(&member.folder)) else {
                    continue;
                };
                expanded.selections.push(of(selected));
            }
            expanded.instances.push(package);
        }
        expanded.problems.extend(approved.problems(instance));
        let stamps = expanded.stamps.get_or_insert_with(|| Stamps::since(view.began()));
        approved.stamped.into_iter().for_each(|stamped| stamps.add(stamped));
    }
    expanded
}

/// Whether the current settings of a workspace take in a package, or a script of one, that the approved ones do not.
pub(crate) fn take_in_more(context: &Context, root: &Path, approved: &Instance, current: &Instance) -> bool {
    let view = context.view(root);
    let taken = |instance| Taken::of(context, root, instance, Workspaces::AsSettingsSay, &view);
    let Some(current) = taken(current) else { return false };
    let Some(known) = taken(approved) else { return true };
    let Some(plugin) = context.plugin(approved.plugin) else { return true };
    let place = ProjectPlace { view: Some(&view), ..ProjectPlace::of(root, &context.environment) };
    let with = |member: &Member| Instance { config: member.config.clone(), ..approved.clone() };
    let mut taken = current.members.iter().filter(|member| current.choice.has(member));
    taken.any(|member| {
        let known = known.at(&member.folder);
        known.is_none_or(|known| selects_more(place, plugin, &with(known), &with(member)))
    })
}

/// The packages of one workspace, and the choice among them.
struct Taken {
    choice: PackageChoice,
    members: Vec<Member>,
    notes: Vec<String>,
    stamped: Vec<Arc<Stamped>>,
}

impl Taken {
    /// Those of an instance; `None` where it takes in none.
    fn of(
        context: &Context,
        root: &Path,
        instance: &Instance,
        workspaces: Workspaces,
        view: &ProjectView,
    ) -> Option<Self> {
        let usual = || (workspaces == Workspaces::All).then(PackageChoice::usual);
        let choice = PackageChoice::of(&instance.config).or_else(usual).filter(|_| instance.enabled)?;
        let plugin = context.plugin(instance.plugin)?;
        let place = ProjectPlace { view: Some(view), ..ProjectPlace::of(root, &context.environment) };
        let (workspace, stamped) = workspace(place, plugin, &instance.config);
        Some(Self { choice, members: workspace.members, notes: workspace.notes, stamped })
    }

    /// The package in a folder, where it is taken in.
    fn at(&self, folder: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.folder == folder && self.choice.has(member))
    }

    fn problems(&self, instance: &Instance) -> Vec<ReportedProblem> {
        let reported = |note: &String| ReportedProblem {
            instance: instance.name.clone(),
            plugin: instance.plugin,
            problem: Problem::warning(note.clone()),
        };
        self.notes.iter().map(reported).collect()
    }
}

/// The file that an instance reads first, without links.
fn first_file(context: &Context, root: &Path, instance: &Instance) -> Option<PathBuf> {
    let wants = context.plugin(instance.plugin)?.wants(&instance.config, &Files::default());
    match wants.into_iter().next()? {
        Want::File(file) => Some(files::canonical(&root.join(file))),
        _ => None,
    }
}
