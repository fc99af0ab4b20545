//! The state of the files that an approval or a pinned text depends on, at one moment. It is compared before
//! the start and after the end.

use blake3::{Hash, Hasher};

use crate::model::{BoundFile, Problem, Seen, StatePart, listed, shown};
use crate::sys::files::Stamp;

/// The files of one plan, by their content.
#[derive(Debug)]
pub struct ContentBinding {
    pub(super) files: Vec<BoundContent>,
}

/// One file, as it was read.
#[derive(Debug)]
pub(super) struct BoundContent {
    pub(super) file: BoundFile,
    /// Its content.
    content: Hash,
    /// The part that must be the same after the end; `None`: no part must.
    pub(super) after: Option<Hash>,
    /// Its place and its times; `None`: it is no file.
    pub(super) stamp: Option<Stamp>,
}

impl BoundContent {
    pub(super) fn of(file: BoundFile, seen: &Seen) -> Self {
        let stamp = match seen {
            Seen::File(file) => Some(Stamp::of(file)),
            Seen::Missing | Seen::Unreadable(_) => None,
        };
        Self { content: hash(seen), after: remains(file.after, seen), stamp, file }
    }
}

impl PartialEq for ContentBinding {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl ContentBinding {
    /// The files of a plan, as they were seen.
    pub fn of(files: Vec<(BoundFile, Seen)>) -> Self {
        Self { files: files.into_iter().map(|(file, seen)| BoundContent::of(file, &seen)).collect() }
    }

    /// A hash over the names and contents of all files, in hex.
    pub fn digest(&self) -> String {
        let mut hasher = Hasher::new();
        for BoundContent { file, content, .. } in &self.files {
            hasher.update(&(file.path.len() as u64).to_le_bytes());
            hasher.update(file.path.as_bytes());
            hasher.update(content.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The files that the tool does not itself write.
    pub(super) fn kept(&self) -> impl Iterator<Item = &BoundContent> {
        self.files.iter().filter(|one| one.after.is_some())
    }

    /// The files that do not say the same in another binding of the same plan.
    fn differences(&self, other: &Self) -> Vec<String> {
        let same = |one: &BoundContent, list: &Self| {
            list.files.iter().any(|other| other.file.path == one.file.path && other.content == one.content)
        };
        let gone = self.files.iter().filter(|one| !same(one, other));
        let new = other.files.iter().filter(|one| !same(one, self));
        let mut names: Vec<String> = gone.chain(new).map(|one| shown(&one.file.path)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The files that have changed since they were bound. If the tool is no longer the one that was found,
    /// the file that defines it.
    pub(super) fn changes(&self, now: Result<&Self, &Unbound>, source: &str) -> Vec<String> {
        now.map_or_else(|_| vec![shown(source)], |now| self.differences(now))
    }
}

/// Why the files of a tool cannot be read.
#[derive(Debug)]
pub enum Unbound {
    /// The tool is no longer the one that was found.
    Gone,
    /// They cannot all be looked at.
    TooMuch(Box<Problem>),
}

/// Changed files, in a list for people.
pub fn named(files: &[String]) -> String {
    /// How many are named.
    const MOST: usize = 5;
    listed(files, MOST)
}

fn hash(seen: &Seen) -> Hash {
    match seen {
        Seen::Missing => blake3::hash(b"missing"),
        Seen::Unreadable(why) => blake3::hash(format!("unreadable {why}").as_bytes()),
        Seen::File(file) => {
            let mut hasher = Hasher::new();
            hasher.update(b"file ");
            hasher.update(&file.bytes);
            hasher.finalize()
        }
    }
}

/// The hash of the part of a file that must be the same after the end; `None`: no part must.
pub(super) fn remains(after: StatePart, seen: &Seen) -> Option<Hash> {
    match (after, seen) {
        (StatePart::Written, _) => None,
        (StatePart::Part(part), Seen::File(file)) => Some(blake3::hash(&part(&file.bytes))),
        (StatePart::Same | StatePart::Part(_), _) => Some(hash(seen)),
    }
}
