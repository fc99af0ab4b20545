//! Names of files and directories: their metadata, and files written whole or not at all.

#![expect(clippy::disallowed_methods, reason = "the one place that writes files")]

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;
use walkdir::WalkDir;

use crate::model;

/// The permission bits of a file's mode, without its kind.
pub(super) const MODE: u32 = 0o7777;
/// The rights of anybody to execute a file.
pub(super) const EXECUTABLE: u32 = 0o111;

/// The rights of the group and of anybody to write a file.
const OTHERS_WRITE: u32 = 0o022;

/// The metadata of a path, symbolic links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileMetadata {
    /// Whether it is a directory. Something that is neither a directory nor a regular file still counts as
    /// there.
    pub directory: bool,
    /// The user id that owns it.
    pub owner: u32,
    /// Whether others than its owner may write it.
    pub others_write: bool,
    /// The file system that it is on.
    pub device: u64,
}

/// The metadata that distinguishes one version of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    regular: bool,
    mode: u32,
    times: model::Times,
}

impl Stamp {
    /// When its content, its name or its rights changed last.
    pub fn changed_at(&self) -> SystemTime {
        let (seconds, nanoseconds) = self.times.modified.max(self.times.changed);
        let whole = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
        SystemTime::UNIX_EPOCH + whole + Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or_default())
    }

    /// The stamp of a file, as it was when it was read.
    pub fn of(file: &model::File) -> Self {
        let &model::File { device, inode, size, mode, times, .. } = file;
        Self { device, inode, size, regular: true, mode, times }
    }

    /// Whether it is of a regular file that somebody may execute.
    pub fn is_program(&self) -> bool {
        self.regular && self.mode & EXECUTABLE != 0
    }
}

/// When a file changed last.
pub(super) fn times(found: &Metadata) -> model::Times {
    model::Times {
        modified: (found.mtime(), found.mtime_nsec()),
        changed: (found.ctime(), found.ctime_nsec()),
    }
}

/// The stamp of a file, symbolic links followed; `None` where there is none.
pub fn stamp(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|found| stamp_of(&found))
}

/// The stamp of an open file.
pub(super) fn stamp_of(found: &Metadata) -> Stamp {
    Stamp {
        device: found.dev(),
        inode: found.ino(),
        size: found.size(),
        regular: found.is_file(),
        mode: found.mode() & MODE,
        times: times(found),
    }
}

/// When a file was changed last, by its content, its name or its rights, in milliseconds since 1970; `None` where there
/// is none. An older file that was moved to its place is as new as the move.
pub fn changed(path: &Path) -> Option<u64> {
    let since = stamp(path)?.changed_at().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

/// The behaviour when the name is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingFile {
    /// Leave it and fail with [`io::ErrorKind::AlreadyExists`].
    Keep,
    /// Put the new content in its place.
    Replace,
}

/// Returns the metadata of a path; `None` if nothing is there, or if it may not be looked at. A broken link
/// is there.
pub fn look(path: &Path) -> Option<FileMetadata> {
    let name = fs::symlink_metadata(path).ok()?;
    let metadata = if name.is_symlink() { fs::metadata(path).unwrap_or(name) } else { name };
    Some(FileMetadata {
        directory: metadata.is_dir(),
        owner: metadata.uid(),
        others_write: metadata.mode() & OTHERS_WRITE != 0,
        device: metadata.dev(),
    })
}

/// The kind of what a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A symbolic link.
    Link,
    /// A folder.
    Folder,
    /// A file, a socket, a device.
    Other,
}

/// The kind of what a path names; `None` if nothing is there, or if it may not be looked at.
pub fn kind(path: &Path) -> Option<FileKind> {
    let found = fs::symlink_metadata(path).ok()?;
    Some(match (found.is_symlink(), found.is_dir()) {
        (true, _) => FileKind::Link,
        (_, true) => FileKind::Folder,
        _ => FileKind::Other,
    })
}

/// The path without symbolic links, or as it is when it cannot be resolved.
pub fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The path with the links of its folder followed. A link at its end stays, since it is another file than its
/// target.
pub fn in_canonical_folder(file: &Path) -> PathBuf {
    match (file.parent(), file.file_name()) {
        (Some(parent), Some(name)) => canonical(parent).join(name),
        _ => file.to_owned(),
    }
}

/// The final target of a symbolic link; `None` for everything else, and for a link to nothing.
pub fn link_target(path: &Path) -> Option<PathBuf> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    is_link.then(|| fs::canonicalize(path).ok()).flatten()
}

