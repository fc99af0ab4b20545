//! Paths as settings spell them.

use std::path::{Path, PathBuf};

use crate::sys::{Environment, files};

/// A path of settings: absolute, below the home folder, or below the project's root.
pub(super) fn resolved(text: &str, root: &Path, home: Option<&Path>) -> PathBuf {
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ if text == "~" => home.unwrap_or(root).to_owned(),
        _ => root.join(text).components().collect(),
    }
}

/// A path without links, as far as it is there.
pub(super) fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find(|above| files::look(above).is_some());
    let rest = there.and_then(|above| path.strip_prefix(above).ok());
    match (there, rest) {
        (Some(above), Some(rest)) => files::canonical(above).join(rest).components().collect(),
        _ => path.to_owned(),
    }
}

/// The user's home folder, without links.
pub(super) fn home(environment: &Environment) -> Option<PathBuf> {
    environment.absolute("HOME").map(|home| files::canonical(&home))
}
