//! A search for many words at once. Most of a log has none of them, and is passed over at the speed of memory.
//!
//! It looks for four bytes of each word. At every second byte it looks up the next three in a table. So it
//! meets either the first or the last three of the four. Where all four stand, it compares the words that have them.

use std::collections::HashSet;

use memchr::memchr3_iter;

/// Four bytes of each word, and the words.
#[derive(Debug)]
pub(super) struct WordSearch {
    /// The first and last three of all fours.
    threes: Table,
    /// Where the words of the fours of each slot begin in `long`, counted from 1; 0: there are none.
    slots: Box<[u16]>,
    /// The words of four bytes and more, in the order of their slots.
    long: Vec<Long>,
    /// Words that have fewer bytes.
    short: Vec<Trio>,
}

/// A word that is looked for by four of its bytes.
#[derive(Debug)]
struct Long {
    four: [u8; 4],
    /// That of the four.
    slot: usize,
    /// How many bytes of the word stand before the four.
    before: usize,
    /// The first eight bytes of the word, and which of these it has.
    begins: (u64, u64),
    word: &'static [u8],
    /// Its place in the list of all.
    index: usize,
}

/// Up to three words that are looked for together, by their first bytes, which should be rare.
#[derive(Debug)]
struct Trio {
    words: Vec<(usize, &'static [u8])>,
    first: [u8; 3],
}

/// The first block that is searched for long words before short ones, in bytes. It is small, since each line
/// may contain one.
const BLOCK: usize = 128;
/// The most.
const LARGEST_BLOCK: usize = 16 * 1024;

impl WordSearch {
    /// A search for these words.
    pub(super) fn of(words: &[&'static str]) -> Self {
        let mut search =
            Self { threes: Table::new(), slots: vec![0; SLOTS].into(), long: Vec::new(), short: Vec::new() };
        let mut known: HashSet<[u8; 4]> = HashSet::new();
        let mut short: Vec<(usize, &[u8])> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let word = word.as_bytes();
            let fours = || word.array_windows::<4>().copied().enumerate();
            let rarest = || fours().min_by_key(|(_, four)| four.map(commonness).iter().sum::<u32>());
            let Some((before, four)) = fours().find(|(_, four)| known.contains(four)).or_else(rarest) else {
                short.push((index, word));
                continue;
            };
            if known.insert(four) {
                search.add(four);
            }
            search.long.push(Long { four, slot: slot(four), before, begins: begins(word), word, index });
        }
        search.long.sort_by_key(|long| long.slot);
        for (place, long) in search.long.iter().enumerate().rev() {
            search.slots[long.slot] = u16::try_from(place + 1).unwrap_or(u16::MAX);
        }
        search.short = short.chunks(3).filter_map(Trio::of).collect();
        search
    }

    fn add(&mut self, four: [u8; 4]) {
        let four = number(four);
        self.threes.set(mix(four));
        self.threes.set(mix(four >> 8));
    }

    /// A position in the first line that has one of the words.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<usize> {
        let (mut from, mut size) = (0, BLOCK);
        while from < bytes.len() {
            let to = bytes.len().min(from + size);
            let long = self.places(bytes, from..to).find(|at| self.words_at(bytes, *at).next().is_some());
            // A short word may begin before a block's end and go on behind it.
            let before = &bytes[from..long.unwrap_or(bytes.len().min(to + 2))];
            let first = self.short.iter().filter_map(|words| words.find(before)).min();
            if let Some(found) = first.map(|first| from + first).or(long) {
                return Some(found);
            }
            from = to;
            size = LARGEST_BLOCK.min(size * 2);
        }
        None
    }

    /// Names each word in these bytes by its place in the list, one that stands there twice perhaps twice.
    pub(super) fn each(&self, bytes: &[u8], mut found: impl FnMut(usize)) {
        for at in self.places(bytes, 0..bytes.len()) {
            self.words_at(bytes, at).for_each(|long| found(long.index));
        }
        for trio in &self.short {
            trio.each(bytes, &mut found);
        }
    }

