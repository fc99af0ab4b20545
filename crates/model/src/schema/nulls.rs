//! `null` for an argument that may be left out.

use serde_json::{Map, Value};

use super::judge::fits;
use super::reference::resolved;

/// The value without each `null` that its schema refuses in a place that may be empty: many clients write `null` for an
/// argument that they do not give.
pub fn without_nulls(schema: &Value, mut value: Value) -> Value {
    if let Value::Object(fields) = &mut value {
        strip(schema, schema, fields);
    }
    value
}

fn strip(root: &Value, schema: &Value, fields: &mut Map<String, Value>) {
    let schema = resolved(root, schema);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let required = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    fields.retain(|name, value| match (properties.get(name), value) {
        (Some(property), Value::Null) => {
            required.iter().any(|required| required == name) || fits(root, property, &Value::Null)
        }
        (Some(property), Value::Object(inner)) => {
            strip(root, property, inner);
            true
        }
        _ => true,
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_null_is_left_out_where_the_schema_refuses_it_and_nothing_is_required() {
        let schema = json!({
            "type": "object", "required": ["must"], "$defs": {"text": {"type": "string"}},
            "properties": {
                "text": {"$ref": "#/$defs/text"}, "must": {"type": "string"}, "either": {"type": ["string", "null"]},
                "any": {}, "inner": {"type": "object", "properties": {"n": {"type": "integer"}}},
            },
        });
        let given = json!({
            "text": null, "must": null, "either": null, "any": null, "unknown": null, "inner": {"n": null, "m": null},
        });
        let expected =
            json!({"must": null, "either": null, "any": null, "unknown": null, "inner": {"m": null}});
        assert_eq!(without_nulls(&schema, given), expected);
        assert_eq!(without_nulls(&json!(true), json!({"a": null})), json!({"a": null}));
    }
}
