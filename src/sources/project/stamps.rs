//! The stamps of everything that a look was at: while they are the same, nothing has to be read again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::model::{Files, Probe, Seen};
use crate::sys::files::{self, Stamp};
use crate::sys::{Environment, programs};

/// A file that changed less long ago than this, before it was read, may change again without another stamp: file systems
/// tell time in steps.
const STEP: Duration = Duration::from_millis(100);

/// The stamps of files, folders and programs that were looked at, there or not.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    stamps: BTreeMap<PathBuf, Option<Stamp>>,
    /// Whether a change from now on is sure to give another stamp.
    is_settled: bool,
}

impl Stamps {
    /// The stamps of what was seen by a look that began at this time.
    pub(super) fn of(root: &Path, environment: &Environment, seen: &Files, began: SystemTime) -> Self {
        // Which file is the one of a program, the stamp of no single path says.
        let is_settled = seen.program_files.is_empty();
        let mut stamps = Self { stamps: BTreeMap::new(), is_settled };
        for (path, seen) in &seen.files {
            stamps.add_file(root.join(path), seen);
        }
        for (glob, matches) in &seen.globs {
            let base = matches.base.clone().unwrap_or_else(|| root.join(&glob.base));
            for (path, seen) in &matches.found {
                stamps.add_file(base.join(path), seen);
            }
            for folder in matches.folders.iter().cloned().chain([base, root.join(&glob.base)]) {
                stamps.add(folder);
            }
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
        let latest = stamps.stamps.values().flatten().map(Stamp::changed_at).max();
        stamps.is_settled &= latest.is_none_or(|latest| latest + STEP < began);
        stamps
    }

    /// Whether everything is as it was.
    pub(super) fn hold(&self) -> bool {
        self.is_settled && self.stamps.iter().all(|(path, before)| files::stamp(path) == *before)
    }

    fn add_file(&mut self, path: PathBuf, seen: &Seen) {
        let stamp = files::stamp(&path);
        self.is_settled &= match (seen, &stamp) {
            (Seen::File(file), Some(stamp)) => stamp.is_of(file),
            (Seen::File(_), None) | (Seen::Missing, Some(_)) => false,
            (Seen::Missing, None) | (Seen::Unreadable(_), _) => true,
        };
        self.stamps.insert(path, stamp);
    }

    fn add(&mut self, path: PathBuf) {
        let stamp = files::stamp(&path);
        self.stamps.insert(path, stamp);
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes and changes the files that are stamped")]
mod tests {
    use std::fs;
    use std::thread::sleep;

    use super::*;
    use crate::model::{File, Glob, Matches};
    use crate::sys::{Clock, look};

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
        Stamps::of(root, &Environment::default(), &seen(root), began)
    }

    #[test]
    fn stamps_hold_until_something_that_was_looked_at_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("there"), "a").unwrap();
        assert!(!stamps(&root).hold(), "it was written just now, and may be again without another stamp");
        let settled = |change: &dyn Fn()| {
            sleep(STEP * 2);
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
    fn what_changed_between_the_look_and_the_stamp_is_looked_at_again() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("there"), "text").unwrap();
        sleep(STEP * 2);
        let began = Clock::of_system().now();
        let mut files = Files::default();
        let of_before = File::new(root.join("there"), &b"other text"[..]);
        files.files.insert("there".into(), Seen::File(of_before));
        assert!(!Stamps::of(root, &Environment::default(), &files, began).hold());
    }
}
