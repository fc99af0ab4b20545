//! The judge of a value: walks schema and value together.
//!
//! It accepts everything that it cannot judge: a keyword of an unknown form, a reference to elsewhere, a
//! schema that is too deep. The server judges it again.

use serde_json::{Map, Value};

use super::found::{SchemaVerdict, Spot};
use super::scalars::{is_match, is_same, length, word};
use super::schema_error::{SchemaError, quoted};
use super::{keywords, reference, scalars};
use crate::nearest;

/// How deep schemas may lie in one another, references counted.
const DEEPEST: usize = 64;
/// How many schemas are looked at for one value.
const MOST_STEPS: usize = 50_000;
/// How many items of a list are compared with one another.
const MOST_COMPARED: usize = 200;

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

impl<'s> Judge<'s> {
    /// Judges a value by a schema, and adds the result to `found`.
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

    /// Judges a value by one schema, separately from all else.
    fn apart(&mut self, schema: &'s Value, spot: Spot<'_>) -> SchemaVerdict {
        let mut found = SchemaVerdict::default();
        self.judge(schema, spot, &mut found);
        found
    }

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
            match spot.value {
                Value::Object(given) => self.properties(schema, (given, spot), found),
                Value::Array(given) => self.items(schema, (given, spot), found),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
            self.alternatives(schema, spot, found);
        }
    }

    /// Up to draft 7, a reference hides all other keywords of its schema.
    fn ignores_beside_references(&self) -> bool {
        let draft = self.root.get("$schema").and_then(Value::as_str).unwrap_or_default();
        ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| draft.contains(old))
    }

    fn properties(
        &mut self,
        schema: &'s Map<String, Value>,
        (given, spot): (&Map<String, Value>, Spot<'_>),
        found: &mut SchemaVerdict,
    ) {
        length(schema, ["minProperties", "maxProperties"], (given.len(), "key"), spot, found);
        match schema.get("required") {
            Some(Value::Array(names)) => {
                let missing =
                    names.iter().filter_map(Value::as_str).filter(|name| !given.contains_key(*name));
                missing.for_each(|name| found.add(&within(spot.place, name), "is missing", None));
            }
            // Draft 3 writes it inside the property's own schema.
            Some(_) => found.is_unsure = true,
            None => {}
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for (name, value) in given {
            let place = within(spot.place, name);
            let inner = Spot { value, place: &place, depth: spot.depth };
            let mut is_declared = false;
            if let Some(property) = properties.and_then(|properties| properties.get(name)) {
                is_declared = true;
                self.judge(property, inner, found);
            }
            for (pattern, property) in patterns.into_iter().flatten() {
                match is_match(pattern, name) {
                    Some(true) => {
                        is_declared = true;
                        self.judge(property, inner, found);
                    }
                    Some(false) => {}
                    None => (is_declared, found.is_unsure) = (true, true),
                }
            }
            match schema.get("additionalProperties").filter(|_| !is_declared) {
                Some(Value::Bool(false)) => {
                    let known =
                        properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str));
                    let free = known.filter(|known| !given.contains_key(*known));
                    let help = nearest(name, free).map(|meant| format!("did you mean `{meant}`?"));
                    found.add(&place, "is not known here", help);
                }
                Some(other) => self.judge(other, inner, found),
                None => {}
            }
        }
    }

    fn items(
        &mut self,
        schema: &'s Map<String, Value>,
        (given, spot): (&[Value], Spot<'_>),
        found: &mut SchemaVerdict,
    ) {
        length(schema, ["minItems", "maxItems"], (given.len(), "item"), spot, found);
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            let compared = &given[..given.len().min(MOST_COMPARED)];
            let is_repeated =
                |at: usize| compared[..at].iter().any(|earlier| is_same(earlier, &compared[at]));
            if let Some(at) = (0..compared.len()).find(|at| is_repeated(*at)) {
                found.add(&item(spot.place, at), "is in the list already", None);
            }
            found.is_unsure |= given.len() > MOST_COMPARED;
        }
        // Draft 7 has the first items under `items`, and the rest under `additionalItems`.
        let (first, rest) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(first)), rest) => (first.as_slice(), rest),
            (_, Some(Value::Array(first))) => (first.as_slice(), schema.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        for (at, value) in given.iter().enumerate() {
            if let Some(schema) = first.get(at).or(rest) {
                let place = item(spot.place, at);
                self.judge(schema, Spot { value, place: &place, depth: spot.depth }, found);
            }
        }
    }

    /// Judges by the keywords for schemas within a schema.
    fn alternatives(&mut self, schema: &'s Map<String, Value>, spot: Spot<'_>, found: &mut SchemaVerdict) {
        for (keyword, inner) in schema {
            match (keyword.as_str(), inner) {
                ("allOf", Value::Array(all)) => all.iter().for_each(|one| self.judge(one, spot, found)),
                ("anyOf", Value::Array(several)) => self.any(several, (spot, false), found),
                ("oneOf", Value::Array(several)) => self.any(several, (spot, true), found),
                ("allOf" | "anyOf" | "oneOf", _) => found.is_unsure = true,
                ("not", refused) => match self.apart(refused, spot).fits() {
                    Some(true) => {
                        found.add(spot.place, format!("must not be {}", quoted(spot.value)), None);
                    }
                    Some(false) => {}
                    None => found.is_unsure = true,
                },
                ("if", condition) => {
                    let next = match self.apart(condition, spot).fits() {
                        Some(true) => schema.get("then"),
                        Some(false) => schema.get("else"),
                        None => {
                            found.is_unsure = true;
                            None
                        }
                    };
                    if let Some(next) = next {
                        self.judge(next, spot, found);
                    }
                }
                _ => {}
            }
        }
    }

    fn any(&mut self, several: &'s [Value], (spot, is_one): (Spot<'_>, bool), found: &mut SchemaVerdict) {
        let all: Vec<SchemaVerdict> = several.iter().map(|one| self.apart(one, spot)).collect();
        let fitting = all.iter().filter(|one| one.fits() == Some(true)).count();
        let is_unsure = all.iter().any(|one| one.fits().is_none());
        match fitting {
            0 if is_unsure => found.is_unsure = true,
            0 => self.none_fits(several, (spot, all), found),
            1 if is_one && is_unsure => found.is_unsure = true,
            2.. if is_one => {
                found.add(spot.place, format!("must fit one of its alternatives alone, not {fitting}"), None);
            }
            _ => {}
        }
    }

    /// Explains why none of several schemas fits. If only one of them accepts this type at all, its misfits are
    /// the explanation.
    fn none_fits(
        &self,
        several: &'s [Value],
        (spot, all): (Spot<'_>, Vec<SchemaVerdict>),
        found: &mut SchemaVerdict,
    ) {
        let is_deeper =
            |one: &SchemaVerdict| one.misfits.iter().all(|misfit| misfit.place.len() > spot.place.len());
        let mut deeper: Vec<SchemaVerdict> = Vec::new();
        let mut refusals = Vec::new();
        for one in all {
            if is_deeper(&one) {
                deeper.push(one);
            } else {
                refusals.extend(one.misfits.into_iter().find(|misfit| misfit.place == spot.place));
            }
        }
        if let (Some(meant), true) = (deeper.pop(), deeper.is_empty()) {
            found.misfits.extend(meant.misfits);
            return;
        }
        let types = several.iter().map(|one| {
            reference::resolved(self.root, one).get("type").and_then(Value::as_str).and_then(word)
        });
        let types: Option<Vec<&str>> = types.collect();
        match (types, refusals.as_slice()) {
            (_, [only]) if several.len() == 1 => found.misfits.push(only.clone()),
            (Some(words), _)
                if !words.is_empty() && refusals.len() == several.len() && is_of_none(&refusals) =>
            {
                found.add(
                    spot.place,
                    format!("must be {}, not {}", words.join(" or "), quoted(spot.value)),
                    None,
                );
            }
            _ => {
                let reasons: Vec<&str> = refusals.iter().map(|misfit| misfit.wrong.as_str()).collect();
                let reasons =
                    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", or ")) };
                found.add(spot.place, format!("must fit one of its alternatives{reasons}"), None);
            }
        }
    }
}

/// The way to a property: `to.name`.
pub fn within(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn item(place: &str, at: usize) -> String {
    format!("{place}[{at}]")
}

/// Whether each alternative wants another type.
fn is_of_none(refusals: &[SchemaError]) -> bool {
    refusals.iter().all(|misfit| {
        ["a ", "an ", "true", "null"]
            .iter()
            .any(|word| misfit.wrong.strip_prefix("must be ").is_some_and(|rest| rest.starts_with(word)))
    })
}