/// A path without `.` and `..`, by its text alone: what it names need not be there.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            _ => plain.push(part),
        }
    }
    plain
}

/// Whether a path stays below where it begins, by its text alone.
pub fn stays_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The real target of a path below a folder, if links lead it out of the folder. If the path does not exist
/// yet, its nearest existing ancestor decides.
pub fn led_out(folder: &Path, path: &Path) -> Option<PathBuf> {
    let real = path.ancestors().find_map(|above| fs::canonicalize(above).ok())?;
    (path.starts_with(folder) && !real.starts_with(canonical(folder))).then_some(real)
}

/// The entries of a folder whose names begin with a dot.
pub fn with_a_dot(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let with_a_dot = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."));
    with_a_dot.map(|entry| entry.path()).collect()
}

/// The folders in a folder, without links.
pub fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

/// The names in a folder, and whether each is a folder itself, without links. Names that are no text are left out.
pub fn entries_in(folder: &Path) -> Vec<(String, bool)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, is_folder(&entry)))).collect()
}

/// Whether a path names an ordinary file, and no link to one.
pub fn is_plain(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// When a file was written, in seconds and nanoseconds, and its size as far as 32 bits have it: as git keeps both. Links are not followed.
pub fn time_and_size(path: &Path) -> Option<((i64, i64), i64)> {
    let found = fs::symlink_metadata(path).ok()?;
    Some(((found.mtime(), found.mtime_nsec()), i64::try_from(found.len() & u64::from(u32::MAX)).ok()?))
}

/// The links below a folder.
#[derive(Debug, Default)]
pub struct FolderLinks {
    /// The places that they lead to, where there is something.
    pub places: Vec<PathBuf>,
    /// Those that lead nowhere yet.
    pub broken: Vec<PathBuf>,
    /// The folders whose names were read.
    pub folders: Vec<PathBuf>,
}

/// The links below a folder, in its nearest entries alone: no more than this many, and this deep.
pub fn links_below(folder: &Path, most: usize, depth: usize) -> FolderLinks {
    let mut links = FolderLinks::default();
    for entry in WalkDir::new(folder).max_depth(depth).into_iter().flatten().take(most) {
        if entry.path_is_symlink() {
            match fs::canonicalize(entry.path()) {
                Ok(place) => links.places.push(place),
                Err(_) => links.broken.push(entry.into_path()),
            }
        } else if entry.file_type().is_dir() && entry.depth() < depth {
            links.folders.push(entry.into_path());
        }
    }
    links
}

/// Removes a file.
///
/// # Errors
/// The operating system's.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

/// Removes a folder that holds nothing; whether it did.
pub fn remove_if_empty(path: &Path) -> bool {
    fs::remove_dir(path).is_ok()
}

/// Takes from everybody else the right to write a file or folder of this user's.
///
/// # Errors
/// The operating system's.
pub fn close_to_others(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.mode() & MODE;
    fs::set_permissions(path, Permissions::from_mode(mode & !0o022))
}

/// Makes a directory and those above it; fine when it is there.
///
/// # Errors
/// The operating system's.
pub fn make_directory(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Writes a file so that every reader, and a crash at any moment, sees the old content or the new, never a
/// part.
///
/// A file that is replaced keeps its permission bits. A symbolic link stays one: its target is replaced.
///
/// # Errors
/// The operating system's; `AlreadyExists` when the name is taken and is to be kept.
pub fn write(path: &Path, bytes: &[u8], existing: ExistingFile) -> io::Result<()> {
    put(path, bytes, existing, (None, NewFile::Plain))
}

/// Adds text to the end of a file in one write, and makes the file for this user alone where there is none.
///
/// # Errors
/// The operating system's; `InvalidInput` when something other than a regular file has the name.
pub fn append(path: &Path, text: &str) -> io::Result<()> {
    // A pipe of that name must not be waited for.
    let flags = nix::fcntl::OFlag::O_NONBLOCK.bits();
    let options = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).clone();
    let mut file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    file.write_all(text.as_bytes())
}

/// Writes a new file with the permissions of the file `other`, so that it has no readers that `other` has
/// not.
///
/// # Errors
/// The operating system's; `AlreadyExists` when the name is taken.
pub fn write_new_like(other: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, ExistingFile::Keep, (Some(fs::metadata(other)?.mode()), NewFile::Plain))
}

