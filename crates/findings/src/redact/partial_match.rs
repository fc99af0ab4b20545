//! How much of a value the end of a stream is.

/// A value to search for, and how to continue where a beginning of it turns out to be none.
///
/// This is the prefix function of Knuth, Morris and Pratt: one step a byte, even for a stream that repeats
/// itself.
pub(super) struct SearchPattern {
    value: Vec<u8>,
    /// For each number of its first bytes: how many of the last of them are the first again.
    again: Vec<usize>,
}

impl SearchPattern {
    /// A value, which is not empty.
    pub(super) fn new(value: Vec<u8>) -> Self {
        let again = Vec::with_capacity(value.len() + 1);
        let mut wanted = Self { value, again };
        wanted.again.extend([0, 0]);
        for at in 1..wanted.value.len() {
            let next = wanted.step(wanted.again[at], wanted.value[at]);
            wanted.again.push(next);
        }
        wanted
    }

    /// The number of last bytes of a stream that are the first bytes of this value, less than all of it,
    /// after these bytes. `known` is the number before them.
    pub(super) fn follow(&self, known: usize, bytes: &[u8]) -> usize {
        let most = self.value.len() - 1;
        // In so many bytes nothing from before is left.
        let (known, bytes) =
            if bytes.len() < most { (known, bytes) } else { (0, &bytes[bytes.len() - most..]) };
        let known = bytes.iter().fold(known, |known, byte| self.step(known, *byte));
        self.within(known, most)
    }

    /// The same where no more than so many of the last bytes count.
    pub(super) fn within(&self, mut known: usize, most: usize) -> usize {
        while known > most {
            known = self.again[known];
        }
        known
    }

    fn step(&self, mut known: usize, byte: u8) -> usize {
        while self.value.get(known) != Some(&byte) {
            if known == 0 {
                return 0;
            }
            known = self.again[known];
        }
        known + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_end_that_is_a_beginning() {
        let wanted = SearchPattern::new(b"abababc".to_vec());
        for (text, expected) in [
            ("", 0),
            ("x", 0),
            ("xa", 1),
            ("abababab", 6),
            ("abababa", 5),
            ("abababc", 0),
            ("abababcab", 2),
            ("ababaa", 1),
        ] {
            assert_eq!(wanted.follow(0, text.as_bytes()), expected, "{text}");
            let one_by_one = text.bytes().fold(0, |known, byte| wanted.follow(known, &[byte]));
            assert_eq!(one_by_one, expected, "{text} byte by byte");
        }
        assert_eq!((wanted.within(6, 5), wanted.within(6, 1)), (4, 0));
    }
}
