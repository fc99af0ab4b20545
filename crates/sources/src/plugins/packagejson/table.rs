//! An object of names and strings, such as `scripts`, with the line of each name and the names that occur
//! twice.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::value::{Any, DIGITS, ReadValue};

/// The rows in the order of the file. As in JavaScript a repeated name keeps its first place and its last value.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<TableRow>,
}

/// One name and its value.
#[derive(Debug)]
pub(super) struct TableRow {
    pub(super) name: String,
    /// The line of the name, from 1; unknown where the name is written with escapes.
    pub(super) line: Option<usize>,
    /// The text, or the name of the kind of value that stands there instead.
    pub(super) cell: Result<String, &'static str>,
    /// Whether the name stood there before.
    pub(super) repeated: bool,
}

/// Reads a table; `Err` names another kind of value.
#[derive(Debug)]
pub(super) struct ReadTable<'c, 't>(pub(super) &'c mut Cursor<'t>);

impl<'de> ReadValue<'de> for ReadTable<'_, 'de> {
    type Made = Result<Table, &'static str>;

    fn other(self, kind: &'static str) -> Self::Made {
        Err(kind)
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Made, A::Error> {
        let mut table = Table::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some((name, line)) = map.next_key_seed(Name(&mut *self.0))? {
            let cell = map.next_value_seed(Any(ValueText))?;
            match places.entry(name) {
                Entry::Occupied(place) => {
                    let row = &mut table.rows[*place.get()];
                    (row.line, row.cell, row.repeated) = (line, cell, true);
                }
                Entry::Vacant(place) => {
                    table.rows.push(TableRow { name: place.key().clone(), line, cell, repeated: false });
                    place.insert(table.rows.len() - 1);
                }
            }
        }
        let is_number = table.rows.iter().any(|row| row.name == DIGITS);
        Ok(if is_number { self.other("a number") } else { Ok(table) })
    }
}

/// A string, or the name of another kind of value.
#[derive(Debug)]
struct ValueText;

impl ReadValue<'_> for ValueText {
    type Made = Result<String, &'static str>;

    fn other(self, kind: &'static str) -> Self::Made {
        Err(kind)
    }

    fn text(self, text: &str) -> Self::Made {
        Ok(text.to_owned())
    }
}

/// Counts the lines of a text up to slices of it that come in their order.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Cursor<'t> {
    /// At the start of the text.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line of a slice of the text; the parser lends names that are written without escapes from it.
    fn line_of(&mut self, slice: &'t str) -> Option<usize> {
        let at = (slice.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        self.line += self.text.get(self.at..at)?.matches('\n').count();
        self.at = at;
        Some(self.line)
    }
}

/// Reads a name and finds its line.
struct Name<'c, 't>(&'c mut Cursor<'t>);

impl<'de> DeserializeSeed<'de> for Name<'_, 'de> {
    type Value = (String, Option<usize>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name<'_, 'de> {
    type Value = (String, Option<usize>);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok((name.to_owned(), self.0.line_of(name)))
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok((name.to_owned(), None))
    }
}
