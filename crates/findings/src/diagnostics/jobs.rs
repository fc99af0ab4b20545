//! The jobs of one stream, where a runner mixes the lines of several.

use std::sync::Arc;

use super::collection::Collection;
use super::job_reader::JobReader;
use super::margin::Margins;
use super::prefix::{self, Prefix, PrefixCertainty};
use super::set::Set;
use super::triggers::{ANNOUNCES, Triggers};
use crate::dialect::{LONGEST_BEFORE, Line, LinePart};
use crate::model::Matcher;

/// The most jobs that are kept apart.
const MOST: usize = 256;
/// How many lines at the beginning of a job are all searched for prefixes behind its own.
const EARLY: usize = 50;

/// The C library, and tools of the system, name the program before the first of these words; redocly counts its findings,
/// `[1] a.yaml:1:1 at #/info`.
const OWN: [&str; 6] = [
    ": Assertion `",
    ": No such file or directory",
    ": Permission denied",
    ": File exists",
    ": Connection refused",
    " at #/",
];

/// All jobs that are known so far.
#[derive(Debug)]
pub(super) struct Jobs {
    matchers: Arc<[Matcher]>,
    all: Vec<Job>,
    /// Texts at the beginning of a line that may be prefixes.
    perhaps: Vec<Prefix>,
    /// The number before that of the first job.
    base: usize,
    /// The folder of the job that runs these.
    outer: Option<String>,
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
    /// A time behind the prefix.
    margins: Margins,
    /// The jobs that it runs itself, as `web-1  | [types] ` begins; a job among those has none.
    inner: Option<Box<Jobs>>,
    /// The one of them whose line goes on.
    speaking: Option<usize>,
    /// How many lines are still searched for their prefixes, whatever they say.
    early: usize,
}

impl Jobs {
    pub(super) fn new(matchers: Arc<[Matcher]>) -> Self {
        Self { matchers, all: Vec::new(), perhaps: Vec::new(), base: 0, outer: None }
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
        let number = self.base + job + 1;
        let Some(job) = self.all.get_mut(job) else { return };
        let own = if line.begins() { job.prefix.strip(line.text).unwrap_or(line.text) } else { line.text };
        let own = job.without_time(own, line, triggers);
        if concerned.meets(ANNOUNCES) {
            if prefix::is_numbered(job.folder.as_deref())
                && let Some(folder) = prefix::package_folder(own)
            {
                job.folder = Some(folder.clone());
                job.reader.enter(folder);
            }
            collection.files.learn_of(job.folder.as_deref(), own, line.log.start);
        }
        let mut before = std::mem::take(&mut job.before);
        let line = Line::new(own, line.log, line.part, &before).of(line.stream);
        let errors = collection.read_errors();
        if line.begins() {
            job.speaking = job.inner_job(&line, triggers, (&self.matchers, number), collection);
        }
        match job.inner.as_mut().zip(job.speaking) {
            Some((inner, speaking)) => inner.read(speaking, (triggers, concerned), &line, collection),
            None => job.reader.read(triggers, concerned, &line, collection),
        }
        job.errors += collection.read_errors().saturating_sub(errors);
        if concerned.meets(ANNOUNCES) {
            collection.declare(own, (number, line.log.end), Some(job.errors));
        }
        before.clear();
        before.extend_from_slice(&own.as_bytes()[..own.len().min(LONGEST_BEFORE)]);
        job.before = before;
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, collection: &mut Collection) {
        for job in &mut self.all {
            job.reader.end(collection);
            if let Some(inner) = &mut job.inner {
                inner.end(collection);
            }
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
            let folder = self.folder_within(folder);
            // Docker's summary repeats what its steps printed.
            let number = if prefix.is_empty() { 0 } else { self.base + self.all.len() + 1 };
            let reader = JobReader::new(&self.matchers).of_job(number, folder.clone());
            self.all.push(Job {
                prefix,
                folder,
                reader,
                before: before.to_vec(),
                errors: 0,
                margins: Margins::default(),
                inner: None,
                speaking: None,
                early: if self.base == 0 { EARLY } else { 0 },
            });
        }
    }
}

impl Jobs {
    /// The folder of a job within that of the one that runs it.
    fn folder_within(&self, folder: Option<String>) -> Option<String> {
        let Some(outer) = &self.outer else { return folder };
        let name = |folder: &'_ str| Some(folder.strip_prefix('\0')?.trim_end_matches('\0').to_owned());
        match (folder.as_deref().and_then(name), name(outer)) {
            (Some(inner), Some(outer)) => Some(prefix::task_folder(&format!("{inner} {outer}"))),
            _ => Some(outer.clone()),
        }
    }
}

impl Job {
    /// The job's own part of a line without the time that all its lines begin with.
    fn without_time<'a>(&mut self, own: &'a str, line: &Line<'_>, triggers: &Triggers) -> &'a str {
        if !line.begins() {
            return own;
        }
        let concerns = |text: &str| !triggers.tell(text).without(ANNOUNCES).is_empty();
        self.margins.learn(own, &self.before, false, concerns);
        self.margins.strip(own)
    }

    /// The job within this one that a line begins with the prefix of.
    fn inner_job(
        &mut self,
        line: &Line<'_>,
        triggers: &Triggers,
        (matchers, number): (&Arc<[Matcher]>, usize),
        collection: &Collection,
    ) -> Option<usize> {
        let is_early = self.early > 0;
        self.early = self.early.saturating_sub(1);
        // Jobs that run in another have none of their own.
        if number > MOST || self.prefix.is_empty() {
            return None;
        }
        if let Some(known) = self.inner.as_ref().and_then(|inner| inner.of(line.text)) {
            return Some(known);
        }
        let concerned = triggers.tell(line.text).without(ANNOUNCES);
        if line.part != LinePart::Whole || concerned.is_empty() && !is_early {
            return None;
        }
        let (base, outer) = (number * (MOST + 1), self.folder.clone());
        let new = || Box::new(Jobs { base, outer, ..Jobs::new(Arc::clone(matchers)) });
        let listens = (is_early, self.reader.is_open(), self.margins.is_named());
        let concerns = |text: &str| triggers.tell(text).without(ANNOUNCES);
        self.inner.get_or_insert_with(new).unannounced(line, concerned, listens, concerns, collection)
    }
}
