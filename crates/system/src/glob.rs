//! Finds files by pattern, and walks only where a match can be.
//!
//! A walk starts in the deepest folder that a pattern names. It enters a folder only if its path so far fits
//! a pattern, and follows no symbolic link to a folder. A case-sensitive file system is assumed.

mod names;
mod pattern;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use names::{below, there};
use pattern::{EntryKind, PathPattern, PatternProgress};
use walkdir::{DirEntry, WalkDir};

use super::read_file::{Extent, KnownFolders, SeenEntry, sight};
use super::watch::MOST_FOLDERS;
use crate::model::{BadPattern, Glob, Matches, Seen, shown};

/// How much a search may take.
#[derive(Debug, Clone, Copy)]
pub struct SearchLimits {
    /// The most files that are looked at and returned.
    pub matches: usize,
    /// The most entries of folders that are visited.
    pub entries: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { matches: 5_000, entries: 200_000 }
    }
}

/// Finds the regular files that match, and reads the head of each.
///
/// Links to folders, pipes, sockets and devices are no matches. A pattern without wildcards whose file is not
/// there is answered with [`Seen::Missing`].
pub fn search(root: &Path, glob: &Glob, limits: SearchLimits) -> Matches {
    search_among(&mut KnownFolders::default(), root, glob, limits)
}

/// The same, where other files of the same folders are looked at as well.
pub fn search_among(known: &mut KnownFolders, root: &Path, glob: &Glob, limits: SearchLimits) -> Matches {
    let mut matches = Matches::default();
    let mut notes = Notes::default();
    if glob.exclude.is_empty() && glob.patterns.iter().all(|text| pattern::is_name(text)) {
        matches.base = base(known, &root.join(&glob.base), &mut notes);
        if let Some(base) = &matches.base {
            let mut search = GlobSearch::of(base, Vec::new(), 0);
            let there = there(base, &glob.patterns);
            search.walked = there.iter().map(|name| ((*name).to_owned(), false)).collect();
            let absent = glob.patterns.iter().filter(|name| !there.contains(name.as_str()));
            let absent = absent.map(|name| (name.clone(), Seen::Missing));
            let found = search.look(known, |_| true, glob.head, limits);
            matches.found = absent.chain(found).collect();
            notes = search.notes;
        }
        matches.notes = notes.finish();
        return matches;
    }
    let (wanted, excluded) = patterns(glob, &mut matches.refused);
    matches.base = base(known, &root.join(&glob.base), &mut notes);
    if let (Some(base), Some(excluded)) = (&matches.base, excluded) {
        let search = GlobSearch { notes, ..GlobSearch::of(base, excluded, limits.entries) };
        let mut search = GlobSearch { behind_links: glob.behind_links, ..search };
        let named = search.run(&wanted);
        matches.idle = search.idle(glob, &wanted, &named);
        for path in &named {
            search.walked.entry(path.clone()).or_default();
        }
        matches.found = search.look(known, |path| named.contains(path), glob.head, limits);
        matches.folders = search.folders;
        notes = search.notes;
    }
    matches.notes = notes.finish();
    matches
}

/// The patterns of a glob; no excludes at all when one of them cannot be understood.
fn patterns(glob: &Glob, refused: &mut Vec<BadPattern>) -> (Vec<PathPattern>, Option<Vec<PathPattern>>) {
    let mut wanted = Vec::new();
    for text in &*glob.patterns {
        pattern::wanted(text).map_or_else(|bad| refused.push(bad), |pattern| wanted.push(pattern));
    }
    let mut excluded = Some(Vec::new());
    for text in &glob.exclude {
        match (pattern::excluded(text), &mut excluded) {
            (Ok(patterns), Some(excluded)) => excluded.extend(patterns),
            (Ok(_), None) => {}
            (Err(bad), _) => {
                refused.push(bad);
                excluded = None;
            }
        }
    }
    (wanted, excluded)
}

/// The canonical base directory, where it is one.
fn base(known: &mut KnownFolders, path: &Path, notes: &mut Notes) -> Option<PathBuf> {
    match known.folder(path) {
        Ok(base) => base.is_folder.then_some(base.canonical),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
        Err(error) => {
            notes.add(format!("cannot look into {}: {error}", named(path)));
            None
        }
    }
}

/// One search: its matches so far, and its remaining limits.
struct GlobSearch<'a> {
    base: &'a Path,
    excluded: Vec<PathPattern>,
    /// How many entries may still be visited.
    visits: usize,
    /// The excludes that left something out, by their number.
    heeded: BTreeSet<usize>,
    /// The paths that match or are named, and whether the folder says that a regular file is there.
    walked: BTreeMap<String, bool>,
    /// The name of a file that matches in a folder that a link leads to, and the paths that there may be.
    behind_links: Option<&'static str>,
    linked: BTreeSet<String>,
    /// Those that were walked, as many as can be watched and one more.
    folders: Vec<PathBuf>,
    notes: Notes,
}

