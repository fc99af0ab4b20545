//! The result of judging a value.

use serde_json::Value;

use super::schema_error::SchemaError;

/// A value, the way to it, and how deep the schema for it lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'v> {
    pub(super) value: &'v Value,
    pub(super) place: &'v str,
    pub(super) depth: usize,
}

/// The result of judging a value.
#[derive(Debug, Default)]
pub(super) struct SchemaVerdict {
    pub(super) misfits: Vec<SchemaError>,
    /// Whether a part of the schema could not be judged.
    pub(super) is_unsure: bool,
}

impl SchemaVerdict {
    pub(super) fn add(&mut self, place: &str, wrong: impl Into<String>, help: Option<String>) {
        self.misfits.push(SchemaError { place: place.to_owned(), wrong: wrong.into(), help });
    }

    /// Whether the value fits; `None` if that is unknown.
    pub(super) fn fits(&self) -> Option<bool> {
        match (self.misfits.is_empty(), self.is_unsure) {
            (false, _) => Some(false),
            (true, true) => None,
            (true, false) => Some(true),
        }
    }
}
