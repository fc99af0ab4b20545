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
    files: KeptAnswers<(PathBuf, u64), Seen>,
    matches: KeptAnswers<(PathBuf, Glob), Arc<Matches>>,
    /// The submodules that an index of git names.
    pub(super) submodules: KeptAnswers<PathBuf, Option<Arc<Vec<PathBuf>>>>,
}

/// Answers by their questions, each for as long as the stamps of all that it was made of are the same.
#[derive(Debug)]
pub struct KeptAnswers<Question, Answer> {
    clock: Clock,
    known: Mutex<BTreeMap<Question, KeptAnswer<Answer>>>,
}

/// An answer, and the stamps that it depends on.
#[derive(Debug)]
struct KeptAnswer<Answer> {
    answer: Answer,
    stamps: Arc<Stamps>,
}

impl KeptFiles {
    /// The regular file at a path, unless it is larger than `limit` bytes.
    pub fn file(&self, path: &Path, limit: u64) -> Seen {
        self.files.of((path.to_owned(), limit), |stamps| {
            let seen = read_file::file(path, limit);
            stamps.add(Arc::new(Stamped::of_path(path.to_owned(), &seen)));
            seen
        })
    }

    /// The regular files below a root that match.
    pub fn search(&self, root: &Path, wanted: &Glob) -> Arc<Matches> {
        self.matches.of((root.to_owned(), wanted.clone()), |stamps| {
            let matches = glob::search(root, wanted, glob::SearchLimits::default());
            stamps.add(Arc::new(Stamped::of_matches(root, wanted, &matches)));
            Arc::new(matches)
        })
    }
}

impl<Question: Ord, Answer: Clone> KeptAnswers<Question, Answer> {
    /// The kept answer while its stamps hold, else a new one of a look, which adds the stamps of all that it looks at. No lock is
    /// held during the look.
    pub fn of(&self, question: Question, look: impl FnOnce(&mut Stamps) -> Answer) -> Answer {
        let known = |kept: &KeptAnswer<Answer>| (kept.answer.clone(), Arc::clone(&kept.stamps));
        let before = locked(&self.known).get(&question).map(known);
        if let Some((answer, stamps)) = before
            && stamps.hold()
        {
            return answer;
        }
        let mut stamps = Stamps::since(self.clock.now());
        let answer = look(&mut stamps);
        let mut known = locked(&self.known);
        known.remove(&question);
        if stamps.are_settled() {
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(question, KeptAnswer { answer: answer.clone(), stamps: Arc::new(stamps) });
        }
        answer
    }
}

impl<Question, Answer> Default for KeptAnswers<Question, Answer> {
    fn default() -> Self {
        Self { clock: Clock::default(), known: Mutex::default() }
    }
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
        assert_eq!(locked(&files.files.known).len(), 0, "it may change again without another stamp");
        fs::write(&path, "two").unwrap();
        assert_eq!(text(&files.file(&path, 9)), "two");
        sleep(A_WHILE);
        assert_eq!(text(&files.file(&path, 9)), "two");
        assert_eq!(locked(&files.files.known).len(), 1);
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
