//! The answer of a probe, as bytes that outlive this process: a few lines of text, then the texts themselves.
//!
//! It begins with a hash of all that follows and of what it belongs to. So what was cut, damaged, moved, or written by
//! a cuff that writes it otherwise does not read as a record.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use blake3::Hash;

use super::fingerprint;
use crate::model::{ErrorCode, Probed};

/// Rises with every change of the format.
const FORMAT: &str = "cuff probe 1";

/// The answer of a probe, and the things that it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProbeRecord {
    /// The program that was started and the environment that it inherited.
    pub(super) circumstances: Hash,
    /// The files that were looked at beside it.
    pub(super) files: Hash,
    /// When it was carried out.
    pub(super) at: SystemTime,
    /// The answer.
    pub(super) probed: Probed,
}

impl ProbeRecord {
    /// How many bytes the texts have.
    pub(super) fn size(&self) -> usize {
        match &self.probed {
            Probed::Ended { out, err, .. } => out.len() + err.len(),
            Probed::Nothing { why, .. } => why.len(),
        }
    }

    /// The bytes to keep for the probe of this key.
    pub(super) fn encode(&self, key: Hash) -> Vec<u8> {
        let (kind, number, text, out): (_, _, _, &[u8]) = match &self.probed {
            Probed::Ended { code, out, err } => ("ended", *code, err, out),
            Probed::Nothing { fault, why } => ("nothing", i32::from(fault.number()), why, &[]),
        };
        let at = self.at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut head = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(head, "{}\n{}", self.circumstances.to_hex(), self.files.to_hex());
        let _ = writeln!(head, "{}\n{kind}\n{number}\n{}", at.as_millis(), text.len());
        let body = [head.as_bytes(), text.as_bytes(), out].concat();
        let sealed = format!("{FORMAT}\n{}\n", seal(key, &body).to_hex());
        [sealed.as_bytes(), &body].concat()
    }

    /// The record in these bytes, if they are one for the probe of this key.
    pub(super) fn decode(bytes: &[u8], key: Hash) -> Option<Self> {
        let mut rest = bytes;
        if line(&mut rest)? != FORMAT || hash(&mut rest)? != seal(key, rest) {
            return None;
        }
        let (circumstances, files) = (hash(&mut rest)?, hash(&mut rest)?);
        let at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(line(&mut rest)?.parse().ok()?))?;
        let (kind, number) = (line(&mut rest)?, line(&mut rest)?);
        let (text, out) = text_and_rest(&mut rest)?;
        let text = text.to_owned();
        let probed = match kind {
            "ended" => Probed::Ended { code: number.parse().ok()?, out: out.into(), err: text },
            "nothing" => {
                let number: u16 = number.parse().ok()?;
                let fault = ErrorCode::all().find(|fault| fault.number() == number)?;
                Probed::Nothing { fault, why: text }
            }
            _ => return None,
        };
        Some(Self { circumstances, files, at, probed })
    }
}

fn seal(key: Hash, body: &[u8]) -> Hash {
    fingerprint::of((key.as_bytes(), body))
}

/// Takes the next line off.
fn line<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let line = &rest[..end];
    *rest = &rest[end + 1..];
    std::str::from_utf8(line).ok()
}

fn hash(rest: &mut &[u8]) -> Option<Hash> {
    Hash::from_hex(line(rest)?).ok()
}

/// The text, as long as its line says, and the bytes behind it.
fn text_and_rest<'a>(rest: &mut &'a [u8]) -> Option<(&'a str, &'a [u8])> {
    let length = line(rest)?.parse().ok()?;
    let (text, out) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(text).ok()?, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(probed: Probed) -> ProbeRecord {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_123);
        ProbeRecord { circumstances: blake3::hash(b"a"), files: blake3::hash(b"b"), at, probed }
    }

    fn records() -> Vec<ProbeRecord> {
        let ended = |code, out: &[u8], err: &str| Probed::Ended { code, out: out.into(), err: err.into() };
        let nothing = |fault, why: &str| Probed::Nothing { fault, why: why.into() };
        [
            ended(0, b"all:\n\0\xff\n", "make: warning\n\u{e9}"),
            ended(-1, b"", ""),
            nothing(ErrorCode::TimedOut, "`make -pRrq` did not end within 10 seconds"),
            nothing(ErrorCode::Failed, ""),
        ]
        .map(record)
        .into()
    }

    #[test]
    fn a_kept_record_comes_back_equal() {
        let key = blake3::hash(b"key");
        for record in records() {
            assert_eq!(ProbeRecord::decode(&record.encode(key), key), Some(record));
        }
    }

    #[test]
    fn cut_damaged_and_foreign_bytes_are_no_record() {
        let key = blake3::hash(b"key");
        for record in records() {
            let bytes = record.encode(key);
            assert_eq!(ProbeRecord::decode(&bytes, blake3::hash(b"other")), None);
            for at in 0..bytes.len() {
                assert_eq!(ProbeRecord::decode(&bytes[..at], key), None, "cut at {at}");
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert_eq!(ProbeRecord::decode(&damaged, key), None, "damaged at {at}");
            }
            assert_eq!(ProbeRecord::decode(&[&bytes[..], b"x"].concat(), key), None);
        }
    }

    /// A seal is no secret, so what is in a sealed record is read with care all the same.
    #[test]
    fn sealed_but_odd_bytes_are_no_record() {
        let key = blake3::hash(b"key");
        let hex = blake3::hash(b"a").to_hex();
        for body in [
            String::new(),
            format!("{hex}\n{hex}\n-1\nended\n0\n0\n"),
            format!("{hex}\n{hex}\n{}0\nended\n0\n0\n", u64::MAX),
            format!("{hex}\n{hex}\n1\nbegun\n0\n0\n"),
            format!("{hex}\n{hex}\n1\nended\n99999999999\n0\n"),
            format!("{hex}\n{hex}\n1\nended\n0\n5\nfour"),
            format!("{hex}\n{hex}\n1\nnothing\n999\n0\n"),
        ] {
            let bytes = format!("{FORMAT}\n{}\n{body}", seal(key, body.as_bytes()).to_hex());
            assert_eq!(ProbeRecord::decode(bytes.as_bytes(), key), None, "{body}");
        }
        let body = format!("{hex}\n{hex}\n1\nended\n0\n4\nfour");
        let bytes = format!("{FORMAT}\n{}\n{body}", seal(key, body.as_bytes()).to_hex());
        assert!(ProbeRecord::decode(bytes.as_bytes(), key).is_some(), "what is sealed and not odd is one");
    }
}
