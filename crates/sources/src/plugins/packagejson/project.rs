//! The place of the package, the wants, and its package manager.

use std::sync::Arc;

use super::config::{PACKAGE_MANAGER, package_json};
use super::hooks;
use super::manager::{self, PNPM};
use crate::model::{Binding, ErrorCode, Files, Matches, Problem, Seen, StatePart, Values, Want, path};
use crate::plugins::managers::{
    PackageManager, PackageManifest, configuration_of_managers, lock_files, settings_of_scripts, what_runs,
};
use crate::plugins::tasks::source_file;

/// The package of one instance, as far as its settings determine it.
#[derive(Debug)]
pub(super) struct PackageProject {
    /// Its package.json, relative to the project's root or absolute.
    pub(super) file: String,
    /// The manager that settings name.
    named: Option<PackageManager>,
    /// Whether the settings pin what its scripts run.
    pins_texts: bool,
}

impl PackageProject {
    /// The package under these settings.
    pub(super) fn new(config: &Values) -> Self {
        Self {
            file: package_json(config),
            named: PackageManager::named(config.text(&PACKAGE_MANAGER)),
            pins_texts: config.pins_texts(),
        }
    }

    /// The folder of package.json; managers run scripts there wherever they are called from.
    pub(super) fn folder(&self) -> &str {
        path::split(&self.file).0
    }

    /// package.json itself, then the files that decide the manager, then the manager.
    pub(super) fn wants(&self, seen: &Files) -> Vec<Want> {
        let mut wants = self.first_wants();
        if self.is_seen(&wants, seen) {
            let own = self.own(seen).ok();
            let manager = self.manager(own.as_deref(), seen, &mut Vec::new());
            wants.push(Want::Program(manager.program().to_owned()));
            wants.extend(own.iter().flat_map(|own| self.wants_of_hooks(own, manager, seen)));
        }
        wants
    }

    /// The files that decide whether scripts run along with others, if there are any that may, and the one without which pnpm
    /// runs nothing.
    pub(super) fn wants_of_hooks(
        &self,
        own: &PackageManifest,
        manager: PackageManager,
        seen: &Files,
    ) -> Vec<Want> {
        let mut wants = if own.has_hooks() { hooks::wants(manager, self.folder()) } else { Vec::new() };
        let of_pnpm = Want::File(path::join(self.folder(), PNPM));
        let has_own = found(self.folder(), seen).is_some_and(|found| found.found.contains_key(PNPM));
        if manager == PackageManager::Pnpm && has_own && !wants.contains(&of_pnpm) {
            wants.push(of_pnpm);
        }
        // Those that are pinned are wanted already.
        let pinned = if self.pins_texts { configuration_of_managers(self.folder()) } else { Vec::new() };
        wants.retain(|want| !matches!(want, Want::File(file) if pinned.contains(file)));
        wants
    }

