//! One path pattern, matched a component at a time, so that a walk knows where it need not go.

use globset::{GlobBuilder, GlobMatcher};

use crate::model::{BadPattern, Wildcard};

/// Folders full of generated files: no wildcard of a pattern with `**` enters them, only their name.
const FENCED: &[&str] = &[".git", "node_modules", "target"];

/// The longest pattern in components: a place in a pattern is one bit of a [`PatternProgress`].
const LONGEST: usize = 60;

/// A path pattern: `*`, `?`, `[…]` and `{a,b}` stay within a component, `**` crosses them.
///
/// `?` and `[…]` match one byte, so one character of ASCII.
#[derive(Debug)]
pub(super) struct PathPattern {
    components: Vec<Component>,
    fenced: bool,
}

#[derive(Debug)]
enum Component {
    Name(String),
    Stars(Wildcard),
    Wild(GlobMatcher),
    /// `**`: any number of components; at the end of a pattern at least one.
    Any,
}

/// How much of a pattern the components so far have used up: bit `n` is set when its first `n` components may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PatternProgress(u64);

/// The kind of the entry that a pattern is matched against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Folder,
}

/// Whether a pattern is the plain name of a file in the base directory.
pub(super) fn is_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..")
        && !text.bytes().any(|byte| matches!(byte, b'/' | b'*' | b'?' | b'[' | b']' | b'{' | b'}'))
}

/// Parses a pattern of files to find.
pub(super) fn wanted(text: &str) -> Result<PathPattern, BadPattern> {
    let (components, names_folder) = read(text)?;
    if names_folder {
        return Err(bad(text, "it ends in `/` and names a folder; add `*` for the files in it"));
    }
    let fenced = components.iter().any(|component| matches!(component, Component::Any));
    Ok(PathPattern { components, fenced })
}

/// Parses a pattern of files to leave out. One that ends in a plain name or in `/` leaves out the folder with
/// everything below it.
pub(super) fn excluded(text: &str) -> Result<Vec<PathPattern>, BadPattern> {
    let (components, names_folder) = read(text)?;
    let mut patterns = Vec::new();
    if names_folder || matches!(components.last(), Some(Component::Name(_))) {
        let (mut below, _) = read(text)?;
        below.push(Component::Any);
        patterns.push(PathPattern { components: below, fenced: false });
    }
    if !names_folder {
        patterns.push(PathPattern { components, fenced: false });
    }
    Ok(patterns)
}

/// The components, and whether the text ends in a slash.
fn read(text: &str) -> Result<(Vec<Component>, bool), BadPattern> {
    if text.starts_with('/') {
        return Err(bad(text, "it is absolute; patterns are relative to the base directory"));
    }
    let mut components: Vec<Component> = Vec::new();
    for part in text.split('/').filter(|part| !part.is_empty() && *part != ".") {
        let component = match part {
            ".." => return Err(bad(text, "`..` would leave the base directory")),
            "**" if matches!(components.last(), Some(Component::Any)) => continue,
            "**" => Component::Any,
            plain if !plain.contains(['*', '?', '[', ']', '{', '}']) => Component::Name(plain.into()),
            wild => match Wildcard::of(wild) {
                Some(stars) => Component::Stars(stars),
                None => Component::Wild(
                    GlobBuilder::new(wild)
                        .literal_separator(true)
                        .backslash_escape(false)
                        .build()
                        .map_err(|error| bad(text, &error.kind().to_string()))?
                        .compile_matcher(),
                ),
            },
        };
        components.push(component);
    }
    match components.len() {
        0 => Err(bad(text, "it is empty")),
        1..LONGEST => Ok((components, text.ends_with('/'))),
        _ => Err(bad(text, "it has too many components")),
    }
}

fn bad(pattern: &str, reason: &str) -> BadPattern {
    BadPattern { pattern: pattern.into(), reason: reason.into() }
}

