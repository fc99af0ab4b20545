//! The index of a log: checkpoints with the number of lines before a byte, and the stream that continues
//! there.
//!
//! A checkpoint is 24 bytes, three little-endian numbers. They are the position in the log, the line feeds
//! before it, and the stream (1: standard output, 2: standard error, 3: one pipe for both). There is one at
//! each change of the stream and one each 64 KiB. So a binary search and at most 64 KiB of reading find a
//! line in a log of any size.

use std::io;
use std::ops::Range;

use crate::model::{Chunk, Stream};
use crate::sys::private::PrivateFileView;

/// How many bytes of one stream go without a checkpoint.
pub(super) const STRIDE: u64 = 64 * 1024;
/// The size of a checkpoint, in bytes.
pub(super) const SIZE: usize = 24;
/// How many checkpoints are read at once.
const BLOCK: usize = 1024;

/// A place in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Checkpoint {
    /// In bytes from the log's beginning.
    pub(super) offset: u64,
    /// The line feeds before it.
    pub(super) lines: u64,
    /// The stream of the bytes from here on.
    pub(super) stream: Stream,
}

impl Checkpoint {
    pub(super) fn encode(self) -> [u8; SIZE] {
        let stream: u64 = match self.stream {
            Stream::Out => 1,
            Stream::Err => 2,
            Stream::Both => 3,
        };
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.lines.to_le_bytes());
        bytes[16..].copy_from_slice(&stream.to_le_bytes());
        bytes
    }

    /// Parses a checkpoint; `None` for bytes that are none.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let stream = match number(16)? {
            1 => Stream::Out,
            2 => Stream::Err,
            3 => Stream::Both,
            _ => return None,
        };
        let found = Self { offset: number(0)?, lines: number(8)?, stream };
        (found.lines <= found.offset).then_some(found)
    }
}

/// Follows a log while it is written, and says where checkpoints are due.
#[derive(Debug, Default)]
pub(super) struct Follower {
    offset: u64,
    lines: u64,
    last: Option<Checkpoint>,
}

impl Follower {
    /// The line feeds so far.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Bytes of a stream come next: the checkpoints that are due at their beginning and within them.
    pub(super) fn push(&mut self, chunk: Chunk<'_>, mut due: impl FnMut(Checkpoint)) {
        let (stream, mut rest) = (chunk.stream(), chunk);
        while !rest.bytes().is_empty() {
            let stays = self.last.filter(|last| last.stream == stream && self.offset - last.offset < STRIDE);
            let last = stays.unwrap_or_else(|| {
                let checkpoint = Checkpoint { offset: self.offset, lines: self.lines, stream };
                due(checkpoint);
                checkpoint
            });
            self.last = Some(last);
            let room = usize::try_from(last.offset + STRIDE - self.offset).unwrap_or(usize::MAX);
            let (now, later) = rest.split_at(room);
            self.offset += now.bytes().len() as u64;
            self.lines += now.line_feeds();
            rest = later;
        }
    }
}

/// The checkpoints of a log, those that cannot be right left out with all that follow. They stay in their file: a run
/// that changes streams with every byte has more of them than there is memory.
#[derive(Debug, Default)]
pub(super) struct Index {
    file: Option<PrivateFileView>,
    count: u64,
    last: Option<Checkpoint>,
}

impl Index {
    /// Reads the index of a log of this size. A last checkpoint that a crash cut off is passed over.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn read(file: PrivateFileView, log: u64) -> io::Result<Self> {
        let mut index = Self { file: Some(file), ..Self::default() };
        index.grow(log)?;
        Ok(index)
    }

    /// Reads the checkpoints that have come since, now that the log has this size.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn grow(&mut self, log: u64) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let (mut count, mut last) = (self.count, self.last);
        for found in Checkpoints::of(file, count..u64::MAX) {
            let found = found?;
            let fits = last.map_or(found.offset == 0 && found.lines == 0, |last| {
                found.offset > last.offset
                    && found.offset <= log
                    && found.lines >= last.lines
                    && found.lines - last.lines <= found.offset - last.offset
            });
            if !fits {
                break;
            }
            count += 1;
            last = Some(found);
        }
        (self.count, self.last) = (count, last);
        Ok(())
    }

    /// The last checkpoint before which fewer than `line` line feeds are: the line after that many begins behind it.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn before_line(&self, line: u64) -> io::Result<Option<Checkpoint>> {
        let place = self.partition(|checkpoint| checkpoint.lines < line)?;
        place.checked_sub(1).map_or(Ok(None), |place| self.from(place).next().transpose())
    }

    /// The checkpoint that this byte lies behind, and all after it.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn behind(&self, offset: u64) -> io::Result<Checkpoints<'_>> {
        let place = self.partition(|checkpoint| checkpoint.offset <= offset)?;
        Ok(self.from(place.saturating_sub(1)))
    }

    /// The last checkpoint.
    pub(super) fn last(&self) -> Option<Checkpoint> {
        self.last
    }

    fn from(&self, place: u64) -> Checkpoints<'_> {
        Checkpoints { file: self.file.as_ref(), places: place..self.count, block: Vec::new(), used: 0 }
    }

    /// How many checkpoints come before the first that this does not hold of.
    fn partition(&self, holds: impl Fn(Checkpoint) -> bool) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.from(middle).one()?.is_some_and(&holds) { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }
}

/// Reads checkpoints from their file, in order, until one is none.
#[derive(Debug)]
pub(super) struct Checkpoints<'a> {
    file: Option<&'a PrivateFileView>,
    places: Range<u64>,
    block: Vec<u8>,
    used: usize,
}

