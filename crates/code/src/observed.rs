//! The shapes of earlier results, for tools whose servers declare none: names and types, never values.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::model::ToolName;
use crate::project::{Project, ProjectSettings};
use crate::sys::Cache;

/// The largest file of shapes, in bytes.
const LARGEST: u64 = 1 << 20;
/// The limits of a shape: its depth, the members of an object before it is a dictionary, and the items of a
/// list.
const DEPTH: usize = 6;
const MEMBERS: usize = 40;
const ITEMS: usize = 50;
/// The longest name that is kept.
const LONGEST_NAME: usize = 40;
/// How many kinds of value one place may have before it is anything.
const KINDS: usize = 4;

/// The shapes that the results of a project's tools had, by qualified name.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    shapes: BTreeMap<String, Value>,
    is_changed: bool,
}

impl Shapes {
    /// Those that are known.
    pub(super) fn of(project: &Project) -> Self {
        let cache = Cache::of(&project.context.environment, "shapes");
        let bytes = cache.and_then(|cache| cache.read(&file(&project.settings), LARGEST));
        let shapes = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self { shapes, is_changed: false }
    }

    /// The shape of a tool's results, as a JSON Schema.
    pub(super) fn shape(&self, tool: &ToolName) -> Option<Value> {
        self.shapes.get(&tool.to_string()).cloned()
    }

    /// Takes a result of a tool. A text says nothing.
    pub(super) fn observe(&mut self, tool: &ToolName, value: &Value) {
        if !value.is_object() && !value.is_array() {
            return;
        }
        let seen = shape(value, DEPTH);
        let before = self.shapes.get(&tool.to_string());
        let merged = before.map_or_else(|| seen.clone(), |before| merged(before, &seen));
        if before != Some(&merged) {
            self.shapes.insert(tool.to_string(), merged);
            self.is_changed = true;
        }
    }

    /// Writes what is new. Where that cannot be done, it is observed again.
    pub(super) fn keep(self, project: &Project) {
        if !self.is_changed {
            return;
        }
        // Another execution may have observed other tools meanwhile.
        let mut all = Self::of(project).shapes;
        for (tool, seen) in self.shapes {
            let merged = all.get(&tool).map_or_else(|| seen.clone(), |before| merged(before, &seen));
            all.insert(tool, merged);
        }
        if let (Some(cache), Ok(bytes)) =
            (Cache::of(&project.context.environment, "shapes"), serde_json::to_vec(&all))
        {
            let _ = cache.write(&file(&project.settings), &bytes);
        }
    }
}

/// The file of a project.
fn file(settings: &ProjectSettings) -> String {
    format!("{}.json", &blake3::hash(settings.root.as_os_str().as_encoded_bytes()).to_hex()[..32])
}

fn shape(value: &Value, depth: usize) -> Value {
    match value {
        Value::Null => json!({"type": "null"}),
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(_) => json!({"type": "number"}),
        Value::String(_) => json!({"type": "string"}),
        _ if depth == 0 => json!({}),
        Value::Array(items) => {
            let items = items.iter().take(ITEMS).map(|item| shape(item, depth - 1));
            // An empty list says nothing of its items.
            match items.reduce(|one, other| merged(&one, &other)) {
                Some(items) => json!({"type": "array", "items": items}),
                None => json!({"type": "array"}),
            }
        }
        Value::Object(members) if is_dictionary(members) => {
            dictionary(members.values().map(|one| shape(one, depth - 1)))
        }
        Value::Object(members) => {
            let properties: Map<String, Value> =
                members.iter().map(|(name, member)| (name.clone(), shape(member, depth - 1))).collect();
            let required: Vec<&String> = members.keys().collect();
            json!({"type": "object", "properties": properties, "required": required})
        }
    }
}

/// Whether the names of members are data themselves: there are many of them, or they are no words.
fn is_dictionary(members: &Map<String, Value>) -> bool {
    let is_word = |name: &String| {
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$');
        let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '-'));
        begins
            && goes_on
            && name.len() <= LONGEST_NAME
            && name.chars().filter(char::is_ascii_digit).count() < 4
    };
    members.len() > MEMBERS || !members.keys().all(is_word)
}

