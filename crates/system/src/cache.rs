//! Cached files, readable by this user alone. cuff can compute each of them again, so the folder may be
//! emptied at any time.

#![expect(clippy::disallowed_methods, reason = "the one place that keeps a cache")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Environment;
use super::private::{PrivateFolder, is_private};

/// The most bytes of a cache; the oldest files go first.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// How many files a cache may have.
const MOST_FILES: usize = 256;

/// A folder of cached files.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache of this name below `$XDG_CACHE_HOME/cuff` or `~/.cache/cuff`; `None` where the environment has
    /// neither. Nothing is made before something is written.
    pub fn of(environment: &Environment, name: &str) -> Option<Self> {
        let base = environment.base("XDG_CACHE_HOME", ".cache")?;
        Some(Self { folder: base.join("cuff").join(name) })
    }

    /// A file's bytes; `None` when there is no such file, it is larger than `limit`, or others could have written it.
    pub fn read(&self, name: &str, limit: u64) -> Option<Vec<u8>> {
        let folder = PrivateFolder::open(&self.folder).ok()?;
        // Nobody else can put another file under this name meanwhile.
        let found = fs::symlink_metadata(self.folder.join(name)).ok()?;
        is_private(&found).then(|| folder.read(name, limit).ok())?
    }

    /// Writes a file whole or not at all, and removes the oldest files if there are too many.
    ///
    /// It is not forced to the disk. A reader must recognise from the content a file that a crash has cut
    /// off.
    ///
    /// # Errors
    /// The operating system's; `PermissionDenied` when the folder is another user's, or others may write
    /// there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        PrivateFolder::make(&self.folder)?.write(name, bytes)?;
        self.sweep()
    }

    /// Removes a file.
    ///
    /// # Errors
    /// The operating system's, where there is none too.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.folder.join(name))
    }

    fn sweep(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> =
            fs::read_dir(&self.folder)?.filter_map(|entry| described(&entry.ok()?.path())).collect();
        files.sort_by(|one, other| other.cmp(one));
        let mut bytes = 0;
        for (at, (_, size, path)) in files.into_iter().enumerate() {
            bytes += size;
            if at >= MOST_FILES || bytes > MOST_BYTES {
                // Another process may have been faster.
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }
}

/// The time of a file's last write, and its size; the remains of a write that was killed count as well.
fn described(path: &Path) -> Option<(SystemTime, u64, PathBuf)> {
    let found = fs::symlink_metadata(path).ok()?;
    Some((found.modified().ok()?, found.len(), path.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::time::Duration;

    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::new("/", variables.iter().copied())
    }

    #[test]
    fn it_lies_where_caches_lie() {
        for (variables, expected) in [
            (&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")][..], Some("/x/cuff/probes")),
            (&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")], Some("/h/.cache/cuff/probes")),
            (&[("XDG_CACHE_HOME", ""), ("HOME", "/h")], Some("/h/.cache/cuff/probes")),
            (&[("HOME", "h")], None),
            (&[], None),
        ] {
            let cache = Cache::of(&environment(variables), "probes");
            assert_eq!(cache.map(|cache| cache.folder), expected.map(PathBuf::from), "{variables:?}");
        }
    }

    #[test]
    fn written_files_are_readable_by_this_user_alone() {
        let base = tempfile::tempdir().unwrap();
        let cache = Cache { folder: base.path().join("cuff/probes") };
        assert_eq!(cache.read("a", 10), None);
        cache.write("a", b"one").unwrap();
        cache.write("a", b"two").unwrap();
        assert_eq!(cache.read("a", 3).unwrap(), b"two");
        assert_eq!(cache.read("a", 2), None, "larger than what is taken");
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
        assert_eq!((mode(&cache.folder), mode(&cache.folder.join("a"))), (0o700, 0o600));
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), 1, "nothing is left beside it");
        cache.remove("a").unwrap();
        assert_eq!(cache.read("a", 3), None);
    }

    #[test]
    fn files_that_others_could_have_written_are_not_read() {
        let base = tempfile::tempdir().unwrap();
        let cache = Cache { folder: base.path().join("probes") };
        cache.write("a", b"ours").unwrap();
        let (file, link) = (cache.folder.join("a"), cache.folder.join("b"));
        symlink(&file, &link).unwrap();
        assert_eq!(cache.read("b", 10), None, "a link");
        fs::set_permissions(&file, Permissions::from_mode(0o620)).unwrap();
        assert_eq!(cache.read("a", 10), None, "a file that a group may write");
        cache.write("a", b"again").unwrap();
        assert_eq!(cache.read("a", 10).unwrap(), b"again", "it is replaced");
        fs::set_permissions(&cache.folder, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(cache.read("a", 10), None, "a folder that everybody may write");
        assert_eq!(cache.write("a", b"x").unwrap_err().kind(), io::ErrorKind::PermissionDenied);

        let led = Cache { folder: base.path().join("led") };
        symlink(base.path().join("elsewhere"), &led.folder).unwrap();
        assert!(led.write("a", b"x").is_err() && led.read("a", 10).is_none(), "a folder that is a link");
    }

    #[test]
    fn the_oldest_go_first() {
        let base = tempfile::tempdir().unwrap();
        let cache = Cache { folder: base.path().join("probes") };
        cache.write("first", b"x").unwrap();
        for number in 0..MOST_FILES + 10 {
            let old = cache.folder.join(format!("{number}"));
            let file = fs::File::create(&old).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(number as u64)).unwrap();
        }
        let large = fs::File::create(cache.folder.join("large")).unwrap();
        large.set_len(MOST_BYTES).unwrap();
        large.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(5)).unwrap();
        cache.write("last", b"x").unwrap();
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), MOST_FILES);
        let there = |name: &str| cache.folder.join(name).exists();
        assert!(there("first") && there("last") && there("265") && !there("0") && !there("large"));
    }
}
