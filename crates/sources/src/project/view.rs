//! One view of a project, which all sources of one listing share: what several of them want is looked at once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::model::{File, Glob, Link, Matches, Pathname, Seen};
use crate::sys::read_file::KnownFolders;
use crate::sys::{Environment, Stamped, files, glob, programs, read_file, repository};

/// The largest file that is read whole, in bytes.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;
/// A search that reads so many bytes of each file is about their contents.
const WHOLE: u64 = 1024 * 1024;

/// Everything that was seen in one place since this view began.
#[derive(Debug)]
pub struct ProjectView {
    began: SystemTime,
    sights: Mutex<Sights>,
}

/// The views of a command that looks once: all its parts see a folder as the first of them did.
#[derive(Debug, Default)]
pub struct SharedViews(Mutex<HashMap<PathBuf, Arc<ProjectView>>>);

impl SharedViews {
    /// The view of a folder, which begins `now` unless it has begun.
    pub fn of(&self, folder: &Path, now: SystemTime) -> Arc<ProjectView> {
        let mut views = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(views.entry(folder.to_owned()).or_insert_with(|| Arc::new(ProjectView::since(now))))
    }
}

/// An answer, with the stamps of what it was made of.
pub(super) type StampedAnswer<Answer> = (Answer, Arc<Stamped>);

#[derive(Debug, Default)]
struct Sights {
    folders: KnownFolders,
    /// The folders that links of a project may lead into: its root, and that of its repository.
    homes: HashMap<PathBuf, Vec<PathBuf>>,
    files: HashMap<Pathname, StampedAnswer<Seen>>,
    globs: HashMap<Glob, StampedAnswer<Arc<Matches>>>,
    /// The files that searches read whole.
    found: HashMap<PathBuf, Seen>,
    programs: HashMap<String, StampedAnswer<Option<PathBuf>>>,
}

impl ProjectView {
    /// A view that begins now, and has seen nothing yet.
    pub fn since(now: SystemTime) -> Self {
        Self { began: now, sights: Mutex::default() }
    }

    /// When it began: it has seen nothing as it was before.
    pub fn began(&self) -> SystemTime {
        self.began
    }

    /// Looks at everything anew from now on. A process may have changed it.
    pub(super) fn forget(&self) {
        *self.sights() = Sights::default();
    }

    pub(super) fn file(&self, root: &Path, path: &str) -> StampedAnswer<Seen> {
        let Sights { folders, homes, files, found, .. } = &mut *self.sights();
        if let Some(known) = files.get(path) {
            return known.clone();
        }
        let at = root.join(path);
        let seen = found.remove(&at).unwrap_or_else(|| read_file::file_among(folders, &at, LARGEST_FILE));
        let seen =
            if files::stays_below(Path::new(path)) { inside(homes_of(homes, root), seen) } else { seen };
        let stamped = Arc::new(Stamped::of_file(root, path, &seen));
        files.insert(path.to_owned(), (seen.clone(), Arc::clone(&stamped)));
        (seen, stamped)
    }

    pub(super) fn matches(&self, root: &Path, wanted: &Glob) -> StampedAnswer<Arc<Matches>> {
        let Sights { folders, homes, globs, found: whole, .. } = &mut *self.sights();
        if let Some(known) = globs.get(wanted) {
            return known.clone();
        }
        let mut found = glob::search_among(folders, root, wanted, glob::SearchLimits::default());
        if files::stays_below(Path::new(&wanted.base)) {
            let homes = homes_of(homes, root);
            for seen in found.found.values_mut() {
                let before = std::mem::replace(seen, Seen::Missing);
                *seen = inside(homes, before);
            }
        }
        let stamped = Arc::new(Stamped::of_matches(root, wanted, &found));
        let is_whole = |file: &File| {
            wanted.head >= WHOLE && file.link == Link::Direct && file.bytes.len() as u64 == file.size
        };
        whole.extend(found.found.values().filter_map(|seen| match seen {
            Seen::File(file) if is_whole(file) => Some((file.canonical.clone(), seen.clone())),
            _ => None,
        }));
        let sight = (Arc::new(found), stamped);
        globs.insert(wanted.clone(), sight.clone());
        sight
    }

    pub(super) fn program(
        &self,
        root: &Path,
        environment: &Environment,
        name: &str,
    ) -> StampedAnswer<Option<PathBuf>> {
        let Sights { programs: known, .. } = &mut *self.sights();
        if let Some(known) = known.get(name) {
            return known.clone();
        }
        let path = programs::inherited_search_path(environment);
        let (found, tried) = programs::look(name, path, root);
        let sight = (found, Arc::new(Stamped::of_program(tried)));
        known.insert(name.to_owned(), sight.clone());
        sight
    }

    /// A file by an absolute path, which no stamp covers.
    pub(super) fn unstamped(&self, path: &Path) -> Seen {
        read_file::file_among(&mut self.sights().folders, path, LARGEST_FILE)
    }

    fn sights(&self) -> MutexGuard<'_, Sights> {
        self.sights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The folders that links of a project may lead into.
fn homes_of<'h>(homes: &'h mut HashMap<PathBuf, Vec<PathBuf>>, root: &Path) -> &'h [PathBuf] {
    homes.entry(root.to_owned()).or_insert_with(|| {
        let root = files::canonical(root);
        let repository = root.ancestors().find(|folder| repository::is_root(folder)).map(Path::to_owned);
        repository.into_iter().chain([root]).collect()
    })
}

/// The sight of a file, without its content where a link leads to it out of the project: a run may have made the link, and cuff reads more
/// than a run may.
fn inside(homes: &[PathBuf], seen: Seen) -> Seen {
    match seen {
        Seen::File(file) if !homes.iter().any(|home| file.canonical.starts_with(home)) => {
            Seen::File(File { bytes: [].into(), ..file })
        }
        seen => seen,
    }
}
