//! A copy of a project for another machine: an archive of its files that git does not ignore, and the files that come back.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use tar::{EntryType, Header};

use super::files::{self, EXECUTABLE, FileKind, NewFile, Stamp};
use super::{Environment, read_file, repository};
use crate::model::{Seen, Wildcard, shown, size};

/// The largest file of a copy, in bytes: each is in memory for a moment.
const LARGEST: u64 = 64 * 1024 * 1024;
/// The most bytes of a copy, and of what comes back.
const MOST_BYTES: u64 = 1024 * 1024 * 1024;
/// The most files of a copy, and of what comes back.
const MOST_FILES: usize = 100_000;
/// The name under which the archive lists the files of the copy, a line each.
pub const LIST: &str = ".cuff-copied";
/// The name under which the archive that comes back lists the files of the copy that are gone, a line each.
pub const GONE: &str = ".cuff-gone";

/// An archive of a project's files, and their stamps as they were sent.
#[derive(Debug)]
pub struct CopiedFiles {
    archive: File,
    sent: BTreeMap<String, Option<Stamp>>,
}

/// An archive that comes back, while it comes.
#[derive(Debug)]
pub struct ReturnedFiles {
    archive: File,
    /// The bytes that are still to come.
    left: u64,
}

/// The end of a copy: what came back. Paths are relative to the project.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CopyResults {
    /// Written here.
    pub written: Vec<String>,
    /// Changed there and here: the one from there is beside the one of here, under the second name.
    pub conflicts: Vec<(String, String)>,
    /// Removed there, and left here.
    pub gone: Vec<String>,
}

impl CopiedFiles {
    /// Packs the files below a folder that git tracks or does not ignore.
    ///
    /// # Errors
    /// A sentence for people: where there is no repository, where a file cannot be read, and where the copy is too large.
    pub fn pack(root: &Path, environment: &Environment) -> Result<Self, String> {
        let names = repository::unignored(root, environment)?;
        if names.len() > MOST_FILES {
            return Err(format!(
                "the project has {} files, and a copy has at most {MOST_FILES}",
                names.len()
            ));
        }
        let failed = |error: io::Error| format!("the copy cannot be written: {error}");
        let mut archive = tar::Builder::new(tempfile::tempfile().map_err(failed)?);
        let (mut sent, mut list, mut bytes) = (BTreeMap::new(), Vec::new(), 0);
        for name in names {
            if name.contains(['\n', char::REPLACEMENT_CHARACTER]) {
                return Err(format!("the name of `{}` has a line feed or is not UTF-8", shown(&name)));
            }
            let path = root.join(&name);
            match files::kind(&path) {
                // A file that was removed and that git has still, or a repository of its own.
                None | Some(FileKind::Folder) => continue,
                Some(FileKind::Link) => {
                    let Some(target) = files::link_target(&path) else { continue };
                    let mut header = header(EntryType::Symlink, 0, 0o777, 0);
                    archive.append_link(&mut header, &name, target).map_err(failed)?;
                }
                Some(FileKind::Other) => {
                    let stamp = files::stamp(&path);
                    let file = match read_file::file(&path, LARGEST) {
                        Seen::File(file) => file,
                        Seen::Missing => continue,
                        Seen::Unreadable(why) => {
                            return Err(format!("{} cannot be copied: {why}", shown(&name)));
                        }
                    };
                    bytes += file.bytes.len() as u64;
                    if bytes > MOST_BYTES {
                        return Err(format!("the project has more than {}", size(MOST_BYTES)));
                    }
                    let mode = if file.mode & EXECUTABLE == 0 { 0o644 } else { 0o755 };
                    let modified = u64::try_from(file.times.modified.0).unwrap_or_default();
                    let mut header = header(EntryType::Regular, file.bytes.len() as u64, mode, modified);
                    archive.append_data(&mut header, &name, &*file.bytes).map_err(failed)?;
                    sent.insert(name.clone(), stamp);
                }
            }
            list.extend_from_slice(name.as_bytes());
            list.push(b'\n');
        }
        let mut header = header(EntryType::Regular, list.len() as u64, 0o644, 0);
        archive.append_data(&mut header, LIST, &*list).map_err(failed)?;
        let mut archive = archive.into_inner().map_err(failed)?;
        archive.flush().and_then(|()| archive.rewind()).map_err(failed)?;
        Ok(Self { archive, sent })
    }

