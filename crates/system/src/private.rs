//! Folders that only this user can read or write, for files that are kept.

#![expect(clippy::disallowed_methods, reason = "the one place that keeps what must be kept")]

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag};
use nix::unistd::geteuid;

use super::files::temporary;
use super::process_table::now;

/// Whether others may write it.
const OTHERS_WRITE: u32 = 0o022;
/// Whether others may do anything with it.
const OTHERS_ANY: u32 = 0o077;
/// The bytes of most files that are kept.
const USUAL: usize = 8 * 1024;
/// How long a lock is waited for. It is held while a small file is written.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a lock that is held is tried.
const BETWEEN_TRIES: Duration = Duration::from_millis(5);

/// A folder that this user owns and others cannot write.
#[derive(Debug, Clone)]
pub struct PrivateFolder {
    path: PathBuf,
}

impl PrivateFolder {
    /// Makes the folder where it is not there, for this user alone (0700).
    ///
    /// # Errors
    /// The operating system's; `PermissionDenied` when it is another user's, or others may write there.
    pub fn make(path: &Path) -> io::Result<Self> {
        match Self::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(0o700).create(path)?;
                Self::open(path)
            }
            found => found,
        }
    }

    /// A folder that is there.
    ///
    /// # Errors
    /// The operating system's; `PermissionDenied` when it is another user's, or others may write there.
    pub fn open(path: &Path) -> io::Result<Self> {
        let found = fs::symlink_metadata(path)?;
        match (found.is_dir(), is_private(&found)) {
            (false, _) => Err(ErrorKind::NotADirectory.into()),
            (true, false) => Err(ErrorKind::PermissionDenied.into()),
            (true, true) => Ok(Self { path: path.to_owned() }),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether others can neither list it nor look into it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn is_closed_to_others(&self) -> io::Result<bool> {
        Ok(fs::symlink_metadata(&self.path)?.mode() & OTHERS_ANY == 0)
    }

    /// A folder in it, made now, which must not have been there.
    ///
    /// # Errors
    /// The operating system's; `AlreadyExists` when the name is taken.
    pub fn make_new(&self, name: &str) -> io::Result<Self> {
        let path = self.path.join(name);
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path })
    }

    /// A folder in it that is there.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn inner(&self, name: &str) -> io::Result<Self> {
        Self::open(&self.path.join(name))
    }

    /// The names in it, sorted; those that are no text are left out.
    ///
    /// # Errors
    /// The operating system's.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.path)?;
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// How many bytes its files have, folders in it not counted.
    pub fn bytes(&self) -> u64 {
        let sizes = fs::read_dir(&self.path).into_iter().flatten().filter_map(|entry| {
            let found = entry.ok()?.metadata().ok()?;
            found.is_file().then_some(found.len())
        });
        sizes.sum()
    }

    /// A new file (0600) to write to the end of.
    ///
    /// # Errors
    /// The operating system's; `AlreadyExists` when the name is taken.
    pub fn append(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().append(true).create_new(true).mode(0o600).open(self.path.join(name))
    }

    /// A file to read anywhere in.
    ///
    /// # Errors
    /// The operating system's; `InvalidInput` when it is no regular file of this user's.
    pub fn view(&self, name: &str) -> io::Result<PrivateFileView> {
        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
        Self::viewed(OpenOptions::new().read(true).custom_flags(flags.bits()).open(self.path.join(name))?)
    }

    fn viewed(file: File) -> io::Result<PrivateFileView> {
        let found = file.metadata()?;
        if found.is_file() && found.uid() == geteuid().as_raw() {
            Ok(PrivateFileView { file })
        } else {
            Err(ErrorKind::InvalidInput.into())
        }
    }

    /// A file (0600) to read anywhere in and to write to the end of, made where it is not there.
    ///
    /// # Errors
    /// As [`view`](Self::view).
    pub fn view_to_extend(&self, name: &str) -> io::Result<PrivateFileView> {
        Self::viewed(self.open_end_with(name, OpenOptions::new().read(true))?)
    }

    /// A file's bytes, at most `limit` of them.
    ///
    /// # Errors
    /// The operating system's; `InvalidInput` when it is larger.
    pub fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let view = self.view(name)?;
        let mut bytes = Vec::with_capacity(USUAL);
        view.file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit { Err(ErrorKind::InvalidInput.into()) } else { Ok(bytes) }
    }

    /// Writes a file (0600). Every reader sees the old content or the new, even if a process dies at any
    /// moment. After a power failure the new content may be lost.
    ///
    /// # Errors
    /// The operating system's.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.replace(name, bytes, |_| Ok(()))
    }

    /// The same, on the disk before it is done.
    ///
    /// # Errors
    /// The operating system's.
    pub fn write_durably(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.replace(name, bytes, File::sync_data)?;
        // The new name is on the disk only when its folder is.
        File::open(&self.path)?.sync_all()
    }

    fn replace(
        &self,
        name: &str,
        bytes: &[u8],
        settle: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<()> {
        let target = self.path.join(name);
        let mut file = temporary(&self.path, &target, 0o600)?;
        file.write_all(bytes)?;
        settle(file.as_file())?;
        file.persist(&target)?;
        Ok(())
    }

    /// Adds bytes (0600) to the end of a file in one write.
    ///
    /// # Errors
    /// The operating system's.
    pub fn extend(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.open_end(name)?.write_all(bytes)
    }

    /// Writes over bytes of a file, in one write.
    ///
    /// # Errors
    /// The operating system's; `InvalidInput` when it is no regular file of this user's.
    pub fn overwrite(&self, name: &str, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
        let opened = OpenOptions::new().write(true).custom_flags(flags.bits()).open(self.path.join(name))?;
        Self::viewed(opened)?.file.write_all_at(bytes, offset)
    }

    /// Renames a file, replacing any file of the new name.
    ///
    /// # Errors
    /// The operating system's.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Holds a lock of this name until it is dropped. Waits a few seconds for its current holder.
    ///
    /// # Errors
    /// As [`Lock::exclusive`].
    pub fn lock(&self, name: &str) -> io::Result<Lock> {
        Lock::exclusive(self.open_end(name)?)
    }

    /// The same without a wait; `None` while another holds it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn try_lock(&self, name: &str) -> io::Result<Option<Lock>> {
        match Flock::lock(self.open_end(name)?, FlockArg::LockExclusiveNonblock) {
            Ok(file) => Ok(Some(Lock { file })),
            Err((_, Errno::EWOULDBLOCK)) => Ok(None),
            Err((_, errno)) => Err(errno.into()),
        }
    }

    /// Whether a file of this name is the very one that is locked.
    pub fn has(&self, name: &str, lock: &Lock) -> bool {
        let named = fs::symlink_metadata(self.path.join(name));
        let locked = lock.file.metadata();
        let id = |found: fs::Metadata| (found.dev(), found.ino());
        named.is_ok_and(|named| locked.is_ok_and(|locked| id(named) == id(locked)))
    }

    /// A file (0600) to write to the end of, made where it is not there. No link is followed, and opening never waits.
    ///
    /// # Errors
    /// The operating system's.
    pub fn open_end(&self, name: &str) -> io::Result<File> {
        self.open_end_with(name, &mut OpenOptions::new())
    }

    fn open_end_with(&self, name: &str, options: &mut OpenOptions) -> io::Result<File> {
        let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
        options.append(true).create(true).mode(0o600).custom_flags(flags).open(self.path.join(name))
    }

    /// Removes a file in it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn remove_file(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    /// Removes a folder in it with the files that are in that.
    ///
    /// # Errors
    /// The operating system's.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_dir_all(self.path.join(name))
    }
}

