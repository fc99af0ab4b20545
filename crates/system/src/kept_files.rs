//! Files as they were read, which are read again only when their stamps have moved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::stamps::{Stamped, Stamps};
use super::{Clock, glob, read_file};
use crate::model::{Glob, Matches, Seen};

/// The most looks that are kept. A project has a handful of such files, and its scripts.
const MOST: usize = 1_000;

/// Files as they were read, for as long as their stamps are the same.
///
/// Writes through a memory map leave a stamp as it was. So this cache is not used for files that an approval
/// or a pin depends on.
#[derive(Debug, Default)]
pub struct KeptFiles {
    clock: Clock,
    files: Mutex<KeptAnswers<(PathBuf, u64), Seen>>,
    matches: Mutex<KeptAnswers<(PathBuf, Glob), Arc<Matches>>>,
}

/// The kept answers, by the question.
type KeptAnswers<Key, Sight> = BTreeMap<Key, KeptAnswer<Sight>>;

/// An answer, and the stamps that it depends on.
#[derive(Debug)]
struct KeptAnswer<Sight> {
    sight: Sight,
    stamps: Arc<Stamps>,
}

impl KeptFiles {
    /// The regular file at a path, unless it is larger than `limit` bytes.
    pub fn file(&self, path: &Path, limit: u64) -> Seen {
        let key = (path.to_owned(), limit);
        remember(&self.files, key, || {
            let mut stamps = Stamps::since(self.clock.now());
            let seen = read_file::file(path, limit);
            stamps.add(Arc::new(Stamped::of_path(path.to_owned(), &seen)));
            (seen, stamps)
        })
    }

    /// The regular files below a root that match.
    pub fn search(&self, root: &Path, wanted: &Glob) -> Arc<Matches> {
        let key = (root.to_owned(), wanted.clone());
        remember(&self.matches, key, || {
            let mut stamps = Stamps::since(self.clock.now());
            let matches = glob::search(root, wanted, glob::SearchLimits::default());
            stamps.add(Arc::new(Stamped::of_matches(root, wanted, &matches)));
            (Arc::new(matches), stamps)
        })
    }
}

/// Returns the kept answer for a key while its stamps hold, else looks again. No lock is held during the
/// look.
fn remember<Key: Ord, Sight: Clone>(
    known: &Mutex<KeptAnswers<Key, Sight>>,
    key: Key,
    look: impl FnOnce() -> (Sight, Stamps),
) -> Sight {
    let before = locked(known).get(&key).map(|kept| (kept.sight.clone(), Arc::clone(&kept.stamps)));
    if let Some((sight, stamps)) = before
        && stamps.hold()
    {
        return sight;
    }
    let (sight, stamps) = look();
    let mut known = locked(known);
    known.remove(&key);
    if stamps.are_settled() {
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, KeptAnswer { sight: sight.clone(), stamps: Arc::new(stamps) });
    }
    sight
}

fn locked<Value>(mutex: &Mutex<Value>) -> MutexGuard<'_, Value> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes and changes the files that are read")]
mod tests {
    use std::fs;
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    /// Longer than a change may stay without a stamp of its own.
    const A_WHILE: Duration = Duration::from_millis(250);

    fn text(seen: &Seen) -> String {
        match seen {
            Seen::File(file) => String::from_utf8_lossy(&file.bytes).into_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_file_is_read_again_once_it_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let files = KeptFiles::default();
        assert_eq!(files.file(&path, 9), Seen::Missing);
        fs::write(&path, "one").unwrap();
        assert_eq!(text(&files.file(&path, 9)), "one");
        assert_eq!(locked(&files.files).len(), 0, "it may change again without another stamp");
        fs::write(&path, "two").unwrap();
        assert_eq!(text(&files.file(&path, 9)), "two");
        sleep(A_WHILE);
        assert_eq!(text(&files.file(&path, 9)), "two");
        assert_eq!(locked(&files.files).len(), 1);
        assert!(matches!(files.file(&path, 2), Seen::Unreadable(_)), "another limit is another question");
        fs::write(&path, "six").unwrap();
        assert_eq!(text(&files.file(&path, 9)), "six");
        fs::remove_file(&path).unwrap();
        assert_eq!(files.file(&path, 9), Seen::Missing);
    }

    #[test]
    fn a_search_is_made_again_once_a_match_or_its_folder_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let files = KeptFiles::default();
        let glob = Glob::new(".", [".env", ".env.*"]).reading(99);
        let found = || {
            let matches = files.search(folder.path(), &glob);
            let seen = matches.found.iter().filter(|(_, seen)| matches!(seen, Seen::File(_)));
            seen.map(|(path, seen)| format!("{path}={}", text(seen))).collect::<Vec<_>>().join(" ")
        };
        fs::write(at(".env"), "a").unwrap();
        sleep(A_WHILE);
        assert_eq!(found(), ".env=a");
        assert!(Arc::ptr_eq(&files.search(folder.path(), &glob), &files.search(folder.path(), &glob)));
        fs::write(at(".env"), "b").unwrap();
        assert_eq!(found(), ".env=b");
        sleep(A_WHILE);
        assert_eq!(found(), ".env=b");
        fs::write(at(".env.local"), "c").unwrap();
        assert_eq!(found(), ".env=b .env.local=c");
    }
}
