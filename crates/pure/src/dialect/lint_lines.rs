//! Findings of linters in a line each: `/a.js: line 3, col 5, Error - … (no-undef)`, and the Unix format,
//! `/a.js:3:5: … [Error/no-undef]`.

use super::{Dialect, Format, Found, Line, Next, place};
use crate::model::text::{rsplit_once, split_once};
use crate::model::{Diagnostic, Severity};

/// Those of eslint and stylelint.
pub(super) const FORMAT: Format = Format {
    id: "lint_lines",
    triggers: &[
        ", Error - ",
        ", Warning - ",
        ", error - ",
        ", warning - ",
        "[Error",
        "[Warning",
        ") [error]",
        ") [warning]",
    ],
    programs: &["eslint", "stylelint"],
    reader: || Box::new(LintLines),
};

#[derive(Debug)]
struct LintLines;

impl Dialect for LintLines {
    fn read(&mut self, line: &Line<'_>, found: &mut Found) -> Next {
        if line.begins() {
            found.diagnostics.extend(compact(line).or_else(|| unix(line)));
        }
        Next::Trigger
    }
}

/// `FILE: line 3, col 5, Error - message (rule)`
fn compact(line: &Line<'_>) -> Option<Diagnostic> {
    let (file, rest) = split_once(line.text, ": line ")?;
    let (number, rest) = place::number(rest)?;
    let (column, rest) = place::number(rest.strip_prefix(", col ")?)?;
    let (severity, message) = rest.strip_prefix(", ")?.split_once(" - ")?;
    let (message, rule) = apart(message.trim_end());
    let at = place::counted(place::file(file)?, number, column);
    Some(Diagnostic::new(named(severity)?, message, line.log, FORMAT.id).coded(rule).at(at))
}

/// `FILE:3:5: message [Error/rule]`, or `message (rule) [error]`.
fn unix(line: &Line<'_>) -> Option<Diagnostic> {
    let (at, rest) = place::with_colons(line.text)?;
    at.column?;
    let (message, marked) = rest.trim_end().strip_suffix(']')?.rsplit_once(" [")?;
    let (severity, message, rule) = match marked.split_once('/') {
        Some((severity, rule)) => (severity, message, rule),
        None if marked.starts_with('e') || marked.starts_with('w') => {
            let (message, rule) = apart(message);
            (marked, message, Some(rule).filter(|rule| !rule.is_empty())?)
        }
        None => (marked, message, ""),
    };
    let is_rule = !rule.contains(char::is_whitespace);
    let severity = named(severity).filter(|_| is_rule)?;
    Some(Diagnostic::new(severity, message, line.log, FORMAT.id).coded(rule).at(at))
}

fn named(severity: &str) -> Option<Severity> {
    match severity {
        "Error" | "error" => Some(Severity::Error),
        "Warning" | "warning" => Some(Severity::Warning),
        _ => None,
    }
}

/// The message and the rule in parentheses behind it.
fn apart(message: &str) -> (&str, &str) {
    match message.strip_suffix(')').and_then(|message| rsplit_once(message, " (")) {
        Some((message, rule)) if !rule.contains(char::is_whitespace) => (message, rule),
        _ => (message, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn both_kinds() {
        let log = "C:\\a b\\c.js: line 3, col 10, Error - Parsing error: Unexpected token ,\r\n\
                   /a.js: line 2, col 7, Warning - 'first' (x) is wrong. (prefer-const)\n\
                   /a.css: line 0, col 0, error - Empty block (block-no-empty)\n\
                   /a.js:3:10: Parsing error: Unexpected token , [Error]\n\
                   C:\\a b\\c.js:2:7: 'a' [or] b is wrong. [Warning/@x/prefer-const]\n\
                   /b.css:1:12: Invalid hex color (color-no-invalid-hex) [error]\n\
                   \n\
                   9 problems\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error C:\\a b\\c.js:3:10 Parsing error: Unexpected token , [1-1]",
                "warning /a.js:2:7 prefer-const 'first' (x) is wrong. [2-2]",
                "error /a.css block-no-empty Empty block [3-3]",
                "error /a.js:3:10 Parsing error: Unexpected token , [4-4]",
                "warning C:\\a b\\c.js:2:7 @x/prefer-const 'a' [or] b is wrong. [5-5]",
                "error /b.css:1:12 color-no-invalid-hex Invalid hex color [6-6]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "12:30:01 [Error] cannot listen",
            "12:30:01: cannot listen [Error: no]",
            "12:30:01:5: it says [error]",
            "a.js:1:2: [Errors]",
            "a.js: line 3, Error - no column",
            "line 3, col 5, Error - no file",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
