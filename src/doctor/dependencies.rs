//! What package.json depends on, where nobody has installed it: a fresh clone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::managers::{self, manager};
use crate::engine::Check;
use crate::engine::Engine;
use crate::model::{Caller, Command, Ending, Role, listed};
use crate::registry::{Registered, Registry};
use crate::sys::files;

/// What lies in a folder, or above it, where its dependencies are installed. `.pnp.cjs` is yarn's.
const INSTALLED: &[&str] = &["node_modules", ".pnp.cjs", ".pnp.js"];
/// What of package.json names them.
const DEPENDENCIES: &[&str] = &["dependencies", "devDependencies", "optionalDependencies"];
/// The tools that install, the one that goes by a lock file first.
const INSTALLERS: &[&str] = &["ci", "install"];
/// How many instances a line names.
const MOST_NAMES: usize = 3;

impl Engine {
    /// What installs the dependencies of a script that failed, where none is installed.
    pub(crate) async fn installs(
        &self,
        found: &Registered,
        ending: &Ending,
        caller: Caller,
    ) -> Option<String> {
        let (manager, command) = script(found)?;
        let has_failed = matches!(ending, Ending::Exited(code) if *code != 0);
        if !has_failed || !self.lacks_dependencies(&command.directory) {
            return None;
        }
        let remedy = match self.installer(&*self.list().await, manager, &command.directory) {
            Ok(tool) if caller == Caller::Agent => format!("call {tool}"),
            Ok(tool) => format!("`cuff run {tool}`"),
            Err(by_hand) => by_hand,
        };
        Some(format!("nothing that package.json depends on is installed: {remedy}, then try again"))
    }

    /// A warning for each install that was left out.
    pub(crate) fn dependency_checks(&self, registry: &Registry) -> Vec<Check> {
        let (mut seen, mut lacking) = (BTreeSet::new(), BTreeMap::<String, Vec<&str>>::new());
        for found in registry.tools() {
            let Some((manager, command)) = script(found) else { continue };
            let instance = found.name.instance.as_str();
            if !seen.insert(instance) || !self.lacks_dependencies(&command.directory) {
                continue;
            }
            let installer = self.installer(registry, manager, &command.directory);
            let remedy = installer.map_or_else(|by_hand| by_hand, |tool| format!("`cuff run {tool}`"));
            lacking.entry(remedy).or_default().push(instance);
        }
        let check = |(remedy, instances): (String, Vec<&str>)| {
            let of = listed(&instances, MOST_NAMES);
            Check::warn(format!("{of}: nothing that package.json depends on is installed"), remedy)
        };
        lacking.into_iter().map(check).collect()
    }

    /// Whether a folder's package.json depends on packages, and none is installed there or above.
    fn lacks_dependencies(&self, folder: &Path) -> bool {
        let folder = self.root.join(folder);
        let Some(package) = managers::json(&folder.join("package.json")) else { return false };
        let names = DEPENDENCIES.iter().filter_map(|of| package.get(of)?.as_object());
        let is_there = |folder: &Path| INSTALLED.iter().any(|name| is_in(folder, name));
        names.flatten().next().is_some() && !folder.ancestors().any(is_there)
    }

    /// The tool that has a manager install for a folder.
    ///
    /// # Errors
    /// What is typed by hand, where there is none.
    fn installer(&self, registry: &Registry, by: &str, folder: &Path) -> Result<String, String> {
        let folder = self.within_project(folder);
        let place = |found: &Registered| {
            let installer = INSTALLERS.iter().position(|name| *name == found.name.local)?;
            let Role::Run { command, .. } = &found.tool.role else { return None };
            let its = self.within_project(&command.directory);
            let above = folder.ancestors().position(|above| above == its)?;
            let is_its = manager(found) == Some(by) && (above == 0 || self.is_workspace(&its));
            is_its.then_some((above, installer))
        };
        let tools = registry.tools().iter().filter_map(|found| Some((place(found)?, found)));
        let own = tools.min_by_key(|(place, _)| *place).map(|(_, found)| found.name.to_string());
        own.ok_or_else(|| match folder.to_str() {
            Some("") | None => format!("`{by} install`"),
            Some(folder) => format!("`{by} install` in {folder}"),
        })
    }

    /// Whether an install in a folder is one for packages below it.
    fn is_workspace(&self, folder: &Path) -> bool {
        let folder = self.root.join(folder);
        let package = managers::json(&folder.join("package.json"));
        package.is_some_and(|package| package.get("workspaces").is_some())
            || is_in(&folder, "pnpm-workspace.yaml")
    }

    /// A folder as it is called from the project's root, where it lies there.
    fn within_project(&self, folder: &Path) -> PathBuf {
        let folder = folder.strip_prefix(&self.root).unwrap_or(folder);
        folder.components().filter(|part| *part != Component::CurDir).collect()
    }
}

/// The package manager that runs a script of package.json, and how; `None` for anything else.
fn script(found: &Registered) -> Option<(&str, &Command)> {
    let manager = manager(found)?;
    match &found.tool.role {
        Role::Run { command, .. } if !INSTALLERS.contains(&&*found.name.local) => Some((manager, command)),
        _ => None,
    }
}

fn is_in(folder: &Path, name: &str) -> bool {
    files::look(&folder.join(name)).is_some()
}
