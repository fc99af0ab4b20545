//! Reads a run, also while it is recorded: by bytes, by lines, or one stream alone.

use std::io::ErrorKind;
use std::ops::{ControlFlow, Range};

use super::answers;
use super::error::StoreError;
use super::files::{INDEX, LOG};
use super::index::{Checkpoint, Index, STRIDE};
use crate::model::{Stream, line_feeds};
use crate::sys::private::{PrivateFileView, PrivateFolder};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 * 1024;

/// A run's log.
#[derive(Debug)]
pub struct Log {
    source: LogSource,
    index: Index,
    bytes: u64,
}

/// The bytes of a log.
#[derive(Debug)]
enum LogSource {
    /// A file, which another process may write to.
    File(PrivateFileView),
    /// The text of a call's answer, from the folder of the call.
    Answer(PrivateFolder, String),
}

impl LogSource {
    fn open(folder: &PrivateFolder) -> std::io::Result<Self> {
        match folder.view(LOG) {
            Err(error) if error.kind() == ErrorKind::NotFound && answers::is_call(folder) => {
                Ok(Self::Answer(folder.clone(), answers::text(folder)))
            }
            view => view.map(Self::File),
        }
    }

    fn len(&self) -> std::io::Result<u64> {
        match self {
            Self::File(view) => view.len(),
            Self::Answer(_, text) => Ok(text.len() as u64),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let text = match self {
            Self::File(view) => return view.read_at(offset, buffer),
            Self::Answer(_, text) => text.as_bytes(),
        };
        let rest = usize::try_from(offset).ok().and_then(|offset| text.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

impl Log {
    /// Opens the log in this folder.
    pub(super) fn open(folder: &PrivateFolder) -> Result<Self, StoreError> {
        let failed = |error| StoreError::Io(folder.path().to_owned(), error);
        let source = LogSource::open(folder).map_err(failed)?;
        // The index is read first: lines that the log gets meanwhile are found without it.
        let index = folder.view(INDEX).ok();
        let bytes = source.len().map_err(failed)?;
        let index = index.map_or_else(|| Ok(Index::default()), |index| Index::read(index, bytes));
        Ok(Self { index: index.map_err(failed)?, source, bytes })
    }

    /// Reads the output since the last look, without reading the known part again.
    ///
    /// # Errors
    /// The operating system's.
    pub fn grow(&mut self) -> std::io::Result<()> {
        if let LogSource::Answer(folder, text) = &mut self.source {
            *text = answers::text(folder);
        }
        self.bytes = self.source.len()?;
        self.index.grow(self.bytes)
    }

    /// The first byte whose stream is unknown, if the index is damaged. From there on all bytes count for the
    /// stream before it, or for standard output if there is none.
    pub fn streams_lost(&self) -> Option<u64> {
        if matches!(self.source, LogSource::Answer(..)) {
            return None;
        }
        let known = self.index.last().map_or(0, |last| last.offset + STRIDE);
        (known < self.bytes).then_some(known)
    }

    /// How many bytes it had when it was opened.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many lines it had; an unfinished last one counts.
    ///
    /// # Errors
    /// The operating system's.
    pub fn lines(&self) -> std::io::Result<u64> {
        let (at, mut lines) = self.index.last().map_or((0, 0), |last| (last.offset, last.lines));
        self.each(at..self.bytes, &mut |chunk| {
            lines += line_feeds(chunk);
            ControlFlow::Continue(())
        })?;
        // Looked at by itself: the log may end at the last checkpoint.
        let mut is_finished = true;
        self.each(self.bytes.saturating_sub(1)..self.bytes, &mut |last| {
            is_finished = last == b"\n";
            ControlFlow::Break(())
        })?;
        Ok(lines + u64::from(!is_finished))
    }

    /// The offset of a line, counted from 1; the log's end if it has no such line.
    ///
    /// # Errors
    /// The operating system's.
    pub fn line(&self, line: u64) -> std::io::Result<u64> {
        let wanted = line.saturating_sub(1);
        if wanted == 0 {
            return Ok(0);
        }
        let start = self.index.before_line(wanted)?;
        let (mut at, mut lines) = start.map_or((0, 0), |start| (start.offset, start.lines));
        let mut found = self.bytes;
        self.each(at..self.bytes, &mut |chunk| {
            let here = line_feeds(chunk);
            if lines + here < wanted {
                lines += here;
                at += chunk.len() as u64;
                return ControlFlow::Continue(());
            }
            let nth = usize::try_from(wanted - lines - 1).unwrap_or(usize::MAX);
            if let Some(place) = memchr::memchr_iter(b'\n', chunk).nth(nth) {
                found = at + place as u64 + 1;
            }
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// Shows the bytes in a range, a piece at a time.
    ///
    /// # Errors
    /// The operating system's.
    pub fn each(
        &self,
        range: Range<u64>,
        show: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> std::io::Result<()> {
        self.ahead(range.end).each(range, show)
    }

    /// Reads pieces up to this byte.
    fn ahead(&self, end: u64) -> Ahead<'_> {
        Ahead { source: &self.source, end: end.min(self.bytes), piece: vec![0; CHUNK], held: 0..0 }
    }

    /// Shows the bytes that may be of one stream in a range, a piece at a time. Bytes without a checkpoint
    /// belong to the last one, or to standard output if there is none.
    ///
    /// # Errors
    /// The operating system's.
    pub fn each_of(
        &self,
        stream: Stream,
        range: Range<u64>,
        show: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> std::io::Result<()> {
        self.segments(range, Some(stream), &mut |_, chunk| show(chunk))
    }

    /// The first bytes of a range, at most so many.
    ///
    /// # Errors
    /// The operating system's.
    pub fn some(&self, range: Range<u64>, most: usize) -> std::io::Result<Vec<u8>> {
        let mut some = Vec::new();
        self.each(range, &mut |chunk| {
            some.extend_from_slice(&chunk[..chunk.len().min(most - some.len())]);
            if some.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(some)
    }

    /// Shows the bytes in a range a piece at a time, each with its stream; where the index does not say, standard output.
    ///
    /// # Errors
    /// The operating system's.
    pub fn each_with_stream(
        &self,
        range: Range<u64>,
        show: &mut dyn FnMut(Stream, &[u8]) -> ControlFlow<()>,
    ) -> std::io::Result<()> {
        self.segments(range, None, show)
    }

    fn segments(
        &self,
        range: Range<u64>,
        wanted: Option<Stream>,
        show: &mut dyn FnMut(Stream, &[u8]) -> ControlFlow<()>,
    ) -> std::io::Result<()> {
        let unindexed = Checkpoint { offset: 0, lines: 0, stream: Stream::Out };
        let mut checkpoints = self.index.behind(range.start)?;
        let mut ahead = self.ahead(range.end);
        let mut stopped = false;
        let mut segment = Some(checkpoints.next().transpose()?.unwrap_or(unindexed));
        while let Some(checkpoint) = segment.filter(|segment| segment.offset < range.end && !stopped) {
            segment = checkpoints.next().transpose()?;
            let end = segment.map_or(self.bytes, |next| next.offset).min(range.end);
            if wanted.is_none_or(|wanted| checkpoint.stream.may_be(wanted)) {
                ahead.each(checkpoint.offset.max(range.start)..end, &mut |chunk| {
                    let flow = show(checkpoint.stream, chunk);
                    stopped = flow.is_break();
                    flow
                })?;
            }
        }
        Ok(())
    }
}

/// Reads a piece at a time, and keeps it for the ranges that come next: a line may be a range.
struct Ahead<'a> {
    source: &'a LogSource,
    /// Where the last range ends.
    end: u64,
    piece: Vec<u8>,
    /// The bytes of the log that are in the piece.
    held: Range<u64>,
}

impl Ahead<'_> {
    /// Shows the bytes in a range.
    fn each(
        &mut self,
        range: Range<u64>,
        show: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> std::io::Result<()> {
        let end = range.end.min(self.end);
        let mut at = range.start;
        while at < end {
            let some = self.some(at..end)?;
            if some.is_empty() || show(some).is_break() {
                break;
            }
            at += some.len() as u64;
        }
        Ok(())
    }

    /// The first bytes of a range; none where the log ends.
    fn some(&mut self, range: Range<u64>) -> std::io::Result<&[u8]> {
        if !self.held.contains(&range.start) {
            let most = length(range.start..self.end).min(CHUNK);
            let read = self.source.read_at(range.start, &mut self.piece[..most])?;
            self.held = range.start..range.start + read as u64;
        }
        let before = length(self.held.start..range.start);
        Ok(&self.piece[before..before + length(range.start..range.end.min(self.held.end))])
    }
}

/// How many bytes a range has.
fn length(range: Range<u64>) -> usize {
    usize::try_from(range.end - range.start).unwrap_or(usize::MAX)
}
