//! Schemas that all clients compile.
//!
//! Clients compile the schemas of results when they list the tools, each with a validator of its own, and one that cannot
//! be compiled costs the whole list. So a schema goes out where every keyword has the form that the standard gives it.

use std::collections::HashSet;

use serde_json::Value;

use super::pattern;
use super::schema_keywords::{KeywordForm, form};
use crate::schema::{named, resolved};
use crate::shown;

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Checks that a schema can be compiled.
///
/// # Errors
/// The reason, with the keyword.
pub(super) fn check(root: &Value) -> Result<(), String> {
    Checker { root, followed: HashSet::new() }.schema(root)
}

/// Walks a schema, and what its references name.
struct Checker<'s> {
    root: &'s Value,
    followed: HashSet<&'s str>,
}

impl<'s> Checker<'s> {
    fn schema(&mut self, schema: &'s Value) -> Result<(), String> {
        match schema {
            Value::Bool(_) => Ok(()),
            Value::Object(fields) => {
                for (keyword, value) in fields {
                    self.keyword(keyword, value)?;
                }
                let kinds = fields.get("type").map_or(&[][..], kinds);
                match fields.get("nullable") {
                    Some(_) if kinds.is_empty() => Err("has `nullable` without `type`".to_owned()),
                    Some(Value::Bool(false)) if kinds.iter().any(|kind| kind == "null") => {
                        Err("has `nullable` that contradicts its `type`".to_owned())
                    }
                    _ => Ok(()),
                }
            }
            _ => Err("has no schema where one belongs".to_owned()),
        }
    }

    fn keyword(&mut self, keyword: &'s str, value: &'s Value) -> Result<(), String> {
        let is_fitting = match form(keyword) {
            KeywordForm::Anything => true,
            KeywordForm::Nothing => false,
            KeywordForm::Text => value.is_string(),
            KeywordForm::Flag => value.is_boolean(),
            KeywordForm::Number => value.is_number(),
            KeywordForm::Divisor => value.as_f64().is_some_and(|number| number > 0.0),
            KeywordForm::Count => value.is_u64(),
            KeywordForm::Types => is_types(kinds(value)),
            KeywordForm::List => value.is_array(),
            KeywordForm::Values => value.as_array().is_some_and(|values| !values.is_empty()),
            KeywordForm::Texts => is_texts(value),
            KeywordForm::TextsByName => value.as_object().is_some_and(|lists| lists.values().all(is_texts)),
            KeywordForm::Pattern => value.as_str().is_some_and(pattern::is_portable),
            KeywordForm::Schema => return self.schema(value),
            KeywordForm::Schemas => match value.as_array().filter(|schemas| !schemas.is_empty()) {
                Some(schemas) => return schemas.iter().try_for_each(|schema| self.schema(schema)),
                None => false,
            },
            KeywordForm::SchemaByName | KeywordForm::SchemaByPattern | KeywordForm::Dependencies => {
                return self.named_schemas(keyword, value);
            }
            KeywordForm::Reference => match value.as_str().map(|reference| self.reference(reference)) {
                Some(checked) => return checked,
                None => false,
            },
        };
        if is_fitting {
            Ok(())
        } else {
            Err(format!("has a keyword that clients cannot compile: `{}`", shown(keyword)))
        }
    }

    fn named_schemas(&mut self, keyword: &'s str, value: &'s Value) -> Result<(), String> {
        let Value::Object(schemas) = value else {
            return Err(format!("has a keyword that clients cannot compile: `{}`", shown(keyword)));
        };
        for (name, schema) in schemas {
            match form(keyword) {
                KeywordForm::SchemaByPattern if !pattern::is_portable(name) => {
                    return Err(format!("has a pattern that clients cannot compile: {}", shown(name)));
                }
                KeywordForm::Dependencies if is_texts(schema) => {}
                _ => self.schema(schema)?,
            }
        }
        Ok(())
    }

    /// Checks the schema that a reference names, once.
    fn reference(&mut self, reference: &'s str) -> Result<(), String> {
        let target = named(self.root, reference).filter(|target| {
            // One that names nothing but another reference, and that this one, has no meaning.
            resolved(self.root, target).get("$ref").is_none()
        });
        match target {
            Some(target) if self.followed.insert(reference) => self.schema(target),
            Some(_) => Ok(()),
            None => Err(format!("has a reference that leads nowhere: {}", shown(reference))),
        }
    }
}

/// The types that `type` lists.
fn kinds(value: &Value) -> &[Value] {
    match value {
        Value::Array(kinds) => kinds,
        kind => std::slice::from_ref(kind),
    }
}

fn is_types(kinds: &[Value]) -> bool {
    let is_type = |kind: &Value| kind.as_str().is_some_and(|kind| TYPES.contains(&kind));
    !kinds.is_empty() && kinds.iter().all(is_type) && are_distinct(kinds)
}

fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|texts| texts.iter().all(Value::is_string) && are_distinct(texts))
}

/// Whether no two of these texts are equal.
fn are_distinct(texts: &[Value]) -> bool {
    let mut seen = HashSet::new();
    texts.iter().all(|text| seen.insert(text.as_str()))
}
