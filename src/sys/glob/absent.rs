//! Which of many names are not in a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::model::Seen;

/// Takes the names out of `wanted` that are not in a folder. To read it once costs as much as to look for a few of them.
#[expect(clippy::disallowed_methods, reason = "the search looks at folders")]
pub(super) fn absent(folder: &Path, wanted: &mut BTreeMap<String, bool>) -> Vec<(String, Seen)> {
    const FEW: usize = 4;
    // Elsewhere a file answers to its name in other letters too, and the folder lists it in one way.
    if wanted.len() <= FEW || !cfg!(target_os = "linux") {
        return Vec::new();
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut there = BTreeSet::new();
    for entry in entries {
        // Where the folder cannot be read to its end, each name is looked for.
        let Ok(entry) = entry else { return Vec::new() };
        let name = entry.file_name();
        there.extend(name.to_str().filter(|name| wanted.contains_key(*name)).map(str::to_owned));
    }
    let absent = wanted.extract_if(.., |name, _| !there.contains(name));
    absent.map(|(name, _)| (name, Seen::Missing)).collect()
}
