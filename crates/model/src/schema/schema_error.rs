//! One thing in a value that a schema does not allow.

use serde_json::Value;

use crate::{one_line, shown};

/// How many misfits of one call are reported.
const MOST_REPORTED: usize = 8;
/// The longest value that a message quotes, in characters.
const LONGEST_VALUE: usize = 40;

/// One thing in a value that a schema does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The way to it as people write it: `labels[1]`; empty for the whole value.
    pub place: String,
    /// The rest of the sentence: `must be a string, not 5`.
    pub wrong: String,
    /// The way to correct it.
    pub help: Option<String>,
}

impl SchemaError {
    /// The error and its place: `` `labels[1]` must be a string, not 5 ``.
    pub fn sentence(&self) -> String {
        match self.place.as_str() {
            "" => format!("the arguments {}", self.wrong),
            place => format!("`{}` {}", shown(place), self.wrong),
        }
    }

    /// All errors in one line; of many misfits the first ones.
    pub fn summary(misfits: &[Self]) -> String {
        let first: Vec<String> = misfits.iter().take(MOST_REPORTED).map(Self::sentence).collect();
        let more = misfits.len() - first.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        first.join("; ") + &more
    }
}

/// A value as messages quote it: `5`, `"open"`, `a list`.
pub(super) fn quoted(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > LONGEST_VALUE => "a long string".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => shown(&value.to_string()),
    }
}

/// A text of the schema, fit for a message.
pub(super) fn quoted_text(text: &str) -> String {
    shown(&one_line(text).unwrap_or_default())
}
