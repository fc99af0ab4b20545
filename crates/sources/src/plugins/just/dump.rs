//! The answer of `just --dump --dump-format json`: recipes and variables.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::recipe::{Recipe, inner};
use super::tokens::is_name;
use crate::model::{Parameter, ParameterForm};

/// The programs that read a recipe's text as a shell does.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];

/// The name for an interpreter that only just knows.
const UNKNOWN: &str = "unknown";

/// The recipes of a justfile and of its modules.
#[derive(Debug, Default)]
pub(super) struct Dump {
    /// In just's order; those of modules follow.
    pub(super) recipes: Vec<Recipe>,
    /// The recipes that other names mean, by those names: `b` for `build`.
    pub(super) aliases: HashMap<String, String>,
    /// The variables of each module by their paths: `foo::name`.
    pub(super) variables: HashMap<String, Value>,
    /// The places of recipes, by their paths, once somebody asks.
    places: OnceLock<HashMap<String, usize>>,
}

/// Reads the answer; `None` when it is none.
pub(super) fn read(out: &[u8]) -> Option<Dump> {
    let Value::Object(root) = serde_json::from_slice(out).ok()? else { return None };
    root.get("recipes")?.as_object()?;
    let mut dump = Dump::default();
    dump.add(&root, "");
    Some(dump)
}

impl Dump {
    /// Adds a module, and those in it.
    pub(super) fn add(&mut self, module: &Map<String, Value>, path: &str) {
        let settings = module.get("settings");
        for (name, recipe) in entries(module, "recipes").filter(|(name, _)| is_name(name)) {
            self.recipes.push(of(name, path, recipe, settings));
        }
        for (name, variable) in entries(module, "assignments") {
            self.variables.insert(inner(path, name), variable["value"].clone());
        }
        for (name, alias) in entries(module, "aliases").filter(|(name, _)| is_name(name)) {
            if let Some(target) = alias["target"].as_str() {
                self.aliases.insert(inner(path, name), inner(path, target));
            }
        }
        for (name, module) in entries(module, "modules").filter(|(name, _)| is_name(name)) {
            if let Some(module) = module.as_object() {
                self.add(module, &inner(path, name));
            }
        }
    }

    /// A recipe that another one of a module names.
    pub(super) fn named(&self, module: &str, name: &str) -> Option<&Recipe> {
        let path = inner(module, name);
        let places =
            || self.recipes.iter().enumerate().map(|(at, recipe)| (recipe.path.clone(), at)).rev().collect();
        self.recipes.get(*self.places.get_or_init(places).get(&path)?)
    }
}

fn entries<'a>(of: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    of.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn of(name: &str, module: &str, recipe: &Value, settings: Option<&Value>) -> Recipe {
    let attributes = || recipe["attributes"].as_array().into_iter().flatten();
    // just says a bare attribute as a string, another one as an object.
    let has = |wanted: &str| attributes().any(|own| own == wanted || own.get(wanted).is_some());
    let list = |key: &str| recipe[key].as_array().cloned().unwrap_or_default();
    let dependency = |own: &Value| {
        let arguments = own["arguments"].as_array().cloned().unwrap_or_default();
        Some((own["recipe"].as_str()?.to_owned(), arguments))
    };
    let is_script = |own: &&Value| **own == "script" || own.get("script").is_some();
    let script = attributes().find(is_script);
    Recipe {
        path: inner(module, name),
        module: module.to_owned(),
        doc: text(&recipe["doc"]),
        parameters: list("parameters").iter().map(parameter).collect(),
        groups: attributes().filter_map(|own| text(&own["group"])).collect(),
        dependencies: list("dependencies").iter().filter_map(dependency).collect(),
        is_private: recipe["private"] == true || name.starts_with('_') || has("private"),
        confirms: has("confirm"),
        interpreter: interpreter(recipe, script, settings).filter(|own| !SHELLS.contains(&own.as_str())),
        body: list("body"),
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn parameter(own: &Value) -> Parameter {
    let kind = own["kind"].as_str().unwrap_or_default();
    let is_switch = own["flag"] == true || own["value"].is_string();
    let (long, short) = (text(&own["long"]), text(&own["short"]));
    let is_option = long.is_some() || short.is_some();
    Parameter {
        is_required: own["default"].is_null() && !is_switch && kind != "star" && own["min"] != 0,
        is_variadic: matches!(kind, "plus" | "star"),
        most: own["max"].as_u64().and_then(|most| most.try_into().ok()),
        form: if is_option {
            ParameterForm::Option { long, short, is_switch }
        } else {
            ParameterForm::Placed
        },
        default: text(&own["default"]),
        ..Parameter::placed(text(&own["name"]).unwrap_or_default())
    }
}

/// The program that runs a recipe's text: of a script its interpreter, else the shell of the settings.
fn interpreter(recipe: &Value, script: Option<&Value>, settings: Option<&Value>) -> Option<String> {
    let line = || recipe["body"][0][0].as_str().and_then(|line| line.strip_prefix("#!"));
    let command = match (script, recipe["shebang"] == true) {
        (Some(script), _) => script["script"]["command"].as_str().unwrap_or(UNKNOWN),
        (None, true) => line().filter(|line| !line.trim().is_empty()).unwrap_or(UNKNOWN),
        (None, false) => settings.and_then(|settings| settings["shell"]["command"].as_str())?,
    };
    let words = command.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut programs = words.filter(|word| *word != "env" && !word.starts_with('-'));
    Some(programs.next().unwrap_or(UNKNOWN).to_owned())
}