impl<'a> Checkpoints<'a> {
    fn of(file: &'a PrivateFileView, places: Range<u64>) -> Self {
        Self { file: Some(file), places, block: Vec::new(), used: 0 }
    }

    /// The first alone, without reading more than it takes.
    fn one(mut self) -> io::Result<Option<Checkpoint>> {
        self.places.end = self.places.end.min(self.places.start + 1);
        self.next().transpose()
    }

    /// Reads as many as fit; whether there are any.
    fn fill(&mut self) -> io::Result<bool> {
        let Some(file) = self.file else { return Ok(false) };
        let left = usize::try_from(self.places.end - self.places.start).unwrap_or(BLOCK).min(BLOCK);
        self.block.resize(left * SIZE, 0);
        let read = file.read_at(self.places.start.saturating_mul(SIZE as u64), &mut self.block)?;
        self.block.truncate(read - read % SIZE);
        self.used = 0;
        Ok(!self.block.is_empty())
    }
}

impl Iterator for Checkpoints<'_> {
    type Item = io::Result<Checkpoint>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.used == self.block.len() {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        let found = Checkpoint::decode(self.block.get(self.used..self.used + SIZE)?)?;
        self.used += SIZE;
        self.places.start += 1;
        Some(Ok(found))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::sys::private::PrivateFolder;

    /// An index file with these bytes, and its checkpoints for a log of this size.
    fn read(bytes: &[u8], log: u64) -> (Index, Vec<Checkpoint>) {
        let base = tempfile::tempdir().unwrap();
        let folder = PrivateFolder::make(base.path()).unwrap();
        folder.write("index", bytes).unwrap();
        let index = Index::read(folder.view("index").unwrap(), log).unwrap();
        let all = index.from(0).collect::<io::Result<_>>().unwrap();
        (index, all)
    }

    fn followed(chunks: &[(Stream, &[u8])]) -> Vec<Checkpoint> {
        let (mut follower, mut found) = (Follower::default(), Vec::new());
        for (stream, bytes) in chunks {
            follower.push(Chunk::new(*stream, bytes), |checkpoint| found.push(checkpoint));
        }
        found
    }

    #[test]
    fn checkpoints_stand_at_changes_and_each_stride() {
        let long = vec![b'x'; 150_000];
        let found = followed(&[
            (Stream::Out, b"a\nb"),
            (Stream::Out, b"\n"),
            (Stream::Err, b"e\n"),
            (Stream::Out, &long),
        ]);
        let checkpoints: Vec<_> = found.iter().map(|c| (c.offset, c.lines, c.stream)).collect();
        assert_eq!(
            checkpoints,
            [
                (0, 0, Stream::Out),
                (4, 2, Stream::Err),
                (6, 3, Stream::Out),
                (6 + STRIDE, 3, Stream::Out),
                (6 + 2 * STRIDE, 3, Stream::Out)
            ]
        );
        let bytes: Vec<u8> = found.iter().flat_map(|checkpoint| checkpoint.encode()).collect();
        let (index, all) = read(&bytes, 200_000);
        assert_eq!(all, found);
        let line = |line| index.before_line(line).unwrap();
        assert_eq!(
            (line(0), line(1), line(3), line(4)),
            (None, Some(found[0]), Some(found[1]), Some(found[4]))
        );
        let behind = |byte| index.behind(byte).unwrap().map(Result::unwrap).collect::<Vec<_>>();
        assert_eq!((behind(5), behind(u64::MAX)), (found[1..].to_vec(), found[4..].to_vec()));
    }

    /// It would be ten times a second, while a log is followed.
    #[test]
    fn an_index_that_grows_is_not_looked_through_again() {
        let found = followed(&[(Stream::Out, b"a\n"), (Stream::Err, b"b\n"), (Stream::Out, b"c")]);
        let bytes: Vec<u8> = found.iter().flat_map(|checkpoint| checkpoint.encode()).collect();
        let base = tempfile::tempdir().unwrap();
        let folder = PrivateFolder::make(base.path()).unwrap();
        folder.write("index", &bytes[..2 * SIZE + 5]).unwrap();
        let mut index = Index::read(folder.view("index").unwrap(), 3).unwrap();
        assert_eq!(index.last(), Some(found[1]));
        // Looked at again, its beginning would end it.
        let rest = [&[0xff; SIZE][..], &bytes[SIZE..]].concat();
        let mut file = std::fs::OpenOptions::new().write(true).open(base.path().join("index")).unwrap();
        file.write_all(&rest).unwrap();
        index.grow(3).unwrap();
        assert_eq!((index.count, index.last()), (2, Some(found[1])), "the log is not that long yet");
        index.grow(5).unwrap();
        assert_eq!((index.count, index.last()), (3, Some(found[2])));
    }

    #[test]
    fn an_impossible_checkpoint_ends_an_index() {
        let found = followed(&[(Stream::Out, b"a\n"), (Stream::Err, b"b\n"), (Stream::Out, b"c")]);
        let bytes: Vec<u8> = found.iter().flat_map(|checkpoint| checkpoint.encode()).collect();
        assert_eq!(read(&bytes[..SIZE + 7], 5).1, found[..1]);
        assert_eq!(read(&bytes, 3).1, found[..2], "nothing lies behind the log");
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0xff;
            let kept = read(&broken, 5).1;
            assert!(
                kept.windows(2).all(|pair| pair[0].offset < pair[1].offset && pair[0].lines <= pair[1].lines)
            );
        }
    }
}
