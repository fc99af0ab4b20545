//! A piece of a stream's output. Its line feeds are counted once for all its readers.

use super::Stream;

/// Some bytes of a stream.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    stream: Stream,
    bytes: &'a [u8],
    line_feeds: u64,
}

impl<'a> Chunk<'a> {
    /// The next bytes of this stream.
    pub fn new(stream: Stream, bytes: &'a [u8]) -> Self {
        Self { stream, bytes, line_feeds: line_feeds(bytes) }
    }

    /// The stream that it is from.
    pub fn stream(&self) -> Stream {
        self.stream
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many line feeds there are in it.
    pub fn line_feeds(&self) -> u64 {
        self.line_feeds
    }

    /// Splits it behind this number of bytes, or at its end.
    #[must_use]
    pub fn split_at(self, length: usize) -> (Self, Self) {
        let (first, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        let counted = if rest.is_empty() { self.line_feeds } else { line_feeds(first) };
        let part = |bytes, line_feeds| Self { bytes, line_feeds, ..self };
        (part(first, counted), part(rest, self.line_feeds - counted))
    }
}

/// The same with bytes of its own.
#[derive(Debug)]
pub struct OwnedChunk {
    stream: Stream,
    bytes: Vec<u8>,
    line_feeds: u64,
}

impl OwnedChunk {
    /// A copy of this chunk.
    pub fn new(chunk: Chunk<'_>) -> Self {
        Self { stream: chunk.stream, bytes: chunk.bytes.to_vec(), line_feeds: chunk.line_feeds }
    }

    /// Becomes this chunk, in the room that it has already.
    pub fn refill(&mut self, chunk: Chunk<'_>) {
        (self.stream, self.line_feeds) = (chunk.stream, chunk.line_feeds);
        self.bytes.clear();
        self.bytes.extend_from_slice(chunk.bytes);
    }

    /// The chunk, borrowed.
    pub fn chunk(&self) -> Chunk<'_> {
        Chunk { stream: self.stream, bytes: &self.bytes, line_feeds: self.line_feeds }
    }
}

/// How many line feeds there are.
pub fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_count_what_the_whole_does() {
        let whole = Chunk::new(Stream::Err, b"a\n\nb\nc");
        for length in 0..9 {
            let (first, rest) = whole.split_at(length);
            for part in [first, rest] {
                assert_eq!((part.line_feeds(), part.stream()), (line_feeds(part.bytes()), Stream::Err));
            }
            assert_eq!([first.bytes(), rest.bytes()].concat(), whole.bytes());
            let mut owned = OwnedChunk::new(whole);
            owned.refill(rest);
            assert_eq!(
                (owned.chunk().bytes(), owned.chunk().line_feeds()),
                (rest.bytes(), rest.line_feeds())
            );
        }
    }
}
