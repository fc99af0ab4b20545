//! Reads one path: the kind of its entry, and its content up to a limit.
//!
//! Only regular files are opened, since opening a pipe waits for its other end and opening a device may have
//! effects.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use nix::unistd::{AccessFlags, access};
#[cfg(target_os = "linux")]
use nix::{errno::Errno, fcntl::AtFlags, unistd::faccessat};

use super::files::{EXECUTABLE, MODE, times};
use crate::model::{File, Link, Seen};

/// Reads one regular file whole, unless it is larger than `limit` bytes.
pub fn file(path: &Path, limit: u64) -> Seen {
    file_among(&mut KnownFolders::default(), path, limit)
}

/// The text of a regular file, unless it is larger than `limit` bytes.
pub fn text(path: &Path, limit: u64) -> Option<String> {
    let Seen::File(file) = file(path, limit) else { return None };
    String::from_utf8(file.bytes.to_vec()).ok()
}

/// The folders that one look came through, each looked at once.
///
/// They are known by the letters of their paths, which are compared faster than names one by one.
#[derive(Debug, Default)]
pub struct KnownFolders(HashMap<OsString, FolderOnTheWay>);

/// Something on the way to a file.
#[derive(Debug, Clone)]
pub(super) struct FolderOnTheWay {
    /// Its path, without symbolic links.
    pub(super) canonical: PathBuf,
    pub(super) is_folder: bool,
}

impl KnownFolders {
    /// The canonical path of a file. Only its last name may be a symbolic link that was not resolved yet.
    #[expect(clippy::disallowed_methods, reason = "a file's path is resolved when it is read")]
    fn canonical(&mut self, path: &Path, link: Link) -> io::Result<PathBuf> {
        match (path.parent(), path.file_name(), link) {
            (Some(folder), Some(name), Link::Direct) => Ok(self.folder(folder)?.canonical.join(name)),
            _ => std::fs::canonicalize(path),
        }
    }

    /// The folder or file at a path, symbolic links followed.
    pub(super) fn folder(&mut self, path: &Path) -> io::Result<FolderOnTheWay> {
        if let Some(known) = self.0.get(path.as_os_str()) {
            return Ok(known.clone());
        }
        let is_unknown =
            |above: &&Path| !above.as_os_str().is_empty() && !self.0.contains_key(above.as_os_str());
        let above: Vec<&Path> = path.ancestors().skip(1).take_while(is_unknown).collect();
        // What is above decides only how much is to be looked at.
        above.into_iter().rev().for_each(|above| drop(self.resolve(above)));
        self.resolve(path)
    }

    /// The same, where the folder above it may be known.
    #[expect(clippy::disallowed_methods, reason = "a folder's path is resolved once, for all files in it")]
    fn resolve(&mut self, path: &Path) -> io::Result<FolderOnTheWay> {
        // A `.` at the end would hide that a link is before it.
        let is_plain = !matches!(path.as_os_str().as_encoded_bytes(), [.., b'.' | b'/']);
        let plain: Cow<'_, Path> =
            if is_plain { path.into() } else { path.components().collect::<PathBuf>().into() };
        let found = std::fs::symlink_metadata(&plain)?;
        let above = plain.parent().and_then(|above| self.0.get(above.as_os_str()));
        let above = above.filter(|_| !found.is_symlink());
        let folder = if let (Some(above), Some(name)) = (above, plain.file_name()) {
            FolderOnTheWay { canonical: above.canonical.join(name), is_folder: found.is_dir() }
        } else {
            let canonical = std::fs::canonicalize(plain)?;
            FolderOnTheWay { is_folder: canonical.is_dir(), canonical }
        };
        if folder.canonical.as_os_str() != path.as_os_str() {
            self.0.insert(folder.canonical.clone().into(), folder.clone());
        }
        self.0.insert(path.into(), folder.clone());
        Ok(folder)
    }
}

/// The same, where other files of the same folders are read as well.
pub fn file_among(folders: &mut KnownFolders, path: &Path, limit: u64) -> Seen {
    match sight(folders, path, Extent::Whole(limit)) {
        SeenEntry::Nothing => Seen::Missing,
        SeenEntry::Other(kind) => Seen::Unreadable(format!("{kind}, not a file")),
        SeenEntry::Denied(reason) => Seen::Unreadable(reason),
        SeenEntry::File(file) => Seen::File(file),
    }
}

