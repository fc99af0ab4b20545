//! The files that match patterns of names: those of `$(wildcard …)`, and of includes.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::model::{Files, Glob, Seen, Want};

/// The files around a Makefile, as far as they were seen.
#[derive(Debug)]
pub(super) struct Globs<'a> {
    pub(super) files: &'a Files,
    /// The folder that patterns count from.
    pub(super) folder: &'a str,
    /// The wants to read on.
    pub(super) wants: RefCell<BTreeSet<Want>>,
}

impl Globs<'_> {
    pub(super) fn want(&self, want: Want) {
        self.wants.borrow_mut().insert(want);
    }

    /// The files that match a pattern, none before they were looked for; `None`: they cannot be known.
    pub(super) fn find(&self, pattern: &str) -> Option<Vec<String>> {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let climbs = pattern.split('/').any(|part| part == "..");
        let is_wild = pattern.contains(['*', '?', '[']);
        // Folders are not found, so only a pattern that looks like files is answered in full.
        let may_be_folder = is_wild && !pattern.rsplit('/').next().is_some_and(|last| last.contains('.'));
        let is_odd =
            pattern.is_empty() || pattern.starts_with(['/', '~']) || pattern.contains(['{', '\\', '\0']);
        if climbs || may_be_folder || is_odd {
            return None;
        }
        let glob = Glob::new(self.folder, [pattern.replace("**", "*")]);
        let Some(matches) = self.files.globs.get(&glob) else {
            self.want(Want::Glob(glob));
            return Some(Vec::new());
        };
        if is_wild && !(matches.refused.is_empty() && matches.notes.is_empty()) {
            return None;
        }
        let is_match = |(path, seen): &(&String, &Seen)| {
            let mut parts = path.split('/').zip(pattern.split('/'));
            !matches!(seen, Seen::Missing)
                && parts.all(|(part, wanted)| !part.starts_with('.') || wanted.starts_with('.'))
        };
        Some(matches.found.iter().filter(is_match).map(|(path, _)| path.clone()).collect())
    }
}