    /// A remark on the scripts that run along with others; `None`: the manager runs none.
    pub(super) fn remark_on_hooks(
        &self,
        own: &PackageManifest,
        manager: PackageManager,
        seen: &Files,
    ) -> Option<&'static str> {
        let folder = self.folder();
        let above =
            path::upwards(folder).into_iter().skip(1).map(|folder| path::join(folder, "package.json"));
        let mut above = above.filter_map(|file| PackageManifest::of(seen.file(&file)?, &file).ok());
        let first = own.managers.first().cloned();
        let asked = first.or_else(|| above.find_map(|above| above.managers.first().cloned()));
        hooks::remark(manager, asked.as_ref().map(|(_, value)| value.as_str()), folder, seen)
    }

    /// Whether these wants were answered and there is a package.json.
    pub(super) fn is_seen(&self, wants: &[Want], seen: &Files) -> bool {
        seen.exists(&self.file) && wants.iter().all(|want| seen.answers(want))
    }

    /// package.json itself, then the files that decide the manager.
    pub(super) fn first_wants(&self) -> Vec<Want> {
        let mut wants = vec![Want::File(self.file.clone())];
        if self.named.is_none() {
            let folders = path::upwards(self.folder());
            wants.reserve(2 * folders.len());
            wants.extend(folders.iter().map(|folder| Want::Glob(lock_files(folder))));
            wants.extend(folders[1..].iter().map(|folder| Want::File(path::join(folder, "package.json"))));
        }
        if self.pins_texts {
            wants.extend(configuration_of_managers(self.folder()).into_iter().map(Want::File));
        }
        wants
    }

    /// The settings of managers that can change how a script runs, each file with its name.
    pub(super) fn configuration(&self, seen: &Files) -> Vec<(String, String)> {
        let files = configuration_of_managers(self.folder()).into_iter();
        let settings = files.filter_map(|file| {
            let settings = settings_of_scripts(&file, &seen.file(&file)?.bytes)?;
            Some((file, settings))
        });
        settings.collect()
    }

    /// The files that decide what a script of it runs. They are package.json there and above it, the
    /// configuration of managers, and the files that the manager takes variables from. A script may write the
    /// other parts of package.json.
    pub(super) fn binding(&self, seen: &Files) -> Binding {
        let folder = self.folder();
        let mut binding = Binding::default();
        binding.add(StatePart::Part(what_runs), [self.file.clone()]);
        let above = path::upwards(folder).into_iter().map(|folder| path::join(folder, "package.json"));
        binding.add(StatePart::Part(what_runs), above);
        binding.add(StatePart::Same, configuration_of_managers(folder));
        let manager = self.manager(self.own(seen).ok().as_deref(), seen, &mut Vec::new());
        let variables = manager.variable_files().iter().map(|name| path::join(folder, name));
        binding.add(StatePart::Same, variables);
        binding
    }

    /// The content of package.json.
    ///
    /// # Errors
    /// A problem when it is missing, unreadable or not JSON.
    pub(super) fn own(&self, seen: &Files) -> Result<Arc<PackageManifest>, Box<Problem>> {
        let file = &self.file;
        if path::split(file).1 != "package.json" {
            let what = format!("package_json_path must lead to a file called package.json, not {file}");
            let problem = Problem::error(ErrorCode::InvalidConfig, what);
            return Err(problem.help("npm, pnpm, yarn and bun run the scripts of package.json alone").into());
        }
        let missing = "create it with npm init, set package_json_path and working_directory, or take this instance out of the \
                       settings where the package is gone";
        PackageManifest::of(source_file("package.json", file, seen, missing)?, file)
    }

    /// The managers whose lock files or own files are in its folder, each with the file.
    pub(super) fn signs(&self, seen: &Files) -> Vec<(PackageManager, &'static str)> {
        let found = found(self.folder(), seen);
        let own = |kind| signs(found, kind);
        own(PackageManager::lock_files).chain(own(PackageManager::own_files)).collect()
    }

    /// The manager: of the setting, else of `packageManager` in a package.json, else of a lock file, else of
    /// an own file, else npm.
    ///
    /// In a workspace the root decides for its members, so each question goes up to the project's root.
    pub(super) fn manager(
        &self,
        own: Option<&PackageManifest>,
        seen: &Files,
        problems: &mut Vec<Problem>,
    ) -> PackageManager {
        if let Some(named) = self.named {
            return named;
        }
        let folders = path::upwards(self.folder());
        if let Some(asked) = own.and_then(|own| asked(own, &self.file, problems)) {
            return asked;
        }
        for folder in &folders[1..] {
            let file = path::join(folder, "package.json");
            // One that is broken is no business of this package.
            let above = seen.file(&file).and_then(|found| PackageManifest::of(found, &file).ok());
            if let Some(asked) = above.and_then(|above| asked(&above, &file, problems)) {
                return asked;
            }
        }
        let found: Vec<Option<&Matches>> = folders.iter().map(|folder| found(folder, seen)).collect();
        let of = |kind| found.iter().flat_map(move |found| signs(*found, kind));
        of(PackageManager::lock_files)
            .chain(of(PackageManager::own_files))
            .next()
            .map_or(PackageManager::Npm, |(manager, _)| manager)
    }
}

/// The first manager that a package.json asks for and that is known here.
fn asked(manifest: &PackageManifest, file: &str, problems: &mut Vec<Problem>) -> Option<PackageManager> {
    let mut unknown = Vec::new();
    for (key, value) in &manifest.managers {
        match manager::asked_for(key, value, file) {
            Ok(manager) => {
                // A list names managers of which one is enough.
                problems.extend(unknown.into_iter().filter(|(of, _)| of != key).map(|(_, problem)| problem));
                return Some(manager);
            }
            Err(problem) => unknown.push((*key, *problem)),
        }
    }
    problems.extend(unknown.into_iter().map(|(_, problem)| problem));
    None
}

/// The files of one kind that a manager has.
type ManagerFiles = fn(PackageManager) -> &'static [&'static str];

/// The managers' files that were found in a folder.
fn found<'s>(folder: &str, seen: &'s Files) -> Option<&'s Matches> {
    seen.globs.get(&lock_files(folder)).map(|matches| &**matches)
}

/// The managers that have a file of a kind among these, in the order in which they count, each with the file.
fn signs(
    matches: Option<&Matches>,
    kind: ManagerFiles,
) -> impl Iterator<Item = (PackageManager, &'static str)> {
    let has = move |name: &&str| {
        matches.is_some_and(|matches| matches.found.get(*name).is_some_and(|seen| *seen != Seen::Missing))
    };
    PackageManager::ALL
        .into_iter()
        .filter_map(move |manager| Some((manager, *kind(manager).iter().find(|name| has(name))?)))
}
