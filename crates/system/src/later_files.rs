//! Files by which other programs run something later: hooks of git, tasks of editors, configuration of agents and package
//! managers, programs of a project's own folders.
//!
//! A run that changes one acts outside of itself, at a time when nobody looks. They are looked at before a run and after it.

mod git;
mod places;
mod reader;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use walkdir::WalkDir;

use super::files::{self, Stamp};
use crate::model::{Seen, counted};
use places::{COUNTED, FILES, FOLDERS, WORKSPACE};
pub use reader::FileReader;

/// The most files that are looked at in one folder.
const MOST_ENTRIES: usize = 8192;

/// File systems count time in steps, in which a change can look earlier than it was.
const STEP: Duration = Duration::from_millis(10);

/// The state of these files at one moment.
#[derive(Debug)]
pub struct LaterFiles {
    at: SystemTime,
    /// The folders that were looked in.
    places: Vec<PathBuf>,
    files: BTreeMap<PathBuf, FileState>,
    /// The folders of programs that were there, by the numbers of their files: another may take the place of one.
    programs: BTreeMap<PathBuf, (u64, u64)>,
}

#[derive(Debug)]
struct FileState {
    seen: Seen,
    stamp: Option<Stamp>,
}

impl LaterFiles {
    /// The files in these folders of a project, and those of the repositories that they are in.
    pub fn look(reader: FileReader<'_>, folders: &[&Path]) -> Self {
        // The folder of a run is mostly the root of its project.
        let folders: BTreeSet<PathBuf> = folders.iter().map(|folder| files::canonical(folder)).collect();
        let roots: BTreeSet<PathBuf> = folders.iter().filter_map(|folder| git::root(folder)).collect();
        let places: Vec<PathBuf> = folders.union(&roots).cloned().collect();
        let mut look =
            Self { at: now(), places: places.clone(), files: BTreeMap::new(), programs: BTreeMap::new() };
        for root in &roots {
            let git = git::files_of(reader, root);
            for file in git.files {
                look.add_file(reader, file);
            }
            for folder in git.folders {
                look.add_folder(reader, &folder, 1);
            }
        }
        for place in places {
            let there = FolderNames::of(&place);
            for name in FILES.iter().filter(|name| there.may_have(name)) {
                look.add_file(reader, place.join(name));
            }
            for name in there.of_editors() {
                look.add_file(reader, place.join(name));
            }
            for (name, depth) in FOLDERS.iter().filter(|(name, _)| there.may_have(name)) {
                look.add_folder(reader, &place.join(name), *depth);
            }
            let folders = COUNTED.iter().filter(|name| there.may_have(name)).map(|name| place.join(name));
            look.programs.extend(folders.filter_map(|folder| Some((folder.clone(), numbers(&folder)?))));
        }
        look
    }

    /// The changes until a later look, which is made now, by their paths from the project's root.
    pub fn changes(&self, later: &Self, root: &Path) -> Vec<String> {
        let root = files::canonical(root);
        let shown = |path: &Path| path.strip_prefix(&root).unwrap_or(path).display().to_string();
        let since = self.at.checked_sub(STEP).unwrap_or(self.at);
        let all: BTreeSet<&PathBuf> = self.files.keys().chain(later.files.keys()).collect();
        let (before, after) = (|path: &Path| self.files.get(path), |path: &Path| later.files.get(path));
        // A folder of hooks that the configuration no longer names is still there.
        let is_left = |path: &Path| after(path).is_none() && files::stamp(path).is_some();
        let differing = all.into_iter().filter(|path| !is_same(before(path), after(path)) && !is_left(path));
        let mut told: Vec<String> =
            by_turns(differing).into_iter().map(|path| shown(path) + &links_of(path, since)).collect();
        for folder in self.places.iter().flat_map(|place| COUNTED.map(|name| place.join(name))) {
            let changed = changed_entries(&folder, since);
            if changed.is_empty() && later.programs.get(&folder) != self.programs.get(&folder) {
                told.push(shown(&folder));
            }
            if !changed.is_empty() {
                told.push(format!("{}: {}", shown(&folder), counted(changed.len() as u64, "file")));
            }
            // Told by name: others of the same content, in a store, are changed with it.
            let linked = changed.into_iter().filter(|(_, links)| !links.is_empty());
            told.extend(linked.map(|(path, links)| shown(&path) + &links));
        }
        told
    }

    fn add_file(&mut self, reader: FileReader<'_>, path: PathBuf) {
        let seen = reader.file(&path);
        if seen == Seen::Missing {
            return;
        }
        let stamp = match &seen {
            Seen::File(file) => Some(Stamp::of(file)),
            Seen::Missing | Seen::Unreadable(_) if files::look(&path).is_some_and(|look| look.directory) => {
                return;
            }
            Seen::Missing | Seen::Unreadable(_) => files::stamp(&path),
        };
        self.files.insert(path, FileState { seen, stamp });
    }

    fn add_folder(&mut self, reader: FileReader<'_>, folder: &Path, depth: usize) {
        for path in entries(folder, depth) {
            self.add_file(reader, path);
        }
    }
}

