//! A log and the dialects in, findings out, while the log is written.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::collection::Collection;
use super::files::Files;
use super::stream_reader::{Position, StreamReader};
use super::tail::Tail;
use super::triggers::Triggers;
use crate::dialect::{self, Format};
use crate::model::{Chunk, Findings, Matcher, Stream};

static EVERY: LazyLock<Arc<Triggers>> = LazyLock::new(|| Arc::new(Triggers::of(dialect::ALL)));

/// The dialects that the programs named in a text write, in the order in which they are asked. Every other one is
/// asked as well.
pub fn dialects_of(text: &str) -> Vec<&'static str> {
    let words = text.split(|c: char| c.is_whitespace() || ";&|()'\"".contains(c));
    let programs: Vec<&str> = words.filter_map(|word| word.rsplit('/').next()).collect();
    let writes = |format: &&Format| format.programs.iter().any(|program| programs.contains(program));
    dialect::ALL.iter().filter(writes).map(|format| format.id).collect()
}

/// Reads a log while it is written.
#[derive(Debug)]
pub struct Reader {
    out: StreamReader,
    err: StreamReader,
    at: Position,
    collection: Collection,
    /// The end of standard error.
    tail: Tail,
}

impl Reader {
    /// A reader that understands every dialect. Files are named relative to the project's root where they lie inside;
    /// `directory` is the folder that the tool ran in, relative to the root.
    /// Problem matchers come first.
    pub fn new(root: &Path, directory: &Path, matchers: Vec<Matcher>) -> Self {
        Self::with(&EVERY, Files::new(root, directory), matchers)
    }

    /// The same, with a check for existing files. A file that is not at its printed path may be in another
    /// folder that the log names.
    #[must_use]
    pub fn seeing(mut self, exists: fn(&Path) -> bool) -> Self {
        self.collection.files = std::mem::take(&mut self.collection.files).seeing(exists);
        self
    }

    /// A reader of these dialects alone. Files are named as the log does.
    pub fn of(formats: &'static [Format]) -> Self {
        Self::with(&Arc::new(Triggers::of(formats)), Files::default(), Vec::new())
    }

    fn with(triggers: &Arc<Triggers>, files: Files, matchers: Vec<Matcher>) -> Self {
        let matchers: Arc<[Matcher]> = matchers.into();
        let stream_reader = |stream| StreamReader::new(Arc::clone(triggers), Arc::clone(&matchers), stream);
        let (out, err) = (stream_reader(Stream::Out), stream_reader(Stream::Err));
        Self { out, err, at: Position::default(), collection: Collection::new(files), tail: Tail::default() }
    }

    /// Expects standard output to be a report in this dialect, so that even an empty report without a trigger is
    /// recognised.
    #[must_use]
    pub fn expecting(mut self, dialect: &str) -> Self {
        self.out.expect(dialect);
        self
    }

    /// Reads the next piece of the log.
    pub fn push(&mut self, chunk: Chunk<'_>) {
        let stream_reader = match chunk.stream() {
            Stream::Out => &mut self.out,
            Stream::Both => {
                self.tail.push(chunk.bytes(), self.at.lines);
                &mut self.out
            }
            Stream::Err => {
                self.tail.push(chunk.bytes(), self.at.lines);
                &mut self.err
            }
        };
        self.at = stream_reader.push(chunk, self.at, &mut self.collection);
        // A job is announced on one stream and may complain on the other.
        match chunk.stream() {
            Stream::Out => self.err.learn(&self.out),
            Stream::Both => {}
            Stream::Err => self.out.learn(&self.err),
        }
    }

    /// Ends the log. Returns its findings.
    pub fn finish(&mut self) -> Findings {
        self.out.end(&mut self.collection);
        self.err.end(&mut self.collection);
        std::mem::take(&mut self.collection).finish(&self.tail)
    }
}
