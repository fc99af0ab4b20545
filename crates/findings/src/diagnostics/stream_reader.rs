//! One stream, cut into lines wherever its bytes were cut into chunks.

use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};

use super::collection::Collection;
use super::git::GitLog;
use super::job_reader::JobReader;
use super::jobs::Jobs;
use super::margin::Margins;
use super::triggers::{ANNOUNCES, Triggers};
use crate::dialect::{LONGEST_BEFORE, Line, LinePart, last_line, plain};
use crate::model::{Chunk, LogRange, Matcher, Plain, Stream, line_feeds};

/// The longest line that is held, in bytes; a longer one is shown in parts of this size.
const LONGEST: usize = 64 * 1024;
/// How many lines at the beginning of a log are all searched for prefixes; behind them, those that concern a reader.
const EARLY: usize = 200;

/// A place in the log.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Position {
    /// In bytes from its beginning.
    byte: u64,
    /// Line feeds before it.
    pub(super) lines: u64,
}

impl Position {
    /// The place behind these bytes.
    fn behind(self, bytes: &[u8]) -> Self {
        Self { byte: self.byte + bytes.len() as u64, lines: self.lines + line_feeds(bytes) }
    }

    /// The place behind a line, or a part of one.
    fn behind_line(self, bytes: &[u8]) -> Self {
        Self {
            byte: self.byte + bytes.len() as u64,
            lines: self.lines + u64::from(bytes.last() == Some(&b'\n')),
        }
    }
}

/// One stream of a log, or the output of one pipe for both.
#[derive(Debug)]
pub(super) struct StreamReader {
    triggers: Arc<Triggers>,
    stream: Stream,
    /// The words of a compiler count as on standard error, wherever they are printed.
    is_compiling: bool,
    /// The text that stands before every line.
    margins: Margins,
    /// The history that git shows.
    git: GitLog,
    /// How many lines are still searched for prefixes, whatever they say.
    early: usize,
    /// Each character has two bytes: no trigger is found before they are one.
    is_wide: bool,
    /// The lines that belong to no job.
    main: JobReader,
    jobs: Jobs,
    /// The job whose line goes on.
    speaking: Option<usize>,
    /// The beginning of a line whose end has not come yet, or the part that is not shown yet.
    held: Vec<u8>,
    /// The position where that began.
    held_at: Position,
    /// Behind its last byte.
    held_to: Position,
    /// Parts of this line have been shown.
    begun: bool,
    /// The last line, or its beginning.
    before: Vec<u8>,
}

impl StreamReader {
    pub(super) fn new(triggers: Arc<Triggers>, matchers: Arc<[Matcher]>, stream: Stream) -> Self {
        let at = Position::default();
        Self {
            triggers,
            stream,
            is_compiling: false,
            margins: Margins::default(),
            git: GitLog::default(),
            early: EARLY,
            is_wide: false,
            main: JobReader::new(&matchers),
            jobs: Jobs::new(matchers),
            speaking: None,
            held: Vec::new(),
            held_at: at,
            held_to: at,
            begun: false,
            before: Vec::new(),
        }
    }

    /// Reads the next chunk, which begins at this position of the log. Returns the position behind it.
    pub(super) fn push(
        &mut self,
        mut chunk: Chunk<'_>,
        mut at: Position,
        collection: &mut Collection,
    ) -> Position {
        self.stream = if self.is_compiling { Stream::Err } else { chunk.stream() };
        // So each line here is short enough to be shown in one step. A longer one is held, regardless of
        // chunk borders.
        while !chunk.bytes().is_empty() {
            let (now, later) = chunk.split_at(LONGEST);
            at = self.take(now, at, collection);
            chunk = later;
        }
        at
    }

    fn take(&mut self, chunk: Chunk<'_>, at: Position, collection: &mut Collection) -> Position {
        let bytes = chunk.bytes();
        let end = memrchr(b'\n', bytes).map_or(0, |last| last + 1);
        let (mut lines, rest) = bytes.split_at(end);
        let behind_lines = Position { byte: at.byte + end as u64, lines: at.lines + chunk.line_feeds() };
        let mut at = at;
        if (!self.held.is_empty() || self.begun)
            && let Some(first) = memchr(b'\n', lines)
        {
            let (line, more) = lines.split_at(first + 1);
            at = self.hold(line, at, collection);
            self.show_held(true, collection);
            lines = more;
        }
        at = self.whole(lines, (at, behind_lines), collection);
        self.hold(rest, at, collection)
    }

