//! The stamps of everything that a look was at: while they are the same, nothing has to be read again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::files::{self, Stamp};
use crate::model::{Glob, Matches, Seen};

/// The age below which a file may change again without another stamp: file systems count time in steps.
const STEP: Duration = Duration::from_millis(100);

/// The stamps of files and folders that were looked at, there or not.
#[derive(Debug)]
pub struct Stamps {
    of_paths: BTreeMap<PathBuf, Option<Stamp>>,
    /// When the look began.
    began: SystemTime,
    /// Whether a change from then on is sure to give another stamp.
    is_settled: bool,
}

impl Stamps {
    /// The stamps of a look that began at this time, and has seen nothing yet.
    pub fn since(began: SystemTime) -> Self {
        Self { of_paths: BTreeMap::new(), began, is_settled: true }
    }

    /// Adds a file that was read.
    pub fn add_file(&mut self, path: PathBuf, seen: &Seen) {
        let stamp = self.add(path);
        self.is_settled &= match (seen, &stamp) {
            (Seen::File(file), Some(stamp)) => stamp.is_of(file),
            (Seen::File(_), None) | (Seen::Missing, Some(_)) => false,
            (Seen::Missing, None) | (Seen::Unreadable(_), _) => true,
        };
    }

    /// Adds the matches below a root, and the folders that were searched.
    pub fn add_matches(&mut self, root: &Path, glob: &Glob, matches: &Matches) {
        let named = root.join(&glob.base);
        let base = matches.base.clone().unwrap_or_else(|| named.clone());
        for (path, seen) in &matches.found {
            self.add_file(base.join(path), seen);
        }
        for folder in matches.folders.iter().cloned().chain([base, named]) {
            self.add(folder);
        }
    }

    /// Adds the stamp of a path, also of one without a file.
    pub fn add(&mut self, path: PathBuf) -> Option<Stamp> {
        let stamp = files::stamp(&path);
        self.is_settled &= stamp.is_none_or(|stamp| stamp.changed_at() + STEP < self.began);
        self.of_paths.insert(path, stamp);
        stamp
    }

    /// Marks these stamps as never holding, since something was seen that no stamp covers.
    pub fn unsettle(&mut self) {
        self.is_settled = false;
    }

    /// Whether these stamps can hold.
    pub fn are_settled(&self) -> bool {
        self.is_settled
    }

    /// Whether everything is as it was.
    pub fn hold(&self) -> bool {
        self.is_settled && self.of_paths.iter().all(|(path, before)| files::stamp(path) == *before)
    }
}
