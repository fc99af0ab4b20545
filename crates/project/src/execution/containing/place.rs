//! Paths as settings spell them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::sys::files::FileKind;
use crate::sys::{Environment, Stamped, files};

/// A path of settings: absolute, below the home folder, or below the project's root.
pub(super) fn resolved(text: &str, root: &Path, home: Option<&Path>) -> PathBuf {
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => files::without_dots(&home.join(rest)),
        _ if text == "~" => home.unwrap_or(root).to_owned(),
        _ => files::without_dots(&root.join(text)),
    }
}

/// A path without links, as far as it is there, and the kind of what the path itself names.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) kind: Option<FileKind>,
}

/// The places of paths. Most of them are in few folders, and most of those are not there: each folder is looked at once.
#[derive(Debug, Default)]
pub(super) struct Places<'a> {
    places: HashMap<&'a Path, Place>,
    /// Folders whose names were read.
    read: Vec<PathBuf>,
}

/// In how many places of a folder each is looked at again, instead of the folder.
const FEW: usize = 2;

impl<'a> Places<'a> {
    /// The place of a path.
    pub(super) fn of(&mut self, path: &'a Path) -> Place {
        let unknown: Vec<&Path> = path.ancestors().take_while(|one| !self.places.contains_key(one)).collect();
        for path in unknown.into_iter().rev() {
            let place = self.look(path);
            self.places.insert(path, place);
        }
        self.places[path].clone()
    }

    /// Notes that the names in folders were read, and not only looked for.
    pub(super) fn note_names(&mut self, folders: Vec<PathBuf>) {
        self.read.extend(folders);
    }

    /// The stamps that another place of one of them would change; `None` where a link is among them, whose way no stamp covers. A new file
    /// changes its folder's, and a folder in which little is looked for may be everybody's, and change all the time.
    pub(super) fn stamps(&self) -> Option<Stamped> {
        if self.places.values().any(|place| place.kind == Some(FileKind::Link)) {
            return None;
        }
        let mut by_folder: HashMap<&Path, Vec<&Path>> = HashMap::new();
        let is_folder = |folder: &&Path| self.places[folder].kind == Some(FileKind::Folder);
        for path in self.places.keys() {
            if let Some(folder) = path.parent().filter(is_folder) {
                by_folder.entry(folder).or_default().push(path);
            }
        }
        let looked = by_folder.iter().flat_map(|(folder, paths)| {
            // Hardly anything is made in the root, and much in the folders there.
            let is_whole = paths.len() > FEW || folder.parent().is_none();
            if is_whole { std::slice::from_ref(folder) } else { paths }
        });
        Some(Stamped::of_places(looked.copied().chain(self.read.iter().map(PathBuf::as_path))))
    }

    /// The place of a path whose folder is known. It alone decides where a link, a root, or a path that ends in two dots leads.
    fn look(&self, path: &Path) -> Place {
        let folder = path.parent().and_then(|folder| self.places.get(folder));
        let Some((folder, name)) = folder.zip(path.file_name()) else {
            return Place { path: files::canonical(path), kind: files::kind(path) };
        };
        let kind = folder.kind.and_then(|_| files::kind(path));
        let place =
            if kind == Some(FileKind::Link) { files::canonical(path) } else { folder.path.join(name) };
        Place { path: place, kind }
    }
}

/// The user's home folder, without links.
pub(super) fn home(environment: &Environment) -> Option<PathBuf> {
    environment.absolute("HOME").map(|home| files::canonical(&home))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_on_the_way_are_followed_and_what_is_not_there_keeps_its_names() {
        let base = tempfile::tempdir().expect("a temporary folder");
        let base = files::canonical(base.path());
        for folder in ["real/keys", "home"] {
            files::make_directory(&base.join(folder)).expect("a folder");
        }
        for (target, link) in [("../real", "home/linked"), ("nowhere", "home/broken"), ("real/keys", "keys")]
        {
            symlink(target, base.join(link)).expect("a link");
        }
        let cases = [
            ("real/keys", "real/keys", Some(FileKind::Folder)),
            ("home/linked", "real", Some(FileKind::Link)),
            ("home/linked/keys", "real/keys", Some(FileKind::Folder)),
            ("home/linked/keys/none/at/all", "real/keys/none/at/all", None),
            ("home/broken", "home/broken", Some(FileKind::Link)),
            ("home/broken/below", "home/broken/below", None),
            ("keys/../keys", "real/keys", Some(FileKind::Folder)),
        ];
        let asked = cases.map(|(path, ..)| base.join(path));
        let mut places = Places::default();
        for (path, (_, expected, kind)) in asked.iter().zip(cases) {
            let place = places.of(path);
            assert_eq!((place.path, place.kind), (base.join(expected), kind), "{}", path.display());
        }
    }
}
