//! A first search for many words at once: a passed over part contains none of them, and most of a log is
//! passed over.
//!
//! It looks for four bytes of each word. At every second byte it looks up the next three in a table. So it
//! meets either the first or the last three of the four.

use memchr::memchr3_iter;

/// Four bytes of each word.
#[derive(Debug)]
pub(super) struct Prefilter {
    /// The first and last three of all fours.
    threes: Table,
    fours: Table,
    /// Words that have fewer bytes.
    short: Vec<Trio>,
}

/// Up to three words that are looked for together, by their first bytes, which should be rare.
#[derive(Debug)]
struct Trio {
    words: Vec<&'static [u8]>,
    first: [u8; 3],
}

/// The first block that is searched for long words before short ones, in bytes. It is small, since each line
/// may contain one.
const BLOCK: usize = 128;
/// The most.
const LARGEST_BLOCK: usize = 16 * 1024;

impl Prefilter {
    /// A prefilter for these words.
    pub(super) fn of(words: &[&'static str]) -> Self {
        let mut prefilter = Self { threes: Table::new(), fours: Table::new(), short: Vec::new() };
        let mut known: Vec<[u8; 4]> = Vec::new();
        let mut short: Vec<&[u8]> = Vec::new();
        for word in words {
            let fours = || word.as_bytes().array_windows::<4>().copied();
            let Some(rarest) = fours().min_by_key(|four| four.map(commonness).iter().sum::<u32>()) else {
                short.push(word.as_bytes());
                continue;
            };
            if !fours().any(|four| known.contains(&four)) {
                known.push(rarest);
                prefilter.add(rarest);
            }
        }
        prefilter.short = short.chunks(3).filter_map(Trio::of).collect();
        prefilter
    }

    fn add(&mut self, four: [u8; 4]) {
        let four = number(four);
        self.fours.set(spread(four));
        self.threes.set(mix(four));
        self.threes.set(mix(four >> 8));
    }

    /// The position of a possible word or a part of it: no whole word is before the line of this position.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<usize> {
        let (mut from, mut size) = (0, BLOCK);
        while from < bytes.len() {
            // No word is lost between two blocks: one that is as long as three bytes goes over.
            let block = &bytes[from..bytes.len().min(from + size + 3)];
            let long = self.long(block);
            let before = &block[..long.unwrap_or(block.len())];
            let first = self.short.iter().filter_map(|words| words.find(before)).min();
            if let Some(found) = first.or(long) {
                return Some(from + found);
            }
            from += size;
            size = LARGEST_BLOCK.min(size * 2);
        }
        None
    }

    fn long(&self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        // Two looks at once: the processor does them side by side.
        while let Some(block) = bytes[at..].first_chunk::<14>() {
            let met = [self.meets(&block[..8]), self.meets(&block[6..])];
            if met[0] | met[1] {
                let places = (at..).step_by(6).zip(met).filter(|(_, is_met)| *is_met);
                let mut looks = places.map(|(at, _)| self.look(bytes, at.saturating_sub(1)..at + 6));
                if let Some(found) = looks.find_map(|found| found) {
                    return Some(found);
                }
            }
            at += 12;
        }
        self.look(bytes, at.saturating_sub(1)..bytes.len())
    }

    /// Whether at the first, third or fifth of these eight bytes one of the threes stands.
    fn meets(&self, eight: &[u8]) -> bool {
        let mixed = mix(eight.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight)));
        self.threes.has(mixed) | self.threes.has(mixed >> 16) | self.threes.has(mixed >> 32)
    }

    /// The first of these places where a four begins.
    fn look(&self, bytes: &[u8], mut places: std::ops::Range<usize>) -> Option<usize> {
        places.find(|at| bytes[*at..].first_chunk().is_some_and(|four| self.fours.has(spread(number(*four)))))
    }
}

impl Trio {
    fn of(words: &[&'static [u8]]) -> Option<Self> {
        let first = |place: usize| words.get(place).or(words.last())?.first().copied();
        Some(Self { words: words.to_vec(), first: [first(0)?, first(1)?, first(2)?] })
    }

    /// The position of the first of them.
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        let [one, two, three] = self.first;
        memchr3_iter(one, two, three, bytes)
            .find(|at| self.words.iter().any(|word| bytes[*at..].starts_with(word)))
    }
}

fn number(four: [u8; 4]) -> u64 {
    u64::from(u32::from_le_bytes(four))
}

/// A set of numbers, each known by its last sixteen bits: it may have more than was put in, and never less.
#[derive(Debug)]
struct Table(Box<[bool; 1 << 16]>);

impl Table {
    #[expect(clippy::large_stack_arrays, reason = "for a moment; its length spares a check with each look")]
    fn new() -> Self {
        Self(Box::new([false; 1 << 16]))
    }

    fn has(&self, number: u64) -> bool {
        self.0[usize::from((number & 0xffff) as u16)]
    }

    fn set(&mut self, number: u64) {
        self.0[usize::from((number & 0xffff) as u16)] = true;
    }
}

/// From each byte on, the sixteen bits there have something of it and of the next two. A multiplication would spread them
/// better, and takes longer than everything else.
fn mix(number: u64) -> u64 {
    number ^ number >> 7
}

/// The last sixteen bits have something of all of them.
fn spread(number: u64) -> u64 {
    // The upper bits of a product have.
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48
}

/// How common a byte is in the output of programs, the more the higher.
fn commonness(byte: u8) -> u32 {
    match byte {
        b' ' => 9,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 8,
        b'0'..=b'9' | b'l' | b'd' | b'c' | b'u' | b'p' | b'm' => 7,
        b'a'..=b'z' | b'/' | b'.' | b':' | b'-' | b'_' => 5,
        b'A'..=b'Z' | b'"' | b'\'' | b'=' | b',' => 3,
        b'(' | b')' | b'[' | b']' | b'{' | b'}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 8] =
        ["error TS", "Traceback (most", ": E1", "✖ ", "> ", "\u{1b}", "warning", "aaaaaaa"];

    #[test]
    fn a_word_is_met_wherever_it_stands() {
        let prefilter = Prefilter::of(&WORDS);
        for word in WORDS {
            let places = (0..40).chain(BLOCK - 40..BLOCK + 40).chain(3 * BLOCK - 9..3 * BLOCK + 9);
            for (at, behind) in places.flat_map(|at| (0..10).map(move |behind| (at, behind))) {
                let text = format!("{}{word}{}", ".".repeat(at), "-".repeat(behind));
                let found = prefilter.find(text.as_bytes());
                assert!(
                    found.is_some_and(|found| (at..at + word.len()).contains(&found)),
                    "{word} at {at}, {behind} behind it: {found:?}"
                );
            }
        }
    }

    #[test]
    fn ordinary_lines_are_passed_over() {
        let prefilter = Prefilter::of(&WORDS);
        let line = "[12:00:07] compiling module number 7 of many, all is well\n";
        for text in ["", "e", "er", "err", "erro", line, &line.repeat(2000), &"0".repeat(3 * LARGEST_BLOCK)] {
            assert_eq!(prefilter.find(text.as_bytes()), None);
        }
    }

    #[test]
    fn a_word_is_found_by_its_rarest_part() {
        let prefilter = Prefilter::of(&["an error TS"]);
        let met = |text: &str| prefilter.find(text.as_bytes()).is_some();
        assert!(met("r TS") && !met("an error"));
    }
}
