//! TypeScript's compiler: `a.ts(3,5): error TS2322: …`, and its output for people,
//! `a.ts:3:5 - error TS2322: …`.

use super::draft::Draft;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::text::split_once;
use crate::model::{Diagnostic, Location, Severity};

/// Versions 3 to 7.
pub(super) const FORMAT: Format = Format {
    id: "tsc",
    triggers: &["error TS", "warning TS", "message TS"],
    programs: &["tsc", "tsgo", "vue-tsc", "ts-node", "tspc"],
    reader: || Box::<Tsc>::default(),
};

#[derive(Debug, Default)]
struct Tsc {
    draft: Draft,
    /// For people: a message ends at a blank line and not with its indent.
    pretty: bool,
}

impl Dialect for Tsc {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if let Some((next, pretty)) = head(line) {
            self.draft.begin(next, found);
            self.pretty = pretty;
            return Next::Line;
        }
        // A chain of reasons is indented below its head; lines further in come from the sources.
        let goes_on = line.begins() && line.text.starts_with("  ") && !line.text.trim().is_empty();
        if goes_on && self.draft.open().is_some() && !(self.pretty && is_place(line.text)) {
            self.draft.add(line, line.text.trim_end());
            return Next::Line;
        }
        self.draft.close(found);
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

/// The line that begins a finding.
fn head(line: &Line<'_>) -> Option<(Diagnostic, bool)> {
    if !line.begins() {
        return None;
    }
    let (place, rest, pretty) = if let Some((place, rest)) = place::in_parentheses(line.text.trim_start()) {
        (Some(place), rest, false)
    } else if let Some((place, rest)) = split_once(line.text, " - ") {
        (Some(place::whole(place)?), rest, true)
    } else {
        (None, line.text, false)
    };
    let (severity, rest) =
        [("error ", Severity::Error), ("warning ", Severity::Warning), ("message ", Severity::Info)]
            .into_iter()
            .find_map(|(word, severity)| Some((severity, rest.strip_prefix(word)?)))?;
    let (code, message) = split_once(rest, ": ")?;
    let number = code.strip_prefix("TS")?;
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let found = Diagnostic::new(severity, message, line.log, FORMAT.id).coded(code);
    Some((Diagnostic { place: place as Option<Location>, ..found }, pretty))
}

/// Whether a line is the place of something related: `  src/b.ts:1:2`.
fn is_place(text: &str) -> bool {
    let text = text.trim();
    place::whole(split_once(text, " - ").map_or(text, |(place, _)| place)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn plain() {
        let log = "src/a b.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n\
                   \x20 Types differ.\n\
                   \x20   Deeper.\n\
                   src/c.ts(1,1): error TS6133: 'x' is declared but its value is never read.\n\
                   error TS18003: No inputs were found in config file 'tsconfig.json'.\n\
                   Done, no error TS2322 here: fine\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error src/a b.ts:3:5 TS2322 Type 'string' is not assignable to type 'number'.\n  Types differ.\n    Deeper. [1-3]",
                "error src/c.ts:1:1 TS6133 'x' is declared but its value is never read. [4-4]",
                "error TS18003 No inputs were found in config file 'tsconfig.json'. [5-5]",
            ]
        );
    }

    #[test]
    fn for_people() {
        let log = "\x1b[96msrc/a.ts\x1b[0m:\x1b[93m3\x1b[0m:\x1b[93m5\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2345: \x1b[0mArgument is wrong.\n\
                   \x20 Type 'a' is wrong.\n\
                   \n\
                   \x1b[7m3\x1b[0m x(1);\n\
                   \x1b[7m \x1b[0m \x1b[91m  ~\x1b[0m\n\
                   \n\
                   \x20 \x1b[96msrc/b.ts\x1b[0m:\x1b[93m1\x1b[0m:\x1b[93m9\x1b[0m\n\
                   Found 1 error in src/a.ts:3\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error src/a.ts:3:5 TS2345 Argument is wrong.\n  Type 'a' is wrong. [1-2]"]
        );
    }
}
