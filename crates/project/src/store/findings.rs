//! `diagnostics.json`: the findings in the log of a run.

use serde::{Deserialize, Serialize};

use crate::model::{Diagnostic, Findings, Location, LogRange, Severity, TestSummary};

/// The number of this format; a reader of a lower one leaves the file alone and reads the log again.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct FindingsFile {
    format: u32,
    errors: u64,
    warnings: u64,
    infos: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unexplained: Option<u64>,
    #[serde(default, skip_serializing_if = "is_false")]
    incomplete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<Tests>,
    diagnostics: Vec<FindingEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Tests(#[serde(with = "TestCounts")] TestSummary);

#[derive(Serialize, Deserialize)]
#[serde(remote = "TestSummary")]
struct TestCounts {
    passed: u64,
    failed: u64,
    skipped: u64,
    total: u64,
    broken: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct FindingEntry {
    #[serde(with = "SeverityName")]
    severity: Severity,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    start: u64,
    end: u64,
    start_line: u64,
    end_line: u64,
    dialect: String,
    #[serde(default = "once", skip_serializing_if = "is_once")]
    times: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Severity", rename_all = "snake_case")]
enum SeverityName {
    Error,
    Warning,
    Info,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_once(times: &u64) -> bool {
    *times == once()
}

fn once() -> u64 {
    1
}

/// The bytes of the file.
pub fn write(findings: &Findings) -> Vec<u8> {
    let file = FindingsFile {
        format: FORMAT,
        errors: findings.errors,
        warnings: findings.warnings,
        infos: findings.infos,
        unexplained: Some(findings.unexplained).filter(|count| *count > 0),
        incomplete: findings.incomplete,
        tests: findings.tests.map(Tests),
        diagnostics: findings.diagnostics.iter().map(entry).collect(),
    };
    // Texts and numbers alone cannot fail.
    let mut bytes = serde_json::to_vec(&file).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn entry(found: &Diagnostic) -> FindingEntry {
    let place = found.place.as_ref();
    FindingEntry {
        severity: found.severity,
        message: found.message.clone(),
        code: found.code.clone(),
        file: place.map(|place| place.file.clone()),
        line: place.and_then(|place| place.line),
        column: place.and_then(|place| place.column),
        start: found.log.start,
        end: found.log.end,
        start_line: found.log.start_line,
        end_line: found.log.end_line,
        dialect: found.dialect.clone(),
        times: found.times,
    }
}

/// The findings in a file; `None` for a file of a newer cuff, and for anything else.
pub fn read(bytes: &[u8]) -> Option<Findings> {
    let file: FindingsFile = serde_json::from_slice(bytes).ok()?;
    (file.format <= FORMAT).then(|| Findings {
        diagnostics: file.diagnostics.into_iter().map(diagnostic).collect(),
        errors: file.errors,
        warnings: file.warnings,
        infos: file.infos,
        unexplained: file.unexplained.unwrap_or_default(),
        incomplete: file.incomplete,
        // A reader of findings has the log as well.
        unread: Vec::new(),
        lint: None,
        tests: file.tests.map(|Tests(tests)| tests),
    })
}

fn diagnostic(entry: FindingEntry) -> Diagnostic {
    let (line, column) = (entry.line, entry.column);
    Diagnostic {
        severity: entry.severity,
        message: entry.message,
        code: entry.code,
        place: entry.file.map(|file| Location::at(file, line, column)),
        log: LogRange {
            start: entry.start,
            end: entry.end,
            start_line: entry.start_line,
            end_line: entry.end_line,
        },
        dialect: entry.dialect,
        times: entry.times,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_findings_are_read_back() {
        let log = LogRange { start: 880, end: 1043, start_line: 12, end_line: 14 };
        let found = Diagnostic::new(Severity::Error, "wrong\n  since", log, "tsc").coded("TS2345");
        let findings = Findings {
            diagnostics: vec![
                found.clone().at(Location::at("src/a.ts", 42, 7)),
                found.clone().at(Location::file("b")),
                Diagnostic { code: None, severity: Severity::Info, times: 132, ..found },
            ],
            errors: 1002,
            warnings: 1,
            infos: 1,
            unexplained: 2,
            incomplete: true,
            unread: Vec::new(),
            lint: None,
            tests: Some(TestSummary { passed: 41, failed: 2, skipped: 1, total: 44, broken: 1 }),
        };
        assert_eq!(read(&write(&findings)), Some(findings));
        assert_eq!(read(&write(&Findings::default())), Some(Findings::default()));
        let newer =
            String::from_utf8(write(&Findings::default())).unwrap().replace("\"format\":1", "\"format\":2");
        assert_eq!((read(newer.as_bytes()), read(b"{}"), read(b"")), (None, None, None));
    }
}
