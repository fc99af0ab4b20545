//! Names in a folder: which of many are there, and how a path is called from it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
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
    // Where the folder cannot be read to its end, each name is looked for.
    let entries =
        std::fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
    let Ok(mut names): io::Result<Vec<OsString>> = entries else { return all() };
    names.sort_unstable();
    let is_there =
        |wanted: &&str| names.binary_search_by(|name| name.as_os_str().cmp(OsStr::new(wanted))).is_ok();
    wanted.iter().map(String::as_str).filter(is_there).collect()
}

/// The path as it is called from a folder above it, when that is text.
pub(super) fn below<'p>(folder: &Path, path: &'p Path) -> Option<&'p str> {
    // A walk begins at its folder, so most paths begin with the very letters of that.
    let letters = || path.to_str()?.strip_prefix(folder.to_str()?)?.strip_prefix('/');
    let tidy = letters().filter(|below| !below.starts_with('/'));
    tidy.or_else(|| path.strip_prefix(folder).ok()?.to_str())
}
