//! The words without which a line concerns no dialect: they are looked for in all of a log at once.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::{files, prefix, scripts};
use crate::dialect::Format;

/// A set of formats, one bit each.
pub(super) type Set = u64;

/// The signs of some formats.
#[derive(Debug)]
pub(super) struct Signs {
    /// The formats, by their bits.
    pub(super) formats: &'static [Format],
    words: Vec<&'static str>,
    /// Whose sign each is.
    owners: Vec<Set>,
    /// Finds signs in the beginning of a log; `None` where nothing could be built, and each line may concern anybody.
    small: Option<AhoCorasick>,
    /// Finds them faster, and takes longer to be built than most runs do: only long logs are worth it.
    large: OnceLock<Option<AhoCorasick>>,
}

/// From which byte of a log on the faster search is worth what it costs.
const LONG: u64 = 1 << 20;

/// The bit of lines that may announce a job, or where a build goes.
pub(super) const ANNOUNCES: Set = 1 << 63;

/// A line with an escape sequence may have its signs torn apart by it.
const ESCAPE: &str = "\u{1b}";

impl Signs {
    pub(super) fn of(formats: &'static [Format]) -> Self {
        let mut words: Vec<&'static str> = Vec::new();
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
        // It has to be looked at, and concerns nobody by itself.
        words.push(ESCAPE);
        owners.push(0);
        let small = searcher(&words, AhoCorasickKind::ContiguousNFA);
        Self { formats, words, owners, small, large: OnceLock::new() }
    }

    /// Where the next sign is; the bytes begin at this place of the log.
    pub(super) fn find(&self, bytes: &[u8], at: u64) -> Option<usize> {
        match self.searcher(at) {
            Some(searcher) => searcher.find(bytes).map(|found| found.start()),
            None => Some(0),
        }
    }

    /// Whom a line may concern that begins at this byte of the log.
    pub(super) fn tell(&self, text: &str, at: u64) -> Set {
        let Some(searcher) = self.searcher(at) else { return Set::MAX };
        searcher
            .find_overlapping_iter(text)
            .fold(0, |set, found| set | self.owners[found.pattern().as_usize()])
    }

    fn searcher(&self, at: u64) -> Option<&AhoCorasick> {
        let large = || self.large.get_or_init(|| searcher(&self.words, AhoCorasickKind::DFA)).as_ref();
        if at < LONG { self.small.as_ref() } else { large().or(self.small.as_ref()) }
    }
}

fn searcher(words: &[&str], kind: AhoCorasickKind) -> Option<AhoCorasick> {
    AhoCorasick::builder().kind(Some(kind)).build(words).ok()
}
