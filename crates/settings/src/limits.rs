//! Keys that hold tools back, and what comes near one and is none: a guard that is misspelt must not be a guard less.

use crate::model::{Default, Field, ValueKind, nearest};

/// Shorter keys are the beginning of too many.
const SHORTEST_BEGINNING: usize = 4;

/// Whether a key may be there to forbid something: tools that are not offered, questions, trust. A number, a
/// text or a variable forbids nothing, and a required key is missed.
pub(super) fn holds_back(field: &Field) -> bool {
    match field.kind {
        ValueKind::Patterns
        | ValueKind::PatternsOrAll
        | ValueKind::Flag
        | ValueKind::Choice(_)
        | ValueKind::Program(_)
        | ValueKind::EnvironmentNames
        | ValueKind::ToolLimits
        | ValueKind::Containment
        | ValueKind::Packages => true,
        ValueKind::TextList => field.default == Default::Absent,
        ValueKind::Text
        | ValueKind::CommandLine
        | ValueKind::Directory
        | ValueKind::Integer(..)
        | ValueKind::TextMap
        | ValueKind::Matchers
        | ValueKind::Words
        | ValueKind::RunnerNames
        | ValueKind::PlainCommands => false,
    }
}

/// The key that was probably meant by one that is not known: by a slip, in other letters or as a part of it.
pub(super) fn nearest_key<'a>(typed: &str, fields: &[&'a Field]) -> Option<&'a Field> {
    let typed = typed.to_lowercase().replace('-', "_");
    let name = nearest(&typed, fields.iter().map(|field| field.name));
    let stem = typed.trim_end_matches('s');
    let is_part =
        |name: &str| typed.starts_with(name) || stem.len() >= SHORTEST_BEGINNING && name.starts_with(stem);
    let slipped = fields.iter().find(|field| Some(field.name) == name);
    let parts = || fields.iter().filter(|field| is_part(field.name)).min_by_key(|field| field.name.len());
    slipped.or_else(parts).copied()
}