/// A file that can be read anywhere while another process writes to its end.
#[derive(Debug)]
pub struct PrivateFileView {
    file: File,
}

impl PrivateFileView {
    /// How many bytes it has now.
    ///
    /// # Errors
    /// The operating system's.
    pub fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// The file, to be read from its beginning.
    pub fn into_reader(self) -> impl Read {
        self.file
    }

    /// Whether it has none.
    ///
    /// # Errors
    /// The operating system's.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Reads from this place on until the buffer is full or the file ends; how much was read.
    ///
    /// # Errors
    /// The operating system's.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.file.read_at(&mut buffer[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Adds bytes to its end in one write.
    ///
    /// # Errors
    /// The operating system's; one that is to be read alone cannot be written to.
    pub fn extend(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Whether a [`Lock`] holds it now, here or in another process.
    pub fn is_locked(&self) -> bool {
        let Ok(again) = self.file.try_clone() else { return false };
        match Flock::lock(again, FlockArg::LockSharedNonblock) {
            Ok(lock) => {
                // The clone shares the lock with the view: it must go before anything else.
                drop(lock.unlock());
                false
            }
            Err((_, errno)) => errno == Errno::EWOULDBLOCK,
        }
    }
}

/// An exclusive lock of a file. It is released when this is dropped or its process ends in any way.
#[derive(Debug)]
pub struct Lock {
    file: Flock<File>,
}

impl Lock {
    /// Locks a file. Waits a few seconds for its current holder.
    ///
    /// # Errors
    /// The operating system's; `TimedOut` if the lock is held for longer, usually by a stopped process.
    pub fn exclusive(file: File) -> io::Result<Self> {
        Self::within(PATIENCE, file)
    }

