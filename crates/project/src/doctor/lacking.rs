//! The part of a project that its settings lack.

use std::collections::HashSet;

use crate::model::{PACKAGES, Pathname, path, shown};
use crate::project::Project;
use crate::project::suggested::{usual_sources, working_directory};
use crate::settings::{Instance, SettingsOrigin};

/// The part of a project that its settings lack, and the command that adds it, in one line: the settings themselves, or
/// sources that they name nowhere, not even switched off.
pub fn lacking_settings(project: &Project) -> Option<String> {
    if project.settings.is_suggested() {
        return Some("no settings.yml yet, so agents get nothing; `cuff init` writes one".to_owned());
    }
    let place = project.settings.place.as_ref().filter(|place| place.origin == SettingsOrigin::Found)?;
    let names = project.settings.own_names();
    let of_plugin = |id: &str| {
        let id = id.to_owned();
        project.settings.instances.iter().filter(move |instance| instance.plugin == id)
    };
    // One whose packages settings do not take in may have none, and then be about its own folder alone.
    let may_have_more = |id: &str| {
        let has_packages = of_plugin(id).any(|instance| instance.config.has(&PACKAGES));
        !has_packages && project.about_of(id).is_some_and(|about| !about.speaks_for_below)
    };
    let wanted = |id: &str| !names.contains(&id) || may_have_more(id);
    let members = project.settings.instances.iter().filter(|instance| instance.workspace.is_some());
    let members: Vec<String> = members.filter_map(|instance| folder(project, instance)).collect();
    let members: HashSet<&str> = members.iter().map(String::as_str).collect();
    let is_in = |instance: &Instance, wanted: &str| folder(project, instance).as_deref() == Some(wanted);
    let is_missing = |(plugin, folder): &(&'static str, Pathname)| match folder.as_str() {
        "." => !names.contains(plugin),
        folder => !of_plugin(plugin).any(|instance| is_in(instance, folder)),
    };
    let mut missing: Vec<String> = Vec::new();
    for (plugin, folder) in
        usual_sources(&project.context, &place.root, wanted, &members).into_iter().filter(is_missing)
    {
        let source =
            if folder == "." { plugin.to_owned() } else { format!("{plugin} in {}", shown(&folder)) };
        if !missing.contains(&source) {
            missing.push(source);
        }
    }
    let here = project.context.environment.directory();
    let way = if place.root == here { String::new() } else { format!(" -C {}", place.root.display()) };
    let them = if missing.len() == 1 { "it" } else { "them" };
    let what = format!("also in this project, but not in {}: {}", place.name, missing.join(", "));
    (!missing.is_empty()).then(|| format!("{what}; `cuff{way} init --merge` adds {them}"))
}

/// The folder of an instance's source, from the project's root.
fn folder(project: &Project, instance: &Instance) -> Option<Pathname> {
    let key = working_directory(&project.about_of(instance.plugin)?)?;
    Some(path::join(".", instance.config.text(key)))
}