fn dictionary(members: impl Iterator<Item = Value>) -> Value {
    let member = members.take(ITEMS).reduce(|one, other| merged(&one, &other));
    json!({"type": "object", "additionalProperties": member.unwrap_or_else(|| json!({}))})
}

/// The shape that covers both.
fn merged(one: &Value, other: &Value) -> Value {
    if one == other {
        return one.clone();
    }
    let kinds = |shape: &Value| match shape.get("anyOf").and_then(Value::as_array) {
        Some(kinds) => kinds.clone(),
        None => vec![shape.clone()],
    };
    let mut all: Vec<Value> = kinds(one);
    for kind in kinds(other) {
        let alike = all.iter_mut().find(|known| known.get("type") == kind.get("type"));
        match alike {
            Some(known) => *known = both(known, &kind),
            None => all.push(kind),
        }
    }
    match all.len() {
        1 => all.remove(0),
        count if count > KINDS || all.iter().any(|kind| kind.get("type").is_none()) => json!({}),
        _ => json!({ "anyOf": all }),
    }
}

/// Two shapes of one type.
fn both(one: &Value, other: &Value) -> Value {
    let part = |shape: &Value, key: &str| shape.get(key).cloned();
    match one.get("type").and_then(Value::as_str) {
        Some("array") => match (part(one, "items"), part(other, "items")) {
            (Some(one), Some(other)) => json!({"type": "array", "items": merged(&one, &other)}),
            (Some(items), None) | (None, Some(items)) => json!({"type": "array", "items": items}),
            (None, None) => one.clone(),
        },
        Some("object") => {
            let (a, b) = (one.get("properties"), other.get("properties"));
            let (Some(Value::Object(a)), Some(Value::Object(b))) = (a, b) else {
                let members = [one, other].into_iter().flat_map(|shape| {
                    let named = shape.get("properties").and_then(Value::as_object);
                    let named =
                        named.into_iter().flat_map(|named| named.values().cloned().collect::<Vec<_>>());
                    part(shape, "additionalProperties").into_iter().chain(named)
                });
                return dictionary(members);
            };
            let mut properties = a.clone();
            for (name, shape) in b {
                let merged = properties.get(name).map_or_else(|| shape.clone(), |known| merged(known, shape));
                properties.insert(name.clone(), merged);
            }
            if properties.len() > MEMBERS {
                return dictionary(properties.into_iter().map(|(_, shape)| shape));
            }
            let names =
                |shape: &Value| shape.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let theirs = names(other);
            let required: Vec<Value> = names(one).into_iter().filter(|name| theirs.contains(name)).collect();
            json!({"type": "object", "properties": properties, "required": required})
        }
        _ => one.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[Value]) -> Value {
        values.iter().map(|value| shape(value, DEPTH)).reduce(|one, other| merged(&one, &other)).unwrap()
    }

    #[test]
    fn no_value_is_in_a_shape() {
        let value = json!({"token": "sk-secret", "list": [{"mail": "a@b.c"}], "by_id": {"4711": true, "alice@b.c": false}});
        let text = shape(&value, DEPTH).to_string();
        for secret in ["sk-secret", "a@b.c", "4711", "alice"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        assert!(text.contains("token") && text.contains("by_id"));
    }

    #[test]
    fn several_results_make_one_shape() {
        let seen = of(&[json!({"a": 1, "b": [1]}), json!({"a": "x", "c": null}), json!({"a": 2, "b": []})]);
        let expected = json!({
            "type": "object",
            "properties": {
                "a": {"anyOf": [{"type": "number"}, {"type": "string"}]},
                "b": {"type": "array", "items": {"type": "number"}},
                "c": {"type": "null"},
            },
            "required": ["a"],
        });
        assert_eq!(seen, expected);
    }

    #[test]
    fn many_members_are_a_dictionary_and_many_kinds_are_anything() {
        let wide: Map<String, Value> = (0..100).map(|at| (format!("key{at}"), json!(at))).collect();
        assert_eq!(of(&[wide.into()]), json!({"type": "object", "additionalProperties": {"type": "number"}}));
        let kinds = [json!([1]), json!(["a"]), json!([true]), json!([null]), json!([{}]), json!([[]])];
        assert_eq!(of(&kinds), json!({"type": "array", "items": {}}));
    }
}
