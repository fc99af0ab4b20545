//! Programs in C and C++ that an assertion ended: ``tide: src/tide.c:3: high: Assertion `n > 0' failed.``

use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::text::{find, rsplit_once};
use crate::model::{Diagnostic, Location, Severity};

/// Failed assertions of the C libraries of GNU and of macOS.
pub(super) const FORMAT: Format = Format {
    id: "assertion",
    triggers: &[": Assertion `", "Assertion failed: ("],
    programs: &[],
    reader: || Box::new(Assertion),
};

#[derive(Debug)]
struct Assertion;

impl Dialect for Assertion {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins()
            && let Some((place, what)) =
                of_gnu(line.text.trim_end()).or_else(|| of_macos(line.text.trim_end()))
        {
            found.diagnostics.push(Diagnostic::new(Severity::Error, what, line.log, FORMAT.id).at(place));
        }
        Next::Trigger
    }
}

/// ``PROGRAM: FILE:3: FUNCTION: Assertion `n > 0' failed.``
fn of_gnu(text: &str) -> Option<(Location, &str)> {
    let at = find(text, ": Assertion `").filter(|_| text.ends_with("' failed."))?;
    let (program, _) = text[..at].split_once(": ")?;
    let (place, function) = place::with_colons(&text[program.len() + 2..])?;
    let is_source = place.column.is_none() && !function.is_empty() && place.file.contains('.');
    is_source.then(|| (place, &text[at + 2..]))
}

/// `Assertion failed: (n > 0), function high, file tide.c, line 3.`
fn of_macos(text: &str) -> Option<(Location, &str)> {
    let rest = text.strip_prefix("Assertion failed: (")?.strip_suffix('.')?;
    let (rest, line) = rsplit_once(rest, ", line ")?;
    let (what, file) = rsplit_once(rest, ", file ")?;
    let place = Location::line(place::file(file)?, line.parse::<usize>().ok()?);
    let what = text.get(..what.len() + "Assertion failed: (".len())?;
    Some((place, rsplit_once(what, ", function ").map_or(what, |(what, _)| what)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn each_library() {
        for (text, expected) in [
            (
                "assert: assert.c:2: main: Assertion `1 + 1 == 3 && \"tide\"' failed.",
                "error assert.c:2 Assertion `1 + 1 == 3 && \"tide\"' failed. [1-1]",
            ),
            (
                "tide: ../src/a b.cpp:12: void sea::high(int): Assertion `n > 0' failed.\r",
                "error ../src/a b.cpp:12 Assertion `n > 0' failed. [1-1]",
            ),
            (
                "Assertion failed: (n > 0), function high, file tide.c, line 3.",
                "error tide.c:3 Assertion failed: (n > 0) [1-1]",
            ),
        ] {
            assert_eq!(findings(&FORMAT, text), [expected]);
        }
    }

    #[test]
    fn other_output_is_no_finding() {
        for text in [
            "it says: Assertion `x' failed.",
            "a: b.c:3: f: Assertion `x' held.",
            "Assertion failed: (x), file a.c.",
            "Assertion failed: (",
        ] {
            assert!(findings(&FORMAT, text).is_empty(), "{text}");
        }
    }
}
