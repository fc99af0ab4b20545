//! Reports when files and folders may have changed.
//!
//! It watches folders and not files. An editor that writes a new file and gives it the name of the old one
//! would take a watch on the file with it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::files;

/// How many folders are watched at most: all programs of a user share the watches that a system has.
pub const MOST_FOLDERS: usize = 1_000;

/// The places to watch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WatchedPlaces {
    /// Files, there or not.
    pub files: BTreeSet<PathBuf>,
    /// Folders in which every name matters, there or not.
    pub folders: BTreeSet<PathBuf>,
}

impl WatchedPlaces {
    /// Adds those of another.
    pub fn join(&mut self, other: &Self) {
        self.files.extend(other.files.iter().cloned());
        self.folders.extend(other.folders.iter().cloned());
    }
}

/// A watch over places, which may be others from time to time.
#[derive(Debug)]
pub struct Watch {
    watcher: RecommendedWatcher,
    heard: Arc<WatcherState>,
}

/// The result of watching some places.
#[derive(Debug, PartialEq, Eq)]
pub struct Watched {
    /// Whether something is watched that was not before, so that a change of it may have gone unseen.
    pub more: bool,
    /// Why not all of it is watched.
    pub gap: Option<String>,
}

impl Watch {
    /// A watch over nothing yet.
    ///
    /// # Errors
    /// With the reason, when the system gives no means to watch.
    pub fn new() -> Result<Self, String> {
        let heard = Arc::new(WatcherState::default());
        let theirs = Arc::clone(&heard);
        let watcher = notify::recommended_watcher(move |event| theirs.hear(event));
        watcher.map(|watcher| Self { watcher, heard }).map_err(|error| error.to_string())
    }

    /// Watches these places from now on, and no others.
    pub fn set(&mut self, places: &WatchedPlaces) -> Watched {
        let mut wanted = interests(places);
        let count = wanted.len();
        let mut gap = (count > MOST_FOLDERS)
            .then(|| format!("{count} folders are to be watched, and at most {MOST_FOLDERS} are"));
        wanted = wanted.into_iter().take(MOST_FOLDERS).collect();
        // The lock is not held while folders are added: that waits for the thread that receives changes.
        let lost = std::mem::take(&mut *lock(&self.heard.lost));
        let before = std::mem::replace(&mut *lock(&self.heard.interests), wanted.clone());
        let gone = before.keys().filter(|folder| lost.contains(*folder) || !wanted.contains_key(*folder));
        let new = wanted.keys().filter(|folder| lost.contains(*folder) || !before.contains_key(*folder));
        let (gone, new): (Vec<_>, Vec<_>) = (gone.collect(), new.collect());
        let mut unwatched = Vec::new();
        if !gone.is_empty() || !new.is_empty() {
            let mut paths = self.watcher.paths_mut();
            for folder in gone {
                // One that was removed is not watched any more.
                let _ = paths.remove(folder);
            }
            for folder in &new {
                if let Err(error) = paths.add(folder, RecursiveMode::NonRecursive) {
                    gap.get_or_insert_with(|| reason(folder, &error));
                    unwatched.push((*folder).clone());
                }
            }
            if let Err(error) = paths.commit() {
                gap.get_or_insert_with(|| error.to_string());
            }
        }
        let is_wider =
            |(folder, names)| before.get(folder).is_some_and(|old: &WatchedNames| !old.holds(names));
        let more = new.len() > unwatched.len() || wanted.iter().any(is_wider);
        let mut interests = lock(&self.heard.interests);
        for folder in unwatched {
            interests.remove(&folder);
        }
        Watched { more, gap }
    }

    /// Waits until something may have changed. Changes since it last returned count.
    pub async fn touched(&self) {
        self.heard.touched.notified().await;
    }
}

fn reason(folder: &Path, error: &dyn Display) -> String {
    format!("{} cannot be watched: {error}", folder.display())
}

