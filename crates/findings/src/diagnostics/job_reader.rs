//! The lines of one job in one stream, and the readers that follow it.

use super::collection::Collection;
use super::set::Set;
use super::triggers::Triggers;
use crate::dialect::{Dialect, Line, Matched, Next, PendingFindings};
use crate::model::Matcher;

/// A reader for each dialect that a line has concerned.
#[derive(Debug, Default)]
pub(super) struct JobReader {
    readers: Vec<Option<Box<dyn Dialect>>>,
    /// Readers of the settings' own problem matchers, which read each line.
    matched: Vec<Matched>,
    /// The findings of a line, until they are taken.
    found: PendingFindings,
    /// The folder of the job, if the log names it.
    folder: Option<String>,
    /// The dialects whose readers want the next line with any content.
    open: Set,
    /// Those among them that want every line.
    expected: Set,
}

impl JobReader {
    pub(super) fn new(matchers: &[Matcher]) -> Self {
        Self { matched: matchers.iter().cloned().map(Matched::new).collect(), ..Self::default() }
    }

    /// The same reader, of a job in this folder.
    pub(super) fn within(self, folder: Option<String>) -> Self {
        Self { folder, ..self }
    }

    /// The job has said that it is in this folder.
    pub(super) fn enter(&mut self, folder: String) {
        self.folder = Some(folder);
    }

    /// Shows each line to the reader of this dialect from now on.
    pub(super) fn expect(&mut self, triggers: &Triggers, dialect: &str) {
        let formats = triggers.formats.iter().enumerate();
        for (place, _) in formats.filter(|(_, format)| format.id == dialect) {
            self.expected.add(Set::of(place));
        }
        self.open.add(self.expected);
    }

    /// Whether any reader wants the next line with any content.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty() || !self.matched.is_empty()
    }

    /// Shows a line to the readers that it concerns, and to those that read each line.
    pub(super) fn read(
        &mut self,
        triggers: &Triggers,
        concerned: Set,
        line: &Line<'_>,
        collection: &mut Collection,
    ) {
        let found = &mut self.found;
        for (rank, matched) in self.matched.iter_mut().enumerate() {
            matched.read(line, found);
            collection.take(rank, found, self.folder.as_deref());
        }
        for place in self.open.and(concerned).places() {
            let Some(format) = triggers.formats.get(place) else { continue };
            if self.readers.len() <= place {
                self.readers.resize_with(place + 1, || None);
            }
            let next = self.readers[place].get_or_insert_with(format.reader).read(line, found);
            match next {
                Next::Trigger => self.open = self.open.without(Set::of(place)).and(self.expected),
                Next::Line => self.open.add(Set::of(place)),
            }
            if !found.is_empty() {
                collection.take(self.matched.len() + place, found, self.folder.as_deref());
            }
        }
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, collection: &mut Collection) {
        for (place, reader) in self.readers.iter_mut().enumerate() {
            if let Some(reader) = reader {
                reader.end(&mut self.found);
            }
            collection.take(self.matched.len() + place, &mut self.found, self.folder.as_deref());
        }
        self.readers.clear();
        self.open = Set::default();
    }
}
