//! One hash over what a plugin saw, so that it is known when that changes.

use blake3::{Hash, Hasher};

use crate::model::{File, Files, Link, Matches, Seen};

/// Everything but what probes brought: that holds for as long as this stays the same.
pub(super) fn of_files(files: &Files) -> Hash {
    let mut hasher = Hasher::new();
    for (path, seen) in &files.files {
        add_seen(&mut hasher, path, seen);
    }
    for (glob, matches) in &files.globs {
        part(&mut hasher, format!("{glob:?}").as_bytes());
        add_matches(&mut hasher, matches);
    }
    for (name, path) in &files.programs {
        part(&mut hasher, name.as_bytes());
        part(&mut hasher, path.as_ref().map_or(&[][..], |path| path.as_os_str().as_encoded_bytes()));
    }
    hasher.finalize()
}

fn add_matches(hasher: &mut Hasher, matches: &Matches) {
    part(hasher, matches.base.as_ref().map_or(&[][..], |base| base.as_os_str().as_encoded_bytes()));
    for (path, seen) in &matches.found {
        add_seen(hasher, path, seen);
    }
    for note in &matches.notes {
        part(hasher, note.as_bytes());
    }
    for refused in &matches.refused {
        part(hasher, refused.to_string().as_bytes());
    }
}

fn add_seen(hasher: &mut Hasher, path: &str, seen: &Seen) {
    part(hasher, path.as_bytes());
    match seen {
        Seen::Missing => part(hasher, b"missing"),
        Seen::Unreadable(why) => part(hasher, why.as_bytes()),
        Seen::File(file) => add_file(hasher, file),
    }
}

fn add_file(hasher: &mut Hasher, file: &File) {
    part(hasher, &file.bytes);
    part(hasher, file.canonical.as_os_str().as_encoded_bytes());
    for number in [file.size, u64::from(file.mode), file.device, file.inode] {
        hasher.update(&number.to_le_bytes());
    }
    hasher.update(&[u8::from(file.executable), u8::from(file.link == Link::Symbolic)]);
}

/// Each part with its length, so that no two sequences of parts read the same.
pub(super) fn part(hasher: &mut Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}
