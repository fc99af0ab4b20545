//! Paths as make and as the project write them, without looking at a disk.

/// A path that make names in its folder, as the project names it: without `.`, and without `..` behind a folder.
pub(super) fn in_project(folder: &str, path: &str) -> String {
    let apart = path.starts_with('/') || folder.is_empty();
    let joined = if apart { path.to_owned() } else { format!("{folder}/{path}") };
    let absolute = joined.starts_with('/');
    let tidy = parts(&joined).join("/");
    match (absolute, tidy.is_empty()) {
        (true, _) => format!("/{tidy}"),
        (false, true) => ".".into(),
        (false, false) => tidy,
    }
}

/// A path of the project as make names it in its folder; the inverse of [`in_project`].
pub(super) fn in_folder(folder: &str, path: &str) -> String {
    let (from, to) = (parts(folder), parts(path));
    let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    if folder.starts_with('/') != path.starts_with('/') || from[common..].contains(&"..") {
        return path.to_owned();
    }
    if path.starts_with('/') && common < from.len() {
        return path.to_owned();
    }
    let up = from[common..].iter().map(|_| "..");
    up.chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

fn parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => _ = parts.pop(),
            ("..", None) if path.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (folder, make, project) in [
            (".", "Makefile", "Makefile"),
            ("", "mk/a.mk", "mk/a.mk"),
            ("", "../a.mk", "../a.mk"),
            ("sub", "Makefile", "sub/Makefile"),
            ("sub/deep", "../a.mk", "sub/a.mk"),
            ("sub", "../../a.mk", "../a.mk"),
            ("..", "a.mk", "../a.mk"),
            (".", "/usr/share/a.mk", "/usr/share/a.mk"),
            ("/srv", "a.mk", "/srv/a.mk"),
            ("/srv", "/usr/a.mk", "/usr/a.mk"),
        ] {
            assert_eq!(in_project(folder, make), project, "{folder} {make}");
            assert_eq!(in_folder(folder, project), make, "{folder} {project}");
        }
        assert_eq!(in_project(".", "./a/../b.mk"), "b.mk");
        assert_eq!(in_project("a", "../"), ".");
        assert_eq!(
            in_folder("../x", "a.mk"),
            "a.mk",
            "where the folder is not known, the path is left alone"
        );
    }
}
