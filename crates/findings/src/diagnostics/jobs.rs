//! The jobs of one stream, where a runner mixes the lines of several.

use std::sync::Arc;

use super::collection::Collection;
use super::job_reader::JobReader;
use super::prefix::{self, Prefix, PrefixCertainty};
use super::set::Set;
use super::triggers::{ANNOUNCES, Triggers};
use crate::dialect::{LONGEST_BEFORE, Line};
use crate::model::Matcher;

/// The most jobs that are kept apart.
const MOST: usize = 256;

/// The C library names the program before the first of these words; redocly counts its findings, `[1] a.yaml:1:1 at #/info`.
const OWN: [&str; 2] = [": Assertion `", " at #/"];

/// All jobs that are known so far.
#[derive(Debug)]
pub(super) struct Jobs {
    matchers: Arc<[Matcher]>,
    all: Vec<Job>,
    /// Texts at the beginning of a line that may be prefixes.
    perhaps: Vec<Prefix>,
}

/// A job that writes a prefix of its own before each line.
#[derive(Debug)]
struct Job {
    prefix: Prefix,
    folder: Option<String>,
    reader: JobReader,
    before: Vec<u8>,
    /// How many errors were read in it.
    errors: u64,
}

impl Jobs {
    pub(super) fn new(matchers: Arc<[Matcher]>) -> Self {
        Self { matchers, all: Vec::new(), perhaps: Vec::new() }
    }

    /// Whether none is known.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The job that a line begins with the prefix of; the last one where several have it.
    pub(super) fn of(&self, text: &str) -> Option<usize> {
        self.all.iter().rposition(|job| job.prefix.strip(text).is_some())
    }

    /// The jobs that were announced on the other stream.
    pub(super) fn learn(&mut self, other: &Self) {
        for job in other.all.iter().skip(self.all.len()) {
            self.add(job.prefix.clone(), job.folder.clone(), b"");
        }
    }

    /// Shows a line, or a part of one, to the readers of its job.
    pub(super) fn read(
        &mut self,
        job: usize,
        (triggers, concerned): (&Triggers, Set),
        line: &Line<'_>,
        collection: &mut Collection,
    ) {
        let Some(job) = self.all.get_mut(job) else { return };
        let own = if line.begins() { job.prefix.strip(line.text).unwrap_or(line.text) } else { line.text };
        if concerned.meets(ANNOUNCES) {
            if prefix::is_numbered(job.folder.as_deref())
                && let Some(folder) = prefix::package_folder(own)
            {
                job.folder = Some(folder.clone());
                job.reader.enter(folder);
            }
            collection.files.learn_of(job.folder.as_deref(), own, line.log.start);
        }
        let line = Line::new(own, line.log, line.part, &job.before).of(line.stream);
        let errors = collection.errors();
        job.reader.read(triggers, concerned, &line, collection);
        job.errors += collection.errors().saturating_sub(errors);
        if concerned.meets(ANNOUNCES) {
            collection.declare(own, Some(job.errors));
        }
        job.before.clear();
        job.before.extend_from_slice(&own.as_bytes()[..own.len().min(LONGEST_BEFORE)]);
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, collection: &mut Collection) {
        for job in &mut self.all {
            job.reader.end(collection);
        }
    }

    /// Adds the jobs that a line announces.
    pub(super) fn announced(&mut self, text: &str) {
        let Some((prefix, folder)) = prefix::announced(text) else { return };
        // Below an announcement of pnpm the lines of its job may stand behind a bar.
        if folder.as_deref().is_some_and(|folder| !folder.starts_with('\0')) {
            self.add(prefix::boxed(), folder.clone(), b"");
        }
        self.add(prefix, folder, b"");
    }

    /// The job of a line that nobody announced, where the text before the line can be nothing but its prefix: it stood
    /// before another line as well, or a reader waits for the line behind it.
    pub(super) fn unannounced(
        &mut self,
        line: &Line<'_>,
        concerned: Set,
        (early, is_open, is_named): (bool, bool, bool),
        concerns: impl Fn(&str) -> Set,
        collection: &Collection,
    ) -> Option<usize> {
        if (concerned.is_empty() && !early) || self.all.len() == MOST {
            return None;
        }
        let shaped = if is_named { prefix::named(line.text) } else { prefix::shaped(line.text) }?;
        let waited = concerns(shaped.rest);
        // Some formats begin their lines in this way themselves. A word of theirs may also begin with the blank behind a prefix.
        let before_rest = line.text[..line.text.len() - shaped.rest.len()].trim_end();
        let behind = concerns(&line.text[before_rest.len()..]);
        let is_own = !concerned.without(waited).without(behind).is_empty()
            || OWN.iter().any(|words| shaped.rest.contains(words));
        if is_own || (shaped.shape != PrefixCertainty::Runner && is_open) {
            return None;
        }
        let before = line.before();
        let own_before = shaped.prefix.strip(&before);
        let again = own_before.is_some() || self.perhaps.contains(&shaped.prefix);
        let names_file = || {
            let file = shaped.rest.split([':', '(', ' ']).next().unwrap_or_default();
            file.contains(['.', '/']) && collection.files.is_there(file)
        };
        let is_prefix = match shaped.shape {
            PrefixCertainty::Runner => again || !waited.is_empty(),
            PrefixCertainty::Words => {
                (!waited.is_empty() && (again || early && line.log.start_line == 1)) || names_file()
            }
        };
        if is_prefix {
            self.add(shaped.prefix, shaped.folder, own_before.unwrap_or_default().as_bytes());
            return self.all.len().checked_sub(1);
        }
        if early {
            self.perhaps.push(shaped.prefix);
        }
        None
    }

    fn add(&mut self, prefix: Prefix, folder: Option<String>, before: &[u8]) {
        if self.all.len() < MOST {
            // Docker's summary repeats what its steps printed.
            let number = if prefix.is_empty() { 0 } else { self.all.len() + 1 };
            let reader = JobReader::new(&self.matchers).of_job(number, folder.clone());
            self.all.push(Job { prefix, folder, reader, before: before.to_vec(), errors: 0 });
        }
    }
}
