//! The recipes of a justfile by its text alone, in the shape of just's own answer.
//!
//! Nothing is run and nothing computed: a value that only just knows stays unknown. This counts as long as no settings allow
//! a question to just.

use std::collections::BTreeMap;
use std::env::consts::OS;

use serde_json::{Map, Value, json};

use super::dump::Dump;
use super::header::{self, expression};
use super::sources::{JustfileSources, modules};
use super::tokens::{JustToken, of_item};
use crate::model::{Files, Location, Problem, bounded, path, shown};

/// The advice about a text that only just can read.
const ADVICE: &str = "with settings that `cuff init` writes, cuff asks just itself";

/// The attributes that keep a recipe for some systems.
const SYSTEMS: [&str; 9] =
    ["linux", "macos", "windows", "unix", "freebsd", "netbsd", "openbsd", "dragonfly", "android"];

/// The recipes of all files that were seen, and the places that only just can read.
pub(super) fn read(sources: &JustfileSources, seen: &Files) -> (Dump, Vec<Problem>) {
    let mut modules: BTreeMap<&str, Module> = BTreeMap::new();
    let mut doubts = Vec::new();
    for (file, module) in &sources.parts {
        let Some(content) = seen.file(file) else { continue };
        let text = String::from_utf8_lossy(&content.bytes).replace("\r\n", "\n");
        let mut part = Part { file, seen, found: Module::default(), doubts: &mut doubts };
        part.read(&text);
        let found = part.found;
        // A file counts more than those that it imports.
        let known = modules.entry(module).or_default();
        for (known, found) in [
            (&mut known.recipes, found.recipes),
            (&mut known.assignments, found.assignments),
            (&mut known.aliases, found.aliases),
            (&mut known.settings, found.settings),
        ] {
            for (name, value) in found {
                known.entry(name).or_insert(value);
            }
        }
    }
    let mut dump = Dump::default();
    for (path, mut module) in modules {
        // just says its recipes by their names.
        module.recipes.sort_keys();
        let whole = [
            ("recipes", module.recipes),
            ("assignments", module.assignments),
            ("aliases", module.aliases),
            ("settings", module.settings),
        ];
        let whole = whole.map(|(key, part)| (key.to_owned(), Value::Object(part)));
        dump.add(&Map::from_iter(whole), path);
    }
    let mut problems = Vec::new();
    bounded(doubts, &mut problems);
    (dump, problems)
}

/// One module, as just says it.
#[derive(Debug, Default)]
struct Module {
    recipes: Map<String, Value>,
    assignments: Map<String, Value>,
    aliases: Map<String, Value>,
    settings: Map<String, Value>,
}

/// One file that is read.
struct Part<'a> {
    file: &'a str,
    seen: &'a Files,
    found: Module,
    doubts: &'a mut Vec<Problem>,
}

