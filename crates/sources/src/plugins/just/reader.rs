//! A justfile as its text says it: the files of its imports and modules, and its recipes in the shape of just's own answer.
//!
//! just's answer names no imports, and a binding is known without running anything: so the text always says the files. Its
//! recipes count as long as no settings allow a question to just. Nothing is run and nothing computed: a value that only just
//! knows stays unknown.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::env::consts::OS;

use serde_json::{Map, Value, json};

use super::dump::Dump;
use super::header::{self, value};
use super::recipe::inner;
use super::tokens::{is_name, is_string, literal, of_item};
use crate::model::{Files, Location, Problem, bounded, path, shown};

/// The names that just looks for, in the order of preference.
pub(super) const USUAL: [&str; 3] = ["justfile", "Justfile", ".justfile"];

/// The most files that are followed, and the most places that are kept which only just can read.
const MOST: usize = 500;

/// The advice about a text that only just can read.
const ADVICE: &str = "with settings that `cuff init` writes, cuff asks just itself";

/// The attributes that keep a recipe for some systems.
const SYSTEMS: [&str; 9] =
    ["linux", "macos", "windows", "unix", "freebsd", "netbsd", "openbsd", "dragonfly", "android"];

/// A justfile with its imports and modules.
#[derive(Debug, Default)]
pub(super) struct JustfileText {
    /// Every file that just may read, there or not.
    pub(super) files: Vec<String>,
    /// The files of variables that recipes get.
    pub(super) variables: Vec<String>,
    /// The places of recipes by their paths: `foo::sub`.
    pub(super) places: HashMap<String, Location>,
    /// Whether some file has a computed name, or there are too many.
    pub(super) has_more: bool,
    /// The modules by their paths, as just says them.
    modules: BTreeMap<String, Items>,
    /// The places that only just can read.
    doubts: Vec<Problem>,
    /// The modules that just lists nothing of.
    hidden: Vec<String>,
    /// The files to read, each with the path of the module that its recipes belong to, and the files that lead to it.
    waiting: VecDeque<(String, String, Vec<String>)>,
}

impl JustfileText {
    /// Follows imports and modules as far as they were seen.
    pub(super) fn read(file: &str, seen: &Files) -> Self {
        let mut all =
            Self { waiting: [(file.to_owned(), String::new(), Vec::new())].into(), ..Self::default() };
        let mut known: HashSet<(String, String)> = HashSet::new();
        while let Some((file, module, above)) = all.waiting.pop_front() {
            if !known.insert((file.clone(), module.clone())) {
                continue;
            }
            if known.len() > MOST {
                all.has_more = true;
                break;
            }
            if !all.files.contains(&file) {
                all.files.push(file.clone());
            }
            let Some(content) = seen.file(&file) else { continue };
            let text = String::from_utf8_lossy(&content.bytes).replace("\r\n", "\n");
            let found = Part { file: &file, module: &module, above: &above, seen, all: &mut all }.read(&text);
            // A file counts more than those that it imports.
            let known = all.modules.entry(module).or_default();
            for (kind, items) in found {
                let known = known.entry(kind).or_default();
                for (name, item) in items {
                    known.entry(name).or_insert(item);
                }
            }
        }
        all
    }

    /// Whether just lists nothing of a module.
    pub(super) fn hides(&self, module: &str) -> bool {
        let is_in = |hidden: &String| {
            module.strip_prefix(hidden.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        self.hidden.iter().any(is_in)
    }

    /// The recipes, and the places that only just can read.
    pub(super) fn recipes(&mut self) -> (Dump, Vec<Problem>) {
        let mut dump = Dump::default();
        for (path, mut module) in std::mem::take(&mut self.modules) {
            // just says all of them by their names.
            module.values_mut().for_each(Map::sort_keys);
            dump.add(
                &module.into_iter().map(|(kind, items)| (kind.to_owned(), items.into())).collect(),
                &path,
            );
        }
        let mut problems = Vec::new();
        bounded(std::mem::take(&mut self.doubts), &mut problems);
        (dump, problems)
    }
}

/// The items of one file by their kinds: recipes, assignments, aliases, settings.
type Items = BTreeMap<&'static str, Map<String, Value>>;

/// One file that is read.
struct Part<'a> {
    file: &'a str,
    module: &'a str,
    above: &'a [String],
    seen: &'a Files,
    all: &'a mut JustfileText,
}

impl Part<'_> {
    fn read(&mut self, text: &str) -> Items {
        let (mut rest, mut line, mut items, mut is_lost) = (text, 1, Items::new(), false);
        let (mut doc, mut attributes): (Option<&str>, Vec<Value>) = (None, Vec::new());
        let mut add = |kind, name: &str, item| {
            items.entry(kind).or_default().insert(name.to_owned(), item);
        };
        while !rest.is_empty() {
            let (first, below) = rest.split_once('\n').unwrap_or((rest, ""));
            if first.trim().is_empty() || first.starts_with([' ', '\t', '#']) {
                doc = first.strip_prefix('#').filter(|doc| !doc.starts_with('!')).map(str::trim);
                (rest, line) = (below, line + 1);
                continue;
            }
            // Behind a place that is not understood a line counts by itself, and only for the files that it names.
            let Some((words, length)) = of_item(if is_lost { first } else { rest }) else {
                if !is_lost {
                    self.doubt(line, "the rest of this file is not understood without just");
                }
                (rest, line, is_lost) = (below, line + 1, true);
                continue;
            };
            let here = line;
            let (item, below) = rest.split_at(length);
            line += item.matches('\n').count() + 1;
            rest = below.strip_prefix('\n').unwrap_or(below);
            if words.first() == Some(&"[") {
                attributes.extend(header::attributes(&words));
                continue;
            }
            match words[..] {
                [word, ..] if is_lost && !["import", "mod", "set"].contains(&word) => {}
                ["alias", alias, ":", "=", target] => add("aliases", alias, json!({"target": target})),
                ["set", "shell", ":", "=", "[", program, ..] => {
                    add("settings", "shell", json!({"command": literal(program)}));
                }
                ["set", name, ..] if name.starts_with("dotenv-") => {
                    let file = words.last().and_then(|word| literal(word)).unwrap_or(".env");
                    self.all.variables.push(self.beside(file));
                }
                ["export", name, ":", "=", ref own @ ..] | [name, ":", "=", ref own @ ..] => {
                    add("assignments", name, json!({"value": value(own)}));
                }
                ["import" | "mod", ref named @ ..] if self.name_files(words[0], named, here) => {
                    if words[0] == "mod" && attributes.iter().any(|own| own == "private") {
                        let name = named.iter().find(|word| is_name(word)).copied().unwrap_or_default();
                        self.all.hidden.push(inner(self.module, name));
                    }
                }
                ["set" | "export" | "unexport" | "alias", ..] => {}
                _ => match header::recipe(&words) {
                    Some((name, mut recipe)) => {
                        let end = end_of_body(rest);
                        header::describe(&mut recipe, doc, &attributes, body(&rest[..end]));
                        let place = Location::line(self.file, here);
                        self.all.places.entry(inner(self.module, &name)).or_insert(place);
                        if is_of_this_system(&attributes) {
                            add("recipes", &name, recipe);
                        }
                        line += rest[..end].matches('\n').count();
                        rest = &rest[end..];
                    }
                    None => self.doubt(here, "this line is not understood without just"),
                },
            }
            (doc, attributes) = (None, Vec::new());
        }
        items
    }