    /// Lines of this stream count as those of standard error.
    pub(super) fn compiling(self, is_compiling: bool) -> Self {
        Self { is_compiling, ..self }
    }

    /// A single dialect is tested on lines as they are: nothing stands before them.
    #[cfg(test)]
    pub(super) fn bare(&mut self) {
        (self.margins, self.early) = (Margins::none(), 0);
    }

    /// All of it may be a report in this dialect.
    pub(super) fn expect(&mut self, dialect: &str) {
        self.main.expect(&self.triggers, dialect);
    }

    /// The jobs that were announced on the other stream.
    pub(super) fn learn(&mut self, other: &Self) {
        self.jobs.learn(&other.jobs);
    }

    /// Nothing follows.
    pub(super) fn end(&mut self, collection: &mut Collection) {
        if !self.held.is_empty() {
            self.show_held(true, collection);
        }
        self.main.end(collection);
        self.jobs.end(collection);
    }

    /// Bytes of a line that may go on. Parts are cut at the same places however the bytes come.
    fn hold(&mut self, mut bytes: &[u8], mut at: Position, collection: &mut Collection) -> Position {
        while !bytes.is_empty() {
            if self.held.len() >= LONGEST {
                self.show_held(false, collection);
            }
            if self.held.is_empty() {
                self.held_at = at;
            }
            let (now, later) = bytes.split_at(bytes.len().min(LONGEST - self.held.len()));
            self.held.extend_from_slice(now);
            at = at.behind_line(now);
            self.held_to = at;
            bytes = later;
        }
        at
    }

    /// Shows the held bytes, which are the end of their line or a part of it.
    fn show_held(&mut self, ends: bool, collection: &mut Collection) {
        let mut bytes = std::mem::take(&mut self.held);
        let mut kept = Vec::new();
        if !ends {
            // No part ends within a character.
            kept = bytes.split_off(bytes.len() - torn(&bytes));
        }
        let part = match (self.begun, ends) {
            (false, true) => LinePart::Whole,
            (false, false) => LinePart::Beginning,
            (true, false) => LinePart::Middle,
            (true, true) => LinePart::End,
        };
        self.begun = !ends;
        let to = Position { byte: self.held_to.byte - kept.len() as u64, ..self.held_to };
        let before = std::mem::take(&mut self.before);
        // A line without a trigger as a whole is passed over in parts as well: controls may interrupt a trigger.
        if part != LinePart::Whole || self.listens() || self.triggers.find(&bytes).is_some() {
            self.line((&bytes, &before), (self.held_at, to), part, collection);
        }
        self.before = before;
        if part != LinePart::Middle && part != LinePart::End {
            self.remember(&bytes);
        }
        self.held_at = to;
        self.held = kept;
    }

    /// Reads whole lines, which need not be held.
    fn whole(
        &mut self,
        bytes: &[u8],
        (mut at, end): (Position, Position),
        collection: &mut Collection,
    ) -> Position {
        if bytes.is_empty() {
            return at;
        }
        let earlier = std::mem::take(&mut self.before);
        let mut from = 0;
        // Behind a line that has a trigger there is often another, which need not be found first. One with controls must
        // be: they may tear a trigger apart, and what is found may not depend on the line before.
        let mut concerns = false;
        while from < bytes.len() {
            let mut line = first_line(&bytes[from..]);
            let is_shown = self.listens() || concerns && Plain::default().is_plain(line);
            if !is_shown {
                let Some(passed) = self.triggers.find(&bytes[from..]) else {
                    at = end;
                    break;
                };
                at = at.behind(&bytes[from..from + passed]);
                from += passed;
                line = first_line(&bytes[from..]);
            }
            let before = if from == 0 { &earlier } else { &bytes[..from] };
            let to = at.behind_line(line);
            concerns = self.line((line, before), (at, to), LinePart::Whole, collection);
            at = to;
            from += line.len();
        }
        self.before = earlier;
        self.remember(bytes);
        at
    }