    fn within(patience: Duration, mut file: File) -> io::Result<Self> {
        let until = now() + patience;
        loop {
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(file) => return Ok(Self { file }),
                Err((_, Errno::EWOULDBLOCK)) if now() >= until => {
                    let why =
                        "another process holds this lock and does not let go of it; end the cuff that hangs";
                    return Err(io::Error::new(ErrorKind::TimedOut, why));
                }
                Err((again, Errno::EWOULDBLOCK)) => file = again,
                Err((_, errno)) => return Err(errno.into()),
            }
            thread::sleep(BETWEEN_TRIES);
        }
    }

    /// The file, to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }
}

/// The number of this user.
pub fn user() -> u32 {
    geteuid().as_raw()
}

/// Whether a file or folder is this user's and others cannot write it.
pub(super) fn is_private(found: &fs::Metadata) -> bool {
    found.uid() == geteuid().as_raw() && found.mode() & OTHERS_WRITE == 0
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn kept_files_are_readable_by_this_user_alone() {
        let base = tempfile::tempdir().unwrap();
        let folder = PrivateFolder::make(&base.path().join("a/b")).unwrap();
        folder.append("log").unwrap().write_all(b"12345").unwrap();
        folder.write("meta", b"x").unwrap();
        assert_eq!((mode(folder.path()), mode(&folder.path().join("log"))), (0o700, 0o600));
        assert_eq!(mode(&folder.path().join("meta")), 0o600);
        assert_eq!(folder.names().unwrap(), ["log", "meta"]);
        assert_eq!((folder.bytes(), folder.read("log", 5).unwrap()), (6, b"12345".to_vec()));
        assert!(folder.read("log", 4).is_err() && folder.append("log").is_err());
        symlink(folder.path().join("log"), folder.path().join("link")).unwrap();
        assert!(folder.read("link", 9).is_err(), "no link is followed");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        assert_eq!(PrivateFolder::open(folder.path()).unwrap_err().kind(), ErrorKind::PermissionDenied);
    }

    #[test]
    fn a_lock_is_seen_until_it_is_dropped() {
        let base = tempfile::tempdir().unwrap();
        let folder = PrivateFolder::make(base.path().join("x").as_path()).unwrap();
        let mut lock = Lock::exclusive(folder.append("log").unwrap()).unwrap();
        lock.file().write_all(b"abc").unwrap();
        let view = folder.view("log").unwrap();
        assert!(view.is_locked() && view.is_locked());
        let mut buffer = [0; 8];
        assert_eq!((view.read_at(1, &mut buffer).unwrap(), &buffer[..2]), (2, &b"bc"[..]));
        drop(lock);
        assert!(!view.is_locked());
        drop(folder.lock("mutex").unwrap());
        let held = folder.lock("mutex").unwrap();
        let waits = Lock::within(Duration::from_millis(30), folder.open_end("mutex").unwrap());
        assert_eq!(waits.unwrap_err().kind(), ErrorKind::TimedOut, "nobody is waited for without end");
        drop(held);
        drop(folder.lock("mutex").unwrap());
        nix::unistd::mkfifo(&folder.path().join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(
            folder.lock("pipe").is_err() && folder.extend("pipe", b"x").is_err(),
            "opening does not wait"
        );
    }
}
