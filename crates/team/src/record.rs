//! A record as the bytes of one object.
//!
//! The first line is `cuff record 1 DIGEST`: the BLAKE3 digest of all bytes behind the line. The second line is a JSON document
//! with the name of the project, the run as in `meta.json`, its findings as in `diagnostics.json`, and the parts of the log. The
//! rest is the log.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::{Findings, Recorded, Stream};
use crate::store::{BadMeta, findings_as_bytes, findings_of_bytes, run_as_bytes, run_of_bytes};

/// The front of the first line: what the bytes are, and the version of their form.
const MAGIC: &str = "cuff record ";
/// The newest form.
const VERSION: u32 = 1;
/// The largest record that is pushed or read, in bytes.
pub(crate) const LARGEST: usize = 32 * 1024 * 1024;
/// The longest log in a record, in bytes. Of a longer one it has the beginning and the end, half each.
pub(crate) const LONGEST_LOG: u64 = 16 * 1024 * 1024;
/// The most parts of a log. One of more is written as if both streams were one.
const MOST_PARTS: usize = 50_000;

/// The parts of a log in order, each with its stream.
pub type LogParts = Vec<(Stream, Vec<u8>)>;

/// A run in the records of a team.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedRecord {
    /// The name of the project, the same on all machines.
    pub project: String,
    /// The run.
    pub run: Recorded,
    /// The findings.
    pub findings: Findings,
    /// The parts of its log, in order.
    pub log: LogParts,
}

/// The reason why bytes are no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRecord {
    /// The object is longer than a record can be.
    #[error("it is larger than {} MiB", LARGEST / 1024 / 1024)]
    TooLarge,
    /// The object does not begin as a record.
    #[error("it is no record of cuff")]
    Foreign,
    /// A newer cuff wrote it.
    #[error("a newer cuff wrote it (form {0}; this one knows up to {VERSION})")]
    Newer(u32),
    /// The bytes are not those that were pushed: cut off, damaged or forged.
    #[error("its digest is wrong: it was cut off, damaged or changed")]
    Digest,
    /// The name belongs to another run, branch or tool.
    #[error("it is the record of another run than its name says")]
    Renamed,
    /// The run in it cannot be read.
    #[error("{0}")]
    Run(BadMeta),
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    project: String,
    run: Box<RawValue>,
    findings: Box<RawValue>,
    /// The stream of each part of the log, 1 to 3 as in `raw.index`, and its length in bytes.
    log: Vec<(u8, u64)>,
}

impl SharedRecord {
    /// The bytes of the object.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let parts = self.log.iter().map(|(stream, bytes)| (number(*stream), bytes.len() as u64));
        let mut parts: Vec<(u8, u64)> = parts.collect();
        if parts.len() > MOST_PARTS {
            parts = vec![(number(Stream::Both), parts.iter().map(|(_, length)| length).sum())];
        }
        let header = Header {
            project: self.project.clone(),
            run: raw(&run_as_bytes(&self.run)),
            findings: raw(&findings_as_bytes(&self.findings)),
            log: parts,
        };
        // Texts and numbers alone cannot fail.
        let mut rest = serde_json::to_vec(&header).unwrap_or_default();
        rest.push(b'\n');
        for (_, bytes) in &self.log {
            rest.extend_from_slice(bytes);
        }
        let mut all = format!("{MAGIC}{VERSION} {}\n", blake3::hash(&rest).to_hex()).into_bytes();
        all.append(&mut rest);
        all
    }

    /// The record in these bytes.
    ///
    /// # Errors
    /// When they are none, or not what was pushed.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, BadRecord> {
        if bytes.len() > LARGEST {
            return Err(BadRecord::TooLarge);
        }
        let (first, rest) = line(bytes).ok_or(BadRecord::Foreign)?;
        let first = std::str::from_utf8(first).ok().and_then(|first| first.strip_prefix(MAGIC));
        let (version, digest) = first.and_then(|first| first.split_once(' ')).ok_or(BadRecord::Foreign)?;
        match version.parse() {
            Ok(VERSION) => {}
            Ok(newer) => return Err(BadRecord::Newer(newer)),
            Err(_) => return Err(BadRecord::Foreign),
        }
        if blake3::hash(rest).to_hex().as_str() != digest {
            return Err(BadRecord::Digest);
        }
        let (header, mut log) = line(rest).ok_or(BadRecord::Foreign)?;
        let header: Header = serde_json::from_slice(header).map_err(|_| BadRecord::Foreign)?;
        let mut parts = Vec::new();
        for (number, length) in header.log {
            let length = usize::try_from(length).map_err(|_| BadRecord::Foreign)?;
            let (part, behind) = log.split_at_checked(length).ok_or(BadRecord::Foreign)?;
            parts.push((stream(number).ok_or(BadRecord::Foreign)?, part.to_vec()));
            log = behind;
        }
        if !log.is_empty() {
            return Err(BadRecord::Foreign);
        }
        let run = run_of_bytes(header.run.get().as_bytes()).map_err(BadRecord::Run)?;
        let findings = findings_of_bytes(header.findings.get().as_bytes()).ok_or(BadRecord::Foreign)?;
        Ok(Self { project: header.project, run, findings, log: parts })
    }
}

