//! Findings as an agent reads them: each file once, each message once, and nothing that its tool writes below each.

use serde_json::{Value, json};

use crate::dialect::brief;
use crate::model::{Diagnostic, Location, Severity, visible};

/// One line of a list, for one or more places of one file.
struct FindingLine {
    places: Vec<String>,
    text: String,
}

/// The findings, in their order. Those of one file that follow each other stand below its name, `src/a.ts:`, a line
/// each: `3:7 TS2322 message`. A message that goes on has its other lines indented. Where all are errors, none says so.
pub fn listing(found: &[Diagnostic]) -> String {
    let all_errors = found.iter().all(|found| found.severity == Severity::Error);
    let mut lines = Vec::new();
    for group in found.chunk_by(|one, next| file(one) == file(next)) {
        let entries = entries(group, all_errors);
        let name = group.first().and_then(file).map(visible);
        match (&entries[..], name) {
            ([alone], Some(name)) => {
                let places = alone.places.join(", ");
                let colon = if places.is_empty() { "" } else { ":" };
                lines.push(format!("{name}{colon}{places} {}", alone.text));
            }
            (_, Some(name)) => {
                lines.push(format!("{name}:"));
                lines.extend(entries.iter().map(FindingLine::line));
            }
            (_, None) => lines.extend(entries.iter().map(FindingLine::line)),
        }
    }
    lines.join("\n")
}

/// The same as JSON: the lines of each file below its name, and those without a file below an empty one.
pub(super) fn grouped(found: &[Diagnostic]) -> Value {
    let all_errors = found.iter().all(|found| found.severity == Severity::Error);
    let mut files: Vec<&str> = Vec::new();
    for name in found.iter().map(|found| file(found).unwrap_or_default()) {
        if !files.contains(&name) {
            files.push(name);
        }
    }
    let of = |name: &str| {
        let is_its = |found: &&Diagnostic| file(found).unwrap_or_default() == name;
        let group: Vec<Diagnostic> = found.iter().filter(is_its).cloned().collect();
        let lines: Vec<String> = entries(&group, all_errors).iter().map(FindingLine::line).collect();
        (visible(name).into_owned(), json!(lines))
    };
    files.into_iter().map(of).collect()
}

/// The lines of one file, those with the same text as one.
fn entries(group: &[Diagnostic], all_errors: bool) -> Vec<FindingLine> {
    let mut entries: Vec<FindingLine> = Vec::new();
    for found in group {
        let text = text(found, all_errors);
        let place = found.place.as_ref().and_then(position).map(|place| place + &times(found));
        let same = entries.iter_mut().find(|entry| entry.text == text && !entry.places.is_empty());
        match (same, place) {
            (Some(same), Some(place)) => same.places.push(place),
            (_, Some(place)) => entries.push(FindingLine { places: vec![place], text }),
            (_, None) => {
                let (first, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
                entries.push(FindingLine { places: vec![], text: format!("{first}{}{rest}", times(found)) });
            }
        }
    }
    entries
}

impl FindingLine {
    fn line(&self) -> String {
        if self.places.is_empty() {
            self.text.clone()
        } else {
            format!("{} {}", self.places.join(", "), self.text)
        }
    }
}

fn file(found: &Diagnostic) -> Option<&str> {
    found.place.as_ref().map(|place| place.file.as_str())
}

fn position(place: &Location) -> Option<String> {
    let line = place.line?;
    Some(place.column.map_or_else(|| line.to_string(), |column| format!("{line}:{column}")))
}

/// Severity, code and message. A finding without a file always says its severity.
fn text(found: &Diagnostic, all_errors: bool) -> String {
    let severity = (!all_errors || found.place.is_none()).then(|| found.severity.name());
    let code = found.code.as_ref().map(|code| visible(code));
    let lines = brief(&found.message, file(found));
    let message = match &lines[..] {
        [first, second] if first.len() + second.len() < ONE_LINE => {
            let colon = if first.ends_with([':', '.', ',']) { "" } else { ":" };
            format!("{}{colon} {}", visible(first), visible(second.trim_start()))
        }
        _ => lines.iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n "),
    };
    severity.into_iter().chain(code.as_deref()).chain([&*message]).collect::<Vec<_>>().join(" ")
}

/// ` (132 times)`; empty for a finding that stands for itself alone.
pub fn times(found: &Diagnostic) -> String {
    if found.times == 1 { String::new() } else { format!(" ({} times)", found.times) }
}

/// Two lines shorter than this are one.
const ONE_LINE: usize = 160;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LogRange;

    fn error(place: Option<Location>, code: &str, message: &str) -> Diagnostic {
        let found = Diagnostic::new(Severity::Error, message, LogRange::default(), "tsc").coded(code);
        Diagnostic { place, ..found }
    }

    #[test]
    fn a_file_and_a_message_are_named_once() {
        let at = |file: &str, line, column| Some(Location::at(file, line, column));
        let found = [
            error(at("a.ts", 3, 7), "TS1", "x"),
            error(at("a.ts", 5, 1), "TS2", "y\n  since\n  this"),
            error(at("a.ts", 9, 2), "TS1", "x"),
            error(at("b.ts", 1, 1), "TS1", "x"),
            error(at("c.h", 1, 1), "", "again"),
            error(at("c.h", 2, 1), "", "again"),
            error(Some(Location::file("d.ts")), "", "d.ts\nnot\u{1b}[2J here"),
            error(None, "TS5", "no file"),
        ];
        assert_eq!(
            listing(&found),
            "a.ts:\n3:7, 9:2 TS1 x\n5:1 TS2 y\n   since\n   this\nb.ts:1:1 TS1 x\nc.h:1:1, 2:1 again\n\
             d.ts not\\u{1b}[2J here\nerror TS5 no file"
        );
    }

    #[test]
    fn a_finding_says_how_many_it_stands_for() {
        let often = |found: Diagnostic| Diagnostic { times: 132, ..found };
        let found = [
            often(error(Some(Location::at("a.ts", 3, 7)), "TS1", "x")),
            error(Some(Location::at("a.ts", 9, 2)), "TS1", "x"),
            often(error(Some(Location::file("b.ts")), "", "y\n since\n this")),
            often(error(None, "", "tsc: not found")),
        ];
        assert_eq!(
            listing(&found),
            "a.ts:3:7 (132 times), 9:2 TS1 x\nb.ts y (132 times)\n  since\n  this\nerror tsc: not found (132 times)"
        );
    }

    #[test]
    fn a_file_is_one_group() {
        let at = |file: &str, line| Some(Location::at(file, line, 1));
        let found = [
            error(at("a.ts", 3), "TS1", "x"),
            error(at("b.ts", 4), "TS1", "x"),
            error(None, "", "no file"),
            error(at("a.ts", 5), "TS1", "x"),
            error(at("a.ts", 6), "", "y\n  since"),
        ];
        assert_eq!(
            json!(grouped(&found)),
            json!({
                "a.ts": ["3:1, 5:1 TS1 x", "6:1 y: since"],
                "b.ts": ["4:1 TS1 x"],
                "": ["error no file"],
            })
        );
    }

    #[test]
    fn severities_are_named_where_there_are_several() {
        let place = Some(Location::at("a.ts", 3, 7));
        let warning = Diagnostic { severity: Severity::Warning, ..error(place.clone(), "", "w") };
        assert_eq!(listing(&[error(place, "", "e"), warning.clone()]), "a.ts:\n3:7 error e\n3:7 warning w");
        assert_eq!(listing(&[warning]), "a.ts:3:7 warning w");
        assert_eq!(listing(&[]), "");
    }
}
