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
        let mut stamps = Self { stamps: BTreeMap::new(), is_settled: true };
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
