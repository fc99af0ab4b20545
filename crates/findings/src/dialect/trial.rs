//! Helpers for the tests of dialects: the findings of one of them in a log.

use super::{ALL, Format};
use crate::diagnostics::Reader;
use crate::model::{Chunk, Findings, Stream};

/// Each finding in one line, `error a.ts:3:5 TS2322 message [first-last line] (3 times)`, and a line for the count of tests.
pub(crate) fn findings(format: &'static Format, log: &str) -> Vec<String> {
    findings_on(Stream::Out, format, log)
}

/// The same of the formats with this name.
pub(crate) fn findings_of(id: &str, log: &str) -> Vec<String> {
    let formats: Vec<Format> = ALL.iter().filter(|format| format.id == id).copied().collect();
    read(Stream::Out, formats.leak(), log)
}

/// The same of all formats.
pub(crate) fn all_findings(log: &str) -> Vec<String> {
    read(Stream::Out, &ALL, log)
}

/// The same of a log that was printed there.
pub(crate) fn findings_on(stream: Stream, format: &'static Format, log: &str) -> Vec<String> {
    read(stream, std::slice::from_ref(format), log)
}

fn read(stream: Stream, formats: &'static [Format], log: &str) -> Vec<String> {
    let mut reader = Reader::of(formats).bare();
    reader.push(Chunk::new(stream, log.as_bytes()));
    lines(&reader.finish())
}

/// The same of findings.
pub(crate) fn lines(findings: &Findings) -> Vec<String> {
    let mut lines: Vec<String> = findings
        .diagnostics
        .iter()
        .map(|found| {
            let place = found.place.as_ref().map_or_else(String::new, |place| format!("{place} "));
            let code = found.code.as_ref().map_or_else(String::new, |code| format!("{code} "));
            let (severity, log) = (found.severity.name(), found.log);
            let times = if found.times == 1 { String::new() } else { format!(" ({} times)", found.times) };
            format!("{severity} {place}{code}{} [{}-{}]{times}", found.message, log.start_line, log.end_line)
        })
        .collect();
    lines.extend(findings.tests.map(|tests| {
        format!(
            "tests: {} passed, {} failed, {} skipped, {} total, {} broken",
            tests.passed, tests.failed, tests.skipped, tests.total, tests.broken
        )
    }));
    lines
}
