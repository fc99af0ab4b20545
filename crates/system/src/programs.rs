//! Finds programs on a search path.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use super::Environment;
use super::files::{self, Stamp};
use crate::model::Command;

/// The search path where none is set, as `execvp` has it.
const DEFAULT_SEARCH_PATH: &str = "/bin:/usr/bin";

/// The file that a process with this search path and working directory would execute as `program`.
///
/// A program with a `/` in it is a path; relative paths, those on the search path too, resolve against `directory`.
/// An empty search path finds nothing. Symbolic links stay as they are: shims look at the name they were called by.
pub fn find(program: &str, search_path: &OsStr, directory: &Path) -> Option<PathBuf> {
    look(program, search_path, directory).0
}

/// A path at which a program was looked for.
#[derive(Debug)]
pub struct TriedPath {
    /// The path.
    pub path: PathBuf,
    /// The stamp of the file there.
    pub stamp: Option<Stamp>,
}

/// The same, with every path that was looked at, in order.
pub fn look(program: &str, search_path: &OsStr, directory: &Path) -> (Option<PathBuf>, Vec<TriedPath>) {
    let mut tried = Vec::new();
    let mut is_it = |path: &PathBuf| {
        let stamp = files::stamp(path);
        tried.push(TriedPath { path: path.clone(), stamp });
        stamp.is_some_and(|stamp| stamp.is_program()) && access(path, AccessFlags::X_OK).is_ok()
    };
    let found = if program.contains('/') {
        // Without each `.` that is joined in: people read it.
        let path: PathBuf = directory.join(program).components().collect();
        Some(path).filter(&mut is_it)
    } else if program.is_empty() || search_path.is_empty() {
        None
    } else {
        std::env::split_paths(search_path).map(|folder| directory.join(folder).join(program)).find(&mut is_it)
    };
    (found, tried)
}

/// Every file by the name of `program` that a process with this search path could execute, the one that it would take first.
pub fn find_all(program: &str, search_path: &OsStr, directory: &Path) -> Vec<PathBuf> {
    std::env::split_paths(search_path)
        .filter_map(|folder| find(program, folder.as_os_str(), directory))
        .collect()
}

/// The search path that the process of a command will have.
pub fn search_path<'a>(command: &'a Command, environment: &'a Environment) -> &'a OsStr {
    match command.environment.iter().rev().find(|change| change.name == "PATH") {
        Some(change) => OsStr::new(&change.value),
        None => inherited_search_path(environment),
    }
}

/// The search path of a process that changes nothing about it.
pub fn inherited_search_path(environment: &Environment) -> &OsStr {
    environment.get("PATH").unwrap_or(DEFAULT_SEARCH_PATH.as_ref())
}

/// Whether a directory is at a path.
#[expect(clippy::disallowed_methods, reason = "asked to tell why a program was not found")]
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests make the files that are looked for")]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn the_first_executable_file_wins() {
        let root = tempfile::tempdir().unwrap();
        for (path, mode) in [
            ("one/plain", 0o644),
            ("one/tool", 0o755),
            ("two/plain", 0o755),
            ("two/tool", 0o755),
            ("here", 0o755),
            ("two/sub/tool", 0o755),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        symlink(root.path().join("two/tool"), root.path().join("one/shim")).unwrap();
        symlink("nowhere", root.path().join("one/broken")).unwrap();
        let both = format!("{0}/missing:{0}/one:{0}/two", root.path().display());
        for (program, search_path, expected) in [
            ("tool", both.as_str(), Some("one/tool")),
            ("plain", &both, Some("two/plain")),
            ("shim", &both, Some("one/shim")),
            ("broken", &both, None),
            ("sub", &both, None),
            ("tool", "two:one", Some("two/tool")),
            ("here", "", None),
            ("here", ":one", Some("here")),
            ("here", &both, None),
            ("./here", "", Some("./here")),
            ("two/sub/tool", &both, Some("two/sub/tool")),
            ("one/plain", &both, None),
            ("", &both, None),
            ("a\0b", &both, None),
        ] {
            let found = find(program, search_path.as_ref(), root.path());
            assert_eq!(found, expected.map(|path| root.path().join(path)), "{program:?} in {search_path:?}");
        }
    }
}
