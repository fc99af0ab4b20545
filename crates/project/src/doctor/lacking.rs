//! The part of a project that its settings lack.

use crate::project::{Project, usual_sources};
use crate::settings::SettingsOrigin;

/// The part of a project that its settings lack, and the command that adds it, in one line: the settings themselves, or
/// sources that they name nowhere, not even switched off.
pub fn lacking_settings(project: &Project) -> Option<String> {
    if project.settings.is_suggested() {
        return Some("no settings.yml yet, so agents get nothing; `cuff init` writes one".to_owned());
    }
    let place = project.settings.place.as_ref().filter(|place| place.origin == SettingsOrigin::Found)?;
    let names = project.settings.own_names();
    let missing = usual_sources(&project.context, &place.root, |id| !names.contains(&id));
    let here = project.context.environment.directory();
    let way = if place.root == here { String::new() } else { format!(" -C {}", place.root.display()) };
    let them = if missing.len() == 1 { "it" } else { "them" };
    let what = format!("also in this project, but not in {}: {}", place.name, missing.join(", "));
    (!missing.is_empty()).then(|| format!("{what}; `cuff{way} init --merge` adds {them}"))
}