/// The bytes before the first line feed, and those behind it.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// A document that the store wrote, in one line.
fn raw(document: &[u8]) -> Box<RawValue> {
    // Whatever the store writes is JSON.
    let value: Value = serde_json::from_slice(document).unwrap_or_default();
    serde_json::value::to_raw_value(&value).unwrap_or_default()
}

fn number(stream: Stream) -> u8 {
    match stream {
        Stream::Out => 1,
        Stream::Err => 2,
        Stream::Both => 3,
    }
}

fn stream(number: u8) -> Option<Stream> {
    match number {
        1 => Some(Stream::Out),
        2 => Some(Stream::Err),
        3 => Some(Stream::Both),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::{
        Beginning, Diagnostic, End, Ending, Leftovers, LogRange, Printed, RecordState, Revision, RunId,
        Severity,
    };

    /// A failed run that began at this millisecond.
    pub(crate) fn record(at: u64) -> SharedRecord {
        let beginning = Beginning {
            tool: "packagejson.npm_test".into(),
            called: Some("test".into()),
            project: "example.com/x".into(),
            caller: "human".into(),
            command: vec!["npm".into(), "run".into(), "test".into()],
            directory: ".".into(),
            absolute_directory: None,
            arguments: None,
            call: None,
            script: None,
            is_several: false,
            runner: None,
            parent: None,
            revision: Revision { commit: Some("1".repeat(40)), branch: Some("main".into()) },
            is_pulled: false,
        };
        let end = End {
            ending: Ending::Exited(3),
            success: false,
            duration: 812,
            at: Some(at + 812),
            error: Some("Script failed with exit code 3".into()),
            error_code: None,
            leftovers: Leftovers::default(),
            changed_later: vec![],
            contained: None,
            denied: vec![],
            printed: Printed { out: 4, err: 3, lines: 2, lost: None },
        };
        let place = LogRange { start: 4, end: 7, start_line: 2, end_line: 2 };
        let found = Diagnostic::new(Severity::Error, "wrong", place, "tsc");
        let findings = Findings { diagnostics: vec![found], errors: 1, ..Findings::default() };
        let run =
            Recorded { id: RunId::new(at, [7; 10]), beginning, state: RecordState::Ended(Box::new(end)) };
        let log = vec![(Stream::Out, b"one\n".to_vec()), (Stream::Err, b"\xff\n\n".to_vec())];
        SharedRecord { project: "example.com/x".into(), run, findings, log }
    }

    #[test]
    fn a_record_is_read_back_as_it_was() {
        let record = record(5);
        assert_eq!(SharedRecord::decode(&record.encode()), Ok(record));
    }

    #[test]
    fn every_changed_cut_or_added_byte_is_noticed() {
        let bytes = record(5).encode();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(SharedRecord::decode(&changed).is_err(), "byte {at}");
            assert!(SharedRecord::decode(&bytes[..at]).is_err(), "the first {at} bytes");
        }
        let longer = [&bytes[..], b"x"].concat();
        assert_eq!(SharedRecord::decode(&longer), Err(BadRecord::Digest));
        let newer = [b"cuff record 9 x\n", &bytes[..]].concat();
        assert_eq!(SharedRecord::decode(&newer), Err(BadRecord::Newer(9)));
        assert_eq!(SharedRecord::decode(&vec![b'x'; LARGEST + 1]), Err(BadRecord::TooLarge));
    }

    #[test]
    fn a_right_digest_makes_no_record_of_wrong_lengths() {
        let forged = |header: &str| {
            let rest = format!("{header}\nabc");
            SharedRecord::decode(
                format!("{MAGIC}1 {}\n{rest}", blake3::hash(rest.as_bytes()).to_hex()).as_bytes(),
            )
        };
        let run = raw(&run_as_bytes(&record(5).run));
        let findings = raw(&findings_as_bytes(&Findings::default()));
        let header = |log: &str| {
            format!(
                "{{\"project\":\"x\",\"run\":{},\"findings\":{},\"log\":{log}}}",
                run.get(),
                findings.get()
            )
        };
        assert!(forged(&header("[[1,3]]")).is_ok());
        for log in ["[]", "[[1,2]]", "[[1,4]]", "[[1,18446744073709551615]]", "[[9,3]]", "[[1,-3]]"] {
            assert_eq!(forged(&header(log)), Err(BadRecord::Foreign), "{log}");
        }
        assert_eq!(forged("{}"), Err(BadRecord::Foreign));
        assert!(matches!(
            forged("{\"project\":\"x\",\"run\":{},\"findings\":{},\"log\":[[1,3]]}"),
            Err(BadRecord::Run(_))
        ));
    }
}
