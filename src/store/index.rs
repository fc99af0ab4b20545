//! The index of a log: checkpoints that say how many lines came before a byte, and which stream goes on there.
//!
//! A checkpoint is 24 bytes, three little-endian numbers: the place in the log, the line feeds before it, the stream
//! (1: standard output, 2: standard error). There is one where the stream changes and one each 64 KiB, so a line is
//! found by a binary search and by reading 64 KiB at most, whatever the log's size.

use crate::model::Stream;

/// How many bytes of one stream go without a checkpoint.
pub(super) const STRIDE: u64 = 64 * 1024;
/// The size of a checkpoint, in bytes.
pub(super) const SIZE: usize = 24;

/// A place in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Checkpoint {
    /// In bytes from the log's beginning.
    pub(super) offset: u64,
    /// The line feeds before it.
    pub(super) lines: u64,
    /// Where the bytes from here on came from.
    pub(super) stream: Stream,
}

impl Checkpoint {
    pub(super) fn encode(self) -> [u8; SIZE] {
        let stream: u64 = match self.stream {
            Stream::Out => 1,
            Stream::Err => 2,
        };
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.lines.to_le_bytes());
        bytes[16..].copy_from_slice(&stream.to_le_bytes());
        bytes
    }

    /// `None` for what no checkpoint looks like.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let stream = match number(16)? {
            1 => Stream::Out,
            2 => Stream::Err,
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
    /// Bytes of a stream come next: the checkpoints that are due at their beginning and within them.
    pub(super) fn push(&mut self, stream: Stream, bytes: &[u8], mut due: impl FnMut(Checkpoint)) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let stays = self.last.filter(|last| last.stream == stream && self.offset - last.offset < STRIDE);
            let last = stays.unwrap_or_else(|| {
                let checkpoint = Checkpoint { offset: self.offset, lines: self.lines, stream };
                due(checkpoint);
                checkpoint
            });
            self.last = Some(last);
            let room = usize::try_from(last.offset + STRIDE - self.offset).unwrap_or(usize::MAX);
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.offset += now.len() as u64;
            self.lines += line_feeds(now);
            rest = later;
        }
    }

    /// How many bytes there were.
    pub(super) fn bytes(&self) -> u64 {
        self.offset
    }
}

/// How many line feeds there are.
pub(super) fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The checkpoints of a log, those that cannot be right left out with all that follow.
#[derive(Debug, Clone, Default)]
pub(super) struct Index(Vec<Checkpoint>);

impl Index {
    /// Reads the bytes of an index for a log of this size. What a crash left of a last checkpoint is passed over.
    pub(super) fn read(bytes: &[u8], log: u64) -> Self {
        let mut checkpoints: Vec<Checkpoint> = Vec::with_capacity(bytes.len() / SIZE);
        for found in bytes.chunks_exact(SIZE).map(Checkpoint::decode) {
            let fits = |found: &Checkpoint| match checkpoints.last() {
                None => found.offset == 0 && found.lines == 0,
                Some(last) => {
                    found.offset > last.offset
                        && found.offset <= log
                        && found.lines >= last.lines
                        && found.lines - last.lines <= found.offset - last.offset
                }
            };
            let Some(found) = found.filter(fits) else { break };
            checkpoints.push(found);
        }
        Self(checkpoints)
    }

    /// The last checkpoint before which fewer than `line` line feeds are: the line after that many begins behind it.
    pub(super) fn before_line(&self, line: u64) -> Option<Checkpoint> {
        let place = self.0.partition_point(|checkpoint| checkpoint.lines < line);
        self.0.get(place.checked_sub(1)?).copied()
    }

    /// The checkpoint that this byte lies behind.
    pub(super) fn at(&self, offset: u64) -> Option<usize> {
        self.0.partition_point(|checkpoint| checkpoint.offset <= offset).checked_sub(1)
    }

    /// A checkpoint, and where the next one is.
    pub(super) fn segment(&self, place: usize) -> Option<(Checkpoint, Option<u64>)> {
        Some((*self.0.get(place)?, self.0.get(place + 1).map(|next| next.offset)))
    }

    /// The last checkpoint.
    pub(super) fn last(&self) -> Option<Checkpoint> {
        self.0.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(chunks: &[(Stream, &[u8])]) -> Vec<Checkpoint> {
        let (mut follower, mut found) = (Follower::default(), Vec::new());
        for (stream, bytes) in chunks {
            follower.push(*stream, bytes, |checkpoint| found.push(checkpoint));
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
        let told: Vec<_> = found.iter().map(|c| (c.offset, c.lines, c.stream)).collect();
        assert_eq!(
            told,
            [
                (0, 0, Stream::Out),
                (4, 2, Stream::Err),
                (6, 3, Stream::Out),
                (6 + STRIDE, 3, Stream::Out),
                (6 + 2 * STRIDE, 3, Stream::Out)
            ]
        );
        let bytes: Vec<u8> = found.iter().flat_map(|checkpoint| checkpoint.encode()).collect();
        let index = Index::read(&bytes, 200_000);
        assert_eq!(index.0, found);
        assert_eq!((index.before_line(0), index.before_line(1)), (None, Some(found[0])));
        assert_eq!((index.before_line(3), index.before_line(4)), (Some(found[1]), Some(found[4])));
        assert_eq!((index.at(5), index.at(u64::MAX)), (Some(1), Some(4)));
    }

    #[test]
    fn what_cannot_be_right_ends_an_index() {
        let found = followed(&[(Stream::Out, b"a\n"), (Stream::Err, b"b\n"), (Stream::Out, b"c")]);
        let bytes: Vec<u8> = found.iter().flat_map(|checkpoint| checkpoint.encode()).collect();
        assert_eq!(Index::read(&bytes[..SIZE + 7], 5).0, found[..1]);
        assert_eq!(Index::read(&bytes, 3).0, found[..2], "nothing lies behind the log");
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0xff;
            let kept = Index::read(&broken, 5).0;
            assert!(
                kept.windows(2).all(|pair| pair[0].offset < pair[1].offset && pair[0].lines <= pair[1].lines)
            );
        }
    }
}
