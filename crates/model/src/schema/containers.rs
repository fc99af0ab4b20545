//! Keywords about the properties of an object and the items of a list.

use serde_json::{Map, Value};

use super::found::{Judging, SchemaVerdict, Spot};
use super::scalars::{is_match, is_same, length};
use crate::nearest;

/// How many items of a list are compared with one another.
const MOST_COMPARED: usize = 200;

/// Judges by the keywords for objects and lists.
pub(super) fn judge<'s>(
    judge: &mut dyn Judging<'s>,
    schema: &'s Map<String, Value>,
    spot: Spot<'_>,
    found: &mut SchemaVerdict,
) {
    match spot.value {
        Value::Object(given) => object(judge, schema, (given, spot), found),
        Value::Array(given) => list(judge, schema, (given, spot), found),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn object<'s>(
    judge: &mut dyn Judging<'s>,
    schema: &'s Map<String, Value>,
    (given, spot): (&Map<String, Value>, Spot<'_>),
    found: &mut SchemaVerdict,
) {
    length(schema, ["minProperties", "maxProperties"], (given.len(), "key"), spot, found);
    match schema.get("required") {
        Some(Value::Array(names)) => {
            let missing = names.iter().filter_map(Value::as_str).filter(|name| !given.contains_key(*name));
            missing.for_each(|name| found.add(&within(spot.place, name), "is missing", None));
        }
        // Draft 3 writes it inside the property's own schema.
        Some(_) => found.is_unsure = true,
        None => {}
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    for (name, value) in given {
        let place = within(spot.place, name);
        let inner = Spot { value, place: &place, depth: spot.depth };
        let mut is_declared = false;
        if let Some(property) = properties.and_then(|properties| properties.get(name)) {
            is_declared = true;
            judge.judge(property, inner, found);
        }
        for (pattern, property) in patterns.into_iter().flatten() {
            match is_match(pattern, name) {
                Some(true) => {
                    is_declared = true;
                    judge.judge(property, inner, found);
                }
                Some(false) => {}
                None => (is_declared, found.is_unsure) = (true, true),
            }
        }
        match schema.get("additionalProperties").filter(|_| !is_declared) {
            Some(Value::Bool(false)) => {
                let known =
                    properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str));
                let free = known.filter(|known| !given.contains_key(*known));
                let help = nearest(name, free).map(|meant| format!("did you mean `{meant}`?"));
                found.add(&place, "is not known here", help);
            }
            Some(other) => judge.judge(other, inner, found),
            None => {}
        }
    }
}

fn list<'s>(
    judge: &mut dyn Judging<'s>,
    schema: &'s Map<String, Value>,
    (given, spot): (&[Value], Spot<'_>),
    found: &mut SchemaVerdict,
) {
    length(schema, ["minItems", "maxItems"], (given.len(), "item"), spot, found);
    if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
        let compared = &given[..given.len().min(MOST_COMPARED)];
        let is_repeated = |at: usize| compared[..at].iter().any(|earlier| is_same(earlier, &compared[at]));
        if let Some(at) = (0..compared.len()).find(|at| is_repeated(*at)) {
            found.add(&item(spot.place, at), "is in the list already", None);
        }
        found.is_unsure |= given.len() > MOST_COMPARED;
    }
    // Draft 7 has the first items under `items`, and the rest under `additionalItems`.
    let (first, rest) = match (schema.get("prefixItems"), schema.get("items")) {
        (Some(Value::Array(first)), rest) => (first.as_slice(), rest),
        (_, Some(Value::Array(first))) => (first.as_slice(), schema.get("additionalItems")),
        (_, rest) => (&[][..], rest),
    };
    for (at, value) in given.iter().enumerate() {
        if let Some(schema) = first.get(at).or(rest) {
            let place = item(spot.place, at);
            judge.judge(schema, Spot { value, place: &place, depth: spot.depth }, found);
        }
    }
}

/// The way to a property: `to.name`.
pub fn within(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn item(place: &str, at: usize) -> String {
    format!("{place}[{at}]")
}
