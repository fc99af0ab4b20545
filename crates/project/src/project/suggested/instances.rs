//! The instances that stand in for settings where there are none: what `cuff init` would write, without its `confirm`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::folder_survey::survey_folder;
use super::nested::{within, working_directory};
use super::offer::{Survey, names, offers};
use super::survey::survey_sources;
use super::{ChosenOffer, InstanceChoice};
use crate::model::{Files, PACKAGES, Pathname, Severity, Values, Want, listed, package_choice};
use crate::project::context::Context;
use crate::settings::{self, Instance};
use crate::sources::project::{ProjectPlace, workspace};
use crate::sys::files;

/// How many folders above are looked at for tools.
const HIGHEST: usize = 5;
/// How many files a hint names.
const MOST_NAMED: usize = 4;

/// The suggested settings that stand in for those of a project.
#[derive(Debug)]
pub(crate) struct SuggestedSettings {
    /// The folder that its directories are seen from.
    pub(crate) root: PathBuf,
    /// An instance for each source that was found, and for each that is there and cannot be read.
    pub(crate) instances: Vec<Instance>,
}

/// The suggestions for the working directory; `None` where nothing was found. `root` is the repository's root, which counts
/// unless a folder on the way to it is a project of its own: one with a source that no workspace above it knows. The root of
/// that workspace counts then.
pub(crate) fn suggested_settings(context: &Context, root: &Path) -> Option<SuggestedSettings> {
    let here = files::canonical(context.environment.directory());
    let root = files::canonical(root);
    let between = here.ancestors().take_while(|folder| *folder != root && folder.starts_with(&root));
    for folder in between {
        let surveys = surveyed(context, folder);
        if surveys.iter().any(|survey| is_own(context, survey)) {
            let mut above = folder.ancestors().skip(1).take_while(|above| above.starts_with(&root));
            let of_workspace = above.find_map(|above| in_workspace(context, above, folder, &surveys));
            return of_workspace.or_else(|| suggested(folder, &surveys));
        }
    }
    suggested(&root, &surveyed(context, &root))
}

/// Whether a source is one of the very folder that was looked at.
fn is_own(context: &Context, survey: &Survey) -> bool {
    survey.folder == "." && begins_with_file(context, survey)
}

/// The suggestions for a folder with these surveys as a package of a workspace; `None` where `root` has no workspace that it is in.
fn in_workspace(
    context: &Context,
    root: &Path,
    folder: &Path,
    surveys: &[Survey],
) -> Option<SuggestedSettings> {
    let way = folder.strip_prefix(root).unwrap_or(folder).to_string_lossy();
    let mut of_root = surveyed(context, root);
    let knowing = workspaces_with(context, root, &of_root, &way);
    if knowing.is_empty() {
        return None;
    }
    // It has sources beside those that the workspaces know.
    let others =
        surveys.iter().filter(|survey| is_own(context, survey) && !knowing.contains(&survey.about.id));
    let others: Vec<Survey> = others.filter_map(|survey| within(survey.clone(), &way)).collect();
    let is_new = |survey: &Survey| {
        of_root.iter().all(|known| (known.about.id, &known.folder) != (survey.about.id, &survey.folder))
    };
    let others: Vec<Survey> = others.into_iter().filter(is_new).collect();
    of_root.extend(others);
    let mut suggested = suggested(root, &of_root)?;
    for instance in &mut suggested.instances {
        if knowing.contains(&instance.plugin) && !instance.config.has(&PACKAGES) {
            let choice = package_choice(&[way.clone().into_owned()], &[]);
            instance.config = std::mem::take(&mut instance.config).with(&PACKAGES, choice);
        }
    }
    Some(suggested)
}

