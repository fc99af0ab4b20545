//! Folders that stay the same while something looks at them and works in them.

use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use nix::sys::stat::{FileStat, Mode};

use super::files::canonical;
use crate::model::Identity;

/// An open folder. It stays the same if its name later leads elsewhere.
#[derive(Debug)]
pub struct OpenFolder {
    descriptor: OwnedFd,
    path: PathBuf,
    device: u64,
    inode: u64,
}

/// Opens a folder; links are followed.
///
/// # Errors
/// When there is none, or it cannot be reached.
pub fn open(path: &Path) -> io::Result<OpenFolder> {
    // A folder that may be passed through, and not be read, can be worked in.
    #[cfg(target_os = "linux")]
    let flags = OFlag::O_PATH;
    #[cfg(not(target_os = "linux"))]
    let flags = OFlag::O_RDONLY;
    let descriptor = nix::fcntl::open(path, flags | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())?;
    let about = nix::sys::stat::fstat(&descriptor)?;
    // The path of the opened folder, even if another one has its name by now.
    let named = PathBuf::from(format!("/proc/self/fd/{}", descriptor.as_raw_fd()));
    let path = fs::read_link(named).ok().filter(|path| path.is_absolute()).unwrap_or_else(|| canonical(path));
    Ok(OpenFolder { descriptor, path, device: device(&about), inode: about.st_ino })
}

#[cfg(target_os = "linux")]
fn device(about: &FileStat) -> u64 {
    about.st_dev
}

#[cfg(not(target_os = "linux"))]
fn device(about: &FileStat) -> u64 {
    u64::from(about.st_dev.cast_unsigned())
}

impl OpenFolder {
    /// Its path, no symbolic link in it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is the folder that was found.
    pub fn is(&self, found: &Identity) -> bool {
        (self.device, self.inode) == (found.device, found.inode)
    }

    /// Whether this tells of the same folder.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_at(&self, about: &FileStat) -> bool {
        (self.device, self.inode) == (device(about), about.st_ino)
    }

    /// Its identity: path, device and inode.
    pub fn identity(&self) -> Identity {
        Identity { path: self.path.clone(), device: self.device, inode: self.inode }
    }
}

impl AsFd for OpenFolder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes the folders that are opened")]
mod tests {
    use super::*;

    #[test]
    fn an_open_folder_is_known_whatever_takes_its_name() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let (inner, moved) = (base.join("inner"), base.join("moved"));
        fs::create_dir(&inner).unwrap();
        let folder = open(&inner).unwrap();
        let identity = folder.identity();
        assert_eq!(identity.path, inner);
        assert!(folder.is(&identity) && open(&inner).unwrap().is(&identity));
        fs::rename(&inner, &moved).unwrap();
        std::os::unix::fs::symlink(&base, &inner).unwrap();
        let linked = open(&inner).unwrap();
        assert!(!linked.is(&identity));
        assert_eq!(linked.path(), base, "the link was followed");
        assert!(open(&moved).unwrap().is(&identity));
        fs::write(base.join("file"), "").unwrap();
        assert!(open(&base.join("file")).is_err() && open(&base.join("none")).is_err());
    }
}
