//! One flag for each top-level property of a schema.

use std::borrow::Cow;

use serde_json::Value;

use super::kind::{FlagKind, PropertyType};
use crate::cli::arguments::run_options;
use crate::model::schema::resolved;
use crate::model::{nearest, one_line};

/// A flag for one argument of another MCP server's tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says another thing of a flag")]
pub(in crate::cli) struct Flag {
    /// The argument's own name.
    pub(in crate::cli) property: String,
    /// The name that people type, without dashes: `max-results`.
    pub(in crate::cli) name: String,
    /// The type of its value, or of each of its values.
    pub(super) kind: FlagKind,
    /// Whether it may be given several times.
    pub(in crate::cli) is_list: bool,
    /// Whether null is a value of it.
    pub(super) is_nullable: bool,
    /// Whether the tool needs it.
    pub(in crate::cli) is_required: bool,
    /// The only values that it takes; empty for any.
    pub(in crate::cli) choices: Vec<String>,
    /// The server's description, in one line.
    pub(in crate::cli) about: String,
    /// Whether `cuff run` has an option of this name, so that it counts only after `--`.
    pub(in crate::cli) is_shadowed: bool,
}

impl Flag {
    /// The flag with its value, as help shows it: `--labels TEXT …`.
    pub(in crate::cli) fn usage(&self) -> String {
        let more = if self.is_list { " …" } else { "" };
        format!("--{}{}{more}", self.name, self.kind.placeholder())
    }

    /// Whether it is true without a value.
    pub(in crate::cli) fn is_switch(&self) -> bool {
        self.kind == FlagKind::Switch
    }

    /// Everything that is known of it, in one line.
    pub(in crate::cli) fn details(&self) -> String {
        let choices = (!self.choices.is_empty()).then(|| format!("one of {}", self.choices.join(", ")));
        let shadowed =
            self.is_shadowed.then(|| "after `--`, since `cuff run` has an option of this name".to_owned());
        let required = self.is_required.then(|| "required".to_owned());
        let facts: Vec<String> = required.into_iter().chain(choices).chain(shadowed).collect();
        let facts = if facts.is_empty() { String::new() } else { format!(" [{}]", facts.join("; ")) };
        format!("{}{facts}", self.about).trim_start().to_owned()
    }
}

/// The flags of a tool, in the order of its schema.
pub(in crate::cli) fn flags(schema: &Value) -> Vec<Flag> {
    let object = resolved(schema, schema);
    let required: Vec<&str> = object
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let own = run_options();
    let properties = object.get("properties").and_then(Value::as_object);
    let names: Vec<&String> = properties.into_iter().flat_map(|properties| properties.keys()).collect();
    let flag = |(property, inner): (&String, &Value)| {
        let PropertyType { kind, is_list, is_nullable } = PropertyType::of(schema, inner);
        let kebab = kebab(property);
        let is_shared = names.iter().any(|other| *other != property && bare(other) == bare(property));
        let name = if is_shared { property.clone() } else { kebab };
        Flag {
            is_shadowed: own.contains(&name),
            property: property.clone(),
            kind,
            is_list,
            is_nullable,
            is_required: required.contains(&property.as_str()),
            choices: choices(schema, inner),
            about: about(schema, inner),
            name,
        }
    };
    properties.into_iter().flatten().map(flag).collect()
}

/// The flag that a typed name means: the property itself, or in another spelling where that is one property's alone.
///
/// # Errors
/// With the name of the nearest flag, where one is near.
pub(in crate::cli) fn find<'f>(flags: &'f [Flag], typed: &str) -> Result<&'f Flag, Option<&'f str>> {
    let exact = flags
        .iter()
        .find(|flag| flag.property == typed)
        .or_else(|| flags.iter().find(|flag| flag.name == typed));
    if let Some(flag) = exact {
        return Ok(flag);
    }
    let mut alike = flags.iter().filter(|flag| bare(&flag.property) == bare(typed));
    match (alike.next(), alike.next()) {
        (Some(flag), None) => Ok(flag),
        _ => Err(nearest(typed, flags.iter().map(|flag| flag.name.as_str()))),
    }
}

/// `maxResults` and `max_results` as `max-results`.
fn kebab(property: &str) -> String {
    let mut name = String::new();
    let mut before = None;
    for letter in property.chars() {
        let begins_word =
            letter.is_uppercase() && before.is_some_and(|c: char| c.is_lowercase() || c.is_ascii_digit());
        if begins_word {
            name.push('-');
        }
        match letter {
            '_' | ' ' => name.push('-'),
            other => name.extend(other.to_lowercase()),
        }
        before = Some(letter);
    }
    name
}

/// A name as it is compared: without case and separators.
fn bare(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

fn choices(root: &Value, property: &Value) -> Vec<String> {
    let property = resolved(root, property);
    let of = |schema: &Value| schema.get("enum").and_then(Value::as_array).cloned();
    let inner = ["anyOf", "oneOf"].into_iter().find_map(|key| property.get(key)?.as_array());
    let inner = inner.and_then(|several| several.iter().find_map(|one| of(resolved(root, one))));
    let items = || property.get("items").and_then(|items| of(resolved(root, items)));
    let choices = of(property).or(inner).or_else(items).unwrap_or_default();
    let text = |choice: &Value| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned);
    choices.iter().filter(|choice| !choice.is_null()).map(text).collect()
}

fn about(root: &Value, property: &Value) -> String {
    text(property).or_else(|| text(resolved(root, property))).unwrap_or_default().into_owned()
}

fn text(schema: &Value) -> Option<Cow<'_, str>> {
    schema.get("description").and_then(Value::as_str).and_then(one_line)
}