/// The plugins whose workspace at the root has a package in this folder.
fn workspaces_with(context: &Context, root: &Path, of_root: &[Survey], folder: &str) -> Vec<&'static str> {
    let place = ProjectPlace::of(root, &context.environment);
    let has = |survey: &&Survey| {
        let Some(suggestion) = survey.suggestion.as_ref().filter(|_| survey.folder == ".") else {
            return false;
        };
        let has_own = suggestion.members.iter().any(|member| member.folder == folder);
        let is_known = || {
            let plugin = context.plugin(survey.about.id).filter(|_| survey.about.config.contains(&PACKAGES));
            let members = plugin.map(|plugin| workspace(place, plugin, &Values::default()).0.members);
            members.into_iter().flatten().any(|member| member.folder == folder)
        };
        has_own || suggestion.members.is_empty() && is_known()
    };
    of_root.iter().filter(has).map(|survey| survey.about.id).collect()
}

/// The way to the nearest folder above that has files of tasks, with their names. Settings there would count.
pub(crate) fn nearest_above(context: &Context) -> Option<String> {
    let above = settings::way_up(&context.environment).into_iter().enumerate().skip(1);
    above.take(HIGHEST).find_map(|(steps, folder)| {
        let surveys = survey_folder(context, folder, &|_| true, &|_| ());
        let own = surveys.iter().filter(|survey| begins_with_file(context, survey));
        let found: Vec<&str> = own.map(|survey| survey.about.source).collect();
        let way = vec![".."; steps].join("/");
        let what = listed(&found, MOST_NAMED);
        (!found.is_empty()).then(|| format!("`cuff -C {way} list` shows the tools of {way}: {what}"))
    })
}

/// The sources of the project at `root` that the usual settings would have: their plugins, and the folders that they are in. Only
/// `wanted` ones are looked for, and none in folders that are `known`.
pub(crate) fn usual_sources(
    context: &Context,
    root: &Path,
    wanted: impl Fn(&str) -> bool,
    known: &HashSet<&str>,
) -> Vec<(&'static str, Pathname)> {
    let offers = offers(&survey_sources(context, root, &wanted, &|_| (), known));
    let usual = InstanceChoice::usual(&offers, |_| false);
    let usual = offers.iter().filter(|offer| usual.has(offer));
    usual.map(|offer| (offer.about.id, offer.folder.clone())).collect()
}

fn surveyed(context: &Context, folder: &Path) -> Vec<Survey> {
    survey_sources(context, folder, &|_| true, &|_| (), &HashSet::new())
}

/// Whether a source was found that is a file of this very folder, as package.json is, and no search through folders.
fn begins_with_file(context: &Context, survey: &Survey) -> bool {
    let plugin = context.plugin(survey.about.id).filter(|_| survey.suggestion.is_some());
    let wants = plugin.map_or_else(Vec::new, |plugin| plugin.wants(&Values::default(), &Files::default()));
    matches!(wants.first(), Some(Want::File(_)))
}

fn suggested(root: &Path, surveys: &[Survey]) -> Option<SuggestedSettings> {
    let offers = offers(surveys);
    let usual = InstanceChoice::usual(&offers, |_| false).instances.into_iter();
    let unconfirmed = usual.map(|chosen| ChosenOffer { confirmed: Vec::new(), ..chosen });
    let entries = InstanceChoice { instances: unconfirmed.collect() }.entries(&offers);
    let instances = entries.into_iter().map(|entry| Instance {
        name: entry.name,
        enabled: true,
        plugin: entry.about.id,
        config: Values::of(entry.config),
        workspace: None,
    });
    let is_broken = |survey: &Survey| survey.problems.iter().any(|found| found.severity == Severity::Error);
    let named = surveys.iter().zip(names(surveys)).filter(|(survey, _)| is_broken(survey));
    let broken = named.map(|(survey, name)| Instance {
        name,
        enabled: true,
        plugin: survey.about.id,
        config: match working_directory(&survey.about).filter(|_| survey.folder != ".") {
            Some(field) => Values::default().with(field, survey.folder.as_str().into()),
            None => Values::default(),
        },
        workspace: None,
    });
    let instances: Vec<Instance> = instances.chain(broken).collect();
    (!instances.is_empty()).then(|| SuggestedSettings { root: root.to_owned(), instances })
}
