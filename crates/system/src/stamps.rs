//! The stamps of everything that a look was at: while they are the same, nothing has to be read again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::files::{self, Stamp};
use super::programs::TriedPath;
use crate::model::{Glob, Link, Matches, Seen};

/// The age below which a file may change again without another stamp: file systems count time in steps.
const STEP: Duration = Duration::from_millis(100);

/// The stamps of several looks at files and folders, there or not.
#[derive(Debug, Clone)]
pub struct Stamps {
    parts: Vec<Arc<Stamped>>,
    /// When the first look began.
    began: SystemTime,
    /// Whether a change from then on is sure to give another stamp.
    is_settled: bool,
}

/// The stamps of one look, which several may share.
#[derive(Debug)]
pub struct Stamped {
    paths: Vec<StampedPath>,
    /// The folder that the look was in.
    pub below: PathBuf,
}

/// A path, its stamp, and what a change there means.
#[derive(Debug)]
pub struct StampedPath {
    /// The path.
    pub path: PathBuf,
    stamp: Option<Stamp>,
    /// Which changes matter.
    pub heed: WatchScope,
}

/// The changes at a path that matter to who waits for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchScope {
    /// Those of the file, there or not.
    File,
    /// Those of the names in the folder, there or not.
    Folder,
    /// None: whoever looks again looks there as well.
    Nothing,
}

impl Stamps {
    /// The stamps of a look that began at this time, and has seen nothing yet.
    pub fn since(began: SystemTime) -> Self {
        Self { parts: Vec::new(), began, is_settled: true }
    }

    /// Adds those of a look that began no earlier.
    pub fn add(&mut self, part: Arc<Stamped>) {
        let is_old =
            |stamped: &StampedPath| stamped.stamp.is_none_or(|stamp| stamp.changed_at() + STEP < self.began);
        self.is_settled &= part.paths.iter().all(is_old);
        self.parts.push(part);
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
        let holds = |stamped: &StampedPath| files::stamp(&stamped.path) == stamped.stamp;
        self.is_settled && self.parts.iter().all(|part| part.paths.iter().all(holds))
    }

    /// The stamps of each look.
    pub fn parts(&self) -> &[Arc<Stamped>] {
        &self.parts
    }
}

impl Stamped {
    /// The stamp of a file that was read.
    pub fn of_path(path: PathBuf, seen: &Seen) -> Self {
        let mut stamped = Self::below(PathBuf::new());
        stamped.add_file(path, seen);
        stamped
    }

    /// The stamp of a file that was read, by a path from this folder.
    pub fn of_file(below: &Path, path: &str, seen: &Seen) -> Self {
        let mut stamped = Self::below(below.to_owned());
        stamped.add_file(below.join(path), seen);
        stamped
    }

    /// The stamps of the matches below a root, and of the folders that were searched.
    pub fn of_matches(root: &Path, glob: &Glob, matches: &Matches) -> Self {
        let named = root.join(&glob.base);
        let Some(base) = matches.base.clone() else {
            let mut stamped = Self::below(root.to_owned());
            stamped.add(named, WatchScope::Folder);
            return stamped;
        };
        let mut stamped = Self::below(base.clone());
        stamped.paths.reserve_exact(matches.folders.len() + matches.found.len());
        for folder in &matches.folders {
            stamped.add(folder.clone(), WatchScope::Folder);
        }
        for (name, seen) in &matches.found {
            // In one step: there may be thousands.
            let mut path = PathBuf::with_capacity(base.as_os_str().len() + name.len() + 1);
            path.push(&base);
            path.push(name);
            stamped.add_file(path, seen);
        }
        // Where nothing was walked, the files have their own stamps, by paths that lead through this folder.
        if named != base {
            stamped.add(named, WatchScope::Nothing);
            stamped.add(base, WatchScope::Nothing);
        } else if !matches.folders.is_empty() {
            stamped.add(base, WatchScope::Nothing);
        }
        stamped
    }

    /// The stamps of folders whose names were read, and of paths that were looked at, there or not.
    pub fn of_places<'p>(places: impl IntoIterator<Item = &'p Path>) -> Self {
        let mut stamped = Self::below(PathBuf::new());
        places.into_iter().for_each(|place| stamped.add(place.to_owned(), WatchScope::Nothing));
        stamped
    }

    /// The stamps of the paths at which a program was looked for.
    pub fn of_program(tried: Vec<TriedPath>) -> Self {
        let path = |TriedPath { path, stamp }| StampedPath { path, stamp, heed: WatchScope::Nothing };
        Self { paths: tried.into_iter().map(path).collect(), ..Self::below(PathBuf::new()) }
    }

    fn below(below: PathBuf) -> Self {
        Self { paths: Vec::new(), below }
    }

    /// Adds a file. Its stamp is that of the very file that was read.
    fn add_file(&mut self, path: PathBuf, seen: &Seen) {
        match seen {
            Seen::Missing => self.paths.push(StampedPath { path, stamp: None, heed: WatchScope::File }),
            Seen::Unreadable(_) => self.add(path, WatchScope::File),
            Seen::File(file) => {
                let stamp = Some(Stamp::of(file));
                if file.link == Link::Symbolic {
                    self.paths.push(StampedPath {
                        path: file.canonical.clone(),
                        stamp,
                        heed: WatchScope::File,
                    });
                }
                self.paths.push(StampedPath { path, stamp, heed: WatchScope::File });
            }
        }
    }

    fn add(&mut self, path: PathBuf, heed: WatchScope) {
        let stamp = files::stamp(&path);
        self.paths.push(StampedPath { path, stamp, heed });
    }

    /// The paths, in the order of the look.
    pub fn paths(&self) -> &[StampedPath] {
        &self.paths
    }
}
