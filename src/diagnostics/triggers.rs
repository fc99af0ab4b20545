//! The words without which a line concerns no dialect: they are looked for in all of a log at once.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::{memchr, memrchr};

use super::prefilter::Prefilter;
use super::{files, prefix, scripts};
use crate::dialect::Format;

/// A set of formats, one bit each.
pub(super) type Set = u64;

/// The triggers of some formats.
#[derive(Debug)]
pub(super) struct Triggers {
    /// The formats, by their bits.
    pub(super) formats: &'static [Format],
    /// The dialects of each trigger.
    owners: Vec<Set>,
    /// Passes over lines without a trigger, and over few that have one.
    prefilter: Prefilter,
    /// Finds triggers; `None` if it could not be built, and every line goes to all dialects.
    searcher: Option<AhoCorasick>,
}

/// The bit of lines that may announce a job, or where a build goes.
pub(super) const ANNOUNCES: Set = 1 << 63;

/// A line with an escape sequence may have its triggers torn apart by it.
const ESCAPE: &str = "\u{1b}";

impl Triggers {
    pub(super) fn of(formats: &'static [Format]) -> Self {
        let mut words: Vec<&'static str> = Vec::new();
        let mut owners: Vec<Set> = Vec::new();
        // No more than a set has bits.
        for (place, format) in formats.iter().enumerate().take(63) {
            for trigger in format.triggers {
                let at = words.iter().position(|word| word == trigger).unwrap_or_else(|| {
                    words.push(trigger);
                    owners.push(0);
                    words.len() - 1
                });
                owners[at] |= 1 << place;
            }
        }
        words.extend(prefix::TRIGGERS.iter().chain(&files::TRIGGERS).chain(&scripts::TRIGGERS));
        owners.resize(words.len(), ANNOUNCES);
        // A line with it has to be looked at, but the trigger has no dialect.
        words.push(ESCAPE);
        owners.push(0);
        let prefilter = Prefilter::of(&words);
        // A faster kind takes longer to be built than most runs do.
        let searcher = AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(&words).ok();
        Self { formats, owners, prefilter, searcher }
    }

    /// The beginning of the next complete or partial line that has a trigger.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<usize> {
        let mut from = 0;
        while let Some(passed) = self.prefilter.find(&bytes[from..]) {
            let (before, behind) = bytes[from..].split_at(passed);
            let begins = from + memrchr(b'\n', before).map_or(0, |end| end + 1);
            let ends = memchr(b'\n', behind).map_or(bytes.len(), |end| from + passed + end + 1);
            if self.searcher.as_ref().is_none_or(|searcher| searcher.is_match(&bytes[begins..ends])) {
                return Some(begins);
            }
            from = ends;
        }
        None
    }

    /// The dialects that a line may concern.
    pub(super) fn tell(&self, line: &str) -> Set {
        let Some(searcher) = &self.searcher else { return Set::MAX };
        // No word begins before the line that the prefilter stops in, and this is one.
        if self.prefilter.find(line.as_bytes()).is_none() {
            return 0;
        }
        searcher
            .find_overlapping_iter(line)
            .fold(0, |set, found| set | self.owners[found.pattern().as_usize()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::ALL;

    #[test]
    fn every_trigger_is_found_and_no_line_is_lost() {
        let triggers = Triggers::of(ALL);
        for (place, format) in ALL.iter().enumerate() {
            for trigger in format.triggers {
                assert!(!trigger.contains('\n'), "{trigger:?}");
                let line = format!("..{trigger}..");
                assert!(triggers.tell(&line) & 1 << place != 0, "{trigger:?} of {}", format.id);
                let text = format!("well\n{line}\nwell\n");
                assert_eq!(triggers.find(text.as_bytes()), Some(5), "{trigger:?} of {}", format.id);
            }
        }
        assert_eq!((triggers.find(b"all is well\n"), triggers.tell("all is well\n")), (None, 0));
    }
}
