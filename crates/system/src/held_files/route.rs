//! The names by which the kernel finds a file, link by link and folder by folder.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// One step on the way to a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RouteStep {
    /// A folder, by a path without links.
    pub(super) folder: PathBuf,
    /// The name that is looked up in it: the file's or a link's. `None`: the folder itself must stay where it is.
    pub(super) name: Option<OsString>,
}

/// The most links that the kernel follows.
const MOST_LINKS: usize = 40;

/// The steps to a path, as far as there is anything.
#[expect(clippy::disallowed_methods, reason = "each name is looked at once")]
pub(super) fn route(path: &Path) -> Vec<RouteStep> {
    let mut steps = Vec::new();
    let mut here = PathBuf::from("/");
    let mut rest = names(path);
    let mut links = 0;
    while let Some(name) = rest.pop() {
        if name == ".." {
            here.pop();
            continue;
        }
        let next = here.join(&name);
        let found = std::fs::symlink_metadata(&next);
        match found {
            Ok(found) if found.is_symlink() && links < MOST_LINKS => {
                links += 1;
                let target = std::fs::read_link(&next).unwrap_or_default();
                steps.push(RouteStep { folder: here.clone(), name: Some(name) });
                if target.is_absolute() {
                    here = PathBuf::from("/");
                }
                rest.extend(names(&target));
            }
            Ok(found) if found.is_dir() && !rest.is_empty() => {
                steps.push(RouteStep { folder: next.clone(), name: None });
                here = next;
            }
            // A folder that is not there holds no file that could change.
            Err(_) if !rest.is_empty() => break,
            _ => {
                steps.push(RouteStep { folder: here, name: Some(name) });
                break;
            }
        }
    }
    steps
}

/// The names of a path, the last one first.
fn names(path: &Path) -> Vec<OsString> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().rev().filter_map(name).collect()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files they look at")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_route_has_each_link_and_each_folder_behind_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/inner")).unwrap();
        fs::write(root.join("real/inner/file"), "").unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink(root.join("link/inner/file"), root.join("direct")).unwrap();
        let told = |path: &str| -> Vec<String> {
            let below = |step: &RouteStep| {
                Some((step.folder.strip_prefix(&root).ok()?.to_owned(), step.name.clone()))
            };
            let shown = |(folder, name): (PathBuf, Option<OsString>)| {
                format!(
                    "{}: {}",
                    folder.display(),
                    name.map_or("stays".into(), |name| name.display().to_string())
                )
            };
            route(&root.join(path)).iter().filter_map(below).map(shown).collect()
        };
        assert_eq!(
            told("real/inner/file"),
            [": stays", "real: stays", "real/inner: stays", "real/inner: file"]
        );
        assert_eq!(
            told("direct"),
            [
                ": stays",
                ": direct",
                ": stays",
                ": link",
                "real: stays",
                "real/inner: stays",
                "real/inner: file"
            ]
        );
        assert_eq!(told("real/../absent"), [": stays", "real: stays", ": absent"]);
        assert_eq!(told("no/such"), [": stays"]);
    }
}