impl PathPattern {
    /// The deepest folder that every match lies in, as its components.
    pub(super) fn folder(&self) -> Vec<&str> {
        let names = self.components.iter().map_while(|component| match component {
            Component::Name(name) => Some(name.as_str()),
            Component::Stars(_) | Component::Wild(_) | Component::Any => None,
        });
        names.take(self.components.len() - 1).collect()
    }

    /// The one path that it can match, when it has no wildcard.
    pub(super) fn path(&self) -> Option<String> {
        let folder = self.folder();
        match self.components.last() {
            Some(Component::Name(name)) if folder.len() + 1 == self.components.len() => {
                Some([folder.as_slice(), &[name]].concat().join("/"))
            }
            _ => None,
        }
    }

    /// The place before any component.
    pub(super) fn start(&self) -> PatternProgress {
        self.place(1)
    }

    /// The place after these folders.
    pub(super) fn after(&self, folders: &[&str]) -> PatternProgress {
        folders.iter().fold(self.start(), |place, name| self.step(place, name, EntryKind::Folder))
    }

    /// The place after one more component.
    pub(super) fn step(&self, from: PatternProgress, name: &str, entry: EntryKind) -> PatternProgress {
        let open = !(self.fenced && entry == EntryKind::Folder && FENCED.contains(&name));
        let mut to = 0;
        for (at, component) in self.components.iter().enumerate().filter(|(at, _)| from.0 & (1 << at) != 0) {
            to |= match component {
                Component::Name(wanted) if wanted == name => 2 << at,
                Component::Stars(wanted) if open && wanted.matches(name) => 2 << at,
                Component::Wild(wanted) if open && wanted.is_match(name) => 2 << at,
                Component::Any if open && at + 1 == self.components.len() => 3 << at,
                Component::Any if open => 1 << at,
                Component::Name(_) | Component::Stars(_) | Component::Wild(_) | Component::Any => 0,
            };
        }
        self.place(to)
    }

    /// Whether the components so far are a whole match.
    pub(super) fn matches(&self, place: PatternProgress) -> bool {
        place.0 & (1 << self.components.len()) != 0
    }

    /// Whether more components could make a match.
    pub(super) fn leads_on(&self, place: PatternProgress) -> bool {
        place.0 & !(1 << self.components.len()) != 0
    }

    /// Whether everything below matches.
    pub(super) fn covers(&self, place: PatternProgress) -> bool {
        let last = self.components.len() - 1;
        !self.fenced && matches!(self.components[last], Component::Any) && place.0 & (1 << last) != 0
    }

    /// Whether a whole path matches.
    pub(super) fn matches_path(&self, path: &str) -> bool {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folders: Vec<_> = folders.split('/').filter(|folder| !folder.is_empty()).collect();
        self.matches(self.step(self.after(&folders), name, EntryKind::File))
    }