/// The names in a folder, by their small letters, since some file systems do not tell them apart: most of the files that are looked for
/// are not there, and this takes one look for all of them.
#[derive(Debug)]
struct FolderNames(Option<HashMap<OsString, OsString>>);

impl FolderNames {
    #[expect(clippy::disallowed_methods, reason = "one pass over the names of a folder")]
    fn of(folder: &Path) -> Self {
        let both = |entry: DirEntry| (entry.file_name().to_ascii_lowercase(), entry.file_name());
        let names = || std::fs::read_dir(folder)?.map(|entry| entry.map(both)).collect();
        Self(Result::<_, std::io::Error>::ok(names()))
    }

    /// The files of workspaces of an editor, which have names of their own.
    fn of_editors(&self) -> impl Iterator<Item = &OsString> {
        let names = self.0.iter().flatten();
        names
            .filter(|(name, _)| name.as_encoded_bytes().ends_with(WORKSPACE.as_bytes()))
            .map(|(_, name)| name)
    }

    /// Whether a path from the folder may be there. A folder that cannot be read may have everything.
    fn may_have(&self, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or(path).to_ascii_lowercase();
        self.0.as_ref().is_none_or(|names| names.contains_key(OsStr::new(&first)))
    }
}

/// The files of a folder, links included; none where it is no folder.
fn entries(folder: &Path, depth: usize) -> Vec<PathBuf> {
    if !files::look(folder).is_some_and(|look| look.directory) {
        return Vec::new();
    }
    // Samples of hooks run nothing.
    let runs = |path: &PathBuf| path.extension().is_none_or(|extension| extension != "sample");
    let walk = WalkDir::new(folder).min_depth(1).max_depth(depth).into_iter().flatten();
    let walk = walk.filter(|entry| !entry.file_type().is_dir()).map(walkdir::DirEntry::into_path);
    walk.filter(runs).take(MOST_ENTRIES).collect()
}

/// The paths, one of each folder before the second of any: who reads the first few sees all folders.
fn by_turns<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Vec<&'p PathBuf> {
    let mut of_folder: BTreeMap<Option<&Path>, usize> = BTreeMap::new();
    let mut placed: Vec<(usize, &PathBuf)> = paths
        .map(|path| {
            let turn = of_folder.entry(path.parent()).or_default();
            *turn += 1;
            (*turn, path)
        })
        .collect();
    placed.sort_by_key(|(turn, _)| *turn);
    placed.into_iter().map(|(_, path)| path).collect()
}

/// Whether a file says the same, and may be run as before.
fn is_same(before: Option<&FileState>, after: Option<&FileState>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => match (&before.seen, &after.seen) {
            (Seen::File(one), Seen::File(other)) => {
                one.bytes == other.bytes && one.mode == other.mode && one.canonical == other.canonical
            }
            (one, other) => one == other && before.stamp == after.stamp,
        },
        (before, after) => before.is_none() && after.is_none(),
    }
}

/// The entries of a folder that were changed, or made, since a time, each with the words on its other names. Links are
/// followed: a program that was there before, and says something else now, is one of them.
#[expect(clippy::disallowed_methods, reason = "one pass over the names of a folder")]
fn changed_entries(folder: &Path, since: SystemTime) -> Vec<(PathBuf, String)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let changed = |entry: DirEntry| {
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let own = entry.metadata().ok();
        let target = is_link.then(|| std::fs::metadata(entry.path()).ok()).flatten();
        let is_changed = own.iter().chain(&target).any(|found| changed_at(found) >= since);
        is_changed.then(|| (entry.path(), links(target.as_ref().or(own.as_ref()), since)))
    };
    let mut changed: Vec<_> = entries.flatten().take(MOST_ENTRIES).filter_map(changed).collect();
    changed.sort();
    changed
}

/// The numbers of a folder's device and file.
#[expect(clippy::disallowed_methods, reason = "the numbers of a folder are compared with its earlier ones")]
fn numbers(folder: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(folder).ok().filter(Metadata::is_dir).map(|found| (found.dev(), found.ino()))
}

/// When the content, the name or the rights of a file changed last.
fn changed_at(found: &Metadata) -> SystemTime {
    let time = |seconds: i64, nanoseconds: i64| {
        let whole = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
        SystemTime::UNIX_EPOCH + whole + Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or_default())
    };
    time(found.ctime(), found.ctime_nsec())
}

#[expect(clippy::disallowed_methods, reason = "the number of links is asked for changed files alone")]
fn links_of(path: &Path, since: SystemTime) -> String {
    links(std::fs::metadata(path).ok().as_ref(), since)
}

/// The number of names of a file that was there and was changed in place, in words; empty where it has one name. An install
/// that gives a stored file another name does not change it.
fn links(found: Option<&Metadata>, since: SystemTime) -> String {
    let Some(found) = found.filter(|found| found.nlink() > 1) else { return String::new() };
    let is_written = found.modified().is_ok_and(|at| at >= since);
    let is_new = found.created().is_ok_and(|at| at >= since);
    if is_written && !is_new { format!(" (one of {} hard links)", found.nlink()) } else { String::new() }
}

#[expect(clippy::disallowed_methods, reason = "the times of files are compared with it")]
fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests;