    /// Takes the files of an import or a module; whether it is one.
    fn name_files(&mut self, kind: &str, words: &[&str], line: usize) -> bool {
        let is_optional = words.first() == Some(&"?");
        let (module, files) = match (kind, &words[usize::from(is_optional)..]) {
            ("import", [file]) if is_string(file) => {
                (self.module.to_owned(), literal(file).map(|file| vec![file.to_owned()]))
            }
            ("mod", [name]) if is_name(name) => {
                (inner(self.module, name), Some(module_files(name, &format!("{name}.just"))))
            }
            ("mod", [name, file]) if is_name(name) && is_string(file) => {
                (inner(self.module, name), literal(file).map(|file| module_files(file, file)))
            }
            _ => return false,
        };
        let Some(files) = files.filter(|files| !files[0].is_empty()) else {
            self.all.has_more = true;
            if !is_optional {
                self.doubt(line, "only just knows the file that is named here, so its recipes are missing");
            }
            return true;
        };
        let places: Vec<String> = files.iter().map(|name| self.beside(name)).collect();
        if !is_optional && !places.iter().any(|place| self.seen.exists(place)) {
            let what = format!("{} is not there, so its recipes are missing", shown(&files[0]));
            self.doubt(line, &what);
        }
        let above = [self.above, &[self.file.to_owned()]].concat();
        for place in places {
            if above.contains(&place) {
                let what =
                    format!("{} leads to itself, and just reads no justfile with a cycle", shown(&place));
                let problem = Problem::warning(what).at(Location::line(self.file, line));
                self.all.doubts.push(problem.help("take one of the imports or modules of the cycle out"));
            } else {
                self.all.waiting.push_back((place, module.clone(), above.clone()));
            }
        }
        true
    }

    fn beside(&self, name: &str) -> String {
        path::join(path::split(self.file).0, name)
    }

    fn doubt(&mut self, line: usize, what: &str) {
        if self.all.doubts.len() < MOST {
            self.all.doubts.push(Problem::warning(what).at(Location::line(self.file, line)).help(ADVICE));
        }
    }
}

/// The files that a module may lie in: one of this name, or one of a folder.
fn module_files(folder: &str, file: &str) -> Vec<String> {
    let inside = ["mod.just"].into_iter().chain(USUAL).map(|own| format!("{folder}/{own}"));
    std::iter::once(file.to_owned()).chain(inside).collect()
}

/// The end of the indented lines below a recipe's header.
fn end_of_body(text: &str) -> usize {
    let is_inside = |line: &&str| line.trim().is_empty() || line.starts_with([' ', '\t']);
    text.split_inclusive('\n').take_while(is_inside).map(str::len).sum()
}

/// The lines of a recipe, each a list of texts and inserted values.
fn body(text: &str) -> Vec<Value> {
    let text = text.trim_end();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start().len()];
    let own = |line: &str| fragments(line.strip_prefix(indent).unwrap_or_else(|| line.trim_start()));
    text.lines().skip_while(|line| line.trim().is_empty()).map(own).collect()
}

fn fragments(line: &str) -> Value {
    let (mut fragments, mut rest) = (Vec::new(), line);
    // Four braces are two in the line.
    while let Some((before, (inside, behind))) = rest
        .split_once("{{")
        .filter(|(_, behind)| !behind.starts_with("{{"))
        .and_then(|(before, behind)| Some((before, behind.split_once("}}")?)))
    {
        let put = of_item(inside).map_or(Value::Null, |(words, _)| value(&words));
        fragments.extend([before.into(), json!([put])]);
        rest = behind;
    }
    fragments.push(rest.into());
    fragments.into()
}

/// Whether the attributes keep a recipe for other systems.
fn is_of_this_system(attributes: &[Value]) -> bool {
    let mut systems = attributes.iter().filter_map(Value::as_str).filter(|name| SYSTEMS.contains(name));
    let Some(first) = systems.next() else { return true };
    std::iter::once(first).chain(systems).any(|system| system == OS || cfg!(unix) && system == "unix")
}