    /// The archive, as the standard input of a process.
    ///
    /// # Errors
    /// The operating system's.
    pub fn input(&self) -> io::Result<OwnedFd> {
        self.archive.try_clone().map(OwnedFd::from)
    }

    /// Writes the files that came back: those of the copy, and those whose paths match a pattern. A file that changed here meanwhile
    /// stays, and the one from there is written beside it with the mark in its name.
    ///
    /// # Errors
    /// A sentence for people: where the archive is not whole, where it has other files, and where one cannot be written.
    pub fn receive(
        &self,
        root: &Path,
        returned: ReturnedFiles,
        patterns: &[Wildcard],
        mark: &str,
    ) -> Result<CopyResults, String> {
        if returned.left > 0 {
            return Err(format!("{} of them did not arrive", size(returned.left)));
        }
        let failed = |error: io::Error| error.to_string();
        let mut archive = returned.archive;
        archive.rewind().map_err(failed)?;
        let (mut results, mut count) = (CopyResults::default(), 0);
        for entry in tar::Archive::new(archive).entries().map_err(failed)? {
            let mut entry = entry.map_err(failed)?;
            count += 1;
            let path = entry.path_bytes().into_owned();
            let Ok(name) = String::from_utf8(path) else { return Err("a name is not UTF-8".into()) };
            let name = name.strip_prefix("./").unwrap_or(&name).to_owned();
            if entry.size() > LARGEST || count > MOST_FILES {
                return Err(format!("`{}` is too large, or they are too many", shown(&name)));
            }
            let is_program = entry.header().mode().is_ok_and(|mode| mode & EXECUTABLE != 0);
            let kind = if is_program { NewFile::Program } else { NewFile::Plain };
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(failed)?;
            if name == GONE {
                let gone = String::from_utf8_lossy(&bytes);
                results.gone =
                    gone.lines().filter(|name| self.sent.contains_key(*name)).map(str::to_owned).collect();
                continue;
            }
            let stamp = self.sent.get(&name);
            let is_wanted = stamp.is_some() || patterns.iter().any(|pattern| pattern.matches(&name));
            if !entry.header().entry_type().is_file() || !is_wanted || !is_plain(&name) {
                return Err(format!("`{}` is none of the files that may come back", shown(&name)));
            }
            let here = root.join(&name);
            let is_same = match read_file::file(&here, LARGEST) {
                Seen::File(file) => *file.bytes == *bytes,
                Seen::Missing | Seen::Unreadable(_) => false,
            };
            if is_same {
                continue;
            }
            let now = files::stamp(&here);
            // A new file of a pattern that is here already has not been compared with anything.
            let is_kept = if let Some(stamp) = stamp { now != *stamp } else { now.is_some() };
            let target = if is_kept { format!("{name}.from-{mark}") } else { name.clone() };
            files::write_below(root, Path::new(&target), &bytes, kind)
                .map_err(|error| format!("{} cannot be written: {error}", shown(&target)))?;
            if is_kept {
                results.conflicts.push((name, target));
            } else {
                results.written.push(name);
            }
        }
        Ok(results)
    }
}

impl ReturnedFiles {
    /// An archive of so many bytes.
    ///
    /// # Errors
    /// Where it is larger than what may come back, and the operating system's.
    pub fn of(bytes: u64) -> io::Result<Self> {
        if bytes > MOST_BYTES {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has {}", size(bytes))));
        }
        Ok(Self { archive: tempfile::tempfile()?, left: bytes })
    }

    /// Takes the next bytes. Returns how many of them are the archive's.
    ///
    /// # Errors
    /// The operating system's.
    pub fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        self.archive.write_all(&bytes[..length])?;
        self.left -= length as u64;
        Ok(length)
    }

    /// Whether all of it has come.
    pub fn is_whole(&self) -> bool {
        self.left == 0
    }
}

/// Whether a path stays below its folder and out of what git and cuff keep there.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_kept =
        |part: &[u8]| [b".git".as_slice(), b".cuff"].iter().any(|kept| part.eq_ignore_ascii_case(kept));
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(part) if !is_kept(part.as_bytes())))
}

