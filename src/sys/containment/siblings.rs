//! Hidden paths, for a kernel that knows no refusals within what it grants: everything beside them is granted.

use std::path::{Path, PathBuf};

/// Whether a path is hidden, or lies below one that is.
pub(super) fn is_hidden(path: &Path, hidden: &[PathBuf]) -> bool {
    hidden.iter().any(|one| path.starts_with(one))
}

/// The fewest paths at or below `root` that together are all of it but what is hidden. Links are left out: they lead to a place that
/// has a path of its own. Files that are made later directly in a folder above a hidden one belong to none of them.
pub(super) fn beside(root: &Path, hidden: &[PathBuf], found: &mut Vec<PathBuf>) {
    if !is_hidden(root, hidden) {
        let below: Vec<&Path> =
            hidden.iter().map(PathBuf::as_path).filter(|one| one.starts_with(root)).collect();
        descend(root, &below, found);
    }
}

/// The same for a folder that is not hidden, with the hidden paths below it.
#[expect(clippy::disallowed_methods, reason = "the supervisor looks at folders by itself")]
fn descend(folder: &Path, hidden: &[&Path], found: &mut Vec<PathBuf>) {
    if hidden.is_empty() {
        found.push(folder.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink())) {
        let path = entry.path();
        let below: Vec<&Path> = hidden.iter().copied().filter(|one| one.starts_with(&path)).collect();
        if !below.contains(&path.as_path()) {
            descend(&path, &below, found);
        }
    }
}
