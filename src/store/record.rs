//! Reads a run, also while it is recorded: by bytes, by lines, or one stream alone.

use std::ops::{ControlFlow, Range};

use super::index::{Index, line_feeds};
use super::{INDEX, LOG, StoreError};
use crate::model::Stream;
use crate::sys::private::{PrivateFolder, View};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 * 1024;
/// The largest index that is read, in bytes: that of a log of 180 GB, or of one that changes streams eleven million times.
const LARGEST_INDEX: u64 = 256 * 1024 * 1024;

/// A run's log.
#[derive(Debug)]
pub struct Log {
    view: View,
    index: Index,
    bytes: u64,
}

impl Log {
    /// Opens the log in this folder.
    pub(super) fn open(folder: &PrivateFolder) -> Result<Self, StoreError> {
        let failed = |error| StoreError::Io(folder.path().to_owned(), error);
        let view = folder.view(LOG).map_err(failed)?;
        // The index is read first: what the log has more by then is found without it.
        let index = folder.read(INDEX, LARGEST_INDEX).unwrap_or_default();
        let bytes = view.len().map_err(failed)?;
        Ok(Self { index: Index::read(&index, bytes), view, bytes })
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
        let (mut at, mut lines) = self.index.last().map_or((0, 0), |last| (last.offset, last.lines));
        let mut last = None;
        if at == self.bytes && at > 0 {
            at -= 1;
        }
        self.each(at..self.bytes, &mut |chunk| {
            lines += line_feeds(chunk);
            last = chunk.last().copied().or(last);
            ControlFlow::Continue(())
        })?;
        Ok(lines + u64::from(last.is_some_and(|last| last != b'\n')))
    }

    /// Where a line begins, counted from 1; the log's end where it has no such line.
    ///
    /// # Errors
    /// The operating system's.
    pub fn line(&self, line: u64) -> std::io::Result<u64> {
        let wanted = line.saturating_sub(1);
        if wanted == 0 {
            return Ok(0);
        }
        let start = self.index.before_line(wanted);
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
        let mut buffer = vec![0; CHUNK];
        let mut at = range.start;
        let end = range.end.min(self.bytes);
        while at < end {
            let most = usize::try_from(end - at).unwrap_or(CHUNK).min(CHUNK);
            let read = self.view.read_at(at, &mut buffer[..most])?;
            if read == 0 || show(&buffer[..read]).is_break() {
                break;
            }
            at += read as u64;
        }
        Ok(())
    }

    /// Shows the bytes of one stream in a range, a piece at a time. What has no checkpoint belongs to the last one.
    ///
    /// # Errors
    /// The operating system's.
    pub fn each_of(
        &self,
        stream: Stream,
        range: Range<u64>,
        show: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> std::io::Result<()> {
        self.pieces(Some(stream), range, &mut |_, chunk| show(chunk))
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
        self.pieces(None, range, show)
    }

    fn pieces(
        &self,
        only: Option<Stream>,
        range: Range<u64>,
        show: &mut dyn FnMut(Stream, &[u8]) -> ControlFlow<()>,
    ) -> std::io::Result<()> {
        let wanted = |stream| only.is_none_or(|only| only == stream);
        let Some(mut place) = self.index.at(range.start) else {
            let range = if wanted(Stream::Out) { range } else { 0..0 };
            return self.each(range, &mut |chunk| show(Stream::Out, chunk));
        };
        let mut stopped = false;
        while let Some((checkpoint, next)) = self.index.segment(place) {
            if checkpoint.offset >= range.end || stopped {
                break;
            }
            if wanted(checkpoint.stream) {
                let part = checkpoint.offset.max(range.start)..next.unwrap_or(self.bytes).min(range.end);
                self.each(part, &mut |chunk| {
                    let flow = show(checkpoint.stream, chunk);
                    stopped = flow.is_break();
                    flow
                })?;
            }
            place += 1;
        }
        Ok(())
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
}
