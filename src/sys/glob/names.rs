//! Names in a folder: which of many are there, and how a path is called from it.

use std::collections::BTreeSet;
use std::path::Path;

/// The names of `wanted` that may be in a folder. To read it once costs as much as to look for a few of them.
#[expect(clippy::disallowed_methods, reason = "the search looks at folders")]
pub(super) fn there<'n>(folder: &Path, wanted: &'n [String]) -> BTreeSet<&'n str> {
    const FEW: usize = 4;
    let all = || wanted.iter().map(String::as_str).collect();
    // Elsewhere a file answers to its name in other letters too, and the folder lists it in one way.
    if wanted.len() <= FEW || !cfg!(target_os = "linux") {
        return all();
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return all() };
    let mut there = BTreeSet::new();
    for entry in entries {
        // Where the folder cannot be read to its end, each name is looked for.
        let Ok(entry) = entry else { return all() };
        let name = entry.file_name();
        there.extend(wanted.iter().map(String::as_str).find(|wanted| name == *wanted));
    }
    there
}

/// The path as it is called from a folder above it, when that is text.
pub(super) fn below<'p>(folder: &Path, path: &'p Path) -> Option<&'p str> {
    // A walk begins at its folder, so most paths begin with the very letters of that.
    let letters = || path.to_str()?.strip_prefix(folder.to_str()?)?.strip_prefix('/');
    let tidy = letters().filter(|below| !below.starts_with('/'));
    tidy.or_else(|| path.strip_prefix(folder).ok()?.to_str())
}
