//! The configuration and the hooks of a repository.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::files;
use crate::kept_files::KeptFiles;
use crate::model::Seen;
use crate::repository;

/// The largest configuration that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// How deep the data of a submodule is looked for, and of how many submodules.
const MODULE_DEPTH: usize = 6;
const MOST_MODULES: usize = 128;
/// The folders of a repository's data that hold no other repository.
const LEAVES: [&str; 6] = ["hooks", "info", "logs", "lfs", "objects", "refs"];

/// The files of a repository by which git runs something.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OfGit {
    pub(super) files: Vec<PathBuf>,
    /// Folders of hooks.
    pub(super) folders: Vec<PathBuf>,
}

/// The root of the repository that a folder is in.
pub(super) fn root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| repository::is_root(folder)).map(Path::to_owned)
}

/// The files of the repository with this root.
pub(super) fn files_of(known: &KeptFiles, root: &Path) -> OfGit {
    let own = git_folder(known, root);
    // A worktree has its own folder and shares the rest.
    let shared = text(known, &own.join("commondir"));
    let shared = shared.map_or_else(|| own.clone(), |way| own.join(way.trim()));
    let mut all = OfGit { folders: vec![shared.join("hooks")], ..OfGit::default() };
    let mut configurations = vec![shared.join("config"), own.join("config.worktree")];
    for module in modules(&shared.join("modules")) {
        all.folders.push(module.join("hooks"));
        all.files.push(module.join("config"));
        all.files.push(module.join("info/attributes"));
    }
    let mut at = 0;
    while let Some(configuration) = configurations.get(at).cloned() {
        at += 1;
        for (key, value) in text(known, &configuration).map(|text| ways(&text)).unwrap_or_default() {
            match key {
                ConfiguredPath::Hooks => all.folders.push(root.join(value)),
                // A file that includes itself ends here.
                ConfiguredPath::Include => {
                    let included = configuration.parent().unwrap_or(root).join(value);
                    if !configurations.contains(&included) && configurations.len() < 8 {
                        configurations.push(included);
                    }
                }
            }
        }
    }
    all.files.extend(configurations);
    all.files.push(shared.join("info/attributes"));
    all
}

/// The folders with the data of the repositories that are submodules of this one. The name of a submodule may be a path.
fn modules(folder: &Path) -> Vec<PathBuf> {
    if !files::look(folder).is_some_and(|look| look.directory) {
        return Vec::new();
    }
    let has_more = |entry: &DirEntry| !entry.file_name().to_str().is_some_and(|name| LEAVES.contains(&name));
    let walk = WalkDir::new(folder).min_depth(2).max_depth(MODULE_DEPTH).into_iter().filter_entry(has_more);
    let heads = walk.flatten().filter(|entry| entry.file_name() == "HEAD");
    heads.filter_map(|head| head.path().parent().map(Path::to_owned)).take(MOST_MODULES).collect()
}

/// The folder with a repository's data: `.git`, or the one that a file of that name leads to.
fn git_folder(known: &KeptFiles, root: &Path) -> PathBuf {
    let git = root.join(".git");
    match text(known, &git).as_deref().and_then(|text| text.strip_prefix("gitdir:")) {
        Some(way) => root.join(way.trim()),
        None => git,
    }
}

fn text(known: &KeptFiles, path: &Path) -> Option<String> {
    match known.file(path, LARGEST) {
        Seen::File(file) => Some(String::from_utf8_lossy(&file.bytes).into_owned()),
        Seen::Missing | Seen::Unreadable(_) => None,
    }
}

/// A path that a configuration names.
#[derive(Debug, PartialEq, Eq)]
enum ConfiguredPath {
    Hooks,
    Include,
}

/// The folders of hooks and the further files that a configuration names.
fn ways(text: &str) -> Vec<(ConfiguredPath, String)> {
    let mut section = String::new();
    let mut ways = Vec::new();
    for line in text.lines().map(str::trim) {
        let mut line = line;
        if let Some(name) = line.strip_prefix('[') {
            section = name.split([']', ' ']).next().unwrap_or_default().to_ascii_lowercase();
            // A value may stand on the line of its section.
            line = name.split_once(']').map_or("", |(_, behind)| behind);
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.trim().trim_matches('"').to_owned();
        match (section.as_str(), key.trim().to_ascii_lowercase().as_str()) {
            ("core", "hookspath") => ways.push((ConfiguredPath::Hooks, value)),
            ("include" | "includeif", "path") => ways.push((ConfiguredPath::Include, value)),
            _ => {}
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_names_hooks_and_further_files() {
        let text = "[core]\n\tbare = false\n\thooksPath = \"tools/hooks\"\n[include]\n path=../more\n[includeIf \"gitdir:x\"]\npath = y\n[alias]\npath = z\n[Core] hooksPath=same\n";
        assert_eq!(
            ways(text),
            [
                (ConfiguredPath::Hooks, "tools/hooks".to_owned()),
                (ConfiguredPath::Include, "../more".to_owned()),
                (ConfiguredPath::Include, "y".to_owned()),
                (ConfiguredPath::Hooks, "same".to_owned()),
            ]
        );
    }
}
