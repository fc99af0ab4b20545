//! The stamps of everything that a plugin was shown.

use std::path::Path;
use std::time::SystemTime;

use crate::model::{Files, Probe};
use crate::sys::{Environment, Stamps, programs};

/// The stamps of what was seen by a look that began at this time: files, folders, and the places of programs.
pub(super) fn of_files(root: &Path, environment: &Environment, seen: &Files, began: SystemTime) -> Stamps {
    let mut stamps = Stamps::since(began);
    if !seen.program_files.is_empty() {
        // Which file is the one of a program, the stamp of no single path says.
        stamps.unsettle();
    }
    for (path, seen) in &seen.files {
        stamps.add_file(root.join(path), seen);
    }
    for (glob, matches) in &seen.globs {
        stamps.add_matches(root, glob, matches);
    }
    let inherited = programs::inherited_search_path(environment);
    let wanted = seen.programs.keys().map(|name| programs::candidates(name, inherited, root));
    let probed = seen.probes.keys().map(|Probe { command }| {
        let path = programs::search_path(command, environment);
        programs::candidates(&command.program.text, path, &root.join(&command.directory))
    });
    for candidate in wanted.chain(probed).flatten() {
        stamps.add(candidate);
    }
    stamps
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes and changes the files that are stamped")]
mod tests {
    use std::fs;
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;
    use crate::model::{File, Glob, Matches, Seen};
    use crate::sys::{Clock, look};

    /// Longer than a change may stay without a stamp of its own.
    const A_WHILE: Duration = Duration::from_millis(200);

    /// A look at two files and a folder.
    fn seen(root: &Path) -> Files {
        let mut files = Files::default();
        for name in ["there", "missing"] {
            files.files.insert(name.into(), look::file(&root.join(name), 100));
        }
        let matches =
            Matches { base: Some(root.into()), folders: vec![root.join("folder")], ..Matches::default() };
        files.globs.insert(Glob::new("folder", ["*"]), matches);
        files
    }

    fn stamps(root: &Path) -> Stamps {
        let began = Clock::of_system().now();
        of_files(root, &Environment::default(), &seen(root), began)
    }

    #[test]
    fn stamps_hold_until_something_that_was_looked_at_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("there"), "a").unwrap();
        assert!(!stamps(&root).hold(), "it was written just now, and may be again without another stamp");
        let settled = |change: &dyn Fn()| {
            sleep(A_WHILE);
            let stamps = stamps(&root);
            assert!(stamps.hold(), "nothing has changed");
            change();
            stamps.hold()
        };
        assert!(settled(&|| ()));
        assert!(!settled(&|| fs::write(root.join("there"), "b").unwrap()), "as long as before, and another");
        assert!(!settled(&|| fs::write(root.join("missing"), "").unwrap()));
        assert!(!settled(&|| fs::write(root.join("folder/new"), "").unwrap()));
        assert!(!settled(&|| fs::remove_file(root.join("there")).unwrap()));
    }

    #[test]
    fn files_that_changed_between_look_and_stamp_are_looked_at_again() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("there"), "text").unwrap();
        sleep(A_WHILE);
        let began = Clock::of_system().now();
        let mut files = Files::default();
        let of_before = File::new(root.join("there"), &b"other text"[..]);
        files.files.insert("there".into(), Seen::File(of_before));
        assert!(!of_files(root, &Environment::default(), &files, began).hold());
    }
}
