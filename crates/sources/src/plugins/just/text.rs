//! The text of recipes in the language of a shell: for people to judge, and for the rules about a call's
//! words.
//!
//! just pastes values into lines before a shell reads them. For each parameter the text has `$1`, `$2` or
//! `$@`, as in a shell script that takes the same words. Lists show it as it is written, with `{{parameter}}`.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::dump::Dump;
use super::recipe::{Recipe, inner};

/// The most recipes that are followed before or after one.
const MOST: usize = 50;

/// How deep variables and expressions are followed.
const DEEPEST: usize = 16;

/// The line that replaces further recipes beyond the limit.
const MORE: &str = "… more that is not shown";

/// The values of a recipe's parameters, as a shell would name them.
type Bindings = HashMap<String, String>;

/// The recipe's own commands, and those of its dependencies.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RecipeTexts {
    pub(super) own: Option<String>,
    /// The same with the parameters as the justfile has them: `{{env}}`.
    pub(super) written: Option<String>,
    pub(super) along: Vec<String>,
    /// Whether just would ask a person before one of them runs.
    pub(super) confirms: bool,
}

/// The texts of a recipe.
pub(super) fn of(recipe: &Recipe, dump: &Dump) -> RecipeTexts {
    let own = parameters(recipe);
    let as_written = own.keys().map(|name| (name.clone(), format!("{{{{{name}}}}}"))).collect();
    let mut texts = RecipeTexts {
        own: body(recipe, &own, dump),
        written: body(recipe, &as_written, dump),
        along: Vec::new(),
        confirms: recipe.confirms,
    };
    let mut seen: HashSet<(&str, String)> = HashSet::new();
    let mut waiting: Vec<(&Recipe, Bindings)> = needs(recipe, &own, dump);
    while let Some((recipe, bindings)) = waiting.pop() {
        let mut values: Vec<_> = bindings.iter().collect();
        values.sort();
        if !seen.insert((&recipe.path, format!("{values:?}"))) {
            continue;
        }
        if seen.len() > MOST {
            texts.along.push(MORE.to_owned());
            texts.confirms = true;
            break;
        }
        texts.confirms |= recipe.confirms;
        texts.along.extend(body(recipe, &bindings, dump));
        waiting.extend(needs(recipe, &bindings, dump));
    }
    texts
}

/// The parameters of a recipe that is called: `$1` and so on by their places.
fn parameters(recipe: &Recipe) -> Bindings {
    let (options, placed): (Vec<_>, Vec<_>) = recipe.parameters.iter().partition(|own| own.is_option());
    let placed = (1..).zip(placed).map(|(place, own)| {
        let is_single = !own.is_variadic && place <= 9;
        (own.name.clone(), if is_single { format!("${place}") } else { "$@".to_owned() })
    });
    placed.chain(options.into_iter().map(|own| (own.name.clone(), "$@".to_owned()))).collect()
}

/// The dependencies of a recipe, with the values that it gives to their parameters; the first one last.
fn needs<'d>(recipe: &Recipe, bindings: &Bindings, dump: &'d Dump) -> Vec<(&'d Recipe, Bindings)> {
    let needed = recipe.dependencies.iter().rev().filter_map(|(name, arguments)| {
        let needed = dump.named(&recipe.module, name)?;
        let scope = RecipeScope { bindings, dump, module: &recipe.module };
        let mut given = arguments.iter().map(|argument| scope.value(argument, 0));
        let mut values = Bindings::new();
        for own in &needed.parameters {
            let value = match given.next() {
                Some(first) if own.is_variadic => {
                    Some(std::iter::once(first).chain(given.by_ref()).collect::<Vec<_>>().join(" "))
                }
                value => value,
            };
            values.extend(value.map(|value| (own.name.clone(), value)));
        }
        Some((needed, values))
    });
    needed.collect()
}

/// The lines of one recipe; `None` where no shell reads them, or there are none.
fn body(recipe: &Recipe, bindings: &Bindings, dump: &Dump) -> Option<String> {
    if recipe.interpreter.is_some() {
        return None;
    }
    let scope = RecipeScope { bindings, dump, module: &recipe.module };
    let lines = recipe.body.iter().map(|line| scope.line(line)).filter(|line| !line.starts_with("#!"));
    Some(lines.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
}

/// The values of names in a recipe.
#[derive(Debug)]
struct RecipeScope<'a> {
    bindings: &'a Bindings,
    dump: &'a Dump,
    module: &'a str,
}

impl RecipeScope<'_> {
    /// One line, without just's own signs.
    fn line(&self, line: &Value) -> String {
        let fragments = line.as_array().into_iter().flatten();
        let line: String = fragments
            .map(|fragment| match fragment {
                Value::Array(put) => put.first().map(|put| self.value(put, 0)).unwrap_or_default(),
                fragment => fragment.as_str().unwrap_or_default().replace("{{{{", "{{"),
            })
            .collect();
        line.trim_start_matches(['@', '-']).to_owned()
    }

    /// An expression as a shell would have it.
    fn value(&self, expression: &Value, depth: usize) -> String {
        let unknown = || "{{…}}".to_owned();
        let Value::Array(parts) = expression else {
            return expression.as_str().map_or_else(unknown, str::to_owned);
        };
        let words: Vec<&str> = parts.iter().map(|part| part.as_str().unwrap_or_default()).collect();
        if depth > DEEPEST {
            return unknown();
        }
        let inside = |part: &Value| self.value(part, depth + 1);
        match words.as_slice() {
            ["variable", name] => self.variable(name, depth),
            ["call", "env" | "env_var" | "env_var_or_default", name, ..] => format!("${{{name}}}"),
            ["concatenate", ..] => parts[1..].iter().map(inside).collect(),
            _ => {
                // A function may make anything of a value; the value is in it all the same.
                let values = parts.iter().skip(1).filter(|part| part.is_array()).map(inside);
                let reaching: Vec<String> = values.filter(|value| value.contains('$')).collect();
                if reaching.is_empty() { unknown() } else { reaching.join(" ") }
            }
        }
    }

    fn variable(&self, name: &str, depth: usize) -> String {
        if let Some(value) = self.bindings.get(name) {
            return value.clone();
        }
        let value = self.dump.variables.get(&inner(self.module, name));
        value.map_or_else(|| format!("{{{{{name}}}}}"), |value| self.value(value, depth + 1))
    }
}
