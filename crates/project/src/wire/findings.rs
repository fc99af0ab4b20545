//! The findings of a log, as JSON and as text.

use serde_json::{Map, Value, json};

use super::Reader;
use super::listing::{listing, times};
use crate::model::{Diagnostic, Findings, Report, TestSummary, occurrences, visible};

/// The most findings that one reply has; hosts cut long replies.
const MOST: usize = 100;
/// The most bytes of them in a reply.
const LONGEST: usize = 16 * 1024;
/// The same of a success, whose findings nobody has to mend.
const LONGEST_OF_SUCCESS: usize = 1024;

/// The findings of a reply: as many as fit, and a number of all.
pub(super) fn shown(findings: &Findings) -> &[Diagnostic] {
    within(findings, LONGEST)
}

/// The findings of an agent's answer.
pub(super) fn told(report: &Report) -> &[Diagnostic] {
    within(&report.findings, if report.success { LONGEST_OF_SUCCESS } else { LONGEST })
}

fn within(findings: &Findings, mut room: usize) -> &[Diagnostic] {
    let fits = |found: &&Diagnostic| {
        let file = found.place.as_ref().map_or(0, |place| place.file.len());
        let size = found.message.len() + found.code.as_ref().map_or(0, String::len) + file + 80;
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    };
    let count = findings.diagnostics.iter().take(MOST).take_while(fits).count();
    &findings.diagnostics[..count.max(usize::from(!findings.diagnostics.is_empty()))]
}

/// A finding as JSON.
pub fn diagnostic(found: &Diagnostic) -> Value {
    let mut shape = Map::new();
    shape.insert("severity".into(), json!(found.severity.name()));
    shape.insert("message".into(), json!(found.message));
    shape.extend(found.code.iter().map(|code| ("code".to_owned(), json!(code))));
    if let Some(place) = &found.place {
        shape.insert("file".into(), json!(place.file));
        shape.extend(place.line.map(|line| ("line".to_owned(), json!(line))));
        shape.extend(place.column.map(|column| ("column".to_owned(), json!(column))));
    }
    let log = found.log;
    if found.times > 1 {
        shape.insert("times".into(), json!(found.times));
    }
    shape.insert("source".into(), json!(found.dialect));
    shape.insert(
        "log".into(),
        json!({"start_line": log.start_line, "end_line": log.end_line, "start": log.start, "end": log.end}),
    );
    Value::Object(shape)
}

/// The counts of test runners, as JSON.
pub fn summary(tests: &TestSummary) -> Value {
    let mut shape = json!({
        "passed": tests.passed, "failed": tests.failed, "skipped": tests.skipped, "total": tests.total,
    });
    if tests.broken > 0 {
        shape["broken"] = json!(tests.broken);
    }
    shape
}

/// A finding as one line, `src/a.ts:42:7 error TS2345 Argument …`, and the rest of its message indented below.
pub fn line(found: &Diagnostic) -> String {
    let place =
        found.place.as_ref().map_or_else(String::new, |place| format!("{} ", visible(&place.to_string())));
    let code = found.code.as_ref().map_or_else(String::new, |code| format!("{} ", visible(code)));
    let mut lines = found.message.lines();
    let first = visible(lines.next().unwrap_or_default()).into_owned();
    let mut text = format!("{place}{} {code}{first}{}", found.severity.name(), times(found));
    for line in lines {
        text.push_str("\n  ");
        text.push_str(&visible(line.trim_end()));
    }
    text
}

/// The findings of a reply, and where the others are; empty where there are none.
pub(super) fn block(report: &Report, reader: Reader) -> String {
    let (findings, shown) = (&report.findings, told(report));
    let more = findings.total().saturating_sub(occurrences(shown));
    let rest = match report.run_id {
        _ if more == 0 => String::new(),
        Some(_) => format!("\n… {more} more: {}", reader.tool("diagnostics")),
        None => format!("\n… {more} more"),
    };
    listing(shown) + &rest
}