    /// The places in this range where the four of a word may stand, and perhaps a few before it.
    fn places<'a>(&'a self, bytes: &'a [u8], range: std::ops::Range<usize>) -> Places<'a> {
        let looked = &bytes[..bytes.len().min(range.end + 3)];
        Places { threes: &self.threes, looked, next: range.start, block: 0, met: 0 }
    }

    /// The words whose fours stand at this place, each as a whole.
    fn words_at<'a>(&'a self, bytes: &'a [u8], at: usize) -> impl Iterator<Item = &'a Long> {
        let four = bytes[at..].first_chunk().copied().unwrap_or_default();
        let slot = slot(four);
        let first = usize::from(self.slots[slot]).checked_sub(1);
        let long = first.map_or(&[][..], |first| &self.long[first..]);
        let same =
            long.iter().take_while(move |long| long.slot == slot).filter(move |long| long.four == four);
        same.filter(move |long| at.checked_sub(long.before).is_some_and(|at| long.stands(&bytes[at..])))
    }
}

/// Finds the places where a four may stand, in blocks of twelve.
struct Places<'a> {
    threes: &'a Table,
    looked: &'a [u8],
    /// Where the next block begins.
    next: usize,
    /// Where the last one began.
    block: usize,
    /// Those of its places that are still to be named, a bit each.
    met: u32,
}

impl Iterator for Places<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let Self { threes, looked, mut next, mut block, mut met } = *self;
        while met == 0 {
            block = next;
            if let Some(bytes) = looked.get(next..).and_then(<[u8]>::first_chunk) {
                met = threes.meet(bytes);
                next += 12;
            } else if looked.len() < next + 4 {
                return None;
            } else if let Some(bytes) = looked.last_chunk() {
                // The last places, and some before them once more.
                block = looked.len() - bytes.len();
                met = threes.meet(bytes);
                next = looked.len();
            } else {
                met = (1 << (looked.len() - next)) - 1;
                next = looked.len();
            }
        }
        let place = block + met.trailing_zeros() as usize;
        (self.next, self.block, self.met) = (next, block, met & (met - 1));
        Some(place)
    }
}

impl Long {
    /// Whether these bytes begin with the word.
    fn stands(&self, bytes: &[u8]) -> bool {
        let (value, mask) = self.begins;
        match bytes.first_chunk() {
            Some(eight) if u64::from_le_bytes(*eight) & mask != value => false,
            Some(_) if self.word.len() <= 8 => true,
            _ => bytes.starts_with(self.word),
        }
    }
}

/// The first eight bytes of a word as a number, and which of its bits the word has.
pub(super) fn begins(word: &[u8]) -> (u64, u64) {
    let (mut value, mut mask) = ([0; 8], [0; 8]);
    for (at, byte) in word.iter().take(8).enumerate() {
        (value[at], mask[at]) = (*byte, 0xff);
    }
    (u64::from_le_bytes(value), u64::from_le_bytes(mask))
}

/// The last sixteen bits, as a place in a table.
fn lower(number: u64) -> usize {
    usize::from((number & 0xffff) as u16)
}

impl Trio {
    fn of(words: &[(usize, &'static [u8])]) -> Option<Self> {
        let first = |place: usize| words.get(place).or(words.last())?.1.first().copied();
        Some(Self { words: words.to_vec(), first: [first(0)?, first(1)?, first(2)?] })
    }

    /// The position of the first of them.
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        let [one, two, three] = self.first;
        memchr3_iter(one, two, three, bytes)
            .find(|at| self.words.iter().any(|(_, word)| bytes[*at..].starts_with(word)))
    }

    fn each(&self, bytes: &[u8], found: &mut impl FnMut(usize)) {
        let [one, two, three] = self.first;
        for at in memchr3_iter(one, two, three, bytes) {
            let here = self.words.iter().filter(|(_, word)| bytes[at..].starts_with(word));
            here.for_each(|(index, _)| found(*index));
        }
    }
}

fn number(four: [u8; 4]) -> u64 {
    u64::from(u32::from_le_bytes(four))
}

/// A set of threes, each known by sixteen bits: it may have more than was put in, and never less. What it has is two bits.
#[derive(Debug)]
struct Table(Box<[u8; 1 << 16]>);

impl Table {
    #[expect(clippy::large_stack_arrays, reason = "for a moment; its length spares a check with each look")]
    fn new() -> Self {
        Self(Box::new([0; 1 << 16]))
    }

