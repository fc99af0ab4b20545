//! The words without which a line concerns no dialect: they are looked for in all of a log at once.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::{files, prefix, scripts};
use crate::dialect::Format;

/// A set of formats, one bit each.
pub(super) type Set = u64;

/// The signs of some formats.
#[derive(Debug)]
pub(super) struct Signs {
    /// The formats, by their bits.
    pub(super) formats: &'static [Format],
    /// Finds the next line that may concern anybody; `None` where nothing could be built, and each line may.
    finder: Option<AhoCorasick>,
    /// Finds all signs of a line.
    teller: Option<AhoCorasick>,
    /// Whose sign each is.
    owners: Vec<Set>,
}

/// The bit of lines that may announce a job, or where a build goes.
pub(super) const ANNOUNCES: Set = 1 << 63;

/// A line with an escape sequence may have its signs torn apart by it.
const ESCAPE: &str = "\u{1b}";

impl Signs {
    pub(super) fn of(formats: &'static [Format]) -> Self {
        let mut words: Vec<&str> = Vec::new();
        let mut owners: Vec<Set> = Vec::new();
        // No more than a set has bits.
        for (place, format) in formats.iter().enumerate().take(63) {
            for sign in format.signs {
                let at = words.iter().position(|word| word == sign).unwrap_or_else(|| {
                    words.push(sign);
                    owners.push(0);
                    words.len() - 1
                });
                owners[at] |= 1 << place;
            }
        }
        words.extend(prefix::SIGNS.iter().chain(&files::SIGNS).chain(&scripts::SIGNS));
        owners.resize(words.len(), ANNOUNCES);
        let teller = AhoCorasick::builder().build(&words).ok();
        words.push(ESCAPE);
        let finder = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::LeftmostFirst)
            .build(&words)
            .ok();
        Self { formats, finder, teller, owners }
    }

    /// Where the next sign is.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<usize> {
        match &self.finder {
            Some(finder) => finder.find(bytes).map(|found| found.start()),
            None => Some(0),
        }
    }

    /// Whom a line may concern.
    pub(super) fn tell(&self, text: &str) -> Set {
        let Some(teller) = &self.teller else { return Set::MAX };
        teller.find_overlapping_iter(text).fold(0, |set, found| set | self.owners[found.pattern().as_usize()])
    }
}
