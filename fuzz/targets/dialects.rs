//! Logs as dialects read them: however they are cut, the same is found, and it stands where it is said to stand.
//!
//! An input has four parts. First the dialect that reads: 0 for all of them; `CUFF_DIALECT` names one, or
//! `all`, for every input. Then a seed for the cuts, and whether a line is stretched beyond the part that is
//! held of one. Last comes the log, in which a zero byte changes the stream.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use cuff::diagnostics::Reader;
use cuff::dialect::ALL;
use cuff::model::{Chunk, Findings, LONGEST_MESSAGE, LogRange, Severity, Stream};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

/// The bytes before the log.
const HEAD: usize = 4;
/// More than is held of one line.
const STRETCH: usize = 66_000;
/// How many findings are kept in full.
const KEPT: usize = 1000;

/// The dialect that reads every input, if the environment names one: a place in the list and 1, or 0 for all.
static NAMED: LazyLock<Option<usize>> = LazyLock::new(|| {
    let name = std::env::var("CUFF_DIALECT").ok()?;
    let at = ALL.iter().position(|format| format.id == name);
    assert!(at.is_some() || name == "all", "no dialect is named {name}");
    Some(at.map_or(0, |at| at + 1))
});

fuzz_target!(|input: &[u8]| {
    let Some((head, log)) = input.split_at_checked(HEAD) else { return };
    let who = NAMED.unwrap_or(usize::from(head[0]) % (ALL.len() + 1));
    let log = Log::of(log, head[3]);
    let whole = log.findings(who, || usize::MAX);
    log.judge(&whole);
    let mut seed = u64::from(head[1]) << 8 | u64::from(head[2]) | 1 << 20;
    let most = 1 << (head[1] % 14);
    let pieces = log.findings(who, || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % most) as usize + 1
    });
    assert_eq!(pieces, whole, "in pieces of {most} bytes at most");
});

/// A reader of one dialect, or of all: these share what is built once for a process.
fn reader(who: usize) -> Reader {
    match who.checked_sub(1) {
        Some(at) => Reader::of(&ALL[at..=at]),
        None => Reader::new(Path::new(""), Path::new("."), Vec::new()),
    }
}

/// A log, cut where it changes streams.
struct Log {
    bytes: Vec<u8>,
    segments: Vec<(Stream, usize)>,
    /// A line is longer than what is held of one, and is shown in parts.
    parts: bool,
}

impl Log {
    fn of(input: &[u8], stretch: u8) -> Self {
        let mut log = Self { bytes: Vec::new(), segments: Vec::new(), parts: stretch >= 0xf8 };
        let at = input.len() * usize::from(stretch & 7) / 8;
        let mut stream = Stream::Out;
        for (place, segment) in input.split(|byte| *byte == 0).enumerate() {
            if place > 0 {
                stream = if stream == Stream::Out { Stream::Err } else { Stream::Out };
            }
            let from = log.bytes.len();
            log.bytes.extend_from_slice(segment);
            if log.parts && from <= at && at < log.bytes.len() {
                let more = std::iter::repeat_n(input[at], STRETCH);
                log.bytes.splice(at..at, more);
            }
            if log.bytes.len() > from {
                log.segments.push((stream, log.bytes.len()));
            }
        }
        log
    }

    fn findings(&self, who: usize, mut size: impl FnMut() -> usize) -> Findings {
        let mut reader = reader(who);
        let mut from = 0;
        for (stream, end) in &self.segments {
            while from < *end {
                let to = from + size().min(end - from);
                reader.push(Chunk::new(*stream, &self.bytes[from..to]));
                from = to;
            }
        }
        reader.finish()
    }

    /// Panics where the findings contradict the log, or themselves.
    fn judge(&self, found: &Findings) {
        let kept = found.diagnostics.len();
        let total = usize::try_from(found.total()).expect("a number of lines");
        assert_eq!(kept, total.min(KEPT), "as many as are counted");
        for (severity, counted) in [
            (Severity::Error, found.errors),
            (Severity::Warning, found.warnings),
            (Severity::Info, found.infos),
        ] {
            let there = found.diagnostics.iter().filter(|found| found.severity == severity).count() as u64;
            assert!(there == counted || total > KEPT && there < counted, "{there} of {counted} {severity:?}");
        }
        assert!(found.diagnostics.is_sorted_by_key(|found| found.log), "in the order of the log");
        let begins = self.begins();
        let feeds: Vec<u64> = self
            .bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at as u64)
            .collect();
        let number = |at: u64| feeds.partition_point(|feed| *feed < at) as u64 + 1;
        for diagnostic in &found.diagnostics {
            let LogRange { start, end, start_line, end_line } = diagnostic.log;
            assert!(start < end && end <= self.bytes.len() as u64, "{diagnostic:?}");
            assert_eq!((number(start), number(end - 1)), (start_line, end_line), "{diagnostic:?}");
            assert!(
                self.parts || begins.binary_search(&start).is_ok(),
                "{diagnostic:?} begins within a line"
            );
            let ended = begins.binary_search(&end).is_ok() || self.ends(end);
            assert!(self.parts || ended, "{diagnostic:?} ends within a line");
            assert!(diagnostic.message.len() <= LONGEST_MESSAGE + '…'.len_utf8(), "{diagnostic:?}");
            assert!(!diagnostic.message.trim().is_empty(), "{diagnostic:?}");
            let file = diagnostic.place.as_ref().map_or("-", |place| place.file.as_str());
            assert!(!file.is_empty() && !file.contains('\n'), "{diagnostic:?}");
        }
    }

    /// Where a line of either stream begins.
    fn begins(&self) -> Vec<u64> {
        let mut begins = Vec::new();
        let (mut fresh, mut from) = ([true, true], 0);
        for (stream, end) in &self.segments {
            let fresh = &mut fresh[usize::from(*stream == Stream::Err)];
            for (at, byte) in self.bytes[from..*end].iter().enumerate() {
                if *fresh {
                    begins.push((from + at) as u64);
                }
                *fresh = *byte == b'\n';
            }
            from = *end;
        }
        begins
    }

    /// Whether a line ends here: by a line feed, or as the last of its stream.
    fn ends(&self, end: u64) -> bool {
        let fed = self.bytes[end as usize - 1] == b'\n';
        let last = |stream| self.segments.iter().rfind(|(of, _)| *of == stream).map(|(_, end)| *end as u64);
        fed || last(Stream::Out) == Some(end) || last(Stream::Err) == Some(end)
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    if seed % 2 == 0 || size <= HEAD {
        return fuzzer_mutate(data, size, most);
    }
    // Logs are lines: some go, come twice, or change places.
    let (head, log) = data[..size].split_at(HEAD);
    let mut lines: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
    let pick =
        |salt: usize| (seed as usize).wrapping_mul(0x9e37_79b1).rotate_left(salt as u32 * 7) % lines.len();
    if lines.is_empty() {
        return fuzzer_mutate(data, size, most);
    }
    let (one, other) = (pick(1), pick(2));
    match seed / 2 % 4 {
        0 => _ = lines.remove(one),
        1 => lines.insert(other, lines[one]),
        2 => lines.swap(one, other),
        _ => lines.truncate(one.max(1)),
    }
    let mut made = head.to_vec();
    made.extend(lines.concat());
    made.truncate(most);
    data[..made.len()].copy_from_slice(&made);
    made.len()
});
