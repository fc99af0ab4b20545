//! Compares the findings in the recorded output of real tools with those that people wrote down in
//! `fixtures/dialects/`.

#![expect(clippy::disallowed_methods, reason = "a test reads its own samples")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Reader;
use crate::model::{Chunk, Diagnostic, Findings, Stream};

/// A recorded log, cut where it changes streams.
struct Sample {
    name: String,
    log: Vec<u8>,
    segments: Vec<(usize, Stream)>,
    facts: Value,
    expected: Value,
}

/// All that were recorded, or those whose names hold `CUFF_SAMPLES`.
fn samples() -> Vec<Sample> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dialects");
    let wanted = std::env::var("CUFF_SAMPLES").unwrap_or_default();
    let mut folders: Vec<PathBuf> = Vec::new();
    for tool in fs::read_dir(&root).into_iter().flatten().flatten() {
        let cases = fs::read_dir(tool.path()).into_iter().flatten().flatten().map(|case| case.path());
        folders.extend(cases.filter(|case| case.join("expected.json").exists()));
    }
    folders.sort();
    let named = |folder: &Path| folder.strip_prefix(&root).unwrap().display().to_string();
    folders
        .iter()
        .filter(|folder| named(folder).contains(&wanted))
        .map(|folder| read(folder, named(folder)))
        .collect()
}

fn read(folder: &Path, name: String) -> Sample {
    let json =
        |file: &str| -> Value { serde_json::from_slice(&fs::read(folder.join(file)).unwrap()).unwrap() };
    let facts = json("sample.json");
    let segment = |segment: &Value| {
        let stream = if segment[1] == "err" { Stream::Err } else { Stream::Out };
        (usize::try_from(segment[0].as_u64().unwrap()).unwrap(), stream)
    };
    Sample {
        name,
        log: fs::read(folder.join("raw.log")).unwrap(),
        segments: facts["segments"].as_array().unwrap().iter().map(segment).collect(),
        facts,
        expected: json("expected.json"),
    }
}

impl Sample {
    /// The findings, with the log handed over in chunks of these sizes.
    fn findings(&self, mut size: impl FnMut() -> usize) -> Findings {
        let mut reader = Reader::new(Path::new(self.project()), Path::new("."), Vec::new());
        for (place, (start, stream)) in self.segments.iter().enumerate() {
            let end = self.segments.get(place + 1).map_or(self.log.len(), |next| next.0);
            let mut rest = &self.log[*start..end];
            while !rest.is_empty() {
                let (now, later) = rest.split_at(size().clamp(1, rest.len()));
                reader.push(Chunk::new(*stream, now));
                rest = later;
            }
        }
        reader.finish()
    }

    /// The folder that the tool ran in.
    fn project(&self) -> &str {
        self.facts["folder"].as_str().unwrap_or("/nowhere")
    }

    /// The differences from the findings that people wrote down; empty if there are none.
    fn differences(&self, found: &Findings) -> String {
        let mut report = String::new();
        for (what, count) in [("errors", found.errors), ("warnings", found.warnings)] {
            let expected = self.expected[what].as_u64().unwrap_or_default();
            if expected != count {
                let _ = writeln!(report, "  {expected} {what} expected, {count} found");
            }
        }
        let is_least = self.expected["incomplete"].as_bool().unwrap_or_default();
        if is_least != found.incomplete {
            let _ = writeln!(report, "  incomplete: {is_least} expected");
        }
        let mut rest: Vec<&Diagnostic> = found.diagnostics.iter().collect();
        for expected in self.expected["findings"].as_array().unwrap() {
            match rest.iter().position(|found| is_meant(expected, found)) {
                Some(at) => _ = rest.remove(at),
                None => _ = writeln!(report, "  not found: {expected}"),
            }
        }
        for found in rest {
            let place = found.place.as_ref().map(ToString::to_string);
            let _ = writeln!(
                report,
                "  found beside: {} {place:?} {:?} {:?} by {} [{}-{}]",
                found.severity.name(),
                found.code,
                found.message,
                found.dialect,
                found.log.start_line,
                found.log.end_line
            );
        }
        if let Some(summary) = self.expected.get("summary").filter(|summary| !summary.is_null()) {
            let tests = found.tests.unwrap_or_default();
            for (what, count) in [
                ("passed", tests.passed),
                ("failed", tests.failed),
                ("skipped", tests.skipped),
                ("total", tests.total),
                ("broken", tests.broken),
            ] {
                if let Some(expected) = summary[what].as_u64().filter(|expected| *expected != count) {
                    let _ = writeln!(report, "  tests: {expected} {what} expected, {count} found");
                }
            }
        } else if let Some(tests) = found.tests {
            let _ = writeln!(report, "  no tests expected, found {tests:?}");
        }
        report
    }
}

