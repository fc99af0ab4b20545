//! The lines of one job in one stream, and the readers that follow it.

use super::collection::{Collection, JobSource};
use super::set::Set;
use super::triggers::{ANNOUNCES, Triggers};
use crate::dialect::{Dialect, Line, Matched, Next, PendingFindings};
use crate::model::Matcher;

/// A reader for each dialect that a line has concerned.
#[derive(Debug, Default)]
pub(super) struct JobReader {
    readers: Vec<Option<FormatReader>>,
    /// Readers of the settings' own problem matchers, which read each line.
    matched: Vec<Matched>,
    /// The findings of a line, until they are taken.
    found: PendingFindings,
    /// The number of the job among all of its stream; 0 for the lines that belong to none.
    number: usize,
    /// The folder of the job, if the log names it.
    folder: Option<String>,
    /// The dialects whose readers want the next line with any content.
    open: Set,
    /// Those among them that want every line.
    expected: Set,
}

/// The reader of one dialect.
#[derive(Debug)]
struct FormatReader {
    dialect: Box<dyn Dialect>,
    /// Behind the last line that it read, in bytes from the log's beginning.
    at: u64,
}

impl JobReader {
    pub(super) fn new(matchers: &[Matcher]) -> Self {
        Self { matched: matchers.iter().cloned().map(Matched::new).collect(), ..Self::default() }
    }

    /// The same reader, of the job with this number, in this folder.
    pub(super) fn of_job(self, number: usize, folder: Option<String>) -> Self {
        Self { number, folder, ..self }
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
        if concerned.meets(ANNOUNCES) && line.begins() {
            collection.learn_of_tests(self.number, line);
        }
        let found = &mut self.found;
        let mut source =
            JobSource { number: self.number, folder: self.folder.as_deref(), at: line.log.end, format: "" };
        for (rank, matched) in self.matched.iter_mut().enumerate() {
            matched.read(line, found);
            collection.take(rank, found, source);
        }
        for place in self.open.and(concerned).places() {
            let Some(format) = triggers.formats.get(place) else { continue };
            if self.readers.len() <= place {
                self.readers.resize_with(place + 1, || None);
            }
            let new = || FormatReader { dialect: (format.reader)(), at: 0 };
            let reader = self.readers[place].get_or_insert_with(new);
            reader.at = line.log.end;
            let next = reader.dialect.read(line, found);
            match next {
                Next::Trigger => self.open = self.open.without(Set::of(place)).and(self.expected),
                Next::Line => self.open.add(Set::of(place)),
            }
            if !found.is_empty() {
                source.format = format.id;
                collection.take(self.matched.len() + place, found, source);
            }
        }
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, collection: &mut Collection) {
        for (place, reader) in self.readers.iter_mut().enumerate() {
            let Some(FormatReader { dialect, at }) = reader else { continue };
            dialect.end(&mut self.found);
            let source =
                JobSource { number: self.number, folder: self.folder.as_deref(), at: *at, format: "" };
            collection.take(self.matched.len() + place, &mut self.found, source);
        }
        self.readers.clear();
        self.open = Set::default();
    }
}
