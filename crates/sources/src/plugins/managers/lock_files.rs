//! Lock files of package managers and their own files, by their names alone: they are large, and change with each install.

use std::sync::{Arc, LazyLock};

use super::PackageManager;
use crate::model::{Files, Glob, Seen, path};

/// Asks which of them lie in a folder, and reads none of their content.
pub(in crate::plugins) fn lock_files(folder: &str) -> Glob {
    static NAMES: LazyLock<Arc<[String]>> = LazyLock::new(|| {
        let names = |manager: &PackageManager| manager.lock_files().iter().chain(manager.own_files());
        PackageManager::ALL.iter().flat_map(names).map(|name| (*name).to_owned()).collect()
    });
    Glob::of_names(folder, &NAMES)
}

/// The lock file of a manager in a folder, as far as [`lock_files`] was answered.
pub(in crate::plugins) fn lock_file(
    manager: PackageManager,
    folder: &str,
    seen: &Files,
) -> Option<&'static str> {
    let found = &seen.globs.get(&lock_files(folder))?.found;
    let is_there = |name: &&str| found.get(*name).is_some_and(|seen| *seen != Seen::Missing);
    manager.lock_files().iter().copied().find(is_there)
}

/// The lock file of a manager in a folder or, in a workspace, above it.
pub(in crate::plugins) fn nearest_lock_file(
    manager: PackageManager,
    folder: &str,
    seen: &Files,
) -> Option<String> {
    let in_folder = |folder| Some(path::join(folder, lock_file(manager, folder, seen)?));
    path::upwards(folder).into_iter().find_map(in_folder)
}
