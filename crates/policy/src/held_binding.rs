//! The files of a plan while it is carried out, held so that no change goes unnoticed that is undone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::binding::{BoundContent, ContentBinding, Unbound, named, remains};
use crate::model::{Pathname, Seen, StatePart, shown};
use crate::sys::{self, FileToHold, HeldFiles, Hold, Keeps, Write};

/// The largest file that is read after the end, in bytes; discovery reads no larger one.
const LARGEST: u64 = 64 * 1024 * 1024;
/// How often a file is tried again that a process has open for writing: an editor may be saving it.
const TRIES: usize = 10;
/// How long cuff waits in between.
const BETWEEN: Duration = Duration::from_millis(20);

/// The files of a plan from the last reading before the start to the end.
#[derive(Debug)]
pub struct HeldBinding {
    root: PathBuf,
    files: Vec<BoundContent>,
    held: HeldFiles,
}

/// The changes of held files.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct HeldChanges {
    /// The files that were changed, put back or not.
    pub changed: Vec<String>,
    /// Why a further change may have gone unnoticed, in one sentence.
    pub gap: Option<String>,
}

/// Holds the files of a binding that the tool does not itself write.
///
/// # Errors
/// With the names of those that a process has open, or mapped, for writing: a change of them leaves no trace.
pub(super) async fn hold(binding: &ContentBinding, root: &Path) -> Result<HeldFiles, Vec<String>> {
    let mut tried = 0;
    loop {
        let held = HeldFiles::hold(binding.kept().map(|one| to_hold(one, root)).collect());
        let busy = binding.kept().zip(held.states()).filter(|(_, state)| state.is_busy);
        let busy: Vec<String> = busy.map(|(one, _)| shown(&one.file.path)).collect();
        tried += 1;
        if busy.is_empty() {
            return Ok(held);
        }
        if tried == TRIES {
            return Err(busy);
        }
        drop(held);
        tokio::time::sleep(BETWEEN).await;
    }
}

impl HeldBinding {
    /// The files as they were read while they were held, if they are those of the earlier binding.
    ///
    /// # Errors
    /// With the names of the files that differ; `source` if the tool is no longer the one that was found.
    pub(super) fn of_unchanged(
        before: &ContentBinding,
        now: Result<ContentBinding, Unbound>,
        (root, source): (&Path, &str),
        held: HeldFiles,
    ) -> Result<Self, Vec<String>> {
        let changed = before.changes(now.as_ref(), source);
        let Some(now) = now.ok().filter(|_| changed.is_empty()) else { return Err(changed) };
        let mut read: BTreeMap<Pathname, BoundContent> =
            now.files.into_iter().map(|one| (one.file.path.clone(), one)).collect();
        let files = before.kept().filter_map(|one| read.remove(&one.file.path)).collect();
        Ok(Self { root: root.to_owned(), files, held })
    }

    /// What happened to the files until now.
    pub fn changes(&self) -> HeldChanges {
        let mut changes = HeldChanges::default();
        let (mut written, mut unheld) = (Vec::new(), Vec::new());
        for (one, Hold { write, gap, .. }) in self.files.iter().zip(self.held.states()) {
            let name = || shown(&one.file.path);
            let seen = sys::read_file::file(&self.root.join(&one.file.path), LARGEST);
            let now = BoundContent::of(one.file.clone(), &seen);
            let is_whole = matches!(one.file.after, StatePart::Same);
            let is_touched = write == Write::Written || now.stamp != one.stamp;
            if now.after != one.after || write == Write::Differed || is_whole && is_touched {
                changes.changed.push(name());
            } else if is_touched {
                written.push(name());
            }
            unheld.extend(gap.map(|why| (name(), why)));
        }
        changes.gap = in_words(&written, &unheld);
        changes
    }
}

fn to_hold(one: &BoundContent, root: &Path) -> FileToHold {
    let path = root.join(&one.file.path);
    let keeps = matches!(one.file.after, StatePart::Part(_)).then(|| {
        let (path, part, before) = (path.clone(), one.file.after, one.after);
        let keeps: Keeps = Box::new(move || {
            let seen = sys::read_file::file(&path, LARGEST);
            // Who writes a file anew empties it first, and nothing runs by an empty one.
            let is_being_written = matches!(&seen, Seen::File(file) if file.bytes.is_empty());
            is_being_written || remains(part, &seen) == before
        });
        keeps
    });
    FileToHold { path, keeps }
}

/// Files that were written, and files that could not be held with the first reason, in one sentence.
fn in_words(written: &[String], unheld: &[(String, String)]) -> Option<String> {
    let written = (!written.is_empty())
        .then(|| format!("a process wrote {} while it ran, and left what runs the same", named(written)));
    let unheld = unheld.first().map(|(_, why)| {
        let names: Vec<String> = unheld.iter().map(|(name, _)| name.clone()).collect();
        format!("a change of {} that was put back cannot be seen: {why}", named(&names))
    });
    let parts: Vec<String> = written.into_iter().chain(unheld).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