    /// A `**` before further components may match no folder at all.
    fn place(&self, mut bits: u64) -> PatternProgress {
        for (at, component) in self.components.iter().enumerate() {
            if bits & (1 << at) != 0 && matches!(component, Component::Any) && at + 1 < self.components.len()
            {
                bits |= 2 << at;
            }
        }
        PatternProgress(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: &[&str] = &[
        "a.sh",
        ".h.sh",
        "s/a.sh",
        "s/b.py",
        "s/t/a.sh",
        "s/t/u/a.sh",
        "s/{x}.sh",
        "s/a\\b.sh",
        "node_modules/n/a.sh",
        "s/target/a.sh",
        "s/target/node_modules/a.sh",
        "s/t/target",
    ];

    fn matched(matches: impl Fn(&str) -> bool) -> String {
        PATHS.iter().copied().filter(|path| matches(path)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn patterns_select_these_paths() {
        for (text, expected) in [
            ("*.sh", "a.sh .h.sh"),
            ("./s//*.sh", "s/a.sh s/{x}.sh s/a\\b.sh"),
            ("s/a.sh", "s/a.sh"),
            ("s/?.??", "s/a.sh s/b.py"),
            ("s/[ab].[!s]*", "s/b.py"),
            ("s/*.{sh,py}", "s/a.sh s/b.py s/{x}.sh s/a\\b.sh"),
            ("s/[{]x[}].sh", "s/{x}.sh"),
            ("s/a\\*.sh", "s/a\\b.sh"),
            ("s/**", "s/a.sh s/b.py s/t/a.sh s/t/u/a.sh s/{x}.sh s/a\\b.sh s/t/target"),
            ("**/a.sh", "a.sh s/a.sh s/t/a.sh s/t/u/a.sh"),
            ("**/**/a.sh", "a.sh s/a.sh s/t/a.sh s/t/u/a.sh"),
            ("s/**/a.sh", "s/a.sh s/t/a.sh s/t/u/a.sh"),
            ("s/**/t/**/a.sh", "s/t/a.sh s/t/u/a.sh"),
            ("s/*/a.sh", "s/t/a.sh s/target/a.sh"),
            ("*/**/a.sh", "s/a.sh s/t/a.sh s/t/u/a.sh"),
            ("**/target/a.sh", "s/target/a.sh"),
            ("**/target/**/a.sh", "s/target/a.sh"),
            ("node_modules/**/*.sh", "node_modules/n/a.sh"),
            ("s/a", ""),
            ("S/a.sh", ""),
        ] {
            let pattern = wanted(text).unwrap();
            assert_eq!(matched(|path| pattern.matches_path(path)), expected, "{text}");
        }
    }

    #[test]
    fn excludes_leave_out_these_paths() {
        for (text, expected) in [
            (
                "**/a.sh",
                "a.sh s/a.sh s/t/a.sh s/t/u/a.sh node_modules/n/a.sh s/target/a.sh s/target/node_modules/a.sh",
            ),
            ("s/t", "s/t/a.sh s/t/u/a.sh s/t/target"),
            ("s/t/", "s/t/a.sh s/t/u/a.sh s/t/target"),
            ("s/t/*", "s/t/a.sh s/t/target"),
            ("**/target", "s/target/a.sh s/target/node_modules/a.sh s/t/target"),
            ("**/target/", "s/target/a.sh s/target/node_modules/a.sh"),
            ("s/a.sh", "s/a.sh"),
        ] {
            let patterns = excluded(text).unwrap();
            let out = matched(|path| patterns.iter().any(|pattern| pattern.matches_path(path)));
            assert_eq!(out, expected, "{text}");
        }
    }

    #[test]
    fn bad_patterns_are_refused_with_a_reason() {
        let reasons: Vec<_> = [
            "/etc/*.sh",
            "../x.sh",
            "s/../../x",
            "",
            "./",
            "[z-a]",
            "s/{a/b,c}",
            "s/[a",
            "s/",
            &"a/".repeat(61),
        ]
        .iter()
        .map(|text| wanted(text).unwrap_err().reason)
        .collect();
        insta::assert_debug_snapshot!(reasons, @r#"
        [
            "it is absolute; patterns are relative to the base directory",
            "`..` would leave the base directory",
            "`..` would leave the base directory",
            "it is empty",
            "it is empty",
            "invalid range; 'z' > 'a'",
            "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
            "unclosed character class; missing ']'",
            "it ends in `/` and names a folder; add `*` for the files in it",
            "it has too many components",
        ]
        "#);
        assert!(excluded("../x").is_err());
    }

    #[test]
    fn the_fixed_part() {
        for (text, folder, path) in [
            ("a.sh", "", Some("a.sh")),
            ("b/./c/a.sh", "b/c", Some("b/c/a.sh")),
            ("b/c/*.sh", "b/c", None),
            ("b/*/c/a.sh", "b", None),
            ("**/a.sh", "", None),
            ("b/**", "b", None),
        ] {
            let pattern = wanted(text).unwrap();
            assert_eq!(
                (pattern.folder().join("/").as_str(), pattern.path().as_deref()),
                (folder, path),
                "{text}"
            );
        }
    }
}
