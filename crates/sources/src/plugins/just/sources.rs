//! The files of a justfile: itself, its imports and its modules, as its text names them.
//!
//! just's own answer names no imports, and a binding is known without running anything. So this reads the lines that can name
//! a file: `import 'x'`, `mod foo`, `mod foo 'x'`, each also with `?`. A path that only just can expand (`x'~/y'`) is passed over.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::model::{Files, Location, path};

/// The names that just looks for, in the order of preference.
pub(super) const USUAL: [&str; 3] = ["justfile", "Justfile", ".justfile"];

/// The most files that are followed.
const MOST: usize = 500;

/// The files of one justfile.
#[derive(Debug)]
pub(super) struct JustfileSources {
    /// Every file that just may read, there or not.
    pub(super) files: Vec<String>,
    /// The files of variables that recipes get.
    pub(super) variables: Vec<String>,
    /// The places of recipes by their paths: `foo::sub`.
    pub(super) places: HashMap<String, Location>,
    /// Whether these are all: no import has a computed name.
    pub(super) are_all: bool,
    /// Each file with the path of the module that its recipes belong to, in the order in which they count.
    pub(super) parts: Vec<(String, String)>,
}

/// A line that names a file.
#[derive(Debug, PartialEq)]
enum FileLine<'a> {
    Import(Option<&'a str>),
    /// A module by its name alone.
    Module(&'a str),
    /// A module by its name and its path.
    ModuleAt(&'a str, Option<&'a str>),
    /// A setting about variables, and the literal path where it names one.
    Variables(Option<&'a str>),
    Recipe(&'a str),
}

/// Follows imports and modules as far as they were seen.
pub(super) fn sources(file: &str, seen: &Files) -> JustfileSources {
    let mut found = JustfileSources {
        files: Vec::new(),
        variables: Vec::new(),
        places: HashMap::new(),
        are_all: true,
        parts: Vec::new(),
    };
    let mut waiting = VecDeque::from([(file.to_owned(), String::new())]);
    let mut known: HashSet<(String, String)> = HashSet::new();
    while let Some((file, module)) = waiting.pop_front() {
        if !known.insert((file.clone(), module.clone())) {
            continue;
        }
        if known.len() > MOST {
            found.are_all = false;
            break;
        }
        if !found.files.contains(&file) {
            found.files.push(file.clone());
        }
        let Some(content) = seen.file(&file) else { continue };
        let text = String::from_utf8_lossy(&content.bytes);
        found.parts.push((file.clone(), module.clone()));
        let folder = path::split(&file).0;
        for (number, line) in (1..).zip(text.lines()) {
            match read(line) {
                Some(FileLine::Import(Some(name))) => {
                    waiting.push_back((path::join(folder, name), module.clone()));
                }
                Some(FileLine::Module(name)) => {
                    let all = modules(name, &format!("{name}.just"));
                    waiting.extend(all.map(|own| (path::join(folder, &own), inner(&module, name))));
                }
                Some(FileLine::ModuleAt(name, Some(named))) => {
                    let all = modules(named, named);
                    waiting.extend(all.map(|own| (path::join(folder, &own), inner(&module, name))));
                }
                Some(FileLine::Variables(name)) => {
                    found.variables.push(path::join(folder, name.unwrap_or(".env")));
                }
                Some(FileLine::Recipe(name)) => {
                    let place = Location::line(file.clone(), number);
                    found.places.entry(inner(&module, name)).or_insert(place);
                }
                Some(FileLine::Import(None) | FileLine::ModuleAt(_, None)) => found.are_all = false,
                None => {}
            }
        }
    }
    found
}

/// The path of a module or recipe in a module.
pub(super) fn inner(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

/// The files that a module may lie in: one of this name, or one of a folder.
pub(super) fn modules<'a>(folder: &'a str, file: &str) -> impl Iterator<Item = String> + use<'a> {
    let inside = ["mod.just"].into_iter().chain(USUAL).map(move |own| format!("{folder}/{own}"));
    std::iter::once(file.to_owned()).chain(inside)
}

/// Reads one line that stands at the margin.
fn read(line: &str) -> Option<FileLine<'_>> {
    let (word, rest) = name(line.strip_prefix('@').unwrap_or(line))?;
    let behind = rest.strip_prefix('?').unwrap_or(rest).trim_start();
    if word == "import" && behind.starts_with(['\'', '"', 'x']) {
        return Some(FileLine::Import(literal(behind)));
    }
    if word == "mod"
        && let Some((module, rest)) = name(behind)
        && !rest.trim_start().starts_with([':', '='])
    {
        let rest = rest.trim_start();
        let is_named = !rest.is_empty() && !rest.starts_with('#');
        return Some(if is_named {
            FileLine::ModuleAt(module, literal(rest))
        } else {
            FileLine::Module(module)
        });
    }
    if word == "set" && behind.starts_with("dotenv-") {
        return Some(FileLine::Variables(
            behind.split_once(":=").and_then(|(_, value)| literal(value.trim())),
        ));
    }
    let colon = rest.match_indices(':').find(|(at, _)| !rest[at + 1..].starts_with('='));
    colon.map(|_| FileLine::Recipe(word))
}

/// The name that a text begins with, and the rest.
fn name(text: &str) -> Option<(&str, &str)> {
    let end =
        text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The string that a text begins with, if it is literal: no escapes, nothing to expand.
fn literal(text: &str) -> Option<&str> {
    let mark = ["'''", "\"\"\"", "'", "\""].into_iter().find(|mark| text.starts_with(mark))?;
    let (inside, _) = text[mark.len()..].split_once(mark)?;
    (!inside.is_empty() && !inside.contains(['\\', '\n'])).then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_name_files_are_understood() {
        for (line, expected) in [
            ("import 'a/b.just'", Some(FileLine::Import(Some("a/b.just")))),
            ("import? \"x.just\" # perhaps", Some(FileLine::Import(Some("x.just")))),
            ("import '''x.just'''", Some(FileLine::Import(Some("x.just")))),
            ("import x'~/y.just'", Some(FileLine::Import(None))),
            ("import \"a\\u{41}.just\"", Some(FileLine::Import(None))),
            ("import := 'x'", None),
            ("import: x", Some(FileLine::Recipe("import"))),
            ("mod foo", Some(FileLine::Module("foo"))),
            ("mod? foo # perhaps", Some(FileLine::Module("foo"))),
            ("mod foo 'b/x'", Some(FileLine::ModuleAt("foo", Some("b/x")))),
            ("mod foo x'$X'", Some(FileLine::ModuleAt("foo", None))),
            ("mod := 'x'", None),
            ("set dotenv-load", Some(FileLine::Variables(None))),
            ("set dotenv-filename := '.env.ci'", Some(FileLine::Variables(Some(".env.ci")))),
            ("set shell := ['bash', '-c']", None),
            ("@build-all target='all': x", Some(FileLine::Recipe("build-all"))),
            ("v := 'a'", None),
            ("    echo a:", None),
            ("# mod foo", None),
            ("", None),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
