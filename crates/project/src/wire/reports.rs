//! Findings in the formats of other programs: SARIF, `JUnit`'s and Checkstyle's XML, and GitHub's annotations.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use serde_json::{Value, json};

use super::listing::times;
use crate::model::{Diagnostic, Findings, Location, Severity, counted, occurrences};

/// A note about findings that are counted and not kept; `None` where there are none.
fn not_kept(findings: &Findings) -> Option<String> {
    let more = findings.not_kept();
    (more > 0).then(|| format!("{} counted and not kept", counted(more, "other finding")))
}

/// The note of a run that succeeded and printed errors; `success` is `None` for a text that no run is known of.
fn passed(findings: &Findings, success: Option<bool>) -> Option<&'static str> {
    (findings.errors > 0 && success == Some(true))
        .then_some("The run succeeded: these findings did not fail it.")
}

/// The findings as a log of SARIF 2.1.0, with one run. The code of a finding is its rule. `success`: how that run ended.
pub fn sarif(findings: &Findings, success: Option<bool>, version: &str) -> Value {
    let rules: BTreeSet<&str> = findings.diagnostics.iter().map(rule).collect();
    let rules: Vec<&str> = rules.into_iter().collect();
    let result = |found: &Diagnostic| {
        let level = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "note",
        };
        let mut shape = json!({
            "ruleId": rule(found), "ruleIndex": rules.binary_search(&rule(found)).ok(), "level": level,
            "message": {"text": found.message}, "properties": {"source": found.dialect},
        });
        if found.times > 1 {
            shape["occurrenceCount"] = json!(found.times);
        }
        if let Some(place) = &found.place {
            let mut physical = json!({"artifactLocation": {"uri": uri(&place.file)}});
            if let Some(line) = place.line.filter(|line| *line > 0) {
                physical["region"] = json!({"startLine": line});
                if let Some(column) = place.column.filter(|column| *column > 0) {
                    physical["region"]["startColumn"] = json!(column);
                }
            }
            shape["locations"] = json!([{"physicalLocation": physical}]);
        }
        shape
    };
    let results: Vec<Value> = findings.diagnostics.iter().map(result).collect();
    let mut run = json!({
        "tool": {"driver": {
            "name": "cuff", "version": version,
            "rules": rules.iter().map(|rule| json!({"id": rule})).collect::<Vec<_>>(),
        }},
        "results": results,
    });
    let note = |level: &str, text: String| json!({"level": level, "message": {"text": text}});
    let passed = passed(findings, success).map(|text| note("note", text.to_owned()));
    let notes: Vec<Value> =
        not_kept(findings).map(|text| note("warning", text)).into_iter().chain(passed).collect();
    if success.is_some() || !notes.is_empty() {
        run["invocations"] = json!([{"executionSuccessful": success.unwrap_or(true)}]);
    }
    if !notes.is_empty() {
        run["invocations"][0]["toolExecutionNotifications"] = json!(notes);
    }
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0", "runs": [run],
    })
}

/// The code of a finding, or its format where the tool gives no codes.
fn rule(found: &Diagnostic) -> &str {
    found.code.as_deref().unwrap_or(&found.dialect)
}

/// A path as a reference of a URI.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// The findings as commands of GitHub's workflows: one annotation a line.
pub fn annotations(findings: &Findings, success: Option<bool>) -> String {
    let mut lines: Vec<String> = findings.diagnostics.iter().map(annotation).collect();
    lines.extend(not_kept(findings).map(|text| format!("::warning::{text}")));
    lines.extend(passed(findings, success).map(|text| format!("::notice::{text}")));
    lines.join("\n")
}

fn annotation(found: &Diagnostic) -> String {
    let name = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut properties = Vec::new();
    if let Some(Location { file, line, column, .. }) = &found.place {
        properties.push(format!("file={}", property(file)));
        properties.extend(line.map(|line| format!("line={line}")));
        properties.extend(column.map(|column| format!("col={column}")));
    }
    properties.extend(found.code.as_ref().map(|code| format!("title={}", property(code))));
    let blank = if properties.is_empty() { "" } else { " " };
    format!("::{name}{blank}{}::{}{}", properties.join(","), data(&found.message), times(found))
}

