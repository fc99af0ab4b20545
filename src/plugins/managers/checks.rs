//! The package manager that a project is made for, beside the one that is called: for `cuff doctor`.

use serde_json::Value;

use super::{PackageManager, lock_file, lock_files, runner};
use crate::model::{Checks, Command, File, Files, Problem, ProgramFile, Role, Tool, Want, path, shown};

/// What a package says of itself, a manager's own as well.
const MANIFEST: &str = "package.json";

/// Whether the manager of an instance's tools is the one that package.json and lock files are for. The tools of an instance
/// all start it in one folder.
pub(in crate::plugins) fn checks(tools: &[&Tool], seen: &Files) -> Checks {
    let first = tools.iter().find_map(|tool| match &tool.role {
        Role::Run { command, .. } => Some((runner(tool)?, command)),
        Role::List(_) => None,
    });
    let Some((manager, command)) = first else { return Checks::default() };
    let Some(folder) = command.directory.to_str() else { return Checks::default() };
    let mut checks = Checks::default();
    asked_for(manager, command, folder, seen, &mut checks);
    others(manager, folder, seen, &mut checks);
    checks
}

/// What `packageManager` of package.json asks for, beside the manager that is called and its version.
fn asked_for(manager: PackageManager, command: &Command, folder: &str, seen: &Files, checks: &mut Checks) {
    let manifest = path::join(folder, MANIFEST);
    let package = seen.file(&manifest).and_then(json);
    checks.wants.push(Want::File(manifest));
    let manager = manager.program();
    let asked = package.as_ref().and_then(|package| package.get("packageManager")?.as_str());
    let Some(asked) = asked else { return };
    let (name, version) = asked.split_once('@').unwrap_or((asked, ""));
    // Behind a plus sign stands the hash of what is downloaded.
    let version = shown(version.split('+').next().unwrap_or_default());
    if name != manager {
        let name = shown(name);
        let what = format!("package.json asks for {name}, and {manager} runs the scripts");
        let help = format!("say `package_manager: {name}` in the settings, or change `packageManager`");
        checks.found.push(Problem::warning(what).help(help));
        return;
    }
    let own = ProgramFile { command: command.clone(), name: MANIFEST.to_owned() };
    let installed = seen.program_file(&own).and_then(|file| Installed::read(file, manager));
    checks.wants.push(Want::ProgramFile(own));
    checks.found.extend(match installed {
        None => None,
        Some(Installed::Shim) => Some(Problem::note(format!("corepack brings {name} {version}"))),
        Some(Installed::Version(there)) if there == version => {
            Some(Problem::note(format!("{name} {there} is the one that package.json asks for")))
        }
        Some(Installed::Version(_)) if version.is_empty() => None,
        Some(Installed::Version(there)) => {
            let what = format!("package.json asks for {name} {version}, and {there} is installed");
            let help =
                format!("`corepack enable {name}` brings the one that is asked for; or change `packageManager`");
            Some(Problem::warning(what).help(help))
        }
    });
}

/// What lies behind the program of a manager.
enum Installed {
    /// A version of it.
    Version(String),
    /// A program that brings whatever a project asks for.
    Shim,
}

impl Installed {
    /// What the package of a program says of itself; `None` where it is none of the manager.
    fn read(manifest: &File, manager: &str) -> Option<Self> {
        let package = json(manifest)?;
        let name = package.get("name")?.as_str()?;
        if name == "corepack" {
            return Some(Self::Shim);
        }
        let is_its = name.rsplit('/').next().is_some_and(|last| last.starts_with(manager));
        let version = package.get("version")?.as_str()?;
        is_its.then(|| Self::Version(shown(version)))
    }
}

fn json(file: &File) -> Option<Value> {
    serde_json::from_slice(&file.bytes).ok()
}

/// Lock files of another manager than the one that is called.
fn others(manager: PackageManager, folder: &str, seen: &Files, checks: &mut Checks) {
    let own = lock_file(manager, folder, seen);
    let others = PackageManager::ALL.into_iter().filter(|other| *other != manager);
    let others = others.filter_map(|other| Some((other.program(), lock_file(other, folder, seen)?)));
    let manager = manager.program();
    checks.found.extend(others.map(|(other, lock)| match own {
        None => Problem::warning(format!("{manager} runs the scripts, and {lock} is {other}'s"))
            .help(format!("say `package_manager: {other}` in the settings, or install with {manager}")),
        Some(own) => {
            Problem::warning(format!("{own} and {lock} lie side by side, and {manager} reads the first alone"))
                .help(format!("remove the one that is not kept up; say `package_manager: {other}` to use {lock}"))
        }
    }));
    checks.wants.push(Want::Glob(lock_files(folder)));
}
