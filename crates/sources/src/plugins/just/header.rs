//! The header of a recipe, its attributes and the plain values of a justfile, in the shape of just's own answer.

use serde_json::{Value, json};

use super::tokens::{is_name, is_string, literal};

/// A recipe's name, parameters and dependencies; `None`: the item is no recipe, or not understood.
pub(super) fn recipe(words: &[&str]) -> Option<(String, Value)> {
    let words = words.strip_prefix(&["@"]).unwrap_or(words);
    let (name, rest) = words.split_first().filter(|(name, _)| is_name(name))?;
    let [front, behind] = split(rest, ":")[..] else { return None };
    if behind.first() == Some(&"=") {
        return None;
    }
    let recipe = json!({"parameters": parameters(front)?, "dependencies": dependencies(behind)});
    Some(((*name).to_owned(), recipe))
}

/// Adds the parts of a recipe that stand around its header.
pub(super) fn describe(recipe: &mut Value, doc: Option<&str>, attributes: &[Value], body: Vec<Value>) {
    let own = attributes.iter().find(|own| **own == "doc" || own.get("doc").is_some());
    let doc = own.map_or(doc, |own| own["doc"].as_str());
    recipe["doc"] = doc.filter(|doc| !doc.is_empty()).into();
    recipe["shebang"] =
        body.first().and_then(|line| line[0].as_str()).is_some_and(|line| line.starts_with("#!")).into();
    recipe["body"] = body.into();
    for argument in attributes.iter().filter_map(|own| own.get("arg")) {
        let parameters = recipe["parameters"].as_array_mut().into_iter().flatten();
        for parameter in parameters.filter(|own| own["name"] == argument["name"]) {
            for key in ["long", "short", "value"] {
                parameter[key] = argument[key].clone();
            }
        }
    }
    recipe["attributes"] = attributes.into();
}

/// The attributes in one pair of brackets: `"private"`, `{"group": "dev"}`.
pub(super) fn attributes(words: &[&str]) -> Vec<Value> {
    let inside = words.strip_prefix(&["["]).and_then(|rest| rest.strip_suffix(&["]"]));
    split(inside.unwrap_or_default(), ",").into_iter().filter_map(attribute).collect()
}

fn attribute(words: &[&str]) -> Option<Value> {
    let (name, rest) = words.split_first()?;
    let inside = rest.strip_prefix(&["("]).and_then(|rest| rest.strip_suffix(&[")"]));
    let given = split(inside.or_else(|| rest.strip_prefix(&[":"])).unwrap_or_default(), ",");
    let Some(first) = given.first().and_then(|words| words.first()) else { return Some((*name).into()) };
    let text = literal(first);
    Some(match *name {
        "script" => json!({"script": {"command": text}}),
        // It makes an option of a parameter: `arg('name', long, short='n')`.
        "arg" => {
            let mut argument = json!({"name": text});
            for words in given {
                match words {
                    [key, "=", value] => argument[*key] = literal(value).into(),
                    [key] if is_name(key) => argument[*key] = text.into(),
                    _ => {}
                }
            }
            json!({"arg": argument})
        }
        name => json!({name: text}),
    })
}

fn parameters(mut words: &[&str]) -> Option<Vec<Value>> {
    let mut parameters = Vec::new();
    while let Some(first) = words.first() {
        let kind = match *first {
            "*" => "star",
            "+" => "plus",
            _ => "singular",
        };
        let signs = words.iter().take_while(|word| ["*", "+", "$"].contains(*word)).count();
        let (name, rest) = words[signs..].split_first().filter(|(name, _)| is_name(name))?;
        let (default, rest) = match rest.strip_prefix(&["="]) {
            Some(rest) => {
                let (own, rest) = rest.split_at(length_of_value(rest)?);
                (value(own), rest)
            }
            None => (Value::Null, rest),
        };
        parameters.push(json!({"name": name, "kind": kind, "default": default}));
        words = rest;
    }
    Some(parameters)
}

/// The recipes behind a colon: names, or the first ones in brackets, such as `(build 'all')`.
fn dependencies(words: &[&str]) -> Vec<Value> {
    let (mut depth, mut before, mut found) = (0_usize, "", Vec::new());
    for word in words {
        match *word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            name if name.split("::").all(is_name) && (depth == 0 || depth == 1 && before == "(") => {
                found.push(json!({"recipe": name}));
            }
            _ => {}
        }
        before = word;
    }
    found
}

/// A value as just says it: a string, or `["variable", "a"]`; only just knows others.
pub(super) fn value(words: &[&str]) -> Value {
    match words {
        [name] if is_name(name) => json!(["variable", name]),
        [word] if literal(word).is_some() => literal(word).into(),
        _ => json!(["unknown"]),
    }
}

/// How many words the value has that these begin with: a string, a name, a call, or an expression in brackets.
fn length_of_value(words: &[&str]) -> Option<usize> {
    let opening = match words {
        [name, "(", ..] if is_name(name) => 1,
        ["(", ..] => 0,
        [word, ..] if is_name(word) || is_string(word) => return Some(1),
        _ => return None,
    };
    let mut depth = 0_usize;
    let end = words[opening..].iter().position(|word| {
        match *word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    Some(opening + end + 1)
}

/// The parts between a sign that stands in no brackets; none of nothing.
fn split<'a, 't>(words: &'a [&'t str], sign: &str) -> Vec<&'a [&'t str]> {
    let mut depth = 0_usize;
    let is_between = |word: &&str| {
        match *word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *word == sign
    };
    if words.is_empty() { Vec::new() } else { words.split(is_between).collect() }
}