/// Text behind the second `::` of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The errors as failed tests in `JUnit`'s XML. Tests that passed are counted: their names were not read. The errors of a
/// run that succeeded are tests that passed and printed something.
pub fn junit(findings: &Findings, success: Option<bool>) -> String {
    let errors: Vec<Diagnostic> =
        findings.diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
    let listed = occurrences(&errors);
    let passed = passed(findings, success);
    let failures = if passed.is_some() { 0 } else { listed };
    let counts = findings.tests.map(|tests| (tests.total, tests.failed, tests.skipped));
    let (total, failed, skipped) = counts.unwrap_or_default();
    // An error that is no failed test, such as a linter's, is a test of its own.
    let tests = total + listed.saturating_sub(failed);
    let head = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"");
    let mut xml = format!("{XML}\n<testsuites {head}>\n  <testsuite name=\"cuff\" {head}>\n");
    for found in &errors {
        let first = found.message.lines().next().unwrap_or_default();
        let place = found.place.as_ref().map(ToString::to_string).unwrap_or_default();
        let class = found.place.as_ref().map_or(&*found.dialect, |place| &place.file);
        // Writing to a string cannot fail.
        let (name, text) = (format!("{place} {first}{}", times(found)), format!("{place} {}", found.message));
        let (name, text) = (Escaped(&name), Escaped(&text));
        let _ = writeln!(xml, "    <testcase classname=\"{}\" name=\"{name}\">", Escaped(class));
        let _ = if passed.is_some() {
            writeln!(xml, "      <system-out>{text}</system-out>")
        } else {
            let (first, rule) = (Escaped(first), Escaped(rule(found)));
            writeln!(xml, "      <failure message=\"{first}\" type=\"{rule}\">{text}</failure>")
        };
        xml.push_str("    </testcase>\n");
    }
    let mut notes =
        vec!["cuff read failures and counts: tests that passed are counted and not named.".to_owned()];
    let others = findings.warnings + findings.infos;
    notes.extend((others > 0).then(|| format!("Not listed: {}.", counted(others, "other finding"))));
    let unkept = findings.errors.saturating_sub(listed);
    notes.extend((unkept > 0).then(|| format!("{} counted and not kept.", counted(unkept, "other error"))));
    notes.extend(passed.map(str::to_owned));
    let _ = writeln!(
        xml,
        "    <system-out>{}</system-out>\n  </testsuite>\n</testsuites>",
        Escaped(&notes.join(" "))
    );
    xml
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// The findings by file in Checkstyle's XML. Those without a file stand in one without a name.
pub fn checkstyle(findings: &Findings, success: Option<bool>) -> String {
    let file = |found: &Diagnostic| found.place.as_ref().map_or_else(String::new, |place| place.file.clone());
    let mut sorted: Vec<(String, &Diagnostic)> =
        findings.diagnostics.iter().map(|found| (file(found), found)).collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    let mut xml = format!("{XML}\n<checkstyle version=\"4.3\">\n");
    for of_file in sorted.chunk_by(|one, other| one.0 == other.0) {
        // Writing to a string cannot fail.
        let _ = writeln!(xml, "  <file name=\"{}\">", Escaped(&of_file[0].0));
        for (_, found) in of_file {
            let place = found.place.as_ref();
            let number = |name: &str, number: Option<usize>| {
                number.map_or_else(String::new, |number| format!(" {name}=\"{number}\""))
            };
            let (line, column) = (
                number("line", place.and_then(|place| place.line)),
                number("column", place.and_then(|place| place.column)),
            );
            let severity = found.severity.name();
            let message = format!("{}{}", found.message, times(found));
            let (message, source) = (Escaped(&message), Escaped(rule(found)));
            let _ = writeln!(
                xml,
                "    <error{line}{column} severity=\"{severity}\" message=\"{message}\" source=\"{source}\"/>"
            );
        }
        xml.push_str("  </file>\n");
    }
    let passed = passed(findings, success).map(str::to_owned);
    for text in not_kept(findings).into_iter().chain(passed) {
        let _ = writeln!(xml, "  <!-- {text} -->");
    }
    xml.push_str("</checkstyle>");
    xml
}

/// Text for XML: in an element or an attribute. A character that XML cannot have becomes a replacement character.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                '&' => formatter.write_str("&amp;")?,
                '"' => formatter.write_str("&quot;")?,
                // In an attribute they would be blanks.
                '\n' | '\t' => write!(formatter, "&#{};", u32::from(c))?,
                c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => formatter.write_char('\u{fffd}')?,
                c => formatter.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LogRange, TestSummary};

    #[test]
    fn equal_errors_count_as_all_in_each_format() {
        let found = Diagnostic::new(Severity::Error, "no tide", LogRange::default(), "shell");
        let found = Diagnostic { times: 132, ..found.at(Location::line("a.sh", 3)) };
        let findings = Findings { diagnostics: vec![found], errors: 132, ..Findings::default() };
        let sarif = sarif(&findings, Some(false), "1");
        assert_eq!(sarif["runs"][0]["results"][0]["occurrenceCount"], 132);
        assert_eq!(sarif["runs"][0]["invocations"], json!([{"executionSuccessful": false}]), "all are kept");
        assert_eq!(annotations(&findings, Some(false)), "::error file=a.sh,line=3::no tide (132 times)");
        let junit = junit(&findings, Some(false));
        assert!(junit.contains("tests=\"132\" failures=\"132\" errors=\"0\""), "{junit}");
        assert!(
            junit.contains("<testcase classname=\"a.sh\" name=\"a.sh:3 no tide (132 times)\">"),
            "{junit}"
        );
        assert!(!junit.contains("not kept"), "{junit}");
        let checkstyle = checkstyle(&findings, Some(false));
        assert!(checkstyle.contains("message=\"no tide (132 times)\""), "{checkstyle}");
    }

    #[test]
    fn an_error_of_a_linter_is_a_test_beside_those_that_ran() {
        let place = LogRange { start: 0, end: 1, start_line: 1, end_line: 1 };
        let found = |message: &str| Diagnostic::new(Severity::Error, message, place, "x");
        let findings = |messages: &[&str], tests: Option<TestSummary>| Findings {
            errors: messages.len() as u64,
            diagnostics: messages.iter().map(|message| found(message)).collect(),
            tests,
            ..Findings::default()
        };
        let tests = TestSummary { passed: 9, failed: 1, total: 10, ..TestSummary::default() };
        for (findings, expected) in [
            (findings(&["unused", "expected 1"], Some(tests)), "tests=\"11\" failures=\"2\""),
            (findings(&["expected 1"], Some(tests)), "tests=\"10\" failures=\"1\""),
            (findings(&["unused"], None), "tests=\"1\" failures=\"1\""),
            (findings(&[], Some(tests)), "tests=\"10\" failures=\"0\""),
        ] {
            let xml = junit(&findings, Some(false));
            assert!(xml.contains(&format!("<testsuites {expected} errors=\"0\"")), "{xml}");
        }
    }
}
