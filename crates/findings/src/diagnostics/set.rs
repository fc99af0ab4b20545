//! A set of formats, a bit each.

use crate::dialect;

/// How many bits a set has: one for each format, and one more.
pub(super) const BITS: usize = (dialect::COUNT + 1).next_multiple_of(WORD);
const WORD: usize = 64;

/// The formats that a line may concern, by their places in the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Set([u64; BITS / WORD]);

impl Set {
    /// The set of one.
    pub(super) const fn of(place: usize) -> Self {
        let mut words = [0; BITS / WORD];
        words[place / WORD] = 1 << (place % WORD);
        Self(words)
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether they have one in common.
    pub(super) fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(word, other)| word & other != 0)
    }

    #[must_use]
    pub(super) fn and(mut self, other: Self) -> Self {
        self.add(other);
        self
    }

    #[must_use]
    pub(super) fn without(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    /// The places of all.
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let place = (word != 0).then(|| at * WORD + word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(place)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let set = Set::of(0).and(Set::of(63)).and(Set::of(64)).and(Set::of(255));
        assert_eq!(set.places().collect::<Vec<_>>(), [0, 63, 64, 255]);
        assert_eq!(set.without(Set::of(64)).places().collect::<Vec<_>>(), [0, 63, 255]);
        assert!(set.meets(Set::of(255)) && !set.meets(Set::of(254)) && !set.is_empty());
        assert!(set.without(set).is_empty());
    }
}
