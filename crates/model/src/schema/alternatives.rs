//! Keywords that combine other schemas: all, any, one or none of them.

use serde_json::{Map, Value};

use super::found::{Judging, SchemaVerdict, Spot};
use super::scalars::word;
use super::schema_error::{SchemaError, quoted};

/// Judges by the keywords for schemas within a schema.
pub(super) fn judge<'s>(
    judge: &mut dyn Judging<'s>,
    schema: &'s Map<String, Value>,
    spot: Spot<'_>,
    found: &mut SchemaVerdict,
) {
    for (keyword, inner) in schema {
        match (keyword.as_str(), inner) {
            ("allOf", Value::Array(all)) => all.iter().for_each(|one| judge.judge(one, spot, found)),
            ("anyOf", Value::Array(several)) => any(judge, several, (spot, false), found),
            ("oneOf", Value::Array(several)) => any(judge, several, (spot, true), found),
            ("allOf" | "anyOf" | "oneOf", _) => found.is_unsure = true,
            ("not", refused) => match judge.apart(refused, spot).fits() {
                Some(true) => {
                    found.add(spot.place, format!("must not be {}", quoted(spot.value)), None);
                }
                Some(false) => {}
                None => found.is_unsure = true,
            },
            ("if", condition) => {
                let next = match judge.apart(condition, spot).fits() {
                    Some(true) => schema.get("then"),
                    Some(false) => schema.get("else"),
                    None => {
                        found.is_unsure = true;
                        None
                    }
                };
                if let Some(next) = next {
                    judge.judge(next, spot, found);
                }
            }
            _ => {}
        }
    }
}

fn any<'s>(
    judge: &mut dyn Judging<'s>,
    several: &'s [Value],
    (spot, is_one): (Spot<'_>, bool),
    found: &mut SchemaVerdict,
) {
    let all: Vec<SchemaVerdict> = several.iter().map(|one| judge.apart(one, spot)).collect();
    let fitting = all.iter().filter(|one| one.fits() == Some(true)).count();
    let is_unsure = all.iter().any(|one| one.fits().is_none());
    match fitting {
        0 if is_unsure => found.is_unsure = true,
        0 => none_fits(judge, several, (spot, all), found),
        1 if is_one && is_unsure => found.is_unsure = true,
        2.. if is_one => {
            found.add(spot.place, format!("must fit one of its alternatives alone, not {fitting}"), None);
        }
        _ => {}
    }
}

/// Explains why none of several schemas fits. If only one of them accepts this type at all, its misfits are
/// the explanation.
fn none_fits<'s>(
    judge: &dyn Judging<'s>,
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
    let types =
        several.iter().map(|one| judge.resolved(one).get("type").and_then(Value::as_str).and_then(word));
    let types: Option<Vec<&str>> = types.collect();
    match (types, refusals.as_slice()) {
        (_, [only]) if several.len() == 1 => found.misfits.push(only.clone()),
        (Some(words), _) if !words.is_empty() && refusals.len() == several.len() && is_of_none(&refusals) => {
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

/// Whether each alternative wants another type.
fn is_of_none(refusals: &[SchemaError]) -> bool {
    refusals.iter().all(|misfit| {
        ["a ", "an ", "true", "null"]
            .iter()
            .any(|word| misfit.wrong.strip_prefix("must be ").is_some_and(|rest| rest.starts_with(word)))
    })
}
