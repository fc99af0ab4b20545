//! What package.json depends on, where nobody has installed it: a fresh clone.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use super::Engine;
use super::managers::{self, manager};
use crate::model::{Caller, Ending, NotStarted, PackageManager, Role};
use crate::registry::{Registered, Registry};
use crate::sys::files;

/// What lies in a folder, or above it, where its dependencies are installed. `.pnp.cjs` is yarn's.
const INSTALLED: &[&str] = &["node_modules", ".pnp.cjs", ".pnp.js"];
/// What a shell ends with where a program is not there.
const NOT_FOUND: i32 = 127;
/// The tools that install, the one that goes by a lock file first.
const INSTALLERS: &[&str] = &["ci", "install"];

impl Engine {
    /// What to do about how a run ended. `if_missing` is the plugin's own advice where the program is not there.
    pub(super) async fn advice(
        &self,
        found: &Registered,
        folder: &Path,
        ending: &Ending,
        (if_missing, caller): (Option<String>, Caller),
    ) -> Option<String> {
        let (is_failure, own) = match ending {
            Ending::NotStarted(NotStarted::ProgramMissing { program, .. }) => {
                (self.uninstalled(folder).is_some_and(|names| names.contains(program)), if_missing)
            }
            Ending::NotStarted(_) => (false, if_missing),
            Ending::Exited(NOT_FOUND) => (true, None),
            Ending::Exited(code) => (*code != 0 && manager(found).is_some(), None),
            _ => (false, None),
        };
        if !is_failure || is_installer(found) || self.uninstalled(folder).is_none() {
            return own;
        }
        let registry = self.list().await;
        let remedy = self.installer(&registry, folder, caller == Caller::Agent);
        Some(format!("nothing that package.json depends on is installed: {remedy}, then try again"))
    }

    /// The packages that a folder's package.json depends on, where none of them is installed, there or above.
    pub(super) fn uninstalled(&self, folder: &Path) -> Option<HashSet<String>> {
        let folder = self.root.join(folder);
        let package = managers::json(&folder.join("package.json"))?;
        let named =
            ["dependencies", "devDependencies"].into_iter().filter_map(|of| package.get(of)?.as_object());
        let named: HashSet<String> = named.flat_map(|named| named.keys().cloned()).collect();
        let is_there = |folder: &Path| INSTALLED.iter().any(|name| files::look(&folder.join(name)).is_some());
        (!named.is_empty() && !folder.ancestors().any(is_there)).then_some(named)
    }

    /// What installs the dependencies of a folder: the tool for it, there or above, or else the manager by hand.
    pub(super) fn installer(&self, registry: &Registry, folder: &Path, for_agent: bool) -> String {
        let folder = plain(folder);
        let place = |found: &&Registered| {
            let installer = INSTALLERS.iter().position(|name| *name == found.name.local)?;
            manager(found)?;
            let its = directory(found)?;
            let above = folder.ancestors().position(|above| above == its)?;
            Some((above, installer))
        };
        let tools = registry.tools().iter().filter_map(|found| Some((place(&found)?, found)));
        match tools.min_by_key(|(place, _)| *place) {
            Some((_, found)) if for_agent => format!("call {}", found.name),
            Some((_, found)) => format!("`cuff run {}`", found.name),
            None => format!("`{} install`", self.manager_of(registry, &folder)),
        }
    }

    /// The manager that runs the scripts of a folder, or that its lock file is of.
    fn manager_of<'r>(&self, registry: &'r Registry, folder: &Path) -> &'r str {
        let is_here = |found: &&Registered| directory(found).is_some_and(|its| its == folder);
        let own = registry.tools().iter().filter(is_here).find_map(manager);
        own.or_else(|| managers::of_lock(&self.root.join(folder)).map(PackageManager::program))
            .unwrap_or("npm")
    }
}

/// Whether a tool is a package manager's own, that installs.
fn is_installer(found: &Registered) -> bool {
    manager(found).is_some() && INSTALLERS.contains(&&*found.name.local)
}

/// The folder that a tool runs in.
fn directory(found: &Registered) -> Option<PathBuf> {
    match &found.tool.role {
        Role::Run { command, .. } => Some(plain(&command.directory)),
        Role::List(_) => None,
    }
}

/// A folder without `.` in it.
fn plain(folder: &Path) -> PathBuf {
    folder.components().filter(|part| *part != Component::CurDir).collect()
}
