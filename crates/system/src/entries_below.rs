//! Entries below a folder, reached without following a link: a folder on the way may have become one.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, readlinkat};
use nix::sys::stat::{Mode, SFlag, fstatat};

/// The entries below one folder. Names that follow each other are mostly in one folder, which stays open.
#[derive(Debug)]
pub(super) struct EntriesBelow {
    root: OwnedFd,
    folder: Option<(PathBuf, OwnedFd)>,
}

/// The kind of an entry, with what is needed to copy it.
#[derive(Debug)]
pub(super) enum EntryBelow {
    /// Nothing, or a folder on the way is a link or none.
    Missing,
    /// A folder.
    Folder,
    /// A symbolic link, with its text.
    Link(PathBuf),
    /// An open regular file.
    File(File, Metadata),
    /// A socket, a pipe or a device.
    Other,
}

impl EntriesBelow {
    /// The entries below a folder.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn of(root: &Path) -> io::Result<Self> {
        let root = nix::fcntl::open(root, OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())?;
        Ok(Self { root, folder: None })
    }

    /// The entry of a path below the folder. It opens no pipe and no device.
    ///
    /// # Errors
    /// The operating system's: a file that may not be read.
    pub(super) fn entry(&mut self, path: &Path) -> io::Result<EntryBelow> {
        let Some(name) = path.file_name() else { return Ok(EntryBelow::Missing) };
        let folder = match self.folder(path.parent().unwrap_or(Path::new(""))) {
            Ok(folder) => folder,
            Err(Errno::ENOENT | Errno::ENOTDIR | Errno::ELOOP) => return Ok(EntryBelow::Missing),
            Err(error) => return Err(error.into()),
        };
        let found = match fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(found) => SFlag::from_bits_truncate(found.st_mode) & SFlag::S_IFMT,
            Err(Errno::ENOENT) => return Ok(EntryBelow::Missing),
            Err(error) => return Err(error.into()),
        };
        if found == SFlag::S_IFLNK {
            return Ok(EntryBelow::Link(readlinkat(folder, name)?.into()));
        }
        if found == SFlag::S_IFDIR {
            return Ok(EntryBelow::Folder);
        }
        if found != SFlag::S_IFREG {
            return Ok(EntryBelow::Other);
        }
        // The name may be another entry's by now.
        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let file = File::from(openat(folder, name, flags, Mode::empty())?);
        let metadata = file.metadata()?;
        Ok(if metadata.is_file() { EntryBelow::File(file, metadata) } else { EntryBelow::Other })
    }

    /// The folder of a path below the root.
    fn folder(&mut self, path: &Path) -> nix::Result<&OwnedFd> {
        if path.as_os_str().is_empty() {
            return Ok(&self.root);
        }
        if self.folder.as_ref().is_none_or(|(open, _)| open != path) {
            let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
            let mut folder: Option<OwnedFd> = None;
            for part in path {
                folder = Some(openat(folder.as_ref().unwrap_or(&self.root), part, flags, Mode::empty())?);
            }
            self.folder = folder.map(|folder| (path.to_owned(), folder));
        }
        self.folder.as_ref().map(|(_, folder)| folder).ok_or(Errno::ENOENT)
    }
}
