//! Types of TypeScript as they are put together.

use std::fmt::Write as _;

use oxc_syntax::identifier::is_identifier_name;
use serde_json::Value;

use crate::model::visible_json;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Type {
    /// Anything.
    Unknown,
    /// Nothing at all.
    Never,
    /// A type that stands for itself beside an operator.
    One(String),
    /// One of several.
    Union(Vec<String>),
}

impl Type {
    pub(super) fn one(text: impl Into<String>) -> Self {
        Self::One(text.into())
    }

    /// A value that fits one of these.
    pub(super) fn union(types: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<String> = Vec::new();
        for one in types {
            let parts = match one {
                Self::Unknown => return Self::Unknown,
                Self::Never => continue,
                Self::One(text) => vec![text],
                Self::Union(parts) => parts,
            };
            for part in parts {
                if !all.contains(&part) {
                    all.push(part);
                }
            }
        }
        match all.len() {
            0 => Self::Never,
            1 => Self::One(all.remove(0)),
            _ => Self::Union(all),
        }
    }

    /// A value that fits all of these.
    pub(super) fn intersection(types: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<Self> = Vec::new();
        for one in types {
            match one {
                Self::Unknown => {}
                Self::Never => return Self::Never,
                one if all.contains(&one) => {}
                one => all.push(one),
            }
        }
        match all.len() {
            0 => Self::Unknown,
            1 => all.remove(0),
            _ => Self::One(all.iter().map(Self::operand).collect::<Vec<_>>().join(" & ")),
        }
    }

    /// A list of these.
    pub(super) fn list(of: &Self) -> Self {
        Self::One(format!("Array<{}>", of.text()))
    }

    /// Any number of these at the end of a tuple. Written as `Array<T>`, the compiler would resolve the whole tuple at
    /// once, and a type that has itself as an item would be an error.
    pub(super) fn rest(of: &Self) -> String {
        let text = of.text();
        let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_word { format!("...{text}[]") } else { format!("...({text})[]") }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Unknown => "unknown".to_owned(),
            Self::Never => "never".to_owned(),
            Self::One(text) => text.clone(),
            Self::Union(parts) => parts.join(" | "),
        }
    }

    /// As it stands beside an operator that binds more closely than `|`.
    fn operand(&self) -> String {
        if matches!(self, Self::Union(_)) { format!("({})", self.text()) } else { self.text() }
    }
}

/// The type that has this value alone.
pub(super) fn literal(value: &Value) -> Type {
    Type::One(match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| literal(item).text()).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let mut text = "{".to_owned();
            for (name, value) in members {
                // Writing to a string does not fail.
                let _ = write!(text, " {}: {};", key(name), literal(value).text());
            }
            text + " }"
        }
        Value::String(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    })
}

/// The name of a member.
pub(super) fn key(name: &str) -> String {
    if name.is_ascii() && is_identifier_name(name) { name.to_owned() } else { quoted(name) }
}

/// A text between quotes, in which nothing hides.
fn quoted(text: &str) -> String {
    visible_json(&Value::from(text).to_string()).replace(['\n', '\t'], " ")
}
