//! Packages as a call may name them: in the registry, by a name and a range or a tag.

/// Words that npm and pnpm take for the value of the flag in front of them.
const VALUES: &[&str] = &["true", "false", "null"];

/// Endings by which managers take a word, or a range, for a file.
const ARCHIVES: &[&str] = &[".tgz", ".tar.gz", ".tar"];

/// Why a word is no package of the registry: `None` for `name`, `@scope/name`, `name@range` and `name@tag`.
pub(super) fn objection(word: &str) -> Option<&'static str> {
    if word.is_empty() {
        return Some("is empty");
    }
    let (scope, rest) = match word.strip_prefix('@').map(|scoped| scoped.split_once('/')) {
        None => (None, word),
        Some(Some((scope, rest))) => (Some(scope), rest),
        Some(None) => return Some("has a scope and no name"),
    };
    let (name, range) = rest.split_once('@').map_or((rest, None), |(name, range)| (name, Some(range)));
    let ends = word.to_ascii_lowercase();
    if word.contains("://") || word.starts_with("git@") {
        Some("is an address, and what lies there could be anything")
    } else if rest.contains("npm:") {
        Some("would install one package under the name of another")
    } else if word.contains(':') {
        Some("does not come from the registry")
    } else if rest.contains(['/', '\\']) || word.starts_with(['.', '~']) {
        Some("is a path or a repository, and no name of the registry")
    } else if ARCHIVES.iter().any(|archive| ends.ends_with(archive)) {
        Some("would be taken for a file")
    } else if scope.is_none() && VALUES.contains(&word) {
        Some("would be taken for the value of a flag")
    } else if !scope.is_none_or(is_name) || !is_name(name) {
        Some("is no name of the registry")
    } else if range.is_some_and(|range| !is_range(range)) {
        Some("has a range that is neither versions nor a tag")
    } else {
        None
    }
}

/// Letters, digits, `.`, `_`, `~` and `-`, the first of them a letter or a digit. The registry has capitals from of old.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte))
}

/// Versions (`1.2.3`, `^1 || >=2 <3`, `*`) or a tag (`latest`).
fn is_range(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric() || "^~<>=*".contains(first))
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".^~<>=*+-| _".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_registry_pass() {
        for word in [
            "express",
            "JSONStream",
            "lodash.get",
            "@types/node",
            "@a-b/c_d",
            "4",
            "a~b",
            "express@4",
            "express@^4.18.0",
            "express@latest",
            "@types/node@20.x",
            "a@>=1 <2 || ^3",
            "a@*",
            "a@1.0.0-rc.1+build",
            "@a/true",
            "truest",
        ] {
            assert_eq!(objection(word), None, "{word}");
        }
    }

    #[test]
    fn everything_else_is_refused_for_its_own_reason() {
        for (word, why) in [
            ("", "is empty"),
            ("@types", "has a scope and no name"),
            ("https://x.test/a.tgz", "is an address, and what lies there could be anything"),
            ("a@https://x.test/a", "is an address, and what lies there could be anything"),
            ("git+ssh://git@x.test/a.git", "is an address, and what lies there could be anything"),
            ("a@git+https://x.test/a.git", "is an address, and what lies there could be anything"),
            ("git@x.test:a/b.git", "is an address, and what lies there could be anything"),
            ("a@npm:b@1", "would install one package under the name of another"),
            ("npm:b", "would install one package under the name of another"),
            ("github:a/b", "does not come from the registry"),
            ("a@github:a/b", "does not come from the registry"),
            ("a@file:../b", "does not come from the registry"),
            ("file:../b", "does not come from the registry"),
            ("a@link:../b", "does not come from the registry"),
            ("a@workspace:*", "does not come from the registry"),
            ("a@catalog:", "does not come from the registry"),
            ("C:\\a", "does not come from the registry"),
            ("user/repo", "is a path or a repository, and no name of the registry"),
            ("user/repo#branch", "is a path or a repository, and no name of the registry"),
            ("a@user/repo", "is a path or a repository, and no name of the registry"),
            ("@a/b/c", "is a path or a repository, and no name of the registry"),
            ("@a/../b", "is a path or a repository, and no name of the registry"),
            ("./a", "is a path or a repository, and no name of the registry"),
            ("../a", "is a path or a repository, and no name of the registry"),
            (".", "is a path or a repository, and no name of the registry"),
            ("~", "is a path or a repository, and no name of the registry"),
            ("/a", "is a path or a repository, and no name of the registry"),
            ("a.tgz", "would be taken for a file"),
            ("a.TGZ", "would be taken for a file"),
            ("a@b.tar.gz", "would be taken for a file"),
            ("a.tar", "would be taken for a file"),
            ("true", "would be taken for the value of a flag"),
            ("false", "would be taken for the value of a flag"),
            ("a b", "is no name of the registry"),
            ("a;b", "is no name of the registry"),
            ("$(id)", "is no name of the registry"),
            ("A=1", "is no name of the registry"),
            ("@-a/b", "is no name of the registry"),
            ("@/b", "is no name of the registry"),
            ("@a/", "is no name of the registry"),
            ("_a", "is no name of the registry"),
            ("ünï", "is no name of the registry"),
            ("a\n", "is no name of the registry"),
            ("a@", "has a range that is neither versions nor a tag"),
            ("a@-g", "has a range that is neither versions nor a tag"),
            ("a@1;id", "has a range that is neither versions nor a tag"),
            ("a@1@2", "has a range that is neither versions nor a tag"),
        ] {
            assert_eq!(objection(word), Some(why), "{word:?}");
        }
    }
}