/// `13 errors`, `6 tests failed, 2 passed`: each thing once. A test that failed is an error.
pub(super) fn counts(findings: &Findings) -> Option<String> {
    let tests = findings.tests.as_ref();
    let of_tests = tests.map_or(0, |tests| tests.failed + tests.broken);
    let others =
        Findings { errors: findings.errors.saturating_sub(of_tests), tests: None, ..findings.clone() };
    let found = if of_tests > findings.errors { count(findings) } else { count(&others) };
    let told: Vec<String> = tests.map(outcomes).into_iter().chain(found).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// `2 errors and 1 warning`, `at least 2 errors` where the tools say that there are more; `None` where nothing was found.
pub fn count(findings: &Findings) -> Option<String> {
    let many = |count: u64, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{count} {noun}s")),
    };
    let kinds: Vec<String> =
        [many(findings.errors, "error"), many(findings.warnings, "warning"), many(findings.infos, "note")]
            .into_iter()
            .flatten()
            .collect();
    let least = if findings.incomplete { "at least " } else { "" };
    (!kinds.is_empty()).then(|| format!("{least}{}", kinds.join(" and ")))
}

/// `2 failed, 41 passed, 1 skipped (44 tests)`.
pub fn tests(tests: &TestSummary) -> String {
    let plural = if tests.total == 1 { "" } else { "s" };
    let told = [(tests.failed, "failed"), (tests.broken, "did not load")].into_iter().chain(others(tests));
    format!("{} ({} test{plural})", joined(told), tests.total)
}

/// `2 tests failed, 41 passed, 1 skipped`.
fn outcomes(tests: &TestSummary) -> String {
    let failed = match tests.failed {
        1 => "test failed",
        _ => "tests failed",
    };
    joined([(tests.failed, failed), (tests.broken, "did not load")].into_iter().chain(others(tests)))
}

fn others(tests: &TestSummary) -> [(u64, &'static str); 2] {
    [(tests.passed, "passed"), (tests.skipped, "skipped")]
}

fn joined<'a>(counts: impl Iterator<Item = (u64, &'a str)>) -> String {
    let told = counts.filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod shapes {
    use super::*;
    use crate::model::{Location, LogRange, Severity};

    fn found(message: &str) -> Diagnostic {
        let log = LogRange { start: 880, end: 1043, start_line: 12, end_line: 14 };
        Diagnostic::new(Severity::Error, message, log, "tsc")
            .coded("TS2345")
            .at(Location::at("src/a.ts", 42, 7))
    }

    #[test]
    fn a_finding() {
        assert_eq!(
            line(&found("Argument is wrong.\n  Since\u{1b}[2J this.")),
            "src/a.ts:42:7 error TS2345 Argument is wrong.\n    Since\\u{1b}[2J this."
        );
        let often = Diagnostic { times: 132, ..found("x\nsince") };
        assert_eq!(line(&often), "src/a.ts:42:7 error TS2345 x (132 times)\n  since");
        assert_eq!(
            diagnostic(&often).to_string(),
            r#"{"severity":"error","message":"x\nsince","code":"TS2345","file":"src/a.ts","line":42,"column":7,"times":132,"source":"tsc","log":{"start_line":12,"end_line":14,"start":880,"end":1043}}"#
        );
        assert_eq!(
            diagnostic(&found("x")).to_string(),
            r#"{"severity":"error","message":"x","code":"TS2345","file":"src/a.ts","line":42,"column":7,"source":"tsc","log":{"start_line":12,"end_line":14,"start":880,"end":1043}}"#
        );
    }

    #[test]
    fn counts() {
        let least = Findings { errors: 2, incomplete: true, ..Findings::default() };
        assert_eq!(count(&least).as_deref(), Some("at least 2 errors"));
        let findings = Findings { errors: 2, warnings: 1, ..Findings::default() };
        assert_eq!(count(&findings).as_deref(), Some("2 errors and 1 warning"));
        assert_eq!(count(&Findings::default()), None);
        let counted = TestSummary { passed: 41, failed: 2, skipped: 1, total: 44, broken: 0 };
        assert_eq!(tests(&counted), "2 failed, 41 passed, 1 skipped (44 tests)");
    }

    #[test]
    fn a_reply_is_bounded_and_never_empty() {
        let many = |message: &str, count: usize| Findings {
            diagnostics: vec![found(message); count],
            errors: count as u64,
            ..Findings::default()
        };
        assert_eq!(shown(&many("x", 500)).len(), MOST);
        assert_eq!(shown(&many(&"x".repeat(4000), 500)).len(), 4);
        assert_eq!(shown(&many(&"x".repeat(40_000), 2)).len(), 1);
        assert_eq!(shown(&many("x", 0)).len(), 0);
        let far = found("x").at(Location::at("a/".repeat(500), 1, 1));
        let far = Findings { diagnostics: vec![far; 500], errors: 500, ..Findings::default() };
        assert_eq!(shown(&far).len(), 15, "names and codes count as well");
    }
}
