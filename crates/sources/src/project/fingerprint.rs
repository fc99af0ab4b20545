//! One hash over what a plugin saw, so that it is known when that changes.

use std::path::Path;

use blake3::{Hash, Hasher};

use crate::model::{File, Files, Glob, Link, Matches, Seen};

/// Everything but what probes brought: that holds for as long as this stays the same.
///
/// Each list has its length before it and each kind a number, so that no two lists of files read the same.
pub(super) fn of_files(files: &Files) -> Hash {
    let mut hasher = FingerprintParts::default();
    number(&mut hasher, files.files.len());
    for (path, seen) in &files.files {
        add_seen(&mut hasher, path, seen);
    }
    number(&mut hasher, files.globs.len());
    for (glob, matches) in &files.globs {
        add_glob(&mut hasher, glob);
        add_matches(&mut hasher, matches);
    }
    number(&mut hasher, files.programs.len());
    for (name, path) in &files.programs {
        part(&mut hasher, name.as_bytes());
        add_path(&mut hasher, path.as_deref());
    }
    number(&mut hasher, files.program_files.len());
    for (file, seen) in &files.program_files {
        add_seen(&mut hasher, &format!("{file:?}"), seen);
    }
    hasher.end()
}

fn add_glob(hasher: &mut FingerprintParts, glob: &Glob) {
    part(hasher, glob.base.as_bytes());
    for patterns in [&*glob.patterns, &*glob.exclude] {
        number(hasher, patterns.len());
        for pattern in patterns {
            part(hasher, pattern.as_bytes());
        }
    }
    hasher.add(&glob.head.to_le_bytes());
}

fn add_matches(hasher: &mut FingerprintParts, matches: &Matches) {
    add_path(hasher, matches.base.as_deref());
    number(hasher, matches.found.len());
    for (path, seen) in &matches.found {
        add_seen(hasher, path, seen);
    }
    number(hasher, matches.idle.len());
    for idle in &matches.idle {
        part(hasher, idle.as_bytes());
    }
    number(hasher, matches.notes.len());
    for note in &matches.notes {
        part(hasher, note.as_bytes());
    }
    number(hasher, matches.refused.len());
    for refused in &matches.refused {
        part(hasher, refused.to_string().as_bytes());
    }
}

fn add_seen(hasher: &mut FingerprintParts, path: &str, seen: &Seen) {
    part(hasher, path.as_bytes());
    match seen {
        Seen::Missing => number(hasher, 0),
        Seen::Unreadable(why) => {
            number(hasher, 1);
            part(hasher, why.as_bytes());
        }
        Seen::File(file) => {
            number(hasher, 2);
            add_file(hasher, file);
        }
    }
}

fn add_file(hasher: &mut FingerprintParts, file: &File) {
    part(hasher, &file.bytes);
    add_path(hasher, Some(&file.canonical));
    for number in [file.size, u64::from(file.mode), file.device, file.inode] {
        hasher.add(&number.to_le_bytes());
    }
    hasher.add(&[u8::from(file.executable), u8::from(file.link == Link::Symbolic)]);
}

fn add_path(hasher: &mut FingerprintParts, path: Option<&Path>) {
    // No path is empty.
    part(hasher, path.map_or(&[][..], |path| path.as_os_str().as_encoded_bytes()));
}

/// Most numbers are small, and take one byte.
fn number(hasher: &mut FingerprintParts, number: usize) {
    match u8::try_from(number) {
        Ok(small) if small < u8::MAX => hasher.add(&[small]),
        _ => {
            hasher.add(&[u8::MAX]);
            hasher.add(&(number as u64).to_le_bytes());
        }
    }
}

/// The bytes with their length.
fn part(hasher: &mut FingerprintParts, bytes: &[u8]) {
    number(hasher, bytes.len());
    hasher.add(bytes);
}

/// A hash of many short parts, each with its length, which are hashed together.
#[derive(Debug, Default)]
pub(super) struct FingerprintParts {
    hasher: Hasher,
    waiting: Vec<u8>,
}

impl FingerprintParts {
    /// So many bytes are hashed at once.
    const MANY: usize = 16 * 1024;

    pub(super) fn part(&mut self, bytes: &[u8]) {
        part(self, bytes);
    }

    fn add(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= Self::MANY {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    pub(super) fn end(mut self) -> Hash {
        self.hasher.update(&self.waiting);
        self.hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BadPattern, Command, ProgramFile, Word};

    fn file() -> File {
        File { device: 1, inode: 2, ..File::new("/project/a", *b"text") }
    }

    fn with_file(seen: Seen) -> Files {
        Files { files: [("a".into(), seen)].into(), ..Files::default() }
    }

    fn with_matches(matches: Matches) -> Files {
        let glob = Glob::new(".", ["*"]).reading(4);
        Files { globs: [(glob, matches.into())].into(), ..Files::default() }
    }

    #[test]
    fn any_difference_changes_the_fingerprint() {
        let matches = Matches { base: Some("/project".into()), ..Matches::default() };
        let refused = BadPattern { pattern: "a".into(), reason: "b".into() };
        let program = |path: Option<&str>| Files {
            programs: [("make".into(), path.map(Into::into))].into(),
            ..Files::default()
        };
        let program_file = |seen: Seen| {
            let wanted =
                ProgramFile { command: Command::new(Word::fixed("tool")), name: "package.json".into() };
            Files { program_files: [(wanted, seen)].into(), ..Files::default() }
        };
        let sights = [
            Files::default(),
            with_file(Seen::Missing),
            with_file(Seen::Unreadable(String::new())),
            with_file(Seen::Unreadable("missing".into())),
            with_file(Seen::File(file())),
            with_file(Seen::File(File { bytes: b"TEXT".as_slice().into(), ..file() })),
            with_file(Seen::File(File { size: 5, ..file() })),
            with_file(Seen::File(File { mode: 0o600, ..file() })),
            with_file(Seen::File(File { executable: true, ..file() })),
            with_file(Seen::File(File { link: Link::Symbolic, ..file() })),
            with_file(Seen::File(File { canonical: "/project/b".into(), ..file() })),
            with_file(Seen::File(File { device: 3, ..file() })),
            with_file(Seen::File(File { inode: 3, ..file() })),
            with_matches(Matches::default()),
            with_matches(matches.clone()),
            with_matches(Matches { notes: vec![refused.to_string()], ..matches.clone() }),
            with_matches(Matches { refused: vec![refused], ..matches.clone() }),
            with_matches(Matches { idle: vec!["*.sh".into()], ..matches.clone() }),
            with_matches(Matches { found: [("a".into(), Seen::Missing)].into(), ..matches.clone() }),
            with_matches(Matches { found: [("a".into(), Seen::File(file()))].into(), ..matches }),
            program(None),
            program(Some("/bin/make")),
            program_file(Seen::Missing),
            program_file(Seen::File(file())),
        ];
        for (at, sight) in sights.iter().enumerate() {
            assert_eq!(of_files(sight), of_files(&sight.clone()), "{sight:?}");
            for other in &sights[..at] {
                assert_ne!(of_files(sight), of_files(other), "{sight:?} and {other:?}");
            }
        }
    }
}
