//! Messages about missing dependencies that something installs: after a failure, and for `cuff doctor`.

use std::path::{Component, Path, PathBuf};

use crate::model::{Caller, Ending, Installer, Missing, Registered};
use crate::project::{Project, ProjectSettings};
use crate::registry::Registry;
use crate::sources::project as discovery;

/// The help for a tool that failed because something is not installed.
pub(super) async fn after_failure(
    project: &Project,
    found: &Registered,
    ending: &Ending,
    caller: Caller,
) -> Option<String> {
    let has_failed = matches!(ending, Ending::Exited(code) if *code != 0);
    // Nothing is listed for a failure that has other causes.
    if !has_failed || missing(project, found, &[]).is_none() {
        return None;
    }
    let registry = project.list_known().await;
    let Missing { what, installer } = missing(project, found, registry.tools())?;
    let remedy = match installer {
        Installer::Tool(name) if caller.is_agents() => format!("call {name}"),
        other => for_people(&project.settings, &registry, &other),
    };
    Some(format!("{what}: {remedy}, then try again"))
}

/// Asks the plugin what must be installed before a tool can work. `offered` are the tools that may install
/// it.
pub(crate) fn missing(project: &Project, found: &Registered, offered: &[Registered]) -> Option<Missing> {
    let instance = project.settings.instances.iter().find(|instance| instance.name == found.name.instance)?;
    let plugin = project.context.plugin(found.plugin)?;
    discovery::install_hint(project.place(), plugin, &instance.config, &found.tool, offered)
}

/// The command that a person types to install it.
pub(crate) fn for_people(settings: &ProjectSettings, registry: &Registry, installer: &Installer) -> String {
    match installer {
        Installer::Tool(name) => format!("`cuff run {}`", registry.shown(name)),
        Installer::ByHand { line, directory } => match within_project(settings, directory).to_str() {
            Some("") | None => format!("`{line}`"),
            Some(folder) => format!("`{line}` in {folder}"),
        },
    }
}

/// A folder as it is called from the project's root, where it lies there.
fn within_project(settings: &ProjectSettings, folder: &Path) -> PathBuf {
    let folder = folder.strip_prefix(&settings.root).unwrap_or(folder);
    folder.components().filter(|part| *part != Component::CurDir).collect()
}
