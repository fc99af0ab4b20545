//! Hidden paths, for a kernel that knows no refusals within what it grants: everything beside them is granted.

use std::path::{Path, PathBuf};

/// Whether a path is hidden, or lies below one that is.
pub(super) fn is_hidden(path: &Path, hidden: &[PathBuf]) -> bool {
    hidden.iter().any(|one| path.starts_with(one))
}

/// The fewest paths at or below `root` that together are all of it but what is hidden. Links are left out: they lead to a place that
/// has a path of its own. Files that are made later directly in a folder above a hidden one belong to none of them.
#[expect(clippy::disallowed_methods, reason = "the supervisor looks at folders by itself")]
pub(super) fn beside(root: &Path, hidden: &[PathBuf], found: &mut Vec<PathBuf>) {
    if is_hidden(root, hidden) {
        return;
    }
    if !hidden.iter().any(|one| one.starts_with(root)) {
        found.push(root.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            beside(&entry.path(), hidden, found);
        }
    }
}
