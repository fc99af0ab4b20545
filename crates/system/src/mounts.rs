//! Places where the same files are mounted a second time.

use std::path::{Path, PathBuf};

use nix::unistd::Pid;

use super::process_table::read;

/// A part of a file system, and its place.
#[derive(Debug, PartialEq, Eq)]
struct MountPoint {
    /// The number of the file system.
    device: String,
    /// The part of it that is mounted.
    root: PathBuf,
    place: PathBuf,
}

/// The other paths of these files and folders: another mount of the same file system, or a bind mount, has them as well.
pub fn other_places(paths: &[PathBuf]) -> Vec<PathBuf> {
    let table = read(Pid::this(), "mountinfo").unwrap_or_default();
    places(paths, &String::from_utf8_lossy(&table))
}

fn places(paths: &[PathBuf], table: &str) -> Vec<PathBuf> {
    let mounts: Vec<MountPoint> = table.lines().filter_map(MountPoint::of).collect();
    let is_twice =
        |mount: &MountPoint| mounts.iter().filter(|other| other.device == mount.device).count() > 1;
    if !mounts.iter().any(is_twice) {
        return Vec::new();
    }
    let of = |path: &PathBuf| -> Vec<PathBuf> {
        // The last of those that are mounted over each other.
        let around = mounts.iter().rev().filter(|mount| path.starts_with(&mount.place));
        let Some(own) = around.max_by_key(|mount| mount.place.as_os_str().len()) else { return Vec::new() };
        let Ok(rest) = path.strip_prefix(&own.place) else { return Vec::new() };
        let inside = own.root.join(rest);
        let others = mounts.iter().filter(|mount| mount.device == own.device && *mount != own);
        others.filter_map(|mount| mount.place_of(&inside)).collect()
    };
    paths.iter().flat_map(of).filter(|place| !paths.contains(place)).collect()
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
