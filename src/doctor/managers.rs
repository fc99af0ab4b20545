//! Package managers: the one that runs scripts, beside the one that package.json asks for, what is installed, and lock files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::engine::Check;
use crate::engine::Engine;
use crate::model::{Command, PackageManager, Role, Seen};
use crate::registry::{Registered, Registry};
use crate::sys::{files, look, programs};

/// The largest package.json that is read, in bytes.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Where a manager runs scripts: the folder, the manager, and the instance that says so.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Use<'r> {
    folder: PathBuf,
    manager: &'r str,
    instance: &'r str,
}

impl Engine {
    /// Whether the managers that run scripts are those that the project is made for.
    pub(crate) fn manager_checks(&self, registry: &Registry) -> Vec<Check> {
        let mut uses: BTreeSet<Use<'_>> = BTreeSet::new();
        let mut checks = Vec::new();
        for tool in registry.tools() {
            let Role::Run { command, .. } = &tool.tool.role else { continue };
            let Some(manager) = manager(tool) else { continue };
            let folder = self.root.join(&command.directory);
            let here = Use { folder, manager, instance: &tool.name.instance };
            if uses.contains(&here) {
                continue;
            }
            checks.extend(self.asked_for(&here, command));
            checks.extend(locks(&here));
            uses.insert(here);
        }
        checks
    }

    /// What `packageManager` of package.json asks for, beside the manager that runs the scripts and its version.
    fn asked_for(&self, here: &Use<'_>, command: &Command) -> Option<Check> {
        let Use { folder, manager, instance } = here;
        let package = json(&folder.join("package.json"))?;
        let asked = package.get("packageManager")?.as_str()?;
        let (name, version) = asked.split_once('@').unwrap_or((asked, ""));
        // Behind a plus sign stands the hash of what is downloaded.
        let version = version.split('+').next().unwrap_or_default();
        if name != *manager {
            let what = format!("{instance}: package.json asks for {name}, and {manager} runs the scripts");
            let remedy = format!("say `package_manager: {name}` in the settings, or change `packageManager`");
            return Some(Check::warn(what, remedy));
        }
        let path = programs::search_path(command, &self.surroundings.environment);
        let found = programs::find(&command.program.text, path, folder)?;
        match installed(&found, manager)? {
            Installed::Shim => Some(Check::pass(format!("{instance}: corepack brings {name} {version}"))),
            Installed::Version(there) if there == version => {
                Some(Check::pass(format!("{instance}: {name} {there} is the one that package.json asks for")))
            }
            Installed::Version(there) => {
                let what =
                    format!("{instance}: package.json asks for {name} {version}, and {there} is installed");
                let remedy = format!(
                    "`corepack enable {name}` brings the one that is asked for; or change `packageManager`"
                );
                Some(Check::warn(what, remedy)).filter(|_| !version.is_empty())
            }
        }
    }
}

/// The package manager that runs a tool, where one does.
pub(crate) fn manager(found: &Registered) -> Option<&str> {
    let said = found.tool.metadata.iter().find(|(key, _)| *key == "package_manager");
    said.map(|(_, manager)| manager.as_str())
}

/// What lies behind the program of a manager.
enum Installed {
    /// A version of it.
    Version(String),
    /// A program that brings whatever a project asks for.
    Shim,
}

/// The package that a program is of, as its package.json says: nothing is run for it. `None` where it is of none.
fn installed(program: &Path, manager: &str) -> Option<Installed> {
    let program = files::canonical(program);
    let package =
        program.ancestors().skip(1).take(4).find_map(|folder| json(&folder.join("package.json")))?;
    let name = package.get("name")?.as_str()?;
    if name == "corepack" {
        return Some(Installed::Shim);
    }
    let is_its = name.rsplit('/').next().is_some_and(|last| last.starts_with(manager));
    let version = package.get("version")?.as_str()?;
    is_its.then(|| Installed::Version(version.to_owned()))
}

/// A file of JSON, where there is one that can be read.
pub(crate) fn json(file: &Path) -> Option<Value> {
    match look::file(file, LARGEST) {
        Seen::File(file) => serde_json::from_slice(&file.bytes).ok(),
        Seen::Missing | Seen::Unreadable(_) => None,
    }
}

/// The lock file of a manager that lies in a folder.
fn lock(folder: &Path, manager: PackageManager) -> Option<&'static str> {
    manager.lock_files().iter().copied().find(|name| files::look(&folder.join(name)).is_some())
}

/// Lock files of another manager than the one that runs the scripts.
fn locks(Use { folder, manager, instance }: &Use<'_>) -> Vec<Check> {
    let Some(manager) = PackageManager::named(manager) else { return Vec::new() };
    let own = lock(folder, manager);
    let others = PackageManager::ALL.into_iter().filter(|other| *other != manager);
    let others = others.filter_map(|other| Some((other.program(), lock(folder, other)?)));
    let manager = manager.program();
    let check = |(other, lock): (&str, &str)| match own {
        None => {
            let what = format!("{instance}: {manager} runs the scripts, and {lock} is {other}'s");
            Check::warn(
                what,
                format!("say `package_manager: {other}` in the settings, or install with {manager}"),
            )
        }
        Some(own) => {
            let what =
                format!("{instance}: {own} and {lock} lie side by side, and {manager} reads the first alone");
            Check::warn(
                what,
                format!("remove the one that is not kept up; say `package_manager: {other}` to use {lock}"),
            )
        }
    };
    others.map(check).collect()
}
