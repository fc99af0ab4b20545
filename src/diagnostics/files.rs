//! How files are named: relative to the project where they lie inside, else as the log does.

use std::path::{Path, PathBuf};

use crate::model::path;

/// The folders that names begin from.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    root: PathBuf,
    directory: PathBuf,
}

impl Files {
    /// `directory` is relative to the root.
    pub(super) fn new(root: &Path, directory: &Path) -> Self {
        Self { root: root.to_owned(), directory: directory.to_owned() }
    }

    /// A file of the log by the name that it has in the project.
    pub(super) fn name(&self, printed: &str) -> String {
        let named = printed.strip_prefix("file://").unwrap_or(printed);
        if self.root.as_os_str().is_empty() {
            return named.to_owned();
        }
        if let Some(inside) = named.strip_prefix("${workspaceFolder}/") {
            return path::join(".", inside.trim_start_matches('/'));
        }
        if let Ok(inside) = Path::new(named).strip_prefix(&self.root) {
            return inside.display().to_string();
        }
        let windows = named.contains('\\') || named.as_bytes().get(1) == Some(&b':');
        if named.starts_with(['/', '<', '~']) || windows || named.contains("://") {
            return named.to_owned();
        }
        path::join(&self.directory.display().to_string(), named)
    }
}
