//! Arguments that a call over HTTP carries as headers too: the `x-mcp-header` annotations of a schema (2026-07-28).

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::model::shown;

const ANNOTATION: &str = "x-mcp-header";
/// Keywords whose values are data and no schemas.
const DATA: [&str; 4] = ["default", "const", "enum", "examples"];
/// Keywords whose values are schemas by name.
const NAMED: [&str; 4] = ["$defs", "definitions", "dependentSchemas", "patternProperties"];

/// An argument that is sent as a header.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParameterHeader {
    /// The names of the properties on the way to the argument.
    path: Vec<String>,
    /// The name of the header after `Mcp-Param-`.
    name: String,
}

/// The annotations of a server's tools by name.
#[derive(Debug, Default)]
pub(super) struct ParameterHeaders(Mutex<BTreeMap<String, Vec<ParameterHeader>>>);

impl ParameterHeaders {
    /// Takes the names and schemas of a list's tools in place of those before.
    pub(super) fn set<'a>(&self, tools: impl Iterator<Item = (&'a str, &'a Value)>) {
        let annotated = tools.filter_map(|(name, schema)| {
            let headers = annotations(schema).unwrap_or_default();
            (!headers.is_empty()).then(|| (name.to_owned(), headers))
        });
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = annotated.collect();
    }

    /// The headers of a call: names after `Mcp-Param-`, and values. An argument that is absent or null has none.
    #[cfg(feature = "http")]
    pub(super) fn of(&self, tool: &str, arguments: &Value) -> Vec<(String, String)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let headers = known.get(tool).into_iter().flatten().filter_map(|header| {
            let value = header.path.iter().try_fold(arguments, |value, name| value.get(name))?;
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                Value::Null | Value::Array(_) | Value::Object(_) => return None,
            };
            Some((header.name.clone(), text))
        });
        headers.collect()
    }
}

/// The annotations of a schema.
///
/// # Errors
/// In words, when one is invalid: no token, used twice, not on a string, an integer or a boolean, or not reached through
/// `properties` alone.
pub(super) fn annotations(schema: &Value) -> Result<Vec<ParameterHeader>, String> {
    if schema.get(ANNOTATION).is_some() || is_elsewhere(schema, true) {
        return Err(format!("{ANNOTATION} is at a place that no argument is certain to have"));
    }
    let (mut headers, mut names) = (Vec::new(), HashSet::new());
    collect(schema, &mut Vec::new(), &mut headers)?;
    match headers.iter().find(|header| !names.insert(header.name.to_ascii_lowercase())) {
        Some(twice) => Err(format!("two arguments have the same {ANNOTATION} {:?}", twice.name)),
        None => Ok(headers),
    }
}

fn collect(schema: &Value, path: &mut Vec<String>, headers: &mut Vec<ParameterHeader>) -> Result<(), String> {
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        path.push(name.clone());
        if let Some(annotation) = property.get(ANNOTATION) {
            let header = annotation.as_str().filter(|header| is_token(header));
            let Some(header) = header else {
                let annotation = shown(&annotation.to_string());
                return Err(format!(
                    "{ANNOTATION} of \"{}\" must be the name of a header, and is {annotation}",
                    shown(name)
                ));
            };
            let kind = property.get("type").and_then(Value::as_str);
            if !matches!(kind, Some("string" | "integer" | "boolean")) {
                return Err(format!(
                    "\"{}\" has {ANNOTATION} and is no string, integer or boolean",
                    shown(name)
                ));
            }
            headers.push(ParameterHeader { path: path.clone(), name: header.to_owned() });
        }
        collect(property, path, headers)?;
        path.pop();
    }
    Ok(())
}

/// Whether a schema has an annotation that `properties` alone do not lead to.
fn is_elsewhere(schema: &Value, is_on_way: bool) -> bool {
    match schema {
        Value::Object(fields) => fields.iter().any(|(key, value)| match key.as_str() {
            ANNOTATION => !is_on_way,
            "properties" => schemas(value).any(|schema| is_elsewhere(schema, is_on_way)),
            key if NAMED.contains(&key) => schemas(value).any(|schema| is_elsewhere(schema, false)),
            key if DATA.contains(&key) => false,
            _ => is_elsewhere(value, false),
        }),
        Value::Array(schemas) => schemas.iter().any(|schema| is_elsewhere(schema, false)),
        _ => false,
    }
}

fn schemas(named: &Value) -> impl Iterator<Item = &Value> {
    named.as_object().into_iter().flat_map(serde_json::Map::values)
}

/// Whether a text can be the name of a header (RFC 9110 §5.6.2).
fn is_token(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_letter)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn invalid_annotations_are_found_wherever_they_are() {
        for (schema, reason) in [
            (json!({"properties": {"a": {"type": "string", "x-mcp-header": ""}}}), "name of a header"),
            (json!({"properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}), "name of a header"),
            (json!({"properties": {"a": {"type": "string", "x-mcp-header": 7}}}), "name of a header"),
            (json!({"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}), "no string"),
            (json!({"properties": {"a": {"x-mcp-header": "A"}}}), "no string"),
            (json!({"x-mcp-header": "A"}), "at a place"),
            (json!({"properties": {"a": {"items": {"type": "string", "x-mcp-header": "A"}}}}), "at a place"),
            (json!({"$defs": {"a": {"type": "string", "x-mcp-header": "A"}}}), "at a place"),
            (
                json!({"anyOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]}),
                "at a place",
            ),
            (
                json!({"properties": {
                    "a": {"type": "string", "x-mcp-header": "Region"}, "b": {"type": "string", "x-mcp-header": "REGION"},
                }}),
                "same",
            ),
        ] {
            let error = annotations(&schema).unwrap_err();
            assert!(error.contains(reason), "{schema}: {error}");
        }
        let data =
            json!({"default": {"x-mcp-header": 1}, "properties": {"x-mcp-header": {"type": "string"}}});
        assert_eq!(annotations(&data), Ok(Vec::new()));
    }

    #[test]
    #[cfg(feature = "http")]
    fn arguments_become_headers_and_null_does_not() {
        let schema = json!({"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "where": {"type": "object", "properties": {"floor": {"type": "integer", "x-mcp-header": "Floor"}}},
            "dry": {"type": "boolean", "x-mcp-header": "Dry"}, "none": {"type": "string", "x-mcp-header": "None"},
        }});
        let headers = ParameterHeaders::default();
        headers.set(std::iter::once(("buy", &schema)));
        let arguments = json!({"region": "eu", "where": {"floor": 4}, "dry": true, "none": null});
        let pairs = headers.of("buy", &arguments);
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(pairs, [("Region", "eu"), ("Floor", "4"), ("Dry", "true")]);
        assert!(headers.of("sell", &arguments).is_empty());
    }
}
