//! Places where the same files are mounted a second time.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// A part of a file system, and its place.
#[derive(Debug, PartialEq, Eq)]
struct MountPoint {
    /// The number of the file system.
    device: String,
    /// The part of it that is mounted.
    root: PathBuf,
    place: PathBuf,
}

/// The kernel's table of what is mounted where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MountTable(Vec<u8>);

/// The table of a process.
const TABLE: &str = "/proc/self/mountinfo";
/// The table as it was read last.
static KEPT: Mutex<Option<(File, MountTable)>> = Mutex::new(None);

impl MountTable {
    /// The table of this process, as it is now. The kernel writes it anew for each reader, which takes longer than to ask whether it has
    /// changed.
    pub fn now() -> Self {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = kept.as_ref().filter(|(file, _)| !has_changed(file)) {
            return table.clone();
        }
        *kept = Self::read().ok();
        kept.as_ref().map_or_else(|| Self(Vec::new()), |(_, table)| table.clone())
    }

    /// The table, and its file, which says whether mounts have changed since it was opened.
    #[expect(clippy::disallowed_methods, reason = "the kernel's own file")]
    fn read() -> io::Result<(File, Self)> {
        let mut file = File::open(TABLE)?;
        let mut table = Vec::new();
        file.read_to_end(&mut table)?;
        Ok((file, Self(table)))
    }

    /// The other paths of these files and folders: another mount of the same file system, or a bind mount, has them as well.
    pub fn other_places(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        places(paths, &String::from_utf8_lossy(&self.0))
    }
}

fn has_changed(table: &File) -> bool {
    let mut asked = [PollFd::new(table.as_fd(), PollFlags::POLLPRI)];
    let is_same =
        poll(&mut asked, PollTimeout::ZERO).is_ok() && asked[0].revents() == Some(PollFlags::empty());
    !is_same
}

fn places(paths: &[PathBuf], table: &str) -> Vec<PathBuf> {
    let mounts: Vec<MountPoint> = table.lines().filter_map(MountPoint::of).collect();
    // The last of those that are mounted over each other counts.
    let by_place: HashMap<&Path, &MountPoint> = mounts.iter().map(|mount| (&*mount.place, mount)).collect();
    let mut of_device: HashMap<&str, Vec<&MountPoint>> = HashMap::new();
    for mount in &mounts {
        of_device.entry(&mount.device).or_default().push(mount);
    }
    if of_device.values().all(|mounts| mounts.len() == 1) {
        return Vec::new();
    }
    // Most paths are in few folders.
    let (mut of_folder, mut found) = (HashMap::new(), Vec::new());
    for path in paths {
        let around = || path.ancestors().skip(1).find_map(|folder| by_place.get(folder));
        let own = by_place.get(&**path).or_else(|| *of_folder.entry(path.parent()).or_insert_with(around));
        let Some((own, rest)) = own.and_then(|own| Some((own, path.strip_prefix(&own.place).ok()?))) else {
            continue;
        };
        let inside = own.root.join(rest);
        let others = of_device[&*own.device].iter().filter(|mount| *mount != own);
        let places = others.filter_map(|mount| mount.place_of(&inside));
        found.extend(places.filter(|place| !paths.contains(place)));
    }
    found
}

impl MountPoint {
    /// A line of the kernel's table.
    fn of(line: &str) -> Option<Self> {
        let mut fields = line.split(' ').skip(2);
        let (device, root, place) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Self { device: device.to_owned(), root: unescaped(root).into(), place: unescaped(place).into() })
    }

    /// The path of a file of the file system here; that of the whole mount, where only a part of a folder is mounted.
    fn place_of(&self, inside: &Path) -> Option<PathBuf> {
        match inside.strip_prefix(&self.root) {
            Ok(rest) if rest.as_os_str().is_empty() => Some(self.place.clone()),
            Ok(rest) => Some(self.place.join(rest)),
            Err(_) => self.root.starts_with(inside).then(|| self.place.clone()),
        }
    }
}

/// A path as the kernel wrote it, with blanks and the like as octal numbers.
fn unescaped(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(text.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only root may mount; others look at the table twice.
    #[test]
    #[cfg(target_os = "linux")]
    #[expect(clippy::disallowed_methods, reason = "a test mounts as others do")]
    fn a_later_mount_is_in_the_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = |program: &str, words: &[&str]| {
            let mut command = std::process::Command::new(program);
            command.args(words).arg(folder.path()).output().is_ok_and(|output| output.status.success())
        };
        let has_it =
            || String::from_utf8_lossy(&MountTable::now().0).contains(&*folder.path().to_string_lossy());
        assert!(!has_it() && !has_it());
        if runs("mount", &["-t", "tmpfs", "none"]) {
            assert!(has_it() && has_it(), "a mount");
            assert!(runs("umount", &[]));
            assert!(!has_it() && !has_it(), "no mount any more");
        }
    }

    #[test]
    fn a_second_mount_of_the_same_files_is_found() {
        let table = "\
            22 1 254:0 / / rw - ext4 /dev/vda rw\n\
            23 22 0:5 / /dev rw - devtmpfs none rw\n\
            30 22 254:0 /home/ada/.ssh /mnt/my\\040keys rw - ext4 /dev/vda rw\n\
            31 22 254:0 /home /srv/home rw - ext4 /dev/vda rw\n\
            32 22 254:0 /home/ada/.aws/sso /tmp/sso rw - ext4 /dev/vda rw\n\
            33 22 0:9 / /home/ada/.kube rw - tmpfs none rw\n";
        let paths = ["/home/ada/.ssh", "/home/ada/.aws", "/home/ada/.kube/config"].map(PathBuf::from);
        let expected = ["/mnt/my keys", "/srv/home/ada/.ssh", "/srv/home/ada/.aws", "/tmp/sso"];
        assert_eq!(places(&paths, table), expected.map(PathBuf::from));
    }
}
