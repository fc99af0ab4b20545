//! The parts of values that are looked for.

/// The shortest value that counts as a secret, in bytes: shorter ones occur in too much ordinary text.
pub(super) const SHORTEST: usize = 8;
/// A longer value is looked for in pieces of this size, in bytes, so that little of a stream is held back.
const LONGEST: usize = 4096;

/// Whether a value is long enough to be looked for, as one or in lines.
pub fn is_looked_for(value: &str) -> bool {
    pieces(value.as_bytes()).next().is_some()
}

/// The parts of a value that are looked for.
pub(super) fn pieces(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = value.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.flat_map(|line| line.chunks(LONGEST)).filter(|piece| piece.len() >= SHORTEST)
}

/// A value as JSON and many languages write it between quotes.
pub(super) fn in_json(value: &[u8]) -> Vec<u8> {
    let escaped = |byte: &u8| matches!(byte, b'"' | b'\\').then_some(b'\\').into_iter().chain([*byte]);
    value.iter().flat_map(escaped).collect()
}
