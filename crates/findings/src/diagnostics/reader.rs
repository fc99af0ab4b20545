//! A log and the dialects in, findings out, while the log is written.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::collection::Collection;
use super::files::BaseFolders;
use super::stream_reader::{Position, StreamReader};
use super::tail::Tail;
use super::triggers::Triggers;
use crate::dialect::{self, Format};
use crate::model::{Chunk, Findings, Matcher, Stream};

static EVERY: LazyLock<Arc<Triggers>> = LazyLock::new(|| Arc::new(Triggers::of(&dialect::ALL)));

/// The dialects that these programs write, in the order in which they are asked. Every other one is asked as well.
pub fn dialects_of(programs: &[&str]) -> Vec<&'static str> {
    let writes = |format: &&Format| format.programs.iter().any(|program| programs.contains(program));
    dialect::ALL.iter().filter(writes).map(|format| format.id).collect()
}

/// Whether one of these programs is a compiler of C, or builds with one.
pub fn is_compiling(programs: &[&str]) -> bool {
    dialects_of(programs).iter().any(|id| dialect::COMPILING.contains(id))
}

/// Reads a log while it is written.
#[derive(Debug)]
pub struct Reader {
    /// `None`: nothing was printed yet. The first search for the words of all dialects takes longer to prepare than many a
    /// silent run.
    streams: Option<Streams>,
    formats: &'static [Format],
    matchers: Arc<[Matcher]>,
    is_compiling: bool,
    at: Position,
    collection: Collection,
    /// The end of standard error.
    tail: Tail,
}

/// The readers of the two streams.
#[derive(Debug)]
struct Streams {
    out: StreamReader,
    err: StreamReader,
}

impl Streams {
    fn of(formats: &'static [Format], matchers: &Arc<[Matcher]>, is_compiling: bool) -> Self {
        let is_every = std::ptr::eq(formats, dialect::ALL.as_slice());
        let triggers = if is_every { Arc::clone(&EVERY) } else { Arc::new(Triggers::of(formats)) };
        let reader = |stream: Stream| {
            StreamReader::new(Arc::clone(&triggers), Arc::clone(matchers), stream).compiling(is_compiling)
        };
        Self { out: reader(Stream::Out), err: reader(Stream::Err) }
    }
}

impl Reader {
    /// A reader that understands every dialect. Files are named relative to the project's root where they lie inside;
    /// `directory` is the folder that the tool ran in, relative to the root.
    /// Problem matchers come first.
    pub fn new(root: &Path, directory: &Path, matchers: Vec<Matcher>) -> Self {
        Self::with(&dialect::ALL, BaseFolders::new(root, directory), matchers)
    }

    /// The same, with a check for existing files. A file that is not at its printed path may be in another
    /// folder that the log names.
    #[must_use]
    pub fn seeing(mut self, exists: fn(&Path) -> bool) -> Self {
        self.collection.files = std::mem::take(&mut self.collection.files).seeing(exists);
        self
    }

    /// The same, of a log in which compilers are expected: what they say counts, even on standard output and without the
    /// line of source below it.
    #[must_use]
    pub fn compiling(self, is_compiling: bool) -> Self {
        Self { is_compiling, ..self }
    }

    /// A reader of these dialects alone. Files are named as the log does.
    pub fn of(formats: &'static [Format]) -> Self {
        Self::with(formats, BaseFolders::default(), Vec::new())
    }

    fn with(formats: &'static [Format], files: BaseFolders, matchers: Vec<Matcher>) -> Self {
        Self {
            streams: None,
            formats,
            matchers: matchers.into(),
            is_compiling: false,
            at: Position::default(),
            collection: Collection::new(files),
            tail: Tail::default(),
        }
    }

    /// Expects standard output to be a report in this dialect, so that even an empty report without a trigger is
    /// recognised.
    #[must_use]
    pub fn expecting(mut self, dialect: &str) -> Self {
        let streams = Streams::of(self.formats, &self.matchers, self.is_compiling);
        self.streams.get_or_insert(streams).out.expect(dialect);
        self
    }

    /// The same, of a log without prefixes: a line that is indented, or that a program's name begins, stays as it is.
    #[cfg(test)]
    pub(crate) fn bare(mut self) -> Self {
        let streams =
            self.streams.get_or_insert(Streams::of(self.formats, &self.matchers, self.is_compiling));
        streams.out.bare();
        streams.err.bare();
        self
    }

    /// Reads the next piece of the log.
    pub fn push(&mut self, chunk: Chunk<'_>) {
        let Self { streams, formats, matchers, is_compiling, .. } = self;
        let Streams { out, err } =
            streams.get_or_insert_with(|| Streams::of(formats, matchers, *is_compiling));
        let stream_reader = match chunk.stream() {
            Stream::Out => &mut *out,
            Stream::Both => {
                self.tail.push(chunk.bytes(), self.at.lines);
                &mut *out
            }
            Stream::Err => {
                self.tail.push(chunk.bytes(), self.at.lines);
                &mut *err
            }
        };
        self.collection.stream = Some(chunk.stream());
        self.at = stream_reader.push(chunk, self.at, &mut self.collection);
        // A job is announced on one stream and may complain on the other.
        match chunk.stream() {
            Stream::Out => err.learn(out),
            Stream::Both => {}
            Stream::Err => out.learn(err),
        }
    }

    /// Ends the log. Returns its findings.
    pub fn finish(&mut self) -> Findings {
        if let Some(Streams { out, err }) = &mut self.streams {
            self.collection.stream = Some(Stream::Out);
            out.end(&mut self.collection);
            self.collection.stream = Some(Stream::Err);
            err.end(&mut self.collection);
        }
        std::mem::take(&mut self.collection).finish(&self.tail)
    }
}