/// How much of a file is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extent {
    /// All of it; one that is larger than this counts as unreadable.
    Whole(u64),
    /// This many bytes from its beginning. `is_file`: its folder says that it is a regular file.
    Head { bytes: u64, is_file: bool },
}

/// The kind of entry at a path, in more detail than [`Seen`].
#[derive(Debug)]
pub(super) enum SeenEntry {
    /// Nothing, or a symbolic link to nothing.
    Nothing,
    /// Neither a regular file nor a link to one, but this: `a folder`.
    Other(&'static str),
    /// Something that cannot be read, and why.
    Denied(String),
    /// A regular file.
    File(File),
}

/// Looks at one path, through a symbolic link.
pub(super) fn sight(folders: &mut KnownFolders, path: &Path, extent: Extent) -> SeenEntry {
    look(folders, path, extent).unwrap_or_else(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => SeenEntry::Nothing,
        _ => SeenEntry::Denied(error.to_string()),
    })
}

#[expect(clippy::disallowed_methods, reason = "the one place that looks at files")]
fn look(folders: &mut KnownFolders, path: &Path, extent: Extent) -> io::Result<SeenEntry> {
    // The name may lead to something else by now. So opening must not wait, and the opened file is checked a
    // second time.
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let open = |more: OFlag| OpenOptions::new().read(true).custom_flags((flags | more).bits()).open(path);
    let direct = match extent {
        Extent::Head { is_file: true, .. } => open(OFlag::O_NOFOLLOW).ok(),
        Extent::Head { .. } | Extent::Whole(_) => None,
    };
    let (opened, link) = if let Some(opened) = direct {
        (opened, Link::Direct)
    } else {
        let name = std::fs::symlink_metadata(path)?;
        let link = if name.is_symlink() { Link::Symbolic } else { Link::Direct };
        let target = if name.is_symlink() { std::fs::metadata(path)? } else { name };
        if !target.is_file() {
            return Ok(SeenEntry::Other(kind(&target)));
        }
        (open(OFlag::empty())?, link)
    };
    let found = opened.metadata()?;
    if !found.is_file() {
        return Ok(SeenEntry::Other(kind(&found)));
    }
    let bytes = match extent {
        Extent::Head { bytes, .. } => read(&opened, bytes, found.len())?,
        Extent::Whole(limit) if found.len() > limit => return Ok(SeenEntry::Denied(too_large(limit))),
        Extent::Whole(limit) => {
            let bytes = read(&opened, limit.saturating_add(1), found.len())?;
            if bytes.len() as u64 > limit {
                return Ok(SeenEntry::Denied(too_large(limit)));
            }
            bytes
        }
    };
    let by_path = || access(path, AccessFlags::X_OK).is_ok();
    let executable = found.mode() & EXECUTABLE != 0 && may_execute(&opened).unwrap_or_else(by_path);
    let mut file =
        File::new(folders.canonical(path, link)?, bytes).permitting(found.mode() & MODE, executable);
    (file.size, file.link, file.times) = (found.len(), link, times(&found));
    (file.device, file.inode) = (found.dev(), found.ino());
    Ok(SeenEntry::File(file))
}

/// Whether this process may execute an open file, for which the kernel walks no path; `None` where it cannot be asked so.
#[cfg(target_os = "linux")]
fn may_execute(opened: &std::fs::File) -> Option<bool> {
    match faccessat(opened, "", AccessFlags::X_OK, AtFlags::AT_EMPTY_PATH) {
        Err(Errno::EINVAL | Errno::ENOSYS | Errno::EPERM) => None,
        answer => Some(answer.is_ok()),
    }
}

#[cfg(not(target_os = "linux"))]
fn may_execute(_opened: &std::fs::File) -> Option<bool> {
    None
}

