//! Paths as settings and sources write them, joined and tidied without looking at a disk.

/// `path` as seen from `base`, without `.` and without `..` where a folder precedes it; `.` for the root itself.
pub fn join(base: &str, path: &str) -> String {
    let path = path.strip_prefix("./").filter(|rest| is_tidy(rest)).unwrap_or(path);
    if is_tidy(path) && (matches!(base, "" | ".") || is_tidy(base)) {
        return if matches!(base, "" | ".") { path.to_owned() } else { [base, "/", path].concat() };
    }
    let joined = if path.starts_with('/') { path.to_owned() } else { format!("{base}/{path}") };
    let absolute = if base.is_empty() { path.starts_with('/') } else { joined.starts_with('/') };
    let parts = parts(&joined, absolute);
    match (absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".into(),
        (false, false) => parts.join("/"),
    }
}

/// A tidy path, rewritten relative to the folder `base`, so that [`join`] gives it back. Unchanged if that is
/// impossible.
pub fn within(base: &str, path: &str) -> String {
    let (absolute, other) = (base.starts_with('/'), path.starts_with('/'));
    let (from, to) = (parts(base, absolute), parts(path, other));
    let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    // The name of a folder above the project's root is unknown, and a path elsewhere stays absolute.
    let above = from[common..].contains(&"..");
    if absolute != other || above || (absolute && common < from.len()) {
        return path.to_owned();
    }
    let up = from[common..].iter().map(|_| "..");
    up.chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Whether a relative path has nothing to be tidied.
fn is_tidy(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

fn parts(path: &str, absolute: bool) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => _ = parts.pop(),
            ("..", None) if absolute => {}
            _ => parts.push(part),
        }
    }
    parts
}

/// The folder that a tidy path lies in, and its last part.
pub fn split(path: &str) -> (&str, &str) {
    match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some(pair) => pair,
        None => (".", path),
    }
}

/// The last part of a path, with slashes of either kind.
pub fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether two names may be those of one file, of which one begins further up.
pub fn may_be_one(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
    };
    ends(one, other) || ends(other, one)
}

/// The folder, then those above it up to the project's root; only itself if it is outside of the root.
///
/// A workspace keeps its lock file at its root, above the members. Folders above the project are not used.
pub fn upwards(folder: &str) -> Vec<&str> {
    let mut folders = vec![folder];
    let outside = folder.starts_with('/') || folder == ".." || folder.starts_with("../");
    let mut here = folder;
    while !outside && here != "." {
        (here, _) = split(here);
        folders.push(here);
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_is_lexical() {
        for (base, path, expected) in [
            (".", "./package.json", "package.json"),
            ("", "package.json", "package.json"),
            ("packages/a", "./package.json", "packages/a/package.json"),
            ("packages//a/", "../b/./package.json", "packages/b/package.json"),
            (".", "../package.json", "../package.json"),
            ("a", "../../../package.json", "../../package.json"),
            ("a", "/srv/x/../package.json", "/srv/package.json"),
            ("/srv", "package.json", "/srv/package.json"),
            ("/srv", "../../package.json", "/package.json"),
            ("a", "..", "."),
        ] {
            assert_eq!(join(base, path), expected, "{base} + {path}");
        }
    }

    #[test]
    fn a_path_is_called_there_what_joining_gives_back() {
        for (base, called, path) in [
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
            assert_eq!(within(base, path), called, "{path} in {base}");
            assert_eq!(join(base, called), path, "{base} + {called}");
        }
        assert_eq!(within("../x", "a.mk"), "a.mk", "where the folder is not known, the path is left alone");
    }

    #[test]
    fn upwards_ends_at_the_root_of_the_project() {
        for (folder, expected) in [
            (".", &["."] as &[&str]),
            ("packages/a", &["packages/a", "packages", "."]),
            ("..", &[".."]),
            ("../sibling", &["../sibling"]),
            ("/srv/app", &["/srv/app"]),
        ] {
            assert_eq!(upwards(folder), expected);
        }
    }

    #[test]
    fn a_path_splits_at_its_last_slash() {
        assert_eq!(split("package.json"), (".", "package.json"));
        assert_eq!(split("a/b/package.json"), ("a/b", "package.json"));
        assert_eq!(split("/package.json"), ("/", "package.json"));
    }
}
