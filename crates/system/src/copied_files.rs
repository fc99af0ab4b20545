//! A copy of a project for another machine: an archive of its files that git does not ignore, and the files that come back.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use tar::{EntryType, Header};

use super::entries_below::{EntriesBelow, EntryBelow};
use super::files::{self, EXECUTABLE, NewFile, Stamp};
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

/// The name under which the archive that comes back lists new files that no line of a list can name, one behind another.
pub const UNNAMEABLE: &str = ".cuff-unnameable";
/// The characters that no line of a list can have: a line feed ends it, and `tar` takes a backslash for the beginning of an escape.
const UNNAMEABLE_CHARACTERS: [char; 2] = ['\n', '\\'];

/// An archive of a project's files, and their stamps as they were sent.
#[derive(Debug)]
pub struct CopiedFiles {
    archive: File,
    sent: BTreeMap<String, Stamp>,
    left_out: Vec<LeftOut>,
}

/// A path that a copy leaves out, relative to the project, and why: `it is hidden`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The path.
    pub name: String,
    /// The reason, a sentence without its end.
    pub why: String,
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
    /// Not written here.
    pub left_out: Vec<LeftOut>,
    /// Why those behind did not come back; `None`: all did.
    pub broken: Option<String>,
}

impl CopiedFiles {
    /// Packs the files below a folder that git tracks or does not ignore. No link is followed: its text is packed, if it stays below
    /// the folder. Paths that are hidden stay here.
    ///
    /// # Errors
    /// A sentence for people: where there is no repository, where a file cannot be read, and where the copy is too large.
    pub fn pack(
        root: &Path,
        environment: &Environment,
        is_hidden: impl Fn(&Path) -> bool,
    ) -> Result<Self, String> {
        let names = repository::unignored(root, environment)?;
        if names.len() > MOST_FILES {
            return Err(format!(
                "the project has {} files, and a copy has at most {MOST_FILES}",
                names.len()
            ));
        }
        let failed = |error: io::Error| format!("the copy cannot be written: {error}");
        let root = files::canonical(root);
        let mut entries = EntriesBelow::of(&root).map_err(|error| error.to_string())?;
        let mut archive = tar::Builder::new(tempfile::tempfile().map_err(failed)?);
        let (mut sent, mut list, mut bytes) = (BTreeMap::new(), Vec::new(), 0);
        let mut left_out = Vec::new();
        for name in names {
            let mut leave_out = |why: &str| left_out.push(LeftOut { name: name.clone(), why: why.into() });
            if name.contains(char::REPLACEMENT_CHARACTER) || name.contains(UNNAMEABLE_CHARACTERS) {
                leave_out(UNNAMEABLE_NAME);
                continue;
            }
            if is_hidden(&root.join(&name)) {
                leave_out("it is hidden");
                continue;
            }
            let unread = |error: io::Error| format!("{} cannot be copied: {error}", shown(&name));
            match entries.entry(Path::new(&name)).map_err(unread)? {
                // A file that was removed and that git has still.
                EntryBelow::Missing => continue,
                EntryBelow::Folder => {
                    if files::look(&root.join(&name).join(".git")).is_some() {
                        leave_out("it is a repository of its own");
                    }
                    continue;
                }
                EntryBelow::Other => {
                    leave_out("it is no file");
                    continue;
                }
                EntryBelow::Link(target) => {
                    if leads_out(&name, &target) {
                        leave_out("the link leads out of the project");
                        continue;
                    }
                    let mut header = header(EntryType::Symlink, 0, 0o777, 0);
                    archive.append_link(&mut header, &name, target).map_err(failed)?;
                }
                EntryBelow::File(file, found) => {
                    if found.len() > LARGEST {
                        let size = size(LARGEST);
                        return Err(format!("{} cannot be copied: it has more than {size}", shown(&name)));
                    }
                    let mut content = Vec::new();
                    file.take(LARGEST).read_to_end(&mut content).map_err(unread)?;
                    bytes += content.len() as u64;
                    if bytes > MOST_BYTES {
                        return Err(format!("the project has more than {}", size(MOST_BYTES)));
                    }
                    let stamp = files::stamp_of(&found);
                    let mode = if stamp.is_program() { 0o755 } else { 0o644 };
                    let modified = u64::try_from(files::times(&found).modified.0).unwrap_or_default();
                    let mut header = header(EntryType::Regular, content.len() as u64, mode, modified);
                    archive.append_data(&mut header, &name, &*content).map_err(failed)?;
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
        Ok(Self { archive, sent, left_out })
    }

    /// The paths that it leaves out.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The archive, as the standard input of a process.
    ///
    /// # Errors
    /// The operating system's.
    pub fn input(&self) -> io::Result<OwnedFd> {
        self.archive.try_clone().map(OwnedFd::from)
    }

    /// Writes the files that came back: those of the copy, and those whose paths match a pattern. A file that changed here meanwhile
    /// stays, and the one from there is written beside it with the mark in its name. Every file that may not come, or cannot be written,
    /// is left out, and the others come.
    ///
    /// # Errors
    /// A sentence for people, where the archive did not come whole: then nothing is written.
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
        let mut results = CopyResults::default();
        let mut archive = tar::Archive::new(archive);
        for (count, entry) in archive.entries().map_err(failed)?.enumerate() {
            let taken = if count < MOST_FILES {
                entry.map_err(failed).and_then(|entry| self.take(root, entry, (patterns, mark), &mut results))
            } else {
                Err(format!("they are more than {MOST_FILES}"))
            };
            if let Err(why) = taken {
                results.broken = Some(why);
                break;
            }
        }
        Ok(results)
    }

    /// Takes one entry of an archive that came back.
    fn take(
        &self,
        root: &Path,
        mut entry: tar::Entry<'_, File>,
        (patterns, mark): (&[Wildcard], &str),
        results: &mut CopyResults,
    ) -> Result<(), String> {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let name = name.strip_prefix("./").unwrap_or(&name).to_owned();
        let is_matched = |name: &str| patterns.iter().any(|pattern| pattern.matches(name));
        if entry.size() > LARGEST {
            results.leave_out(name, format!("it has more than {}", size(LARGEST)));
            return Ok(());
        }
        let is_program = entry.header().mode().is_ok_and(|mode| mode & EXECUTABLE != 0);
        let kind = if is_program { NewFile::Program } else { NewFile::Plain };
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        let text = || String::from_utf8_lossy(&bytes);
        if name == GONE {
            let is_sent = |name: &&str| self.sent.contains_key(*name);
            results.gone = text().lines().filter(is_sent).map(str::to_owned).collect();
            return Ok(());
        }
        if name == UNNAMEABLE {
            for name in text().strip_suffix('\n').unwrap_or_default().split("\n./") {
                let name = name.strip_prefix("./").unwrap_or(name);
                if is_matched(name) {
                    results.leave_out(name.to_owned(), UNNAMEABLE_NAME.to_owned());
                }
            }
            return Ok(());
        }
        let stamp = self.sent.get(&name);
        if name.contains(char::REPLACEMENT_CHARACTER) {
            results.leave_out(name, UNNAMEABLE_NAME.to_owned());
            return Ok(());
        }
        if !entry.header().entry_type().is_file()
            || !(stamp.is_some() || is_matched(&name))
            || !is_plain(&name)
        {
            results.leave_out(name, "it is none of the files that may come back".to_owned());
            return Ok(());
        }
        let here = root.join(&name);
        let is_same = match read_file::file(&here, LARGEST) {
            Seen::File(file) => *file.bytes == *bytes,
            Seen::Missing | Seen::Unreadable(_) => false,
        };
        if is_same {
            return Ok(());
        }
        let now = files::stamp(&here);
        // A new file of a pattern that is here already has not been compared with anything.
        let is_kept = if let Some(stamp) = stamp { now != Some(*stamp) } else { now.is_some() };
        let target = if is_kept { format!("{name}.from-{mark}") } else { name.clone() };
        match files::write_below(root, Path::new(&target), &bytes, kind) {
            Err(error) => results.leave_out(target, error.to_string()),
            Ok(()) if is_kept => results.conflicts.push((name, target)),
            Ok(()) => results.written.push(name),
        }
        Ok(())
    }
}

impl CopyResults {
    fn leave_out(&mut self, name: String, why: String) {
        self.left_out.push(LeftOut { name, why });
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

/// The reason for a name that cannot be passed on.
const UNNAMEABLE_NAME: &str = "its name has a line feed or a backslash, or is not UTF-8";

/// Whether the text of a link leads out of the project, where the link is at this path.
fn leads_out(name: &str, target: &Path) -> bool {
    let mut depth = name.matches('/').count();
    for part in target.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return true,
        }
    }
    false
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

    fn pack(root: &Path) -> Result<CopiedFiles, String> {
        CopiedFiles::pack(root, &environment(), |path| path.ends_with("hidden"))
    }

    fn left_out(name: &str, why: &str) -> LeftOut {
        LeftOut { name: name.into(), why: why.into() }
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
    fn a_copy_has_the_files_that_git_does_not_ignore_and_links_as_they_are() {
        let project = project();
        let at = |name: &str| project.path().join(name);
        for (name, target) in [
            ("file.ts", "sub/b"),
            ("folder", "sub"),
            ("sub/nothing", "./nothing"),
            ("sub/up", "../a"),
            ("up", "../../outside"),
            ("around", "sub/../../x"),
        ] {
            std::os::unix::fs::symlink(target, at(name)).unwrap();
        }
        fs::write(at("hidden"), "key").unwrap();
        fs::write(at("two\nlines"), "").unwrap();
        fs::write(at("pipe"), "").unwrap();
        // A folder of files in git became a link to another folder.
        let secrets = tempfile::tempdir().unwrap();
        fs::write(secrets.path().join("key"), "secret").unwrap();
        fs::create_dir(at("tracked")).unwrap();
        fs::write(at("tracked/key"), "public").unwrap();
        let git = |words: &[&str]| {
            let git = Command::new("git").args(words).current_dir(project.path()).status().unwrap();
            assert!(git.success());
        };
        git(&["add", "tracked/key", "sub/b", "pipe"]);
        fs::remove_file(at("pipe")).unwrap();
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        fs::remove_dir_all(at("tracked")).unwrap();
        std::os::unix::fs::symlink(secrets.path(), at("tracked")).unwrap();
        let copied = pack(project.path()).unwrap();
        let packed: Vec<String> = tar::Archive::new(File::from(copied.input().unwrap()))
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let target = entry.link_name().unwrap().map(|target| format!(" -> {}", target.display()));
                format!("{}{}", entry.path().unwrap().display(), target.unwrap_or_default())
            })
            .collect();
        assert_eq!(
            packed,
            [
                ".gitignore",
                "a",
                "file.ts -> sub/b",
                "folder -> sub",
                "run.sh",
                "sub/b",
                "sub/nothing -> ./nothing",
                "sub/up -> ../a",
                LIST,
            ]
        );
        let leads_out = "the link leads out of the project";
        assert_eq!(
            copied.left_out(),
            [
                left_out("around", leads_out),
                left_out("hidden", "it is hidden"),
                left_out("link", leads_out),
                left_out("pipe", "it is no file"),
                left_out("tracked", leads_out),
                left_out("two\nlines", UNNAMEABLE_NAME),
                left_out("up", leads_out),
            ]
        );
        let empty = tempfile::tempdir().unwrap();
        let why = pack(empty.path()).unwrap_err();
        assert!(why.contains("not a git repository"), "{why}");
    }

    #[test]
    fn results_come_back_and_changes_here_stay() {
        let project = project();
        let copied = pack(project.path()).unwrap();
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
    fn a_file_that_may_not_come_is_left_out_and_the_others_come() {
        let project = project();
        let copied = pack(project.path()).unwrap();
        let every = [Wildcard::of("*").unwrap()];
        let file = EntryType::Regular;
        let none = "it is none of the files that may come back";
        let refused = [
            ("../a", file),
            ("/tmp/a", file),
            (".git/hooks/pre-commit", file),
            ("sub/.GIT/config", file),
            (".cuff/settings.yml", file),
            ("link of theirs", EntryType::Symlink),
            ("a", EntryType::Link),
            ("", file),
        ];
        let mut entries = vec![(UNNAMEABLE, file, "./two\nlines\n./back\\slash\n")];
        entries.extend(refused.iter().map(|(name, kind)| (*name, *kind, "")));
        entries.push(("new", file, "came"));
        let results = copied.receive(project.path(), archive(&entries), &every, "box").unwrap();
        let mut expected =
            vec![left_out("two\nlines", UNNAMEABLE_NAME), left_out("back\\slash", UNNAMEABLE_NAME)];
        expected.extend(refused.iter().map(|(name, _)| left_out(name, none)));
        assert_eq!((results.left_out, results.written), (expected, vec!["new".to_owned()]));
        assert_eq!(fs::read_to_string(project.path().join("new")).unwrap(), "came");
        assert_eq!(fs::read_to_string(project.path().join("a")).unwrap(), "old");
        let unmatched = copied.receive(project.path(), archive(&[("other", file, "")]), &[], "box").unwrap();
        assert_eq!(unmatched.left_out, [left_out("other", none)]);
        // A folder of the project that became a link leads nowhere.
        fs::rename(project.path().join("sub"), project.path().join("moved")).unwrap();
        std::os::unix::fs::symlink("/tmp", project.path().join("sub")).unwrap();
        let led = copied.receive(project.path(), archive(&[("sub/b", file, "new")]), &[], "box").unwrap();
        let [LeftOut { name, why }] = &led.left_out[..] else { panic!("{led:?}") };
        assert!(name == "sub/b.from-box" && why.contains("symbolic link"), "{led:?}");
        let mut cut = ReturnedFiles::of(1024).unwrap();
        cut.take(b"x").unwrap();
        assert_eq!(
            copied.receive(project.path(), cut, &every, "box"),
            Err("1023 bytes of them did not arrive".into())
        );
        assert!(ReturnedFiles::of(u64::MAX).is_err());
    }

    #[test]
    fn an_archive_that_breaks_off_says_what_came_before() {
        let project = project();
        let copied = pack(project.path()).unwrap();
        let mut bytes = Vec::new();
        let mut whole = archive(&[("a", EntryType::Regular, "theirs")]);
        whole.archive.rewind().unwrap();
        whole.archive.read_to_end(&mut bytes).unwrap();
        // Without the end of the archive, and with no header behind it.
        bytes.truncate(1024);
        bytes.extend_from_slice(&[b'x'; 512]);
        let mut broken = ReturnedFiles::of(bytes.len() as u64).unwrap();
        broken.take(&bytes).unwrap();
        let results = copied.receive(project.path(), broken, &[], "box").unwrap();
        assert_eq!(results.written, ["a"]);
        assert!(results.broken.is_some_and(|why| why.contains("numeric field")), "the archive's own reason");
    }
}
