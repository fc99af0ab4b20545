//! Hidden paths, for a kernel that knows no refusals within what it grants: everything beside them is granted.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Components, Path, PathBuf};

use super::looks::Looks;

/// The names in a folder that are hidden, or lead to something that is.
type Names<'a> = HashMap<&'a OsStr, HiddenPart<'a>>;

/// How much of what a name leads to is hidden.
#[derive(Debug)]
enum HiddenPart<'a> {
    All,
    Below(Names<'a>),
}

/// The fewest paths at or below `root` that together are all of it but what is hidden. Links are left out: they lead to a place that
/// has a path of its own. Files that are made later directly in a folder above a hidden one belong to none of them.
pub(super) fn beside(root: &Path, hidden: &[PathBuf], looks: &mut Looks) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if hidden.iter().any(|one| root.starts_with(one)) {
        return found;
    }
    let mut below = Names::new();
    for rest in hidden.iter().filter_map(|one| one.strip_prefix(root).ok()) {
        hide(&mut below, rest.components());
    }
    if below.is_empty() {
        found.push(root.to_owned());
    } else {
        descend(root, &below, looks, &mut found);
    }
    found
}

/// Adds a hidden path.
fn hide<'a>(names: &mut Names<'a>, mut way: Components<'a>) {
    let Some(name) = way.next() else { return };
    let name = name.as_os_str();
    if way.as_path().as_os_str().is_empty() {
        names.insert(name, HiddenPart::All);
    } else if let HiddenPart::Below(names) =
        names.entry(name).or_insert_with(|| HiddenPart::Below(Names::new()))
    {
        hide(names, way);
    }
}

/// Finds what is beside the hidden names of a folder.
#[expect(clippy::disallowed_methods, reason = "the supervisor looks at folders by itself")]
fn descend(folder: &Path, names: &Names<'_>, looks: &mut Looks, found: &mut Vec<PathBuf>) {
    looks.at_names(folder);
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink())) {
        match names.get(&*entry.file_name()) {
            None => found.push(entry.path()),
            Some(HiddenPart::All) => {}
            Some(HiddenPart::Below(names)) => descend(&entry.path(), names, looks, found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes these folders, and returns what is granted beside these hidden paths, both relative to a new folder.
    fn granted(folders: &[&str], hidden: &[&str]) -> Vec<String> {
        let base = tempfile::tempdir().expect("a temporary folder");
        for folder in folders {
            crate::files::make_directory(&base.path().join(folder)).expect("a folder");
        }
        let hidden: Vec<PathBuf> = hidden.iter().map(|one| base.path().join(one)).collect();
        let found = beside(base.path(), &hidden, &mut Looks::default());
        let text = |path: &PathBuf| path.strip_prefix(base.path()).expect("below").display().to_string();
        let mut found: Vec<String> = found.iter().map(text).collect();
        found.sort();
        found
    }

    #[test]
    fn everything_but_the_hidden_is_granted_in_as_few_paths_as_there_can_be() {
        let folders = ["home/.ssh/keys", "home/.config/gh", "home/.config/git", "home/code", "etc"];
        assert_eq!(granted(&folders, &[]), [""]);
        assert_eq!(granted(&folders, &["home/.ssh"]), ["etc", "home/.config", "home/code"]);
        let hidden = ["home/.config/gh", "home/.ssh"];
        assert_eq!(granted(&folders, &hidden), ["etc", "home/.config/git", "home/code"]);
    }

    #[test]
    fn a_path_below_a_hidden_one_changes_nothing_whichever_comes_first() {
        let folders = ["home/.ssh/keys", "home/.ssh/old", "home/code"];
        for hidden in [["home/.ssh", "home/.ssh/keys"], ["home/.ssh/keys", "home/.ssh"]] {
            assert_eq!(granted(&folders, &hidden), ["home/code"], "{hidden:?}");
        }
    }

    #[test]
    fn a_hidden_path_that_is_not_there_keeps_its_folder_from_being_granted_whole() {
        assert_eq!(granted(&["home/.config/git"], &["home/.config/gh"]), ["home/.config/git"]);
        assert_eq!(granted(&["home"], &["home/.ssh"]), Vec::<String>::new());
    }

    #[test]
    fn a_root_that_is_hidden_or_below_a_hidden_path_gives_nothing() {
        assert_eq!(granted(&["home"], &[""]), Vec::<String>::new());
        let above = PathBuf::from("/");
        assert_eq!(beside(Path::new("/tmp"), &[above], &mut Looks::default()), Vec::<PathBuf>::new());
    }
}