fn put(
    path: &Path,
    bytes: &[u8],
    existing: ExistingFile,
    (mode, kind): (Option<u32>, NewFile),
) -> io::Result<()> {
    if existing == ExistingFile::Keep && fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let target = if is_link { fs::canonicalize(path)? } else { path.to_owned() };
    let there = || fs::metadata(&target).ok().map(|metadata| metadata.mode());
    let mode = mode.or_else(there).map(|mode| mode & MODE);
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };

    let of_new = if kind == NewFile::Program { 0o777 } else { 0o666 };
    let mut file = temporary(directory, &target, mode.map_or(of_new, |mode| mode & 0o600))?;
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(Permissions::from_mode(mode))?;
    }
    file.as_file().sync_all()?;
    match existing {
        ExistingFile::Replace => file.persist(&target)?,
        // It fails if another process took the name meanwhile.
        ExistingFile::Keep => file.persist_noclobber(&target)?,
    };
    // The new name is on the disk only when its directory is.
    File::open(directory)?.sync_all()
}

/// The kind of a file that is not there yet. An existing one keeps its permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewFile {
    /// Not to be started.
    Plain,
    /// For those who may read it to start.
    Program,
}

/// Writes a file below a folder, replacing an existing one, and makes the folders in between. It follows no
/// link on that path: it may lead anywhere.
///
/// # Errors
/// The operating system's; `InvalidInput` where something on the path, or the file, is a symbolic link.
pub fn write_below(folder: &Path, way: &Path, bytes: &[u8], kind: NewFile) -> io::Result<()> {
    let on_the_way = way.ancestors().filter(|part| !part.as_os_str().is_empty());
    let is_link =
        |part: &&Path| fs::symlink_metadata(folder.join(part)).is_ok_and(|metadata| metadata.is_symlink());
    if let Some(link) = on_the_way.filter(is_link).last() {
        let why = format!("{} is a symbolic link, which is not followed", link.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let file = folder.join(way);
    file.parent().map_or(Ok(()), make_directory)?;
    put(&file, bytes, ExistingFile::Replace, (None, kind))
}

/// A new file in the directory of the target, so that it can take its place, with these permission bits at most. It is
/// removed again unless it does.
pub(super) fn temporary(directory: &Path, target: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    // A name may have 255 bytes; the end of a long one is left out.
    let name: String = name.chars().take(48).collect();
    // `create_new` follows no link that another process put there.
    tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .suffix(".tmp")
        .make_in(directory, |path| OpenOptions::new().write(true).create_new(true).mode(mode).open(path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & MODE
    }

    #[test]
    fn a_replaced_file_keeps_its_mode_and_its_link() {
        let directory = tempfile::tempdir().unwrap();
        let (real, link) = (directory.path().join("real.yml"), directory.path().join("link.yml"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        symlink("real.yml", &link).unwrap();

        write(&link, b"new", ExistingFile::Replace).unwrap();

        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(mode(&real), 0o640);
        assert_eq!(names(directory.path()), ["link.yml", "real.yml"]);
    }

    #[test]
    fn a_name_that_is_to_be_kept_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("settings.yml");
        write(&path, b"first", ExistingFile::Keep).unwrap();
        let again = write(&path, b"second", ExistingFile::Keep).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(names(directory.path()), ["settings.yml"]);

        let broken = directory.path().join("broken.yml");
        symlink("nowhere/at/all", &broken).unwrap();
        assert!(write(&broken, b"x", ExistingFile::Keep).is_err());
        assert!(write(&broken, b"x", ExistingFile::Replace).is_err());
    }

    #[test]
    fn a_write_that_fails_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let taken = directory.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(write(&taken, b"x", ExistingFile::Replace).is_err());
        assert_eq!(names(directory.path()), ["taken"]);
        assert!(write(&directory.path().join("no/such/file"), b"x", ExistingFile::Replace).is_err());
        let long = directory.path().join("é".repeat(120));
        write(&long, b"x", ExistingFile::Replace).unwrap();
        assert_eq!(fs::read(&long).unwrap(), b"x");
    }

    #[test]
    fn a_look_follows_links_and_sees_broken_ones() {
        let directory = tempfile::tempdir().unwrap();
        let (path, broken) = (directory.path().join("file"), directory.path().join("broken"));
        fs::write(&path, "").unwrap();
        symlink("nowhere", &broken).unwrap();
        assert!(look(&broken).is_some());
        assert!(!look(&path).unwrap().directory);
        assert_eq!(look(&path.join("x")), None);
        assert!(look(directory.path()).unwrap().directory);
    }
}
