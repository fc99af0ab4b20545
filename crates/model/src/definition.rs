//! The definition of a tool by another MCP server, and the digest that it is pinned by.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value};

/// The fields that a reader sees first, as text.
const FIRST: [&str; 3] = ["name", "title", "description"];

/// A server's definition of one of its tools. The one that came is pinned; agents see it in the form that clients take.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    raw: Arc<Value>,
    offered: Arc<Value>,
    digest: Arc<str>,
}

impl Definition {
    /// The definition as the server wrote it.
    pub fn new(raw: Arc<Value>) -> Self {
        // The order of keys has no meaning, and some servers change it at each start.
        let digest = blake3::hash(sorted(&raw).to_string().as_bytes()).to_hex();
        Self { offered: Arc::clone(&raw), raw, digest: digest.as_str().into() }
    }

    /// The same definition, offered in this form.
    #[must_use]
    pub fn offered_as(self, offered: Value) -> Self {
        // Most are valid as they came, and a list has thousands.
        if offered == *self.raw { self } else { Self { offered: Arc::new(offered), ..self } }
    }

    /// The JSON that clients get, but for its name.
    pub fn offered(&self) -> &Value {
        &self.offered
    }

    /// The JSON as it came.
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The server's name of the tool.
    pub fn name(&self) -> &str {
        self.raw.get(FIRST[0]).and_then(Value::as_str).unwrap_or_default()
    }

    /// The blake3 hash of the whole definition in hex, independent of the order of its keys.
    pub fn digest(&self) -> &Arc<str> {
        &self.digest
    }

    /// The definition for people to read and compare: name, title and description as text, then everything else as JSON.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut rest = sorted(&self.raw);
        for field in FIRST {
            let Some(Value::String(value)) = rest.get(field).cloned() else { continue };
            let value = if value.contains('\n') {
                format!("\n{value}").replace('\n', "\n  ")
            } else {
                format!(" {value}")
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{field}:{value}");
            rest.as_object_mut().and_then(|fields| fields.shift_remove(field));
        }
        let _ = writeln!(text, "{rest:#}");
        text
    }
}

impl From<Arc<Value>> for Definition {
    fn from(raw: Arc<Value>) -> Self {
        Self::new(raw)
    }
}

/// The same value with the keys of each object in alphabetical order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            let fields = fields.into_iter().map(|(key, value)| (key.clone(), sorted(value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(values) => Value::Array(values.iter().map(sorted).collect()),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(raw: Value) -> Definition {
        Definition::new(Arc::new(raw))
    }

    #[test]
    fn the_digest_covers_every_value_and_ignores_the_order_of_keys() {
        let definition = of(json!({"name": "buy", "inputSchema": {"type": "object", "title": "x"}}));
        let turned = of(json!({"inputSchema": {"title": "x", "type": "object"}, "name": "buy"}));
        assert_eq!((definition.digest(), definition.name()), (turned.digest(), "buy"));
        for other in [
            json!({"name": "buy", "inputSchema": {"type": "object", "title": "y"}}),
            json!({"name": "buy", "inputSchema": {"type": "object", "title": "x"}, "title": "x"}),
            json!({"name": "buy", "inputSchema": {"type": "object", "title": "x"}, "_meta": {}}),
            json!({"name": "buy", "inputSchema": {"type": ["object"], "title": "x"}}),
            json!({"name": "bUy", "inputSchema": {"type": "object", "title": "x"}}),
        ] {
            assert_ne!(of(other.clone()).digest(), definition.digest(), "{other}");
        }
    }

    #[test]
    fn people_read_the_description_line_by_line_and_then_the_rest() {
        let raw = json!({
            "description": "Buys.\n\nname: not this", "name": "buy", "inputSchema": {"type": "object", "a": 1},
        });
        insta::assert_snapshot!(of(raw).text(), @r#"
        name: buy
        description:
          Buys.
          
          name: not this
        {
          "inputSchema": {
            "a": 1,
            "type": "object"
          }
        }
        "#);
    }
}
