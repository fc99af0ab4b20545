//! The header of a recipe, its attributes and the expressions of a justfile, in the shape of just's own answer.

use serde_json::{Value, json};

use super::tokens::JustToken::{self, Computed, Name, Sign, Text};

/// A recipe's name, parameters and dependencies; `None`: the item is no recipe, or not understood.
pub(super) fn recipe(tokens: &[JustToken<'_>]) -> Option<(String, Value)> {
    let tokens = tokens.strip_prefix(&[Sign('@')]).unwrap_or(tokens);
    let (Name(name), rest) = tokens.split_first()? else { return None };
    let colon = top_level(rest).find(|(_, token)| *token == Sign(':'))?.0;
    let (front, behind) = (&rest[..colon], &rest[colon + 1..]);
    if behind.first() == Some(&Sign('=')) {
        return None;
    }
    let recipe = json!({"parameters": parameters(front)?, "dependencies": dependencies(behind)?});
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
pub(super) fn attributes(tokens: &[JustToken<'_>]) -> Vec<Value> {
    let inside = tokens.strip_prefix(&[Sign('[')]).and_then(|rest| rest.strip_suffix(&[Sign(']')]));
    split(inside.unwrap_or_default(), ',').into_iter().filter_map(attribute).collect()
}

fn attribute(tokens: &[JustToken<'_>]) -> Option<Value> {
    let (Name(name), rest) = tokens.split_first()? else { return None };
    let inside = rest.strip_prefix(&[Sign('(')]).and_then(|rest| rest.strip_suffix(&[Sign(')')]));
    let given = inside.or_else(|| rest.strip_prefix(&[Sign(':')])).unwrap_or_default();
    let words = split(given, ',');
    let first = words.first().and_then(|word| word.first());
    let text = |token: Option<&JustToken<'_>>| match token {
        Some(Text(text)) => Value::from(*text),
        _ => Value::Null,
    };
    Some(match *name {
        name if first.is_none() => name.into(),
        "arg" => json!({"arg": argument(&words, &text(first))}),
        "script" => json!({"script": {"command": text(first)}}),
        name => json!({name: text(first)}),
    })
}

/// An attribute that makes an option of a parameter: `arg('name', long, short='n')`.
fn argument(words: &[&[JustToken<'_>]], name: &Value) -> Value {
    let mut argument = json!({"name": name});
    for word in words {
        match word {
            [Name(key), Sign('='), Text(value)] => argument[*key] = (*value).into(),
            [Name(key)] => argument[*key] = name.clone(),
            _ => {}
        }
    }
    argument
}

fn parameters(mut tokens: &[JustToken<'_>]) -> Option<Vec<Value>> {
    let mut parameters = Vec::new();
    while !tokens.is_empty() {
        let kind = match tokens {
            [Sign('*'), rest @ ..] => ("star", rest),
            [Sign('+'), rest @ ..] => ("plus", rest),
            rest => ("singular", rest),
        };
        let is_exported = kind.1.first() == Some(&Sign('$'));
        let (Name(name), rest) = kind.1[usize::from(is_exported)..].split_first()? else { return None };
        let (default, rest) = match rest.strip_prefix(&[Sign('=')]) {
            Some(rest) => {
                let length = length_of_value(rest)?;
                (expression(&rest[..length]), &rest[length..])
            }
            None => (Value::Null, rest),
        };
        parameters.push(json!({"name": name, "kind": kind.0, "export": is_exported, "default": default}));
        tokens = rest;
    }
    Some(parameters)
}

fn dependencies(mut tokens: &[JustToken<'_>]) -> Option<Vec<Value>> {
    let mut dependencies = Vec::new();
    while let Some(first) = tokens.first() {
        let (taken, arguments) = match first {
            Sign('&') => (1, None),
            Sign('(') => {
                let length = length_of_value(tokens)?;
                (length, Some(&tokens[1..length - 1]))
            }
            Name(_) => {
                let more = tokens[1..].chunks_exact(3);
                let more = more.take_while(|next| matches!(next, [Sign(':'), Sign(':'), Name(_)])).count();
                let length = 1 + 3 * more;
                (length, Some(&tokens[..length]))
            }
            Text(_) | Computed | Sign(_) => return None,
        };
        if let Some(call) = arguments {
            let named = call.iter().take_while(|token| matches!(token, Name(_) | Sign(':')));
            // The names behind the first that no colons join are arguments.
            let ends =
                named.clone().zip(call.iter().skip(1)).position(|pair| matches!(pair, (Name(_), Name(_))));
            let length = ends.map_or(named.count(), |at| at + 1);
            let mut arguments = Vec::new();
            let mut rest = &call[length..];
            while !rest.is_empty() {
                let length = length_of_value(rest)?;
                arguments.push(expression(&rest[..length]));
                rest = &rest[length..];
            }
            dependencies.push(json!({"recipe": path(&call[..length]), "arguments": arguments}));
        }
        tokens = &tokens[taken..];
    }
    Some(dependencies)
}

/// The path of a recipe: `foo::sub`.
pub(super) fn path(tokens: &[JustToken<'_>]) -> String {
    let names = tokens.iter().filter_map(|token| if let Name(name) = token { Some(*name) } else { None });
    names.collect::<Vec<_>>().join("::")
}

/// The value of an expression as just says it: a string, `["variable", "a"]`, `["call", "env", "A"]`; other expressions
/// with the variables in them.
pub(super) fn expression(tokens: &[JustToken<'_>]) -> Value {
    match tokens {
        [Text(text)] => (*text).into(),
        [Name(name)] => json!(["variable", name]),
        [Sign('('), inside @ .., Sign(')')] if length_of_value(tokens) == Some(tokens.len()) => {
            expression(inside)
        }
        [Name("env" | "env_var" | "env_var_or_default"), Sign('('), Text(name), ..] => {
            json!(["call", "env", name])
        }
        _ => {
            let joined = split(tokens, '+');
            if joined.len() > 1 {
                let parts = joined.into_iter().map(expression);
                return std::iter::once("concatenate".into()).chain(parts).collect();
            }
            let variables = tokens.iter().zip(tokens.iter().skip(1).map(Some).chain([None]));
            let variables = variables.filter_map(|(token, next)| match token {
                Name(name) if next != Some(&Sign('(')) => Some(json!(["variable", name])),
                _ => None,
            });
            std::iter::once("unknown".into()).chain(variables).collect()
        }
    }
}

/// How many words the value has that these begin with: a string, a name, a call, or an expression in brackets.
fn length_of_value(tokens: &[JustToken<'_>]) -> Option<usize> {
    let opening = match tokens {
        [Name(_), Sign('('), ..] => 1,
        [Text(_) | Computed | Name(_), ..] => return Some(1),
        [Sign('('), ..] => 0,
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(opening) {
        match token {
            Sign('(' | '[' | '{') => depth += 1,
            Sign(')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The words that stand in no brackets, with their places.
fn top_level<'a, 't>(
    tokens: &'a [JustToken<'t>],
) -> impl Iterator<Item = (usize, JustToken<'t>)> + use<'a, 't> {
    let mut depth = 0_usize;
    tokens.iter().copied().enumerate().filter(move |(_, token)| {
        match token {
            Sign('(' | '[' | '{') => depth += 1,
            Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    })
}

/// The parts between a sign that stands in no brackets; none of nothing.
fn split<'a, 't>(tokens: &'a [JustToken<'t>], sign: char) -> Vec<&'a [JustToken<'t>]> {
    let places = top_level(tokens).filter(|(_, token)| *token == Sign(sign)).map(|(at, _)| at);
    let ends: Vec<usize> = places.chain([tokens.len()]).collect();
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    starts.zip(&ends).map(|(start, end)| &tokens[start..*end]).filter(|part| !part.is_empty()).collect()
}