    /// Whether each line matters with any content.
    fn listens(&self) -> bool {
        self.main.is_open() || self.git.is_open() || self.early > 0 || self.is_wide || !self.jobs.is_empty()
    }

    /// The last of these lines is the one before the next.
    fn remember(&mut self, lines: &[u8]) {
        let last = last_line(lines);
        self.before.clear();
        self.before.extend_from_slice(&last[..last.len().min(LONGEST_BEFORE)]);
    }

    /// Shows a line, or a part of one, to the readers that it concerns; with it, bytes that end with the line before.
    /// Returns whether it has a trigger.
    fn line(
        &mut self,
        (bytes, before): (&[u8], &[u8]),
        (at, to): (Position, Position),
        part: LinePart,
        collection: &mut Collection,
    ) -> bool {
        if part == LinePart::Whole && memchr(b'\r', bytes).is_some_and(|end| end + 2 < bytes.len()) {
            self.overwritten(bytes, (at, to), collection);
        }
        let printed = plain(bytes);
        let begins = matches!(part, LinePart::Whole | LinePart::Beginning);
        let ends_in = to.lines - u64::from(bytes.last() == Some(&b'\n'));
        let log = LogRange { start: at.byte, end: to.byte, start_line: at.lines + 1, end_line: ends_in + 1 };
        if begins {
            self.is_wide |= self.early > 0 && memchr_iter(0, bytes).count() > bytes.len() / 3;
            self.early = self.early.saturating_sub(1);
            let concerns = |text: &str| !self.triggers.tell(text).without(ANNOUNCES).is_empty();
            self.margins.learn(&printed, before, self.early > 0, concerns);
        }
        let text = if begins { self.margins.strip(&printed) } else { &printed };
        let line_before = self.margins.strip_last(before);
        let before = line_before.as_ref().map_or(before, |line| line.as_bytes());
        let concerned = self.triggers.tell(text);
        let may_be_of_git = begins && (!concerned.is_empty() || self.git.is_open());
        if may_be_of_git && self.git.has(text, || plain(last_line(before)).into_owned()) {
            self.speaking = None;
            return !concerned.is_empty();
        }
        if begins {
            self.speaking = self.jobs.of(text);
        }
        let line = Line::new(text, log, part, before).of(self.stream);
        if self.speaking.is_none() && part == LinePart::Whole {
            let is_listening = (self.early > 0, self.main.is_open(), self.margins.is_named());
            let concerns = |text: &str| self.triggers.tell(text).without(ANNOUNCES);
            self.speaking = self.jobs.unannounced(
                &line,
                concerned.without(ANNOUNCES),
                is_listening,
                concerns,
                collection,
            );
        }
        if let Some(job) = self.speaking {
            self.jobs.read(job, (&self.triggers, concerned), &line, collection);
            return !concerned.is_empty();
        }
        if concerned.meets(ANNOUNCES) {
            if part == LinePart::Whole {
                self.jobs.announced(text);
            }
            collection.files.learn(text, log.start);
        }
        self.main.read(&self.triggers, concerned, &line, collection);
        if concerned.meets(ANNOUNCES) {
            collection.declare(text, (0, log.end), None);
        }
        !concerned.is_empty()
    }

    /// Shows the parts of a line that carriage returns end, where a reader waits for them: some programs end their lines so.
    fn overwritten(&mut self, bytes: &[u8], log: (Position, Position), collection: &mut Collection) {
        let mut parts = bytes.trim_ascii_end().split(|byte| *byte == b'\r');
        // The last one is read as the line.
        parts.next_back();
        for part in parts {
            if !self.triggers.tell(&plain(part)).without(ANNOUNCES).is_empty() {
                self.line((part, b""), log, LinePart::Whole, collection);
            }
        }
    }
}

/// The first of these lines, with its end.
fn first_line(lines: &[u8]) -> &[u8] {
    memchr(b'\n', lines).map_or(lines, |end| &lines[..=end])
}

/// How many bytes of a character that goes on stand at the end.
fn torn(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let Some(lead) = tail.iter().rposition(|byte| *byte >= 0xc0) else { return 0 };
    let length = match tail[lead] {
        0xf0.. => 4,
        0xe0.. => 3,
        _ => 2,
    };
    let there = tail.len() - lead;
    if there < length { there } else { 0 }
}
