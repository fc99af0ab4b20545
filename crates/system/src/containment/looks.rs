//! The files and folders that rules were made of: while they are the same, the rules are.

use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::stat::{FileStat, fstat, stat};

/// A folder that changed within this time, in nanoseconds, may change once more without another time.
const TICK: i64 = 50_000_000;

/// The files and folders that rules were made of, as they were.
#[derive(Debug, Default)]
pub(super) struct Looks(Vec<Look>);

#[derive(Debug, PartialEq, Eq)]
struct Look {
    path: PathBuf,
    sight: Option<Sight>,
}

/// The file that a path led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sight {
    device: u64,
    inode: u64,
    /// The kind of file, and who may do what with it.
    mode: u32,
    /// When it was changed, in nanoseconds; of folders whose names were read alone.
    changed: Option<i64>,
}

impl Looks {
    /// Opens a path, as what it leads to now.
    pub(super) fn open(&mut self, path: &Path) -> Option<OwnedFd> {
        let opened = opened(path);
        self.0.push(Look { path: path.to_owned(), sight: sight(opened.as_ref(), false) });
        opened
    }

    /// Looks at what a path names.
    pub(super) fn at(&mut self, path: &Path) {
        drop(self.open(path));
    }

    /// Looks at a folder whose names are about to be read.
    pub(super) fn at_names(&mut self, folder: &Path) {
        let sight = sight(opened(folder).as_ref(), true);
        self.0.push(Look { path: folder.to_owned(), sight });
    }

    /// The looks without those that others stand for: nothing appears below a path that is not there, and nothing directly in a folder
    /// while its names are the same.
    #[must_use]
    pub(super) fn without_repetition(mut self) -> Self {
        let of = |is_one: fn(&Look) -> bool| -> HashSet<PathBuf> {
            self.0.iter().filter(|look| is_one(look)).map(|look| look.path.clone()).collect()
        };
        let (missing, named) = (of(|look| look.sight.is_none()), of(Look::has_names));
        let is_covered = |path: &Path| {
            path.parent().is_some_and(|folder| named.contains(folder))
                || path.ancestors().skip(1).any(|folder| missing.contains(folder))
        };
        self.0.retain(|look| look.sight.is_some() || !is_covered(&look.path));
        self
    }

    /// Whether everything is as it was.
    pub(super) fn hold(&self) -> bool {
        self.0.iter().all(Look::holds)
    }

    /// Whether a later change of any folder has another time than this one.
    #[expect(clippy::disallowed_methods, reason = "the times of folders are compared with it")]
    pub(super) fn are_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(now.as_nanos()).unwrap_or_default();
        self.0.iter().filter_map(|look| look.sight?.changed).all(|changed| changed + TICK < now)
    }
}

impl Look {
    fn has_names(&self) -> bool {
        self.sight.is_some_and(|sight| sight.changed.is_some())
    }

    /// Whether the path leads to the same file: by a link or not, since rules are of files. One call does what three would with an open file.
    fn holds(&self) -> bool {
        match (stat(&self.path), self.sight) {
            (Ok(found), Some(before)) => Sight::of(&found, before.changed.is_some()) == before,
            // A link is as good as nothing.
            (Ok(_), None) => opened(&self.path).is_none(),
            (Err(_), before) => before.is_none(),
        }
    }
}

impl Sight {
    fn of(found: &FileStat, has_names: bool) -> Self {
        let changed = has_names.then(|| nanoseconds(found.st_ctime, found.st_ctime_nsec));
        Self { device: found.st_dev, inode: found.st_ino, mode: found.st_mode, changed }
    }
}

/// A path to grant. One that is gone is none, and neither is one that a run has meanwhile made a link of.
pub(super) fn opened(path: &Path) -> Option<OwnedFd> {
    let how =
        OpenHow::new().flags(OFlag::O_PATH | OFlag::O_CLOEXEC).resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    openat2(AT_FDCWD, path, how).ok()
}

fn sight(opened: Option<&OwnedFd>, has_names: bool) -> Option<Sight> {
    fstat(opened?).ok().map(|found| Sight::of(&found, has_names))
}

fn nanoseconds(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}