impl Part<'_> {
    fn read(&mut self, text: &str) {
        let (mut rest, mut line) = (text, 1);
        let (mut doc, mut attributes): (Option<&str>, Vec<Value>) = (None, Vec::new());
        while !rest.is_empty() {
            let (first, below) = rest.split_once('\n').unwrap_or((rest, ""));
            if first.trim().is_empty() || first.starts_with([' ', '\t', '#']) {
                doc = first.strip_prefix('#').filter(|doc| !doc.starts_with('!')).map(str::trim);
                (rest, line) = (below, line + 1);
                continue;
            }
            let Some((tokens, length)) = of_item(rest) else {
                return self.doubt(line, "the rest of this file is not understood without just");
            };
            let here = line;
            let (item, below) = rest.split_at(length);
            line += item.matches('\n').count() + 1;
            rest = below.strip_prefix('\n').unwrap_or(below);
            if tokens.first() == Some(&JustToken::Sign('[')) {
                attributes.extend(header::attributes(&tokens));
                continue;
            }
            let end = end_of_body(rest);
            if let Some((name, mut recipe)) = header::recipe(&tokens) {
                header::describe(&mut recipe, doc, &attributes, body(&rest[..end]));
                if is_of_this_system(&attributes) {
                    self.found.recipes.insert(name, recipe);
                }
                line += rest[..end].matches('\n').count();
                rest = &rest[end..];
            } else if !self.item(&tokens, here) {
                self.doubt(here, "this line is not understood without just");
            }
            (doc, attributes) = (None, Vec::new());
        }
    }

    /// Takes an item that is no recipe; whether it is one.
    fn item(&mut self, tokens: &[JustToken<'_>], line: usize) -> bool {
        use JustToken::{Name, Sign, Text};
        let found = &mut self.found;
        match tokens {
            [Name("alias"), Name(alias), Sign(':'), Sign('='), target @ ..] => {
                let target = json!({"target": header::path(target)});
                found.aliases.insert((*alias).to_owned(), target);
            }
            [Name("set"), Name("export"), rest @ ..] => {
                let is_on = rest.last() != Some(&Name("false"));
                found.settings.insert("export".into(), is_on.into());
            }
            [Name("set"), Name("shell"), Sign(':'), Sign('='), Sign('['), Text(program), ..] => {
                found.settings.insert("shell".into(), json!({"command": program}));
            }
            [Name("export"), Name(name), Sign(':'), Sign('='), value @ ..]
            | [Name(name), Sign(':'), Sign('='), value @ ..] => {
                found.assignments.insert((*name).to_owned(), json!({"value": expression(value)}));
            }
            [Name("import"), Text(name)] => self.check_file(line, &[(*name).to_owned()]),
            [Name("import"), JustToken::Computed] | [Name("mod"), Name(_), JustToken::Computed] => {
                self.doubt(line, "only just knows the file that is named here, so its recipes are missing");
            }
            [Name("mod"), Name(name)] => {
                let files: Vec<String> = modules(name, &format!("{name}.just")).collect();
                self.check_file(line, &files);
            }
            [Name("mod"), Name(_), Text(name)] => {
                let files: Vec<String> = modules(name, name).collect();
                self.check_file(line, &files);
            }
            [Name("import" | "mod"), Sign('?'), ..] | [Name("set" | "export" | "unexport" | "alias"), ..] => {
            }
            _ => return false,
        }
        true
    }

    /// Says so where none of the files that an item may mean is there.
    fn check_file(&mut self, line: usize, files: &[String]) {
        let folder = path::split(self.file).0;
        if !files.iter().any(|name| self.seen.exists(&path::join(folder, name))) {
            let what = format!("{} is not there, so its recipes are missing", shown(&files[0]));
            self.doubt(line, &what);
        }
    }

    fn doubt(&mut self, line: usize, what: &str) {
        self.doubts.push(Problem::warning(what).at(Location::line(self.file, line)).help(ADVICE));
    }
}

/// The end of the indented lines below a recipe's header.
fn end_of_body(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && !line.starts_with([' ', '\t']) {
            break;
        }
        end += line.len();
    }
    end
}

/// The lines of a recipe, each a list of texts and inserted expressions.
fn body(text: &str) -> Vec<Value> {
    let text = text.trim_end();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start().len()];
    let own = |line: &str| fragments(line.strip_prefix(indent).unwrap_or_else(|| line.trim_start()));
    text.lines().skip_while(|line| line.trim().is_empty()).map(own).collect()
}

fn fragments(line: &str) -> Value {
    let (mut fragments, mut text, mut rest) = (Vec::new(), String::new(), line);
    while let Some((before, behind)) = rest.split_once("{{") {
        text.push_str(before);
        if let Some(escaped) = behind.strip_prefix("{{") {
            text.push_str("{{{{");
            rest = escaped;
            continue;
        }
        let Some((inside, behind)) = behind.split_once("}}") else { break };
        fragments.push(Value::from(std::mem::take(&mut text)));
        let value = of_item(inside).map_or(Value::Null, |(tokens, _)| expression(&tokens));
        fragments.push(json!([value]));
        rest = behind;
    }
    text.push_str(rest);
    fragments.push(text.into());
    fragments.into()
}

/// Whether the attributes keep a recipe for other systems.
fn is_of_this_system(attributes: &[Value]) -> bool {
    let mut systems = attributes.iter().filter_map(Value::as_str).filter(|name| SYSTEMS.contains(name));
    let Some(first) = systems.next() else { return true };
    std::iter::once(first).chain(systems).any(|system| system == OS || cfg!(unix) && system == "unix")
}
