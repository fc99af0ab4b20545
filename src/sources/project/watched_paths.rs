//! Where what a plugin saw lies, so that it can be watched.

use std::path::{Component, Path};

use crate::model::{Files, Link, Seen};
use crate::sys::watch::Places;

/// A folder that installs fill with thousands of others. Its files are looked at with each question, but not
/// watched.
const UNWATCHED: &str = "node_modules";

/// The files that were looked at, there or not, and the folders in which files were searched.
pub(super) fn of_files(root: &Path, files: &Files) -> Places {
    let mut places = Places::default();
    for (path, seen) in &files.files {
        add(&mut places, root, &root.join(path), seen);
    }
    for (glob, matches) in &files.globs {
        let Some(base) = &matches.base else {
            places.folders.extend(Some(root.join(&glob.base)).filter(|folder| is_watched(root, folder)));
            continue;
        };
        let folders = matches.folders.iter().filter(|folder| is_watched(base, folder));
        places.folders.extend(folders.cloned());
        for (path, seen) in &matches.found {
            add(&mut places, base, &base.join(path), seen);
        }
    }
    places
}

fn add(places: &mut Places, root: &Path, path: &Path, seen: &Seen) {
    if is_watched(root, path) && path.parent().is_none_or(|folder| !places.folders.contains(folder)) {
        places.files.insert(path.to_owned());
    }
    if let Seen::File(file) = seen
        && file.link == Link::Symbolic
        && is_watched(root, &file.canonical)
    {
        places.files.insert(file.canonical.clone());
    }
}

/// Where the project itself lies does not matter.
fn is_watched(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    !below.components().any(|part| part == Component::Normal(UNWATCHED.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{File, Glob, Matches};

    fn seen(link: Link, canonical: &str) -> Seen {
        Seen::File(File::new(canonical, *b"").named_by(link))
    }

    #[test]
    fn files_links_with_what_they_lead_to_and_folders_that_were_searched() {
        let root = "/node_modules/project";
        let below = |path: &str| format!("{root}/{path}");
        let mut files = Files::default();
        for (path, what) in [
            ("package.json", seen(Link::Direct, "/x")),
            ("none/Makefile", Seen::Missing),
            ("shared.mk", seen(Link::Symbolic, "/elsewhere/shared.mk")),
            ("linked.mk", seen(Link::Symbolic, &below("node_modules/a/linked.mk"))),
            ("node_modules/a/package.json", seen(Link::Direct, "/x")),
        ] {
            files.files.insert(path.into(), what);
        }
        let glob = |base: &str| Glob::new(base, [""; 0]).reading(1);
        let found =
            [("scripts/a.sh".to_owned(), seen(Link::Direct, "/x")), ("named/b.sh".to_owned(), Seen::Missing)];
        let matches = Matches {
            base: Some(root.into()),
            found: found.into(),
            folders: vec![below("scripts").into(), below("node_modules/a").into()],
            ..Matches::default()
        };
        files.globs = [(glob("."), matches), (glob("missing"), Matches::default())].into();
        let places = of_files(root.as_ref(), &files);
        let names = |paths: &std::collections::BTreeSet<std::path::PathBuf>| {
            paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        let expected = ["linked.mk", "named/b.sh", "none/Makefile", "package.json", "shared.mk"];
        let expected = std::iter::once("/elsewhere/shared.mk".to_owned()).chain(expected.map(below));
        assert_eq!(names(&places.files), expected.collect::<Vec<_>>());
        assert_eq!(names(&places.folders), ["missing", "scripts"].map(below));
    }
}
