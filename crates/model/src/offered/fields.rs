//! The fields of an object, as servers in all languages write it.

use serde_json::{Map, Value};

/// The fields of an object. Some languages write an object without fields as an empty list.
pub(super) fn object(value: &mut Value) -> Option<&mut Map<String, Value>> {
    if value.as_array().is_some_and(Vec::is_empty) {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut()
}