/// How far a folder's path has got in each pattern.
struct PathProgress {
    wanted: Vec<PatternProgress>,
    excluded: Vec<PatternProgress>,
}

impl<'a> GlobSearch<'a> {
    fn of(base: &'a Path, excluded: Vec<PathPattern>, visits: usize) -> Self {
        let (heeded, walked, folders) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
        let (linked, notes) = (BTreeSet::new(), Notes::default());
        Self { base, excluded, visits, heeded, walked, behind_links: None, linked, folders, notes }
    }

    /// Finds the paths that match. Returns those that patterns name in full; the others are in `walked`.
    fn run(&mut self, patterns: &[PathPattern]) -> BTreeSet<String> {
        let mut named = BTreeSet::new();
        let mut walks: BTreeMap<Vec<&str>, Vec<&PathPattern>> = BTreeMap::new();
        for pattern in patterns {
            match pattern.path() {
                Some(path) if self.leaves_out(|pattern, _| pattern.matches_path(&path), &[]) => {}
                Some(path) => _ = named.insert(path),
                None => walks.entry(pattern.folder()).or_default().push(pattern),
            }
        }
        for (folder, wanted) in walks {
            self.walk(&folder, &wanted);
        }
        named
    }

    /// Walks one folder for all patterns that begin in it.
    fn walk(&mut self, folder: &[&str], wanted: &[&PathPattern]) {
        let mut trail = vec![PathProgress {
            wanted: wanted.iter().map(|pattern| pattern.after(folder)).collect(),
            excluded: self.excluded.iter().map(|pattern| pattern.after(folder)).collect(),
        }];
        if self.covers(&trail[0]) {
            return;
        }
        let first = self.base.join(folder.join("/"));
        self.note_folder(&first);
        let mut entries = WalkDir::new(first).min_depth(1).into_iter();
        while let Some(entry) = entries.next() {
            let Some(left) = self.visits.checked_sub(1) else {
                self.notes.add("the search stopped early: too many files; narrow the patterns".into());
                return;
            };
            self.visits = left;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.failed(&error);
                    continue;
                }
            };
            trail.truncate(entry.depth());
            let Some(here) = trail.last() else { continue };
            if entry.file_type().is_dir() {
                match self.enter(&entry, wanted, here) {
                    Some(progress) => {
                        self.note_folder(entry.path());
                        trail.push(progress);
                    }
                    None => entries.skip_current_dir(),
                }
            } else if entry.file_type().is_file() || entry.file_type().is_symlink() {
                self.weigh(&entry, wanted, here);
                self.look_behind(&entry, wanted, here);
            }
        }
    }

    fn note_folder(&mut self, folder: &Path) {
        if self.folders.len() <= MOST_FOLDERS {
            self.folders.push(folder.to_owned());
        }
    }

    /// How far a folder gets in each pattern; `None` when nothing below it can match.
    fn enter(
        &mut self,
        entry: &DirEntry,
        wanted: &[&PathPattern],
        from: &PathProgress,
    ) -> Option<PathProgress> {
        let name = entry.file_name().to_string_lossy();
        let step =
            |pattern: &PathPattern, place: &PatternProgress| pattern.step(*place, &name, EntryKind::Folder);
        let places: Vec<_> =
            wanted.iter().zip(&from.wanted).map(|(pattern, place)| step(pattern, place)).collect();
        if !wanted.iter().zip(&places).any(|(pattern, place)| pattern.leads_on(*place)) {
            return None;
        }
        if self.relative(entry.path()).is_none() {
            self.unreadable_name(entry);
            return None;
        }
        let excluded = self.excluded.iter().zip(&from.excluded);
        let excluded = excluded.map(|(pattern, place)| step(pattern, place)).collect();
        let progress = PathProgress { wanted: places, excluded };
        (!self.covers(&progress)).then_some(progress)
    }

    /// Whether everything below is left out.
    fn covers(&mut self, progress: &PathProgress) -> bool {
        self.leaves_out(|pattern, place| place.is_some_and(|place| pattern.covers(place)), &progress.excluded)
    }

    /// Whether an exclude leaves something out. Each that does is remembered.
    fn leaves_out(
        &mut self,
        does: impl Fn(&PathPattern, Option<PatternProgress>) -> bool,
        places: &[PatternProgress],
    ) -> bool {
        let excluded = self.excluded.iter().enumerate();
        let heeded: Vec<usize> = excluded
            .filter(|(at, pattern)| does(pattern, places.get(*at).copied()))
            .map(|(at, _)| at)
            .collect();
        self.heeded.extend(&heeded);
        !heeded.is_empty()
    }

    /// The patterns and excludes that had no effect; none where the search was cut off.
    fn idle(&self, glob: &Glob, wanted: &[PathPattern], named: &BTreeSet<String>) -> Vec<String> {
        if self.visits == 0 || wanted.len() < glob.patterns.len() {
            return Vec::new();
        }
        let is_met = |pattern: &PathPattern| {
            pattern.path().is_some() || self.walked.keys().chain(named).any(|path| pattern.matches_path(path))
        };
        let patterns = glob.patterns.iter().zip(wanted).filter(|(_, pattern)| !is_met(pattern));
        let mut number = 0;
        let excludes = glob.exclude.iter().filter(|text| {
            let first = number;
            number += pattern::excluded(text).map_or(0, |patterns| patterns.len());
            (first..number).all(|at| !self.heeded.contains(&at))
        });
        patterns.map(|(text, _)| text.clone()).chain(excludes.cloned()).collect()
    }

    /// Keeps a file that matches and is not left out.
    fn weigh(&mut self, entry: &DirEntry, wanted: &[&PathPattern], from: &PathProgress) {
        let name = entry.file_name().to_string_lossy();
        let matches = |pattern: &PathPattern, place: &PatternProgress| {
            pattern.matches(pattern.step(*place, &name, EntryKind::File))
        };
        if !wanted.iter().zip(&from.wanted).any(|(pattern, place)| matches(pattern, place))
            || self.leaves_out(|one, place| place.is_some_and(|place| matches(one, &place)), &from.excluded)
        {
            return;
        }
        match self.relative(entry.path()) {
            Some(path) => _ = self.walked.insert(path, entry.file_type().is_file()),
            None => self.unreadable_name(entry),
        }
    }

    /// Keeps the file that a link to a folder may lead to.
    fn look_behind(&mut self, entry: &DirEntry, wanted: &[&PathPattern], from: &PathProgress) {
        let Some(name) = self.behind_links.filter(|_| entry.path_is_symlink()) else { return };
        let Some(inside) = self.enter(entry, wanted, from) else { return };
        let matches = |pattern: &PathPattern, place: &PatternProgress| {
            pattern.matches(pattern.step(*place, name, EntryKind::File))
        };
        if wanted.iter().zip(&inside.wanted).any(|(pattern, place)| matches(pattern, place))
            && !self
                .leaves_out(|one, place| place.is_some_and(|place| matches(one, &place)), &inside.excluded)
            && let Some(path) = self.relative(&entry.path().join(name))
        {
            self.linked.insert(path.clone());
            self.walked.insert(path, false);
        }
    }

    /// Looks at the files in the order of their paths, as many as the limit allows.
    fn look(
        &mut self,
        known: &mut KnownFolders,
        is_named: impl Fn(&str) -> bool,
        head: u64,
        limits: SearchLimits,
    ) -> BTreeMap<String, Seen> {
        let wanted = std::mem::take(&mut self.walked);
        let all = wanted.len();
        if all > limits.matches {
            let most = limits.matches;
            self.notes
                .add(format!("{all} files match and only the first {most} are taken; narrow the patterns"));
        }
        let mut found = Vec::with_capacity(all.min(limits.matches));
        for (path, is_file) in wanted.into_iter().take(limits.matches) {
            let at = self.base.join(&path);
            let seen = match sight(known, &at, Extent::Head { bytes: head, is_file }) {
                SeenEntry::File(file) => Seen::File(file),
                SeenEntry::Denied(reason) => Seen::Unreadable(reason),
                SeenEntry::Nothing if is_named(&path) => Seen::Missing,
                SeenEntry::Nothing if self.linked.contains(&path) => continue,
                SeenEntry::Nothing => {
                    self.notes.add(format!("{} is a symbolic link to nothing", shown(&path)));
                    continue;
                }
                SeenEntry::Other(kind) => {
                    if is_named(&path) {
                        self.notes.add(format!("{} is {kind}, not a file", shown(&path)));
                    }
                    continue;
                }
            };
            found.push((path, seen));
        }
        found.into_iter().collect()
    }

    /// A folder that could not be listed; one that is not there matches nothing, which needs no note.
    fn failed(&mut self, error: &walkdir::Error) {
        let Some(cause) = error.io_error() else { return };
        if !matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
            let path = error.path().unwrap_or(self.base);
            let path = path.strip_prefix(self.base).unwrap_or(path);
            self.notes.add(format!("cannot look into {}: {cause}", named(path)));
        }
    }

    fn unreadable_name(&mut self, entry: &DirEntry) {
        let path = entry.path().strip_prefix(self.base).unwrap_or(entry.path());
        self.notes.add(format!("{} is left out: its name is not UTF-8", named(path)));
    }

    /// The path below the base, when it is text.
    fn relative(&self, path: &Path) -> Option<String> {
        below(self.base, path).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests;

/// A path as notes show it.
fn named(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// Notes, no more than a person would read.
#[derive(Debug, Default)]
struct Notes {
    kept: BTreeSet<String>,
    more: usize,
}

impl Notes {
    const MOST: usize = 50;

    fn add(&mut self, note: String) {
        if self.kept.len() < Self::MOST || self.kept.contains(&note) {
            self.kept.insert(note);
        } else {
            self.more += 1;
        }
    }

    fn finish(self) -> Vec<String> {
        let more = (self.more > 0).then(|| format!("and {} more like these", self.more));
        self.kept.into_iter().chain(more).collect()
    }
}
