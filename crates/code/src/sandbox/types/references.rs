//! The parts of a schema that have a name, since something refers to them, and which of them go round in circles.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use crate::model::schema::named;
use crate::sandbox::names::{camel_case, pascal_case};

/// How deep schemas may lie in one another. The rest is `unknown`.
pub(super) const DEEPEST: usize = 24;

/// The keywords whose schemas are about the very value that the schema is about.
const SAME_VALUE: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// The named parts of one schema. The whole has a name as well.
pub(super) struct References<'s> {
    root: &'s Value,
    whole: String,
    /// The type that each reference stands for, in the order in which they were met.
    types: Vec<(String, String)>,
}

impl<'s> References<'s> {
    /// For a schema whose whole is a type of this name.
    pub(super) fn new(root: &'s Value, whole: &str) -> Self {
        Self { root, whole: whole.to_owned(), types: Vec::new() }
    }

    /// The type that a reference stands for; `None` where it leads nowhere. One that is met first gets a name that is
    /// not taken.
    pub(super) fn type_name(&mut self, reference: &str, taken: &mut BTreeSet<String>) -> Option<String> {
        let target = named(self.root, reference)?;
        if std::ptr::eq(target, self.root) {
            return Some(self.whole.clone());
        }
        if let Some((_, name)) = self.types.iter().find(|(known, _)| known == reference) {
            return Some(name.clone());
        }
        let last = reference.rsplit(['/', '#']).next().unwrap_or_default().trim_end_matches('_');
        let wanted = self.whole.clone() + &pascal_case(camel_case(last).trim_end_matches('_'));
        let name = free(&wanted, taken);
        self.types.push((reference.to_owned(), name.clone()));
        Some(name)
    }

    /// The reference that got a name as this one in turn, its type and its schema.
    pub(super) fn nth(&self, at: usize) -> Option<(String, String, &'s Value)> {
        let (reference, name) = self.types.get(at)?;
        Some((reference.clone(), name.clone(), named(self.root, reference)?))
    }

    /// Whether a type that is nothing but a reference to this one, or a choice with it, would be defined by
    /// itself. `from` is the reference of the type that is being defined.
    pub(super) fn is_circular(&self, from: &str, reference: &str) -> bool {
        let target = named(self.root, from);
        let mut seen = HashSet::new();
        let mut open = vec![reference];
        while let Some(reference) = open.pop() {
            let Some(schema) = named(self.root, reference) else { continue };
            if target.is_some_and(|target| std::ptr::eq(schema, target)) {
                return true;
            }
            if seen.insert(reference) {
                open.extend(same_value(schema));
            }
        }
        false
    }
}

/// A name for a type that no other type of the module has.
pub(super) fn free(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    for count in 2.. {
        if taken.insert(name.clone()) {
            break;
        }
        name = format!("{wanted}{count}");
    }
    name
}

/// The references of a schema that are about the very value that it is about.
fn same_value(schema: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![(schema, 0)];
    while let Some((schema, depth)) = open.pop() {
        found.extend(schema.get("$ref").and_then(Value::as_str));
        if depth < DEEPEST {
            let inner =
                SAME_VALUE.into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
            open.extend(inner.map(|schema| (schema, depth + 1)));
        }
    }
    found
}