/// As many bytes as there should be. Files that claim to have none may have some, so they are read to their end.
fn read(from: &std::fs::File, most: u64, size: u64) -> io::Result<Vec<u8>> {
    let most = if size == 0 { most } else { most.min(size) };
    let mut bytes = Vec::with_capacity(usize::try_from(most.min(size)).unwrap_or_default());
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn kind(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() { "a folder" } else { "a pipe, socket or device" }
}

fn too_large(limit: u64) -> String {
    const UNITS: [(u64, &str); 2] = [(1 << 20, "MiB"), (1 << 10, "KiB")];
    let fits = UNITS.into_iter().find(|(unit, _)| limit >= *unit && limit.is_multiple_of(*unit));
    let (unit, name) = fits.unwrap_or((1, "bytes"));
    format!("larger than {} {name}", limit / unit)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files they look at")]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use nix::sys::stat::Mode;

    use super::*;

    fn reason(seen: &Seen) -> &str {
        let Seen::Unreadable(reason) = seen else { panic!("{seen:?} is readable") };
        reason
    }

    #[test]
    fn a_file_is_read_up_to_its_limit_and_not_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("five");
        fs::write(&path, "12345").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        for limit in [5, 6, u64::MAX] {
            let Seen::File(file) = file(&path, limit) else { panic!("readable") };
            assert_eq!((&*file.bytes, file.size, file.mode), (&b"12345"[..], 5, 0o640));
            assert_eq!((file.executable, file.link), (false, Link::Direct));
        }
        assert_eq!(reason(&file(&path, 4)), "larger than 4 bytes");
        assert_eq!([too_large(20 << 20), too_large(3 << 10)], ["larger than 20 MiB", "larger than 3 KiB"]);
        let SeenEntry::File(head) =
            sight(&mut KnownFolders::default(), &path, Extent::Head { bytes: 2, is_file: true })
        else {
            panic!("readable")
        };
        assert_eq!((&*head.bytes, head.size), (&b"12"[..], 5));
    }

    #[test]
    fn folders_are_resolved_as_the_system_does() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("real/inner")).unwrap();
        fs::write(at("real/inner/file"), "").unwrap();
        symlink("real", at("link")).unwrap();
        symlink("../link/inner", at("real/other")).unwrap();
        let mut folders = KnownFolders::default();
        for name in [
            "real",
            "link",
            "link/.",
            "link/inner",
            "link/./inner/",
            "real/other",
            "link/other/..",
            "link/inner/file",
        ] {
            let found = folders.folder(&at(name)).unwrap();
            let expected = fs::canonicalize(at(name)).unwrap();
            assert_eq!((&found.canonical, found.is_folder), (&expected, expected.is_dir()), "{name}");
        }
        assert!(folders.folder(&at("none")).is_err());
    }

    #[test]
    fn a_link_shows_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "x").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o755)).unwrap();
        symlink("target", &link).unwrap();
        let Seen::File(file) = file(&link, 9) else { panic!("readable") };
        assert_eq!(file.canonical, target.canonicalize().unwrap());
        assert_eq!(file.inode, target.metadata().unwrap().ino());
        assert_eq!((file.link, file.executable), (Link::Symbolic, true));
    }

    /// A pipe that is opened for reading would hang the test.
    #[test]
    fn pipes_sockets_and_folders_are_never_opened() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        nix::unistd::mkfifo(&at("pipe"), Mode::S_IRWXU).unwrap();
        symlink("pipe", at("to_pipe")).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        for name in ["pipe", "to_pipe", "socket"] {
            assert_eq!(reason(&file(&at(name), 9)), "a pipe, socket or device, not a file", "{name}");
        }
        assert_eq!(reason(&file(folder.path(), 9)), "a folder, not a file");
    }

    #[test]
    fn a_missing_file_differs_from_an_unreachable_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("nowhere", at("broken")).unwrap();
        symlink("loop", at("loop")).unwrap();
        fs::write(at("file"), "").unwrap();
        for name in ["none", "broken", "file/below"] {
            assert_eq!(file(&at(name), 9), Seen::Missing, "{name}");
        }
        assert!(reason(&file(&at("loop"), 9)).contains("symbolic link"));
        assert!(reason(&file(&at(&"n".repeat(300)), 9)).contains("too long"));
    }
}
