//! The values to search for, and their matches in a text.

use std::ops::Range;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use super::view::View;
use crate::model::Plain;

/// The values that are looked for. No `Debug` of them: they would end up in a log.
pub(super) struct Known {
    matcher: AhoCorasick,
    pub(super) wanted: Vec<SearchPattern>,
    labels: Vec<Vec<u8>>,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} secrets", self.wanted.len())
    }
}

/// A secret that was found: its place in the text, and its number.
pub(super) struct Hit {
    text: Range<usize>,
    value: usize,
}

impl Known {
    /// These values, each with its label; `None` if there are none.
    pub(super) fn of(values: Vec<Vec<u8>>, labels: Vec<Vec<u8>>) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        // Only patterns beyond any environment's size could fail to build.
        let matcher = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&values).ok()?;
        let wanted = values.into_iter().map(SearchPattern::new).collect();
        Some(Self { matcher, wanted, labels })
    }

    /// Finds every secret from a place of the text on that begins before `safe`; how far that reached.
    pub(super) fn find(&self, text: &[u8], from: usize, safe: usize, hits: &mut Vec<Hit>) -> usize {
        let found = self.matcher.find_iter(Input::new(text).range(from..));
        let before = found.take_while(|found| found.start() < safe);
        let first = hits.len();
        hits.extend(before.map(|found| Hit { text: found.range(), value: found.pattern().as_usize() }));
        hits[first..].last().map_or(from, |last| last.text.end).max(safe)
    }

    /// The first bytes of a text, with the matches replaced by labels.
    pub(super) fn labelled(&self, bytes: &[u8], view: &View<'_>, hits: &[Hit]) -> Vec<u8> {
        let (mut out, mut copied) = (Vec::with_capacity(bytes.len()), 0);
        for hit in hits {
            let place = view.place(&hit.text);
            out.extend_from_slice(&bytes[copied..place.start]);
            out.extend_from_slice(&self.labels[hit.value]);
            copied = place.end;
        }
        out.extend_from_slice(&bytes[copied..]);
        out
    }

    /// Whole bytes without their secrets, behind others or all taken for text; `None` where they have none.
    pub(super) fn without(&self, bytes: &[u8], before: Option<Plain>) -> Option<Vec<u8>> {
        let (view, mut hits) = (View::of(bytes, before), Vec::new());
        self.find(&view.text, 0, view.text.len(), &mut hits);
        (!hits.is_empty()).then(|| self.labelled(bytes, &view, &hits))
    }
}

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
    fn new(value: Vec<u8>) -> Self {
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
