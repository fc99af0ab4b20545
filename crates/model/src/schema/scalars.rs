//! Keywords about a single value: type, choice, bounds.

use std::cmp::Ordering;

use regex::RegexBuilder;
use serde_json::{Map, Number, Value};

use super::found::{SchemaVerdict, Spot};
use super::schema_error::{quoted, quoted_text};
use crate::json_value::whole_number;
use crate::{listed, nearest};

/// How much memory a pattern of a server may take once it is compiled, in bytes.
const LARGEST_PATTERN: usize = 1 << 20;
/// How many choices a message lists.
const MOST_CHOICES: usize = 20;

/// Judges by the keywords for single values.
pub(super) fn judge(schema: &Map<String, Value>, spot: Spot<'_>, found: &mut SchemaVerdict) {
    if let Some(types) = schema.get("type") {
        kind(types, spot, found);
    }
    if let Some(expected) = schema.get("const")
        && !is_same(expected, spot.value)
    {
        found.add(spot.place, format!("must be {}, not {}", quoted(expected), quoted(spot.value)), None);
    }
    match schema.get("enum") {
        Some(Value::Array(choices)) => choice(choices, spot, found),
        Some(_) => found.is_unsure = true,
        None => {}
    }
    match spot.value {
        Value::Number(number) => bounds(schema, number, spot, found),
        Value::String(text) => text_of(schema, text, spot, found),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {}
    }
}

fn kind(types: &Value, spot: Spot<'_>, found: &mut SchemaVerdict) {
    let names: Option<Vec<&str>> = match types {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => names.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let Some(words) = names.as_ref().and_then(|names| names.iter().map(|name| word(name)).collect()) else {
        found.is_unsure = true;
        return;
    };
    let names = names.unwrap_or_default();
    if !names.iter().any(|name| is_of(name, spot.value)) {
        let words: Vec<&str> = words;
        found.add(spot.place, format!("must be {}, not {}", words.join(" or "), quoted(spot.value)), None);
    }
}

/// A type as messages name it; `None` for one that is unknown.
pub(super) fn word(name: &str) -> Option<&'static str> {
    Some(match name {
        "string" => "a string",
        "number" => "a number",
        "integer" => "a whole number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "an object",
        "null" => "null",
        _ => return None,
    })
}

fn is_of(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        // 5.0 is a whole number in every draft.
        Value::Number(number) => {
            name == "number"
                || name == "integer" && number.as_f64().is_none_or(|number| number.fract() == 0.0)
        }
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

fn choice(choices: &[Value], spot: Spot<'_>, found: &mut SchemaVerdict) {
    if choices.iter().any(|choice| is_same(choice, spot.value)) {
        return;
    }
    let texts: Vec<String> = choices.iter().map(quoted).collect();
    let known = choices.iter().filter_map(Value::as_str);
    let meant = spot.value.as_str().and_then(|typed| nearest(typed, known));
    let help = meant.map(|meant| format!("did you mean {}?", quoted(&meant.into())));
    let wrong = format!("must be one of {}, not {}", listed(&texts, MOST_CHOICES), quoted(spot.value));
    found.add(spot.place, wrong, help);
}

fn bounds(schema: &Map<String, Value>, number: &Number, spot: Spot<'_>, found: &mut SchemaVerdict) {
    for (keyword, allowed, words) in [
        ("minimum", [Ordering::Greater, Ordering::Equal].as_slice(), "at least"),
        ("maximum", &[Ordering::Less, Ordering::Equal], "at most"),
        ("exclusiveMinimum", &[Ordering::Greater], "more than"),
        ("exclusiveMaximum", &[Ordering::Less], "less than"),
    ] {
        match schema.get(keyword) {
            None => {}
            Some(Value::Number(bound)) => {
                let fits = compared(number, bound).is_none_or(|order| allowed.contains(&order));
                if !fits {
                    found.add(spot.place, format!("must be {words} {bound}, not {number}"), None);
                }
            }
            Some(_) => found.is_unsure = true,
        }
    }
}

fn text_of(schema: &Map<String, Value>, text: &str, spot: Spot<'_>, found: &mut SchemaVerdict) {
    length(schema, ["minLength", "maxLength"], (text.chars().count(), "character"), spot, found);
    match schema.get("pattern") {
        None => {}
        Some(Value::String(pattern)) => match is_match(pattern, text) {
            Some(true) => {}
            Some(false) => {
                found.add(spot.place, format!("must match the pattern {}", quoted_text(pattern)), None);
            }
            None => found.is_unsure = true,
        },
        Some(_) => found.is_unsure = true,
    }
}

/// Judges by a least and a most count.
pub(super) fn length(
    schema: &Map<String, Value>,
    [least, most]: [&str; 2],
    (count, noun): (usize, &str),
    spot: Spot<'_>,
    found: &mut SchemaVerdict,
) {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    let mut bound = |keyword: &str, words: &str, fits: fn(u64, u64) -> bool| match schema
        .get(keyword)
        .map(whole_number)
    {
        Some(Some(bound)) if !fits(count, bound) => {
            let plural = if bound == 1 { "" } else { "s" };
            found.add(spot.place, format!("must have {words} {bound} {noun}{plural}, not {count}"), None);
        }
        Some(None) => found.is_unsure = true,
        Some(Some(_)) | None => {}
    };
    bound(least, "at least", |count, bound| count >= bound);
    bound(most, "at most", |count, bound| count <= bound);
}

/// Whether a pattern of a schema matches somewhere; `None` for a pattern that is not understood.
pub(super) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    let pattern = RegexBuilder::new(pattern).size_limit(LARGEST_PATTERN).build().ok()?;
    Some(pattern.is_match(text))
}

/// Whether two values are the same; 1 and 1.0 are.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compared(one, other) == Some(Ordering::Equal),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_there =
                |(key, value): (&String, &Value)| other.get(key).is_some_and(|it| is_same(value, it));
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => one == other,
    }
}

fn compared(one: &Number, other: &Number) -> Option<Ordering> {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}
