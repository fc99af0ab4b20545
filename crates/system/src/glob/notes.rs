//! The notes of a search: paths that could not be looked at, and where it was cut off.

use std::collections::BTreeSet;
use std::path::Path;

use crate::model::shown;

/// A path as notes show it.
pub(super) fn named(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// Notes, no more than a person would read.
#[derive(Debug, Default)]
pub(super) struct Notes {
    kept: BTreeSet<String>,
    more: usize,
}

impl Notes {
    const MOST: usize = 50;

    pub(super) fn add(&mut self, note: String) {
        if self.kept.len() < Self::MOST || self.kept.contains(&note) {
            self.kept.insert(note);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn finish(self) -> Vec<String> {
        let more = (self.more > 0).then(|| format!("and {} more like these", self.more));
        self.kept.into_iter().chain(more).collect()
    }
}
