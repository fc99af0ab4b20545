//! The words without which a line concerns no dialect: they are looked for in all of a log at once.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;
use memchr::memrchr;

use super::set::{BITS, Set};
use super::{declared, files, git, prefix, scripts, test_runs};
use crate::dialect::Format;

/// The triggers of some formats.
#[derive(Debug)]
pub(super) struct Triggers {
    /// The formats, by their bits.
    pub(super) formats: &'static [Format],
    /// The dialects of each trigger.
    owners: Vec<Set>,
    /// Finds triggers, and passes over all lines that have none.
    search: AhoCorasick,
}

/// The bit of lines that may announce a job, or where a build goes.
pub(super) const ANNOUNCES: Set = Set::of(BITS - 1);

/// A line with an escape sequence may have its triggers torn apart by it.
const ESCAPE: &str = "\u{1b}";

impl Triggers {
    pub(super) fn of(formats: &'static [Format]) -> Self {
        let mut words: Vec<&'static str> = Vec::new();
        let mut owners: Vec<Set> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (place, format) in formats.iter().enumerate().take(BITS - 1) {
            for trigger in format.triggers {
                let at = *known.entry(*trigger).or_insert_with(|| {
                    words.push(*trigger);
                    owners.push(Set::default());
                    words.len() - 1
                });
                owners[at].add(Set::of(place));
            }
        }
        words.extend(prefix::TRIGGERS.iter().chain(&files::TRIGGERS).chain(&scripts::TRIGGERS));
        words.extend(declared::TRIGGERS);
        words.extend(test_runs::TRIGGERS);
        words.push(git::TRIGGER);
        owners.resize(words.len(), ANNOUNCES);
        // A line with it has to be looked at, but the trigger has no dialect.
        words.push(ESCAPE);
        owners.push(Set::default());
        #[expect(
            clippy::expect_used,
            reason = "the words are those of this package alone, whatever a log says"
        )]
        let search = AhoCorasick::new(&words).expect("a few hundred short words are no too large search");
        Self { formats, owners, search }
    }

    /// The beginning of the next complete or partial line that has a trigger.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<usize> {
        let at = self.search.find(bytes)?.start();
        Some(memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1))
    }

    /// The dialects that a line may concern.
    pub(super) fn tell(&self, line: &str) -> Set {
        let mut set = Set::default();
        for word in self.search.find_overlapping_iter(line) {
            set.add(self.owners[word.pattern()]);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::ALL;

    #[test]
    fn every_trigger_is_found_and_no_line_is_lost() {
        let triggers = Triggers::of(&ALL);
        for (place, format) in ALL.iter().enumerate() {
            for trigger in format.triggers {
                assert!(!trigger.contains('\n'), "{trigger:?}");
                let line = format!("..{trigger}..");
                assert!(triggers.tell(&line).meets(Set::of(place)), "{trigger:?} of {}", format.id);
                let text = format!("well\n{line}\nwell\n");
                assert_eq!(triggers.find(text.as_bytes()), Some(5), "{trigger:?} of {}", format.id);
            }
        }
        assert_eq!((triggers.find(b"all is well\n"), triggers.tell("all is well\n")), (None, Set::default()));
    }
}
