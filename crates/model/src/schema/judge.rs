//! The judge of a value: walks schema and value together.
//!
//! It accepts everything that it cannot judge: a keyword of an unknown form, a reference to elsewhere, a
//! schema that is too deep. The server judges it again.

use serde_json::{Map, Value};

use super::found::{Judging, SchemaVerdict, Spot};
use super::schema_error::SchemaError;
use super::{alternatives, containers, keywords, reference, scalars};

/// How deep schemas may lie in one another, references counted.
const DEEPEST: usize = 64;
/// How many schemas are looked at for one value.
const MOST_STEPS: usize = 50_000;

/// Everything in the value that the schema does not allow; empty if that is unknown.
pub fn misfits(schema: &Value, value: &Value) -> Vec<SchemaError> {
    misfits_within(schema, schema, value)
}

/// Whether a part of a schema allows a value, or that is unknown.
pub(super) fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    misfits_within(root, schema, value).is_empty()
}

fn misfits_within(root: &Value, schema: &Value, value: &Value) -> Vec<SchemaError> {
    let mut judge = Judge { root, steps: 0 };
    let mut found = SchemaVerdict::default();
    judge.judge(schema, Spot { value, place: "", depth: 0 }, &mut found);
    if judge.steps > MOST_STEPS { Vec::new() } else { found.misfits }
}

/// Judges values by one schema and the definitions in it.
#[derive(Debug)]
struct Judge<'s> {
    root: &'s Value,
    steps: usize,
}

impl<'s> Judging<'s> for Judge<'s> {
    fn judge(&mut self, schema: &'s Value, spot: Spot<'_>, found: &mut SchemaVerdict) {
        self.steps += 1;
        let spot = Spot { depth: spot.depth + 1, ..spot };
        if spot.depth > DEEPEST || self.steps > MOST_STEPS {
            found.is_unsure = true;
            return;
        }
        match schema {
            Value::Bool(true) => {}
            Value::Bool(false) => found.add(spot.place, "is not allowed", None),
            Value::Object(schema) => self.keywords(schema, spot, found),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => found.is_unsure = true,
        }
    }

    fn resolved(&self, schema: &'s Value) -> &'s Value {
        reference::resolved(self.root, schema)
    }
}

impl<'s> Judge<'s> {
    fn keywords(&mut self, schema: &'s Map<String, Value>, spot: Spot<'_>, found: &mut SchemaVerdict) {
        if let Some(reference) = schema.get("$ref") {
            match reference.as_str().and_then(|text| reference::named(self.root, text)) {
                Some(named) => self.judge(named, spot, found),
                None => found.is_unsure = true,
            }
            if self.ignores_beside_references() {
                return;
            }
        }
        if !schema.keys().all(|key| keywords::is_known(key)) {
            found.is_unsure = true;
        }
        let before = found.misfits.len();
        scalars::judge(schema, spot, found);
        // A value of another type fits nothing else either, and once is enough.
        if found.misfits.len() == before {
            containers::judge(self, schema, spot, found);
            alternatives::judge(self, schema, spot, found);
        }
    }

    /// Up to draft 7, a reference hides all other keywords of its schema.
    fn ignores_beside_references(&self) -> bool {
        let draft = self.root.get("$schema").and_then(Value::as_str).unwrap_or_default();
        ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| draft.contains(old))
    }
}
