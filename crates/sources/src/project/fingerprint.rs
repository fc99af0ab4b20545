//! One hash over what a plugin saw, so that it is known when that changes.

use std::hash::{Hash as Hashed, Hasher};

use blake3::Hash;

use crate::model::Files;

/// Everything but what probes brought: that holds for as long as this stays the same.
pub(super) fn of_files(files: &Files) -> Hash {
    of((&files.files, &files.globs, &files.programs, &files.program_files))
}

/// The hash of values.
pub(super) fn of(values: impl Hashed) -> Hash {
    let mut parts = FingerprintParts::default();
    values.hash(&mut parts);
    parts.hasher.update(&parts.waiting);
    parts.hasher.finalize()
}

/// Many short parts, which are hashed together, each with its length, so that no two lists of them read the same.
#[derive(Default)]
struct FingerprintParts {
    hasher: blake3::Hasher,
    waiting: Vec<u8>,
}

impl FingerprintParts {
    /// So many bytes are hashed at once.
    const MANY: usize = 16 * 1024;
}

impl Hasher for FingerprintParts {
    fn write(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(&bytes.len().to_le_bytes());
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= Self::MANY {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    /// No hash that is kept: 64 bits are too few.
    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BadPattern, Command, File, Glob, Link, Matches, ProgramFile, Seen, Word};

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
