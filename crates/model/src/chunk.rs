//! A piece of a stream's output.

use super::Stream;

/// Some bytes of a stream.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    stream: Stream,
    bytes: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The next bytes of this stream.
    pub fn new(stream: Stream, bytes: &'a [u8]) -> Self {
        Self { stream, bytes }
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
        line_feeds(self.bytes)
    }

    /// Splits it behind this number of bytes, or at its end.
    #[must_use]
    pub fn split_at(self, length: usize) -> (Self, Self) {
        let (first, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        (Self { bytes: first, ..self }, Self { bytes: rest, ..self })
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
            assert_eq!(first.line_feeds() + rest.line_feeds(), whole.line_feeds());
            assert_eq!([first.stream(), rest.stream()], [Stream::Err; 2]);
            assert_eq!([first.bytes(), rest.bytes()].concat(), whole.bytes());
        }
    }
}
