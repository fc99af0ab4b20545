//! The commit, the branch and the origin of a repository, from git's own files: a run waits for no program.

use std::path::{Path, PathBuf};

use super::files;
use super::read_file;
use crate::model::Revision;

/// The largest file of git's that is read, in bytes. More branches than that are packed in few repositories.
const LARGEST: u64 = 4 * 1024 * 1024;
/// The front of the name of a branch.
const BRANCHES: &str = "refs/heads/";
/// How `HEAD` names a branch.
const SYMBOLIC: &str = "ref: ";

/// The folders of a repository.
#[derive(Debug)]
struct GitFolders {
    /// The folder with `.git`.
    root: PathBuf,
    /// The folder with `HEAD`.
    own: PathBuf,
    /// The folder with what all worktrees share.
    common: PathBuf,
}

impl GitFolders {
    /// Those of the repository that a folder lies in.
    fn around(folder: &Path) -> Option<Self> {
        let root = folder.ancestors().find(|folder| files::look(&folder.join(".git")).is_some())?;
        let git = root.join(".git");
        let own = match text(&git) {
            Some(way) => root.join(way.strip_prefix("gitdir:")?.trim()),
            None => git,
        };
        let common = text(&own.join("commondir")).map_or_else(|| own.clone(), |way| own.join(way.trim()));
        Some(Self { root: root.to_owned(), own, common })
    }

    /// The commit that a branch is at.
    fn commit(&self, reference: &str) -> Option<String> {
        let is_plain = !reference.split('/').any(|part| part.is_empty() || part.starts_with('.'));
        let loose = is_plain.then(|| text(&self.common.join(reference))).flatten();
        let packed = || {
            let packed = text(&self.common.join("packed-refs"))?;
            let line = packed.lines().find(|line| line.split(' ').nth(1) == Some(reference))?;
            line.split(' ').next().map(str::to_owned)
        };
        loose.or_else(packed).and_then(|commit| hash(commit.trim()))
    }
}

/// The commit and the branch of the repository that a folder lies in.
pub fn of(folder: &Path) -> Revision {
    let read = || {
        let git = GitFolders::around(folder)?;
        let head = text(&git.own.join("HEAD"))?;
        let head = head.trim();
        Some(match head.strip_prefix(SYMBOLIC) {
            None => Revision { commit: hash(head), branch: None },
            Some(reference) => {
                let branch = reference.strip_prefix(BRANCHES).filter(|branch| !branch.starts_with('.'));
                Revision { commit: git.commit(reference), branch: branch.map(str::to_owned) }
            }
        })
    };
    read().unwrap_or_default()
}

/// The name of the repository that a folder lies in, the same in every clone: host and path of its remote `origin`, and the way
/// from its root to the folder. `None` where it has no such remote.
pub fn origin(folder: &Path) -> Option<String> {
    let git = GitFolders::around(folder)?;
    let config = text(&git.common.join("config"))?;
    let mut lines = config.lines().map(str::trim).skip_while(|line| *line != "[remote \"origin\"]").skip(1);
    let url = lines.by_ref().take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "url").then(|| value.trim().to_owned())
    })?;
    let way = folder.strip_prefix(&git.root).ok().and_then(Path::to_str).unwrap_or_default();
    let name = host_and_path(&url)?;
    Some(if way.is_empty() { name } else { [name.as_str(), way].join("/") })
}

/// `host/path` of a remote, without a user, a password and `.git`.
fn host_and_path(url: &str) -> Option<String> {
    let (host, path) = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?,
        None => url.split_once(':')?,
    };
    let host = host.rsplit('@').next()?.split(':').next()?.to_ascii_lowercase();
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

/// Forty or sixty-four hexadecimal digits.
fn hash(text: &str) -> Option<String> {
    let is_hash = [40, 64].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}

fn text(path: &Path) -> Option<String> {
    read_file::text(path, LARGEST)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "lays out the files")]

    use std::fs;
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, words: &[&str]) -> String {
        let mut command = Command::new("git");
        let names = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"];
        command.args(names).arg("-C").arg(folder).args(words);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A folder, its commit and branch as cuff reads them, and the commit as git says it.
    #[test]
    fn commits_and_branches_are_those_that_git_says() {
        let base = tempfile::tempdir().unwrap();
        let (root, tree) = (base.path().join("own"), base.path().join("tree"));
        fs::create_dir_all(root.join("packages/web")).unwrap();
        git(&root, &["init", "-q"]);
        assert_eq!(of(&root), Revision { commit: None, branch: Some("main".into()) });
        git(&root, &["commit", "-q", "--allow-empty", "-m", "one"]);
        let is_at = |folder: &Path, branch: Option<&str>| {
            let commit = Some(git(folder, &["rev-parse", "HEAD"]));
            assert_eq!(of(folder), Revision { commit, branch: branch.map(str::to_owned) });
        };
        is_at(&root, Some("main"));
        is_at(&root.join("packages/web"), Some("main"));
        git(&root, &["checkout", "-q", "-b", "feature/x"]);
        git(&root, &["commit", "-q", "--allow-empty", "-m", "two"]);
        git(&root, &["pack-refs", "--all"]);
        is_at(&root, Some("feature/x"));
        git(&root, &["worktree", "add", "-q", tree.to_str().unwrap(), "main"]);
        is_at(&tree, Some("main"));
        git(&root, &["checkout", "-q", "--detach"]);
        is_at(&root, None);
        assert_eq!(of(base.path()), Revision::default());
    }

    #[test]
    fn a_clone_has_the_name_of_its_origin() {
        let base = tempfile::tempdir().unwrap();
        let inner = base.path().join("packages/web");
        fs::create_dir_all(&inner).unwrap();
        git(base.path(), &["init", "-q"]);
        assert_eq!(origin(base.path()), None);
        git(base.path(), &["remote", "add", "origin", "x"]);
        for (url, expected) in [
            ("https://github.com/owner/name.git", Some("github.com/owner/name")),
            ("https://user:secret@GitHub.com/owner/name", Some("github.com/owner/name")),
            ("git@github.com:owner/name.git", Some("github.com/owner/name")),
            ("ssh://git@example.com:2222/owner/name/", Some("example.com/owner/name")),
            ("/srv/name", None),
        ] {
            git(base.path(), &["remote", "set-url", "origin", url]);
            assert_eq!(origin(base.path()).as_deref(), expected, "{url}");
            let inner = expected.map(|name| format!("{name}/packages/web"));
            assert_eq!(origin(&base.path().join("packages/web")), inner, "{url}");
        }
    }
}
