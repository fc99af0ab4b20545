//! A whole document that a command line names, and standard input in pieces.

#![expect(clippy::disallowed_methods, reason = "a person names the file, wherever it is")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::files::canonical;

/// The largest piece of standard input, in bytes.
const PIECE: usize = 64 * 1024;

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// The operating system's; `InvalidData` for more than `limit` bytes, or text that is not UTF-8.
pub fn document(path: &Path, limit: u64) -> io::Result<String> {
    if path.as_os_str() == "-" { whole(io::stdin().lock(), limit) } else { whole(File::open(path)?, limit) }
}

/// Shows standard input to its end, in pieces.
///
/// # Errors
/// The operating system's.
pub fn each_piece(mut show: impl FnMut(&[u8])) -> io::Result<()> {
    let (mut input, mut piece) = (io::stdin().lock(), vec![0; PIECE]);
    loop {
        match input.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => show(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The text of a file that lies in one of these folders, whatever links lead to it. It is opened once, and judged by what
/// was opened.
///
/// # Errors
/// As [`document`]; `PermissionDenied` for a file elsewhere, of which nothing is read.
pub fn document_within(path: &Path, folders: &[PathBuf], limit: u64) -> io::Result<String> {
    // A pipe would keep it waiting for a writer before it can be judged.
    let file = OpenOptions::new().read(true).custom_flags(nix::libc::O_NONBLOCK).open(path)?;
    let place = place_of(&file, path)?;
    if !folders.iter().any(|folder| place.starts_with(canonical(folder))) {
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let why = format!("an agent's programs are read from {} alone", folders.join(" and "));
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    whole(file, limit)
}

/// Where an open file lies, without links.
fn place_of(file: &File, path: &Path) -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
    }
    let place = fs::canonicalize(path)?;
    let (opened, there) = (file.metadata()?, fs::symlink_metadata(&place)?);
    if (opened.dev(), opened.ino()) == (there.dev(), there.ino()) {
        Ok(place)
    } else {
        Err(io::Error::other("it was replaced while it was opened"))
    }
}

fn whole(from: impl Read, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = from.take(limit + 1).read_to_string(&mut text)?;
    if u64::try_from(read).is_ok_and(|read| read <= limit) {
        Ok(text)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, format!("it is larger than {limit} bytes")))
    }
}