    fn set(&mut self, mixed: u64) {
        self.0[lower(mixed)] = 0b11;
    }

    /// At which of the first twelve of these bytes a four may stand, a bit each: it has one of the threes at its first
    /// or second byte. The processor looks at both halves side by side.
    fn meet(&self, bytes: &[u8; BYTES]) -> u32 {
        let half = |bytes: &[u8]| {
            let mixed = mix(bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight)));
            let has = |mixed| u32::from(self.0[lower(mixed)]);
            has(mixed) | has(mixed >> 16) << 2 | has(mixed >> 32) << 4
        };
        half(&bytes[1..9]) | half(&bytes[7..15]) << 6
    }
}

/// Twelve places, and what stands there.
const BYTES: usize = 15;

/// From each byte on, the sixteen bits there have something of it and of the next two. A multiplication would spread them
/// better, and takes longer than everything else.
fn mix(number: u64) -> u64 {
    number ^ number >> 7
}

/// How many slots there are for fours: few enough to stay near the processor.
const SLOTS: usize = 1 << 12;

/// The slot of a four.
fn slot(four: [u8; 4]) -> usize {
    // The upper bits of a product have something of all bits.
    let spread = number(four).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    lower(spread >> 52)
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
        let search = WordSearch::of(&WORDS);
        for word in WORDS {
            let places = (0..40).chain(BLOCK - 40..BLOCK + 40).chain(3 * BLOCK - 9..3 * BLOCK + 9);
            for (at, behind) in places.flat_map(|at| (0..10).map(move |behind| (at, behind))) {
                let text = format!("{}{word}{}", ".".repeat(at), "-".repeat(behind));
                let found = search.find(text.as_bytes());
                assert!(
                    found.is_some_and(|found| (at..at + word.len()).contains(&found)),
                    "{word} at {at}, {behind} behind it: {found:?}"
                );
            }
        }
    }

    #[test]
    fn ordinary_lines_are_passed_over() {
        let search = WordSearch::of(&WORDS);
        let line = "[12:00:07] compiling module number 7 of many, all is well\n";
        for text in ["", "e", "er", "err", "erro", line, &line.repeat(2000), &"0".repeat(3 * LARGEST_BLOCK)] {
            assert_eq!(search.find(text.as_bytes()), None);
        }
    }

    /// The plain way is the measure: each word at each place.
    #[test]
    fn what_is_found_is_what_stands_there() {
        let search = WordSearch::of(&WORDS);
        let mut seed: u64 = 7;
        let mut random = |many: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % many
        };
        for _ in 0..20_000 {
            let mut text = Vec::new();
            for _ in 0..random(12) {
                let word = WORDS[random(WORDS.len())].as_bytes();
                // Words, parts of words, and what is between.
                let (from, to) = (random(word.len()), random(word.len() + 1));
                text.extend(if random(3) == 0 { word } else { &word[from.min(to)..to] });
                text.extend(std::iter::repeat_n(b".:E \n"[random(5)], random(20)));
            }
            let stands = |word: &str| text.windows(word.len()).any(|part| part == word.as_bytes());
            let mut found = [false; WORDS.len()];
            search.each(&text, |index| found[index] = true);
            assert_eq!(found, WORDS.map(stands), "{:?}", String::from_utf8_lossy(&text));
            let lines = || text.split_inclusive(|byte| *byte == b'\n');
            let line = lines().position(|line| {
                WORDS.iter().any(|word| line.windows(word.len()).any(|part| part == word.as_bytes()))
            });
            let met = search.find(&text).map(|at| memchr::memchr_iter(b'\n', &text[..at]).count());
            assert_eq!(met, line, "{:?}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn a_part_of_a_word_is_none() {
        let search = WordSearch::of(&["an error TS"]);
        let met = |text: &str| search.find(text.as_bytes()).is_some();
        assert!(met("an error TS") && !met("r TS") && !met("an error") && !met("n error TS"));
    }
}