/// The folders to watch, and the names in them, so that every change of these places is noticed. If a place
/// does not exist, its nearest existing ancestor is watched.
fn interests(places: &WatchedPlaces) -> BTreeMap<PathBuf, WatchedNames> {
    let mut wanted: BTreeMap<PathBuf, WatchedNames> = BTreeMap::new();
    let mut add = |folder: PathBuf, name: Option<&OsStr>| match (wanted.entry(folder), name) {
        (Entry::Vacant(open), None) => _ = open.insert(WatchedNames::All),
        (Entry::Occupied(mut known), None) => _ = known.insert(WatchedNames::All),
        (Entry::Vacant(open), Some(name)) => _ = open.insert(WatchedNames::Some([name.to_owned()].into())),
        (Entry::Occupied(mut known), Some(name)) => {
            if let WatchedNames::Some(names) = known.get_mut() {
                names.insert(name.to_owned());
            }
        }
    };
    for folder in &places.folders {
        if is_folder(folder) {
            add(files::canonical(folder), None);
        } else if let Some((above, name)) = nearest(folder) {
            add(above, Some(name));
        }
    }
    for (above, name) in places.files.iter().filter_map(|file| nearest(file)) {
        add(above, Some(name));
    }
    wanted
}

/// The nearest folder above a path that is there, and the name in it that leads to the path.
fn nearest(path: &Path) -> Option<(PathBuf, &OsStr)> {
    let mut below = path;
    loop {
        let above = below.parent()?;
        if is_folder(above) {
            return Some((files::canonical(above), below.file_name()?));
        }
        below = above;
    }
}

fn is_folder(path: &Path) -> bool {
    files::look(path).is_some_and(|look| look.directory)
}

/// Which names in a folder matter.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WatchedNames {
    All,
    Some(BTreeSet<OsString>),
}

impl WatchedNames {
    fn has(&self, name: &OsStr) -> bool {
        match self {
            Self::All => true,
            Self::Some(names) => names.contains(name),
        }
    }

    fn holds(&self, others: &Self) -> bool {
        match (self, others) {
            (Self::All, _) => true,
            (Self::Some(_), Self::All) => false,
            (Self::Some(names), Self::Some(others)) => others.is_subset(names),
        }
    }
}

/// The state that the watcher's own thread and the waiting tasks share.
#[derive(Debug, Default)]
struct WatcherState {
    touched: Notify,
    interests: Mutex<BTreeMap<PathBuf, WatchedNames>>,
    /// Watched folders that were moved or removed: another one of that name is not watched yet.
    lost: Mutex<BTreeSet<PathBuf>>,
}

impl WatcherState {
    fn hear(&self, event: notify::Result<Event>) {
        // An error may hide a change.
        if event.is_ok_and(|event| !self.matters(&event)) {
            return;
        }
        self.touched.notify_one();
    }

    fn matters(&self, event: &Event) -> bool {
        // cuff itself opens and reads the files that it watches.
        if event.kind.is_access() {
            return false;
        }
        let moved = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        let interests = lock(&self.interests);
        if event.need_rescan() {
            // Events went unheard: those of folders that were moved or removed may be among them.
            lock(&self.lost).extend(interests.keys().cloned());
        }
        let mut matters = event.need_rescan() || event.paths.is_empty();
        for path in &event.paths {
            let itself = interests.contains_key(path);
            if itself && moved {
                lock(&self.lost).insert(path.clone());
            }
            let within = path.parent().and_then(|folder| interests.get(folder)).zip(path.file_name());
            matters |= itself || within.is_some_and(|(names, name)| names.has(name));
        }
        matters
    }
}

fn lock<Value>(mutex: &Mutex<Value>) -> MutexGuard<'_, Value> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files they watch")]
mod tests {
    use std::fs;
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// A folder and a watch over some files and folders in it.
    struct Scene {
        folder: tempfile::TempDir,
        watch: Watch,
    }

    impl Scene {
        fn new() -> Self {
            Self { folder: tempfile::tempdir().unwrap(), watch: Watch::new().unwrap() }
        }

        fn at(&self, path: &str) -> PathBuf {
            self.folder.path().join(path)
        }

        fn set(&mut self, files: &[&str], folders: &[&str]) -> Watched {
            let all = |paths: &[&str]| paths.iter().map(|path| self.at(path)).collect();
            let places = WatchedPlaces { files: all(files), folders: all(folders) };
            self.watch.set(&places)
        }