fn header(kind: EntryType, size: u64, mode: u32, modified: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(mode);
    header.set_mtime(modified);
    header
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "lays out the files")]

    use std::fs;
    use std::process::Command;

    use super::*;

    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("a", "old"), ("sub/b", "old"), (".gitignore", "out\n"), ("out/x", "x"), ("run.sh", "")]
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
        let git = Command::new("git").args(["init", "-q", "."]).current_dir(folder.path()).status().unwrap();
        assert!(git.success());
        folder
    }

    fn environment() -> Environment {
        Environment::new("/", [("PATH", std::env::var("PATH").unwrap())])
    }

    fn archive(files: &[(&str, EntryType, &str)]) -> ReturnedFiles {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, kind, text) in files {
            let mut header = header(*kind, text.len() as u64, 0o644, 0);
            // As a hostile runner would: the library itself refuses such names.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, text.as_bytes()).unwrap();
        }
        let bytes = archive.into_inner().unwrap();
        let mut returned = ReturnedFiles::of(bytes.len() as u64).unwrap();
        assert_eq!(returned.take(&bytes).unwrap(), bytes.len());
        assert!(returned.is_whole());
        returned
    }

    #[test]
    fn a_copy_has_the_files_that_git_does_not_ignore() {
        let project = project();
        let copied = CopiedFiles::pack(project.path(), &environment()).unwrap();
        let names: Vec<String> = tar::Archive::new(File::from(copied.input().unwrap()))
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().path().unwrap().display().to_string())
            .collect();
        assert_eq!(names, [".gitignore", "a", "link", "run.sh", "sub/b", LIST]);
        let empty = tempfile::tempdir().unwrap();
        let why = CopiedFiles::pack(empty.path(), &environment()).unwrap_err();
        assert!(why.contains("not a git repository"), "{why}");
    }

    #[test]
    fn results_come_back_and_changes_here_stay() {
        let project = project();
        let copied = CopiedFiles::pack(project.path(), &environment()).unwrap();
        let read = |name: &str| fs::read_to_string(project.path().join(name)).unwrap();
        fs::write(project.path().join("a"), "mine").unwrap();
        let file = EntryType::Regular;
        let returned = archive(&[
            (GONE, file, "run.sh\nnever sent\n"),
            ("a", file, "theirs"),
            ("sub/b", file, "new"),
            (".gitignore", file, "out\n"),
            ("out/y", file, "made"),
            ("out/x", file, "made"),
        ]);
        let patterns = [Wildcard::of("out/*").unwrap()];
        let results = copied.receive(project.path(), returned, &patterns, "box").unwrap();
        assert_eq!(results.written, ["sub/b", "out/y"]);
        let beside = |name: &str| (name.to_owned(), format!("{name}.from-box"));
        assert_eq!(results.conflicts, [beside("a"), beside("out/x")]);
        assert_eq!(results.gone, ["run.sh"]);
        let texts = ["a", "a.from-box", "sub/b", "out/x", "out/y"].map(read);
        assert_eq!(texts, ["mine", "theirs", "new", "x", "made"]);
    }

    #[test]
    fn nothing_else_is_written() {
        let project = project();
        let copied = CopiedFiles::pack(project.path(), &environment()).unwrap();
        let every = [Wildcard::of("*").unwrap()];
        for (name, kind) in [
            ("../a", EntryType::Regular),
            ("/tmp/a", EntryType::Regular),
            (".git/hooks/pre-commit", EntryType::Regular),
            ("sub/.GIT/config", EntryType::Regular),
            (".cuff/settings.yml", EntryType::Regular),
            ("new", EntryType::Symlink),
            ("a", EntryType::Link),
            ("", EntryType::Regular),
        ] {
            let refused = copied.receive(project.path(), archive(&[(name, kind, "")]), &every, "box");
            assert!(refused.is_err(), "{name}: {refused:?}");
        }
        let unnamed = copied.receive(project.path(), archive(&[("new", EntryType::Regular, "")]), &[], "box");
        assert_eq!(unnamed, Err("`new` is none of the files that may come back".into()));
        // A folder of the project that became a link leads nowhere.
        fs::rename(project.path().join("sub"), project.path().join("moved")).unwrap();
        std::os::unix::fs::symlink("/tmp", project.path().join("sub")).unwrap();
        let led =
            copied.receive(project.path(), archive(&[("sub/b", EntryType::Regular, "new")]), &[], "box");
        assert!(led.unwrap_err().contains("symbolic link"));
        let mut cut = ReturnedFiles::of(1024).unwrap();
        cut.take(b"x").unwrap();
        assert_eq!(
            copied.receive(project.path(), cut, &every, "box"),
            Err("1023 bytes of them did not arrive".into())
        );
        assert!(ReturnedFiles::of(u64::MAX).is_err());
    }
}
