//! Where what a plugin saw lies, so that it can be watched.

use std::path::{Component, Path};

use crate::sys::watch::WatchedPlaces;
use crate::sys::{Stamps, WatchScope};

/// A folder that installs fill with thousands of others. Its files are looked at with each question, but not
/// watched.
const UNWATCHED: &str = "node_modules";

/// The files that were looked at, there or not, and the folders in which files were searched.
pub fn of_stamps(stamps: &Stamps) -> WatchedPlaces {
    let mut places = WatchedPlaces::default();
    for part in stamps.parts() {
        let watched = part.paths().iter().filter(|stamped| is_watched(&part.below, &stamped.path));
        for stamped in watched {
            let is_in_folder = || stamped.path.parent().is_some_and(|folder| places.folders.contains(folder));
            match stamped.heed {
                WatchScope::Folder => _ = places.folders.insert(stamped.path.clone()),
                WatchScope::File if !is_in_folder() => _ = places.files.insert(stamped.path.clone()),
                WatchScope::File | WatchScope::Nothing => {}
            }
        }
    }
    places
}

/// Where the project itself lies does not matter.
fn is_watched(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    !below.components().any(|part| part == Component::Normal(UNWATCHED.as_ref()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::SystemTime;

    use super::*;
    use crate::model::{File, Glob, Link, Matches, Seen};
    use crate::sys::Stamped;

    fn seen(link: Link, canonical: &str) -> Seen {
        let mut file = File::new(canonical, *b"");
        file.link = link;
        Seen::File(file)
    }

    #[test]
    fn files_links_with_what_they_lead_to_and_folders_that_were_searched() {
        let root = "/node_modules/project";
        let below = |path: &str| format!("{root}/{path}");
        let mut stamps = Stamps::since(SystemTime::UNIX_EPOCH);
        for (path, what) in [
            ("package.json", seen(Link::Direct, "/x")),
            ("none/Makefile", Seen::Missing),
            ("shared.mk", seen(Link::Symbolic, "/elsewhere/shared.mk")),
            ("linked.mk", seen(Link::Symbolic, &below("node_modules/a/linked.mk"))),
            ("node_modules/a/package.json", seen(Link::Direct, "/x")),
        ] {
            stamps.add(Arc::new(Stamped::of_file(root.as_ref(), path, &what)));
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
        for (glob, matches) in [(glob("."), matches), (glob("missing"), Matches::default())] {
            stamps.add(Arc::new(Stamped::of_matches(root.as_ref(), &glob, &matches)));
        }
        let places = of_stamps(&stamps);
        let names = |paths: &std::collections::BTreeSet<std::path::PathBuf>| {
            paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        let expected = ["linked.mk", "named/b.sh", "none/Makefile", "package.json", "shared.mk"];
        let expected = std::iter::once("/elsewhere/shared.mk".to_owned()).chain(expected.map(below));
        assert_eq!(names(&places.files), expected.collect::<Vec<_>>());
        assert_eq!(names(&places.folders), ["missing", "scripts"].map(below));
    }
}
