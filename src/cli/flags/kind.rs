//! The values that a flag takes.

use serde_json::{Number, Value};

use crate::model::schema::resolved;

/// The type of a flag's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlagKind {
    /// Any text.
    Text,
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// True by the flag alone.
    Switch,
    /// JSON text; where that is no JSON, the text itself if `or_text`.
    Json {
        /// Whether a string is allowed too.
        or_text: bool,
    },
}

/// The type of a property, whether it is a list of that type, and whether null is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PropertyType {
    pub(super) kind: FlagKind,
    pub(super) is_list: bool,
    pub(super) is_nullable: bool,
}

impl FlagKind {
    /// The value that a text means.
    ///
    /// # Errors
    /// With what it must be.
    pub(super) fn read(self, text: &str) -> Result<Value, &'static str> {
        match self {
            Self::Text => Ok(text.into()),
            Self::Whole => match (text.parse::<i64>(), text.parse::<u64>()) {
                (Ok(number), _) => Ok(number.into()),
                (_, Ok(number)) => Ok(number.into()),
                _ => Err("a whole number"),
            },
            Self::Number => {
                let number: Option<Number> = serde_json::from_str(text).ok();
                number.map(Value::Number).ok_or("a number")
            }
            Self::Switch => text.parse::<bool>().map(Value::Bool).map_err(|_| "true or false"),
            Self::Json { or_text } => match serde_json::from_str(text) {
                Ok(value) => Ok(value),
                Err(_) if or_text => Ok(text.into()),
                Err(_) => Err("JSON text"),
            },
        }
    }

    /// The value as help names it: `TEXT`; none for a flag that takes no value.
    pub(super) fn placeholder(self) -> &'static str {
        match self {
            Self::Text => " TEXT",
            Self::Whole => " N",
            Self::Number => " NUMBER",
            Self::Switch => "",
            Self::Json { .. } => " JSON",
        }
    }
}

impl PropertyType {
    /// The type that a property's schema says; anything unclear takes JSON text.
    pub(super) fn of(root: &Value, property: &Value) -> Self {
        let (property, is_nullable) = without_null(root, resolved(root, property));
        let (kind, nulled) = scalar(property);
        let is_nullable = is_nullable || nulled;
        if names(property) == ["array"]
            && let Some(items @ Value::Object(_)) = property.get("items")
            && let (kind, _) = scalar(resolved(root, items))
            && !matches!(kind, FlagKind::Json { .. })
        {
            return Self { kind, is_list: true, is_nullable };
        }
        Self { kind, is_list: false, is_nullable }
    }
}

/// The one alternative beside null, as `Optional[…]` is written, and whether null was another.
fn without_null<'s>(root: &'s Value, property: &'s Value) -> (&'s Value, bool) {
    let several = ["anyOf", "oneOf"].into_iter().find_map(|key| property.get(key)?.as_array());
    let Some(several) = several else { return (property, false) };
    let others: Vec<&Value> =
        several.iter().map(|one| resolved(root, one)).filter(|one| names(one) != ["null"]).collect();
    match others.as_slice() {
        [one] => (one, several.len() > 1),
        _ => (property, false),
    }
}

fn scalar(property: &Value) -> (FlagKind, bool) {
    let mut names = names(property);
    let is_nullable = names.contains(&"null");
    names.retain(|name| *name != "null");
    let kind = match names.as_slice() {
        ["string"] => FlagKind::Text,
        ["integer"] => FlagKind::Whole,
        ["number"] => FlagKind::Number,
        ["boolean"] => FlagKind::Switch,
        ["array" | "object"] => FlagKind::Json { or_text: false },
        [] => match property.get("enum").and_then(Value::as_array) {
            Some(choices) if choices.iter().all(Value::is_string) => FlagKind::Text,
            _ => FlagKind::Json { or_text: true },
        },
        several => FlagKind::Json { or_text: several.contains(&"string") },
    };
    (kind, is_nullable)
}

/// The types that a schema names.
fn names(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
