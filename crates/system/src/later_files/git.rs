//! The configuration and the hooks of a repository.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::reader::FileReader;
use crate::model::Seen;
use crate::stamps::Stamped;
use crate::{files, read_file, repository, user};

/// The largest index that is read, in bytes.
const LARGEST_INDEX: u64 = 64 * 1024 * 1024;
/// The file that says where the folder is whose data a worktree shares.
const COMMON: &str = "commondir";
/// The steps of a rebase that has stopped, some of which run commands.
const TODO: &str = "rebase-merge/git-rebase-todo";

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

/// The files of the repository with this root, and those of the repositories that are part of it: git looks into each, also for a plain
/// `git status` above.
pub(super) fn files_of(reader: FileReader<'_>, root: &Path) -> OfGit {
    let mut all = OfGit::default();
    let mut roots = vec![root.to_owned()];
    let mut at = 0;
    while let Some(root) = roots.get(at).cloned() {
        let git = all.add(reader, &root);
        if at > 0 {
            all.files.push(root.join(".git"));
        }
        let named = submodules(reader, &git);
        if named.is_none() {
            all.files.push(git.join("index"));
        }
        for inner in named.iter().flat_map(|named| named.iter()).map(|inner| root.join(inner)) {
            let is_new = !roots.contains(&inner) && files::kind(&inner.join(".git")).is_some();
            if is_new && roots.len() < MOST_MODULES {
                roots.push(inner);
            }
        }
        at += 1;
    }
    all
}

impl OfGit {
    /// Adds the files of one repository. Returns the folder with its data.
    fn add(&mut self, reader: FileReader<'_>, root: &Path) -> PathBuf {
        let own = git_folder(reader, root);
        // A worktree has its own folder and shares the rest.
        let shared = text(reader, &own.join(COMMON));
        let shared = shared.map_or_else(|| own.clone(), |way| files::canonical(&own.join(way.trim())));
        self.folders.push(shared.join("hooks"));
        let mut configurations = vec![shared.join("config"), own.join("config.worktree")];
        for module in modules(&shared.join("modules")) {
            self.folders.push(module.join("hooks"));
            self.files.extend(["config", "info/attributes", COMMON].map(|name| module.join(name)));
        }
        for worktree in files::folders_in(&shared.join("worktrees")) {
            self.files.extend(["config.worktree", "gitdir", COMMON, TODO].map(|name| worktree.join(name)));
        }
        let mut at = 0;
        while let Some(configuration) = configurations.get(at).cloned() {
            at += 1;
            for (key, value) in text(reader, &configuration).map(|text| ways(&text)).unwrap_or_default() {
                let value = of_home(&value);
                match key {
                    ConfiguredPath::Hooks => self.folders.push(root.join(value)),
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
        self.files.extend(configurations);
        self.files.extend([
            shared.join("info/attributes"),
            own.join(COMMON),
            own.join(TODO),
            shared.join(TODO),
        ]);
        own
    }
}

/// A path of a configuration, which may begin in the user's home folder.
fn of_home(value: &str) -> PathBuf {
    let home = value.strip_prefix("~/").and_then(|rest| Some(user::home()?.join(rest)));
    home.unwrap_or_else(|| value.into())
}

/// The folders of a repository that have repositories of their own, as its index names them; `None` where it cannot be read whole.
fn submodules(reader: FileReader<'_>, git: &Path) -> Option<Arc<Vec<PathBuf>>> {
    let index = git.join("index");
    reader.known.submodules.of(index.clone(), |stamps| {
        let seen = read_file::file(&index, LARGEST_INDEX);
        stamps.add(Arc::new(Stamped::of_path(index, &seen)));
        match seen {
            Seen::File(file) => named_in(&file.bytes).map(Arc::new),
            Seen::Missing => Some(Arc::default()),
            Seen::Unreadable(_) => None,
        }
    })
}

/// The submodules in an index of git, of version 2 to 4 and of SHA-1; `None` where it is none, or where another file has a part of it.
fn named_in(index: &[u8]) -> Option<Vec<PathBuf>> {
    const HEAD: usize = 12;
    const FIXED: usize = 62;
    const SUBMODULE: u32 = 0o160_000;
    const EXTENDED: u16 = 0x4000;
    const SPLIT: &[u8] = b"link";
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    let (version, count) = (number(4)?, number(8)?);
    let (mut at, mut name, mut found) = (HEAD, Vec::new(), Vec::new());
    if !index.starts_with(b"DIRC") {
        return None;
    }
    for _ in 0..count {
        let mode = number(at + 24)?;
        let flags = u16::from_be_bytes(index.get(at + FIXED - 2..at + FIXED)?.try_into().ok()?);
        let begin = at + FIXED + if flags & EXTENDED == 0 { 0 } else { 2 };
        let mut rest = index.get(begin..)?;
        if version == 4 {
            // So many bytes of the name before are not in this one.
            let (mut cut, mut byte) = (0_usize, *rest.first()?);
            loop {
                cut = cut.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
                rest = &rest[1..];
                if byte & 128 == 0 {
                    break;
                }
                cut += 1;
                byte = *rest.first()?;
            }
            name.truncate(name.len().checked_sub(cut)?);
        } else {
            name.clear();
        }
        let length = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&rest[..length]);
        let end = index.len() - rest.len() + length;
        at = if version == 4 { end + 1 } else { at + (end - at + 8) / 8 * 8 };
        if mode == SUBMODULE {
            found.push(OsString::from_vec(name.clone()).into());
        }
    }
    (index.get(at..at + SPLIT.len()) != Some(SPLIT)).then_some(found)
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
fn git_folder(reader: FileReader<'_>, root: &Path) -> PathBuf {
    let git = root.join(".git");
    match text(reader, &git).as_deref().and_then(|text| text.strip_prefix("gitdir:")) {
        Some(way) => files::canonical(&root.join(way.trim())),
        None => git,
    }
}

fn text(reader: FileReader<'_>, path: &Path) -> Option<String> {
    match reader.file(path) {
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
        let value = without_comment(value);
        match (section.as_str(), key.trim().to_ascii_lowercase().as_str()) {
            ("core", "hookspath") => ways.push((ConfiguredPath::Hooks, value)),
            ("include" | "includeif", "path") => ways.push((ConfiguredPath::Include, value)),
            _ => {}
        }
    }
    ways
}

/// A value without its quotes, and without the comment behind it.
fn without_comment(text: &str) -> String {
    let (mut value, mut is_quoted) = (String::new(), false);
    let mut letters = text.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '\\' => value.extend(letters.next()),
            '#' | ';' if !is_quoted => break,
            other => value.push(other),
        }
    }
    value.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_names_hooks_and_further_files() {
        let text = "[core]\n\tbare = false\n\thooksPath = \"tools/hooks\"\n[include]\n path=../more\n[includeIf \"gitdir:x\"]\npath = y\n[alias]\npath = z\n[Core] hooksPath=same\n[core]\nhooksPath = ~/a\\ b ; own \"hooks\"\n";
        assert_eq!(
            ways(text),
            [
                (ConfiguredPath::Hooks, "tools/hooks".to_owned()),
                (ConfiguredPath::Include, "../more".to_owned()),
                (ConfiguredPath::Include, "y".to_owned()),
                (ConfiguredPath::Hooks, "same".to_owned()),
                (ConfiguredPath::Hooks, "~/a b".to_owned()),
            ]
        );
    }
}
