//! Packages of a package.json, installed by npm, pnpm, yarn or bun: one source for each of them.

mod arguments;
mod binding;
mod config;
mod flags;
mod package;
mod suggest;
#[cfg(test)]
mod tests;

use super::managers::{self, CI, INSTALL, PackageManager, lock_files, nearest_lock_file};
use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskListing, source_file, words};
use crate::model::{DEFAULT_TIMEOUT, Effects, Field, PluginInfo, Profile, Reach, Seen, Want, path};

/// npm, and the package.json that it installs for.
pub(super) const NPM: SourceSpec = spec(
    PackageManager::Npm,
    "NPM",
    "Packages of package.json, installed by npm",
    &config::NPM,
    &config::NPM_COMMAND,
);
/// pnpm, and the package.json that it installs for.
pub(super) const PNPM: SourceSpec = spec(
    PackageManager::Pnpm,
    "PNPM",
    "Packages of package.json, installed by pnpm",
    &config::PNPM,
    &config::PNPM_COMMAND,
);
/// yarn, and the package.json that it installs for.
pub(super) const YARN: SourceSpec = spec(
    PackageManager::Yarn,
    "YARN",
    "Packages of package.json, installed by yarn",
    &config::YARN,
    &config::YARN_COMMAND,
);
/// bun, and the package.json that it installs for.
pub(super) const BUN: SourceSpec = spec(
    PackageManager::Bun,
    "BUN",
    "Packages of package.json, installed by bun",
    &config::BUN,
    &config::BUN_COMMAND,
);

const fn spec(
    manager: PackageManager,
    codes: &'static str,
    summary: &'static str,
    config: &'static [Field],
    command: &'static Field,
) -> SourceSpec {
    SourceSpec {
        id: manager.program(),
        read,
        usual_advice: manager.advice(),
        card: Some(PluginInfo {
            summary,
            noun: "command",
            source: "package.json",
            unknown: "Command not found",
            facts: &[managers::FACT],
            runner: Some(managers::FACT),
            config,
            programs: &["npm", "pnpm", "yarn", "bun"],
            ..PluginInfo::new(manager.program(), codes)
        }),
        command,
        written: &[&config::WORKING_DIRECTORY, &DEFAULT_TIMEOUT],
        has_heading: false,
        words: arguments::add,
        reach: Reach::Declared,
        binding: Some(|look, tool| binding::binding(look, tool.original == CI)),
        suggest: suggest::suggest,
        checks: managers::checks,
        ..SourceSpec::BLANK
    }
}

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let manager = PackageManager::of_source(look.id);
    let file = look.place("package.json");
    look.name_source(&*file);
    let mut is_seen = look.want(Want::File(file.clone()));
    let folder = look.folder().to_owned();
    for folder in path::upwards(&folder) {
        is_seen &= look.want(Want::Glob(lock_files(folder)));
    }
    if !is_seen {
        return Vec::new();
    }
    // Without one a manager would take the next above, or write one.
    let missing = format!("create it with {} init, or set working_directory", manager.program());
    if let Err(problem) = source_file("package.json", &file, look.files, &missing) {
        look.fail(*problem);
        return Vec::new();
    }
    look.fact(managers::FACT, manager.program().to_owned());
    let command = look.command(&[manager.program()]);
    let task = |name: &str, own: &[&str], what: &str, parameters: &'static [Field]| {
        let line = format!("{} {}", manager.program(), own.join(" "));
        let own = [command.clone(), words(own.iter().copied())].concat();
        let task =
            SourceTask::usual(name, own, &format!("{what} ({line})")).mutating().profile(Profile::Install);
        // Both replace packages, and run the scripts of the new ones.
        let effects = Effects { idempotent: name == CI, ..Effects::UNKNOWN };
        task.with(|tool| tool.parameters(parameters).effects(effects).text(None))
    };
    let (what, parameters) = match manager {
        // That version has another command.
        PackageManager::Yarn => ("Install what package.json says", config::CI_PARAMETERS),
        _ => (
            "Install what package.json says, or add the packages that args names",
            config::INSTALL_PARAMETERS,
        ),
    };
    let install = task(INSTALL, &["install"], what, parameters);
    let what = "Install exactly what the lock file says";
    let is_berry = is_there(look, manager, ".yarnrc.yml");
    let ci = task(CI, locked_install(manager, is_berry), what, config::CI_PARAMETERS);
    let ci = match nearest_lock_file(manager, look.folder(), look.files) {
        Some(file) => ci.at(file, None),
        None => ci.listing(TaskListing::Lacking(
            format!("There is no {} for `ci` to go by", manager.lock_files()[0]),
            "`install` writes it; from then on `ci` is offered",
        )),
    };
    vec![install, ci]
}

/// Whether a file of a manager lies in the folder or above it.
fn is_there(look: &SourceLook<'_>, manager: PackageManager, name: &str) -> bool {
    let is_in = |folder: &&str| {
        let found = look.files.globs.get(&lock_files(folder)).and_then(|found| found.found.get(name));
        found.is_some_and(|seen| *seen != Seen::Missing)
    };
    manager.own_files().contains(&name) && path::upwards(look.folder()).iter().any(is_in)
}

/// The words for an install that changes no lock file. Those of yarn changed with its second version, which has a file of its own.
const fn locked_install(manager: PackageManager, is_berry: bool) -> &'static [&'static str] {
    match manager {
        PackageManager::Npm => &["ci"],
        PackageManager::Yarn if is_berry => &["install", "--immutable"],
        PackageManager::Pnpm | PackageManager::Bun | PackageManager::Yarn => {
            &["install", "--frozen-lockfile"]
        }
    }
}
