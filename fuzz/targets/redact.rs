//! Secrets in a stream: borders of chunks do not matter, no secret is left, and nothing else changes.
#![no_main]

use cuff::redact::Secrets;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

/// The letters of values and texts. None of them is in the replacement of a secret, which would be another
/// beginning.
const LETTERS: &[u8; 8] = b"xyz\"\\\n\x00\xff";
/// As the redactor has them: the shortest piece of a value that counts, and the longest that is looked for at once.
const SHORTEST: usize = 8;
const LONGEST: usize = 4096;

fuzz_target!(|input: &[u8]| {
    // An input that ends early says nothing.
    let _ = judge(&mut Unstructured::new(input));
});

fn judge(input: &mut Unstructured<'_>) -> Result<()> {
    let values: Vec<(String, Vec<u8>)> = (0..input.int_in_range(0..=5)?)
        .map(|at| Ok((char::from(b'A' + at).to_string(), value(input)?)))
        .collect::<Result<_>>()?;
    let text = text(input, &values)?;
    let secrets = Secrets::new(values.iter().map(|(name, value)| (name, value)));
    let known = patterns(&values);
    let expected = replaced(&text, &known);
    for (value, _) in &known {
        let left = expected.windows(value.len()).any(|window| window == value);
        assert!(!left, "{:?} is left", value.escape_ascii());
    }
    let mut redactor = secrets.redactor();
    let (mut out, mut rest) = (Vec::new(), text.as_slice());
    while !rest.is_empty() {
        let size = if input.is_empty() { rest.len() } else { usize::from(input.arbitrary::<u8>()?) };
        let (now, later) = rest.split_at(size.min(rest.len()));
        out.extend_from_slice(&redactor.push(now));
        rest = later;
    }
    out.extend(redactor.finish());
    assert_eq!(out.escape_ascii().to_string(), expected.escape_ascii().to_string(), "in chunks");
    if let (Ok(text), Ok(expected)) = (str::from_utf8(&text), str::from_utf8(&expected)) {
        assert_eq!(secrets.redact(text), expected, "as a whole");
    }
    Ok(())
}

fn value(input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let letters = some(input, 24)?;
    let long = !letters.is_empty() && input.ratio(1, 24)?;
    let length = if long { LONGEST - 8 + usize::from(input.arbitrary::<u8>()? % 32) } else { letters.len() };
    Ok(letters.iter().copied().cycle().take(length).collect())
}

fn some(input: &mut Unstructured<'_>, most: usize) -> Result<Vec<u8>> {
    let length = input.int_in_range(0..=most)?;
    (0..length).map(|_| Ok(LETTERS[usize::from(input.arbitrary::<u8>()? % 8)])).collect()
}

/// Letters, values and beginnings and ends of values, in any order.
fn text(input: &mut Unstructured<'_>, values: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for _ in 0..input.int_in_range(0..=5)? {
        if values.is_empty() || input.ratio(1, 3)? {
            text.extend(some(input, 12)?);
            continue;
        }
        let (_, value) = input.choose(values)?;
        let cut = input.int_in_range(0..=value.len())?;
        match input.int_in_range(0..=3)? {
            0 => text.extend(&value[..cut]),
            1 => text.extend(&value[cut..]),
            2 => text.extend(in_json(value)),
            _ => text.extend(value),
        }
    }
    Ok(text)
}

fn in_json(value: &[u8]) -> Vec<u8> {
    value
        .iter()
        .flat_map(|byte| [Some(b'\\').filter(|_| b"\"\\".contains(byte)), Some(*byte)])
        .flatten()
        .collect()
}

/// The secrets to look for and their replacements: the slow way.
fn patterns(values: &[(String, Vec<u8>)]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut known: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for (name, value) in values {
        for line in value.split(|byte| *byte == b'\n') {
            for piece in line.chunks(LONGEST).filter(|piece| piece.len() >= SHORTEST) {
                for written in [piece.to_vec(), in_json(piece)] {
                    if known.iter().all(|(other, _)| *other != written) {
                        known.push((written, format!("[redacted:{name}]").into_bytes()));
                    }
                }
            }
        }
    }
    known
}

/// The first place where any begins, the longest that begins there, and on behind it.
fn replaced(text: &[u8], known: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let found = known.iter().filter(|(value, _)| text[at..].starts_with(value));
        match found.max_by_key(|(value, _)| value.len()) {
            Some((value, label)) => {
                out.extend_from_slice(label);
                at += value.len();
            }
            None => {
                out.push(text[at]);
                at += 1;
            }
        }
    }
    out
}