        async fn hears(&self) -> bool {
            let heard = timeout(Duration::from_secs(10), self.watch.touched()).await.is_ok();
            // One change is several events.
            while timeout(Duration::from_millis(50), self.watch.touched()).await.is_ok() {}
            heard
        }

        async fn is_quiet(&self) -> bool {
            timeout(Duration::from_millis(200), self.watch.touched()).await.is_err()
        }
    }

    const MORE: Watched = Watched { more: true, gap: None };
    const SAME: Watched = Watched { more: false, gap: None };

    fn run(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    #[test]
    fn a_file_is_heard_of_however_it_changes_and_its_neighbours_are_not() {
        run(async {
            let mut scene = Scene::new();
            let (file, other) = (scene.at("file"), scene.at("other"));
            assert_eq!(scene.set(&["file"], &[]), MORE);
            assert_eq!(scene.set(&["file"], &[]), SAME);
            fs::write(&file, "made").unwrap();
            assert!(scene.hears().await, "made");
            fs::read(&file).unwrap();
            fs::write(&other, "x").unwrap();
            assert!(scene.is_quiet().await, "it was only read");
            fs::write(&file, "written").unwrap();
            assert!(scene.hears().await, "written");
            fs::rename(&other, &file).unwrap();
            assert!(scene.hears().await, "replaced");
            fs::remove_file(&file).unwrap();
            assert!(scene.hears().await, "removed");
            assert_eq!(scene.set(&[], &[]), SAME);
            fs::write(&file, "made").unwrap();
            assert!(scene.is_quiet().await, "nobody wants to know");
        });
    }

    #[test]
    fn missing_places_are_noticed_as_their_folders_appear() {
        run(async {
            let mut scene = Scene::new();
            assert_eq!(scene.set(&["a/b/file"], &["c/d"]), MORE);
            fs::write(scene.at("x"), "").unwrap();
            assert!(scene.is_quiet().await);
            for folder in ["a", "a/b", "c", "c/d"] {
                fs::create_dir(scene.at(folder)).unwrap();
                assert!(scene.hears().await, "{folder}");
                assert_eq!(scene.set(&["a/b/file"], &["c/d"]), MORE, "{folder}");
            }
            fs::write(scene.at("a/b/file"), "").unwrap();
            assert!(scene.hears().await);
            fs::write(scene.at("c/d/any"), "").unwrap();
            assert!(scene.hears().await);
        });
    }

    /// A system may give the new folder the very number of the old one.
    #[test]
    fn a_folder_that_is_made_again_is_watched_again() {
        run(async {
            let mut scene = Scene::new();
            fs::create_dir(scene.at("a")).unwrap();
            scene.set(&[], &["a"]);
            for (round, removed) in [true, false, true].into_iter().enumerate() {
                if removed {
                    fs::remove_dir_all(scene.at("a")).unwrap();
                } else {
                    fs::rename(scene.at("a"), scene.at("away")).unwrap();
                }
                fs::create_dir(scene.at("a")).unwrap();
                assert!(scene.hears().await, "{round}");
                assert_eq!(scene.set(&[], &["a"]), MORE, "{round}");
                fs::write(scene.at("a/file"), "").unwrap();
                assert!(scene.hears().await, "{round}");
            }
        });
    }

    #[test]
    fn there_are_no_more_watches_than_a_program_may_take() {
        let mut scene = Scene::new();
        let folders: Vec<String> = (0..=MOST_FOLDERS).map(|number| format!("{number:04}")).collect();
        for folder in &folders {
            fs::create_dir(scene.at(folder)).unwrap();
        }
        let names: Vec<&str> = folders.iter().map(String::as_str).collect();
        assert_eq!(scene.set(&[], &names[1..]), MORE);
        let Watched { more: true, gap: Some(gap) } = scene.set(&[], &names) else {
            panic!("the first is new")
        };
        assert!(gap.starts_with("1001 folders are to be watched"), "{gap}");
        assert_eq!(lock(&scene.watch.heard.interests).len(), MOST_FOLDERS);
    }
}