fn is_meant(expected: &Value, found: &Diagnostic) -> bool {
    let number = |value: Option<usize>| value.map_or(Value::Null, Value::from);
    let text = |value: Option<&str>| value.map_or(Value::Null, Value::from);
    let place = found.place.as_ref();
    expected["severity"] == found.severity.name()
        && expected["file"] == text(place.map(|place| place.file.as_str()))
        && expected["line"] == number(place.and_then(|place| place.line))
        && expected["column"] == number(place.and_then(|place| place.column))
        && expected["code"] == text(found.code.as_deref())
        && found.message.starts_with(expected["message_start"].as_str().unwrap_or_default())
        && found.message.contains(expected["reason_start"].as_str().unwrap_or_default())
}

#[test]
fn as_people_read_it() {
    let mut report = String::new();
    let samples = samples();
    for sample in &samples {
        let differences = sample.differences(&sample.findings(|| usize::MAX));
        if !differences.is_empty() {
            let _ = writeln!(report, "{}:\n{differences}", sample.name);
        }
    }
    assert!(report.is_empty(), "of {} samples:\n{report}", samples.len());
    assert!(std::env::var_os("CUFF_SAMPLES").is_some() || samples.len() >= 350, "{} samples", samples.len());
}

/// On one pipe the two outputs are one, and the same is found in it.
#[test]
fn on_one_pipe_as_well() {
    let mut report = String::new();
    for mut sample in samples() {
        sample.segments = vec![(0, Stream::Both)];
        let differences = sample.differences(&sample.findings(|| usize::MAX));
        if !differences.is_empty() {
            let _ = writeln!(report, "{}:\n{differences}", sample.name);
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Xorshift: the same cuts each time.
fn cuts(mut seed: u64, most: usize) -> impl FnMut() -> usize {
    move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % most as u64).unwrap() + 1
    }
}

#[test]
fn wherever_it_is_cut() {
    for (place, sample) in samples().iter().enumerate() {
        let whole = sample.findings(|| usize::MAX);
        for (round, most) in [1, 3, 17, 80, 400, 5000].into_iter().enumerate() {
            let seed = 0x9e37_79b9 + (place * 64 + round) as u64;
            assert_eq!(sample.findings(cuts(seed, most)), whole, "{} in pieces of {most}", sample.name);
        }
    }
}

/// The lines between the offsets are those that are numbered.
#[test]
fn the_bytes_are_the_lines() {
    for sample in samples() {
        for found in sample.findings(|| usize::MAX).diagnostics {
            let at = |offset: u64| usize::try_from(offset).unwrap();
            let (before, rest) = sample.log.split_at(at(found.log.start));
            let lines = &rest[..at(found.log.end - found.log.start)];
            let count = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
            assert_eq!(count(before) + 1, found.log.start_line, "{}: {found:?}", sample.name);
            let ends = count(before) + count(lines) + u64::from(!lines.ends_with(b"\n"));
            assert_eq!(ends, found.log.end_line, "{}: {found:?}", sample.name);
            assert!(
                before.is_empty() || before.ends_with(b"\n") || sample.segments.len() > 1,
                "{}: {found:?}",
                sample.name
            );
        }
    }
}
