//! The files that decide what an install runs. They are the lifecycle scripts of the package, of the members
//! of its workspace and of local dependencies; native builds; lock files; and the manager's configuration.

use crate::model::{Binding, Files, Pathname, StatePart, Want, path};
use crate::plugins::managers::{PackageManager, configuration_of_managers, needs, package_json, what_runs};
use crate::plugins::packagejson::workspaces;
use crate::plugins::tasks::SourceLook;

/// By its presence alone npm builds a package natively.
const NATIVE_BUILD: &str = "binding.gyp";

/// The files of one task of a manager; `is_ci`: the one that goes by the lock file.
pub(super) fn binding(look: &SourceLook<'_>, is_ci: bool) -> Binding {
    let mut binding = Binding::default();
    let (manager, seen) = (PackageManager::of_source(look.id), look.files);
    let locks_after = if is_ci { StatePart::Same } else { StatePart::Written };
    for folder in path::upwards(look.folder()) {
        package(&mut binding, folder);
        let locks = manager.lock_files().iter();
        binding.add(locks_after, locks.map(|name| path::join(folder, name)));
        let (searches, members) = workspaces::members(folder, seen);
        binding.wants.extend(searches.into_iter().map(Want::Glob));
        for member in members {
            package(&mut binding, path::split(&member).0);
        }
    }
    binding.add(StatePart::Same, configuration_of_managers(look.folder()));
    let variables = manager.variable_files().iter();
    binding.add(StatePart::Same, variables.map(|name| path::join(look.folder(), name)));
    local_dependencies(&mut binding, seen);
    binding
}

/// The files of one package. They are package.json except the parts that an install writes, the file of a
/// native build, and its own configuration of the manager.
fn package(binding: &mut Binding, folder: &str) {
    binding.add(StatePart::Part(what_runs), [path::join(folder, "package.json")]);
    binding.add(StatePart::Same, [NATIVE_BUILD, ".npmrc"].map(|name| path::join(folder, name)));
}

/// Adds the packages and archives that a package of the binding depends on by their path, and those that these depend on.
fn local_dependencies(binding: &mut Binding, seen: &Files) {
    let mut at = 0;
    while let Some(file) = binding.files.get(at) {
        at += 1;
        let (folder, name) = path::split(&file.path);
        if name != "package.json" {
            continue;
        }
        let paths = seen.file(&file.path).map(|manifest| paths(folder, &manifest.bytes)).unwrap_or_default();
        for path in paths {
            // An archive, unless it is a folder.
            binding.add(StatePart::Same, [path.clone()]);
            package(binding, &path);
        }
    }
}

/// The dependencies of a package.json that are paths, as seen from the project's root.
fn paths(folder: &str, bytes: &[u8]) -> Vec<Pathname> {
    let manifest = package_json(bytes).unwrap_or_default();
    let versions = needs(&manifest).filter_map(|(_, version)| version.as_str());
    versions.filter_map(local).map(|path| path::join(folder, path)).collect()
}

/// The path that a version names: `file:../x`, `link:x`, `portal:x`, or a bare `./x`.
fn local(version: &str) -> Option<&str> {
    let named = ["file:", "link:", "portal:"].iter().find_map(|scheme| version.strip_prefix(scheme));
    let bare = ["./", "../", "/", "~/"].iter().any(|begin| version.starts_with(begin)).then_some(version);
    named.or(bare).map(|path| path.trim_start_matches("//"))
}
