//! Where a repository begins, as git itself decides it.

use std::path::{Path, PathBuf};

use super::files;
use super::read_file;
use crate::Environment;

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
        Some(_) => {
            let way = line_of(&git);
            let way = way.as_ref().and_then(|text| text.strip_prefix(GITDIR));
            way.is_some_and(|way| is_repository(&folder.join(way.trim())))
        }
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
    let new = ["ls-files", "-z", "--others", "--exclude-standard"];
    // First, since it says plainly where there is no repository.
    let mut files = git(folder, &new, environment)?;
    let known = ["rev-parse", "--verify", "--end-of-options", &format!("{commit}^{{commit}}")];
    let known = git(folder, &known, environment).map_err(|_| format!("bad revision '{commit}'"));
    let known = one_line(known?);
    let base = git(folder, &["merge-base", &known, "HEAD"], environment);
    let base = one_line(base.map_err(|_| format!("{commit} and the present have no common commit"))?);
    let staged = ["diff-index", "--cached", "--name-only", "--no-renames", "--relative", "-z", &base, "--"];
    files.extend(git(folder, &staged, environment)?);
    let indexed = git(folder, &["ls-files", "-z", "--stage", "--debug"], environment)?;
    for some in differing(folder, &indexed)?.chunks(MOST_NAMES) {
        files.extend(some.iter().filter(|file| file.blob.is_none()).map(|file| file.name.clone()));
        let there: Vec<&IndexedFile> = some.iter().filter(|file| file.blob.is_some()).collect();
        if there.is_empty() {
            continue;
        }
        // As they are: without the programs of the configuration.
        let mut words = vec!["hash-object", "--no-filters", "--"];
        words.extend(there.iter().map(|file| file.name.as_str()));
        let blobs = one_line(git(folder, &words, environment)?);
        let blobs = blobs.lines().map(Some).chain(std::iter::repeat(None));
        let other = there.iter().zip(blobs).filter(|(file, blob)| file.blob.as_deref() != *blob);
        files.extend(other.map(|(file, _)| file.name.clone()));
    }
    Ok(files)
}

/// How many files one process is asked about.
const MOST_NAMES: usize = 500;

/// A file of git's index.
#[derive(Debug)]
struct IndexedFile {
    name: String,
    /// The name of its content; `None` of one that is no ordinary file now.
    blob: Option<String>,
}

/// Of the files that git has in its index those that were written since, by their times and sizes. `indexed` is the list with all that git
/// knows of each.
fn differing(folder: &Path, indexed: &[String]) -> Result<Vec<IndexedFile>, String> {
    /// The facts about a file follow its name in so many lines, before the next name.
    const FACTS: usize = 5;
    /// Flags of files that are not looked at: those of a sparse checkout, and those that people exempt.
    const EXEMPT: u32 = 0x4000_8000;
    /// How the entry of a submodule begins, and that of an ordinary file.
    const SUBMODULE: &str = "160000 ";
    const PLAIN: &str = "100";
    let unknown = || "git's list of its files has a form that cuff does not know".to_owned();
    let mut found = Vec::new();
    let mut entry = indexed.first().map(String::as_str);
    for rest in indexed.iter().skip(1) {
        let (stage, name) = entry.and_then(|entry| entry.split_once('\t')).ok_or_else(unknown)?;
        let end = rest.match_indices('\n').nth(FACTS - 1).map(|(at, _)| at + 1).ok_or_else(unknown)?;
        let (facts, next) = rest.split_at(end);
        let fact = |name: &str| facts.split_whitespace().skip_while(|word| *word != name).nth(1);
        let pair = fact("mtime:").and_then(|time| time.split_once(':')).ok_or_else(unknown)?;
        let number = |text: &str| text.parse::<i64>().map_err(|_| unknown());
        let time = (number(pair.0)?, number(pair.1)?);
        let size = number(fact("size:").ok_or_else(unknown)?)?;
        let flags = u32::from_str_radix(fact("flags:").unwrap_or("0"), 16).map_err(|_| unknown())?;
        if flags & EXEMPT == 0 && !stage.starts_with(SUBMODULE) {
            let path = folder.join(name);
            if files::time_and_size(&path) != Some((time, size)) {
                let is_plain = stage.starts_with(PLAIN) && files::is_plain(&path);
                let blob = stage.split(' ').nth(1).filter(|_| is_plain).map(str::to_owned);
                found.push(IndexedFile { name: name.to_owned(), blob });
            }
        }
        entry = Some(next);
    }
    Ok(found)
}

fn one_line(output: Vec<String>) -> String {
    output.into_iter().next().unwrap_or_default().trim().to_owned()
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

/// The names that git prints for these words. They must be such that git reads no file of the working tree: it would start the programs
/// that its configuration names for that, and anybody who writes the project writes its configuration. For the same reason it fetches nothing.
#[expect(clippy::disallowed_methods, reason = "this is sys; git reads the repository and is no run")]
fn git(folder: &Path, words: &[&str], environment: &Environment) -> Result<Vec<String>, String> {
    let mut command = std::process::Command::new("git");
    command.args(["-c", "core.fsmonitor=false", "-C"]).arg(folder).args(words);
    command.env_clear().envs(environment.variables()).stdin(std::process::Stdio::null());
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none").env("GIT_OPTIONAL_LOCKS", "0");
    let output = command.output().map_err(|error| format!("git could not be started: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(message.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ").to_owned());
    }
    let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

fn line_of(path: &Path) -> Option<String> {
    read_file::text(path, LARGEST)
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
