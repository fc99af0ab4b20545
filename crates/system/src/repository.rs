//! Where a repository begins, as git itself decides it.

use std::path::{Path, PathBuf};

use super::files;
use super::read_file;
use crate::Environment;
use crate::model::Seen;

/// The largest `.git` file that is read, in bytes.
const LARGEST: u64 = 64 * 1024;
/// How the `.git` file of a worktree or a submodule begins.
const GITDIR: &str = "gitdir:";

/// Whether a folder is the root of a repository: its `.git` is one, or leads to one as that of a worktree or a submodule
/// does.
pub fn is_root(folder: &Path) -> bool {
    let git = folder.join(".git");
    match files::look(&git) {
        None => false,
        Some(look) if look.directory => is_repository(&git),
        Some(_) => match read_file::file(&git, LARGEST) {
            Seen::File(file) => std::str::from_utf8(&file.bytes)
                .ok()
                .and_then(|text| text.strip_prefix(GITDIR))
                .is_some_and(|way| is_repository(&folder.join(way.trim()))),
            Seen::Missing | Seen::Unreadable(_) => false,
        },
    }
}

/// The folder outside of a worktree or a submodule that git writes when something is committed there. `None` for a folder that has its
/// own `.git`, and for one whose `.git` leads to a place that does not lead back: anybody who writes the folder can name any place in it.
pub fn common_folder(root: &Path) -> Option<PathBuf> {
    let root = files::canonical(root);
    let git = root.join(".git");
    let way = line_of(&git)?;
    let own = files::canonical(&root.join(way.strip_prefix(GITDIR)?.trim()));
    if let Some(common) = line_of(&own.join("commondir")) {
        let common = files::canonical(&own.join(common.trim()));
        let back = files::canonical(Path::new(line_of(&own.join("gitdir"))?.trim()));
        let leads_back = own.parent() == Some(&*common.join("worktrees")) && back == git;
        return (leads_back && is_repository(&common)).then_some(common);
    }
    let config = line_of(&own.join("config"))?;
    let tree =
        config.lines().find_map(|line| line.trim().strip_prefix("worktree")?.trim().strip_prefix('='))?;
    let leads_back = files::canonical(&own.join(tree.trim())) == root;
    (leads_back && is_repository(&own)).then_some(own)
}

/// The files below a folder that differ from those of a commit, or from those of its last common one with the present: committed or
/// not, and new ones that are not ignored. Relative to the folder.
///
/// # Errors
/// git's message, where it is not there, or knows no such commit.
pub fn changed_since(folder: &Path, commit: &str, environment: &Environment) -> Result<Vec<String>, String> {
    if commit.is_empty() || commit.starts_with('-') {
        return Err(format!("`{commit}` is no commit"));
    }
    let changed = ["diff", "--name-only", "--no-ext-diff", "--relative", "-z", "--merge-base", commit, "--"];
    let new = ["ls-files", "-z", "--others", "--exclude-standard"];
    // First, since it says plainly where there is no repository.
    let mut files = git(folder, &new, environment)?;
    files.extend(git(folder, &changed, environment)?);
    Ok(files)
}

/// The files below a folder that git has or would have: tracked or new, and not ignored. Relative to the folder, each once.
///
/// # Errors
/// git's message, where it is not there, or the folder is in no repository.
pub fn unignored(folder: &Path, environment: &Environment) -> Result<Vec<String>, String> {
    let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
    let mut names = git(folder, &words, environment)?;
    names.sort();
    Ok(names)
}

/// The names that git prints for these words. It starts none of the programs that its configuration names.
#[expect(clippy::disallowed_methods, reason = "this is sys; git reads the repository and is no run")]
fn git(folder: &Path, words: &[&str], environment: &Environment) -> Result<Vec<String>, String> {
    let mut command = std::process::Command::new("git");
    command.args(["-c", "core.fsmonitor=false", "-C"]).arg(folder).args(words);
    command.env_clear().envs(environment.variables()).stdin(std::process::Stdio::null());
    let output = command.output().map_err(|error| format!("git could not be started: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(message.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ").to_owned());
    }
    let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

/// The text of a small file that is no link.
fn line_of(path: &Path) -> Option<String> {
    let Seen::File(file) = read_file::file(path, LARGEST) else { return None };
    String::from_utf8(file.bytes.to_vec()).ok()
}

/// Whether git would take a folder for a repository: it has a `HEAD`, and objects of its own or another's.
fn is_repository(git: &Path) -> bool {
    let has = |name: &str| files::look(&git.join(name)).is_some();
    has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "lays out the files")]

    use std::fs;

    use super::*;

    #[test]
    fn a_repository_begins_where_git_finds_one() {
        let base = tempfile::tempdir().unwrap();
        let at = |path: &str| base.path().join(path);
        for folder in
            ["own/.git/objects", "own/.git/refs", "own/.git/worktrees/w", "empty/.git", "worktree", "false"]
        {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for (file, text) in [
            ("own/.git/HEAD", "ref: refs/heads/main\n"),
            ("own/.git/worktrees/w/HEAD", "ref: refs/heads/w\n"),
            ("own/.git/worktrees/w/commondir", "../..\n"),
            ("worktree/.git", "gitdir: ../own/.git/worktrees/w\n"),
            ("false/.git", "gitdir: x\n"),
        ] {
            fs::write(at(file), text).unwrap();
        }
        for (folder, expected) in
            [("own", true), ("worktree", true), ("empty", false), ("false", false), ("none", false)]
        {
            assert_eq!(is_root(&at(folder)), expected, "{folder}");
        }
    }
}
