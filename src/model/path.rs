//! Paths as settings write them, joined and tidied without looking at a disk.

/// `path` as seen from `base`, without `.` and without `..` where a folder precedes it; `.` for the root itself.
pub fn join(base: &str, path: &str) -> String {
    let joined = if path.starts_with('/') { path.to_owned() } else { format!("{base}/{path}") };
    let absolute = if base.is_empty() { path.starts_with('/') } else { joined.starts_with('/') };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => _ = parts.pop(),
            ("..", None) if absolute => {}
            _ => parts.push(part),
        }
    }
    match (absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".into(),
        (false, false) => parts.join("/"),
    }
}

/// The folder that a tidy path lies in, and its last part.
pub fn split(path: &str) -> (&str, &str) {
    match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some(pair) => pair,
        None => (".", path),
    }
}

/// The folder, then those above it up to the project's root; only itself where it lies outside the root.
///
/// A workspace keeps its lock file at its root, above the members; what lies above the project is not ours.
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
