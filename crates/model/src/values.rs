//! Given values, read by the fields that declare them.

mod program;
mod project_paths;
mod shared;

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Default, Field};

/// Values that were checked against their fields. Copies share them until one is changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values(pub(super) Arc<Map<String, Value>>);

impl Values {
    /// Values that are known to fit, such as those of a [`Suggestion`](super::Suggestion).
    pub fn of<'a>(pairs: impl IntoIterator<Item = (&'a Field, Value)>) -> Self {
        let values: Map<String, Value> =
            pairs.into_iter().map(|(field, value)| (field.name.to_owned(), value)).collect();
        Self(values.into())
    }

    /// The same values with one more, which wins over an earlier one of its name.
    #[must_use]
    pub fn with(mut self, field: &Field, value: Value) -> Self {
        Arc::make_mut(&mut self.0).insert(field.name.to_owned(), value);
        self
    }

    /// The same values with this field as other values have it, given or not.
    #[must_use]
    pub fn taking(mut self, field: &Field, from: &Self) -> Self {
        let own = Arc::make_mut(&mut self.0);
        match from.0.get(field.name) {
            Some(value) => _ = own.insert(field.name.to_owned(), value.clone()),
            None => _ = own.shift_remove(field.name),
        }
        self
    }

    /// The given value of a field, as it was given.
    pub fn value(&self, field: &Field) -> Option<&Value> {
        self.0.get(field.name)
    }

    /// Whether the field was given.
    pub fn has(&self, field: &Field) -> bool {
        self.value(field).is_some()
    }

    /// Everything that was given, in the order it was.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// A string, or the field's default.
    pub fn text(&self, field: &Field) -> &str {
        match (self.value(field), field.default) {
            (Some(Value::String(text)), _) => text,
            (None, Default::Text(text)) => text,
            _ => "",
        }
    }

    /// A whole number, or the field's default.
    pub fn integer(&self, field: &Field) -> u64 {
        match (self.value(field), field.default) {
            (Some(value), _) => value.as_u64().unwrap_or_default(),
            (None, Default::Integer(number)) => number,
            _ => 0,
        }
    }

    /// A truth value, or the field's default.
    pub fn flag(&self, field: &Field) -> bool {
        match (self.value(field), field.default) {
            (Some(value), _) => value.as_bool().unwrap_or_default(),
            (None, Default::Flag(flag)) => flag,
            _ => false,
        }
    }

    /// A list of strings; a comma-separated string counts as its parts.
    pub fn texts(&self, field: &Field) -> Vec<&str> {
        match self.value(field) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            _ => self.text(field).split(',').map(str::trim).filter(|part| !part.is_empty()).collect(),
        }
    }

    /// Names and strings, in the order they were given.
    pub fn pairs(&self, field: &Field) -> Vec<(&str, &str)> {
        match self.value(field) {
            Some(Value::Object(pairs)) => {
                pairs.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect()
            }
            _ => Vec::new(),
        }
    }
}
