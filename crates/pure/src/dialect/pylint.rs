//! pylint: `a.py:3:0: C0116: message (symbol)`.

use super::{Dialect, Format, Found, Line, Next, place};
use crate::model::text::split_once;
use crate::model::{Diagnostic, Severity};

/// Versions 2 to 4.
pub(super) const FORMAT: Format = Format {
    id: "pylint",
    triggers: &[
        ": C0", ": C1", ": C2", ": C3", ": R0", ": R1", ": R6", ": W0", ": W1", ": W2", ": W3", ": W4",
        ": W6", ": W9", ": E0", ": E1", ": E2", ": E3", ": E4", ": E6", ": F0", ": I0", ": I1",
    ],
    programs: &["pylint"],
    reader: || Box::<Pylint>::default(),
};

#[derive(Debug, Default)]
struct Pylint;

impl Dialect for Pylint {
    fn read(&mut self, line: &Line<'_>, found: &mut Found) -> Next {
        if line.begins() {
            found.diagnostics.extend(finding(line));
        }
        Next::Trigger
    }
}

fn finding(line: &Line<'_>) -> Option<Diagnostic> {
    let (place, rest) = place::with_colons(line.text.trim_end())?;
    let (code, rest) = split_once(rest, ": ")?;
    let (message, symbol) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let is_symbol = !symbol.is_empty()
        && symbol.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let digits = code.get(1..)?;
    let numbered = (4..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let severity = match code.as_bytes().first()? {
        b'E' | b'F' => Severity::Error,
        b'W' | b'C' | b'R' => Severity::Warning,
        b'I' => Severity::Info,
        _ => return None,
    };
    let fits = is_symbol && numbered && place.column.is_some();
    fits.then(|| Diagnostic::new(severity, message, line.log, FORMAT.id).coded(code).at(place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn findings_are_read() {
        let log = "************* Module a b.tide\r\n\
                   a b/tide.py:25:0: C0301: Line too long (114/100) (line-too-long)\r\n\
                   a b/tide.py:9:11: E0602: Undefined variable 'x' (undefined-variable)\r\n\
                   C:\\a\\tide.py:1:0: F0001: No module named nix.py (fatal)\r\n\
                   tide.py:1:0: I0021: Useless suppression of 'x' (useless-suppression)\r\n\
                   tide.py:1:0: R0801: Similar lines in 2 files\r\n\
                   ==a:[1:5]\r\n\
                   tide.py:3:0: E9: nothing (x)\r\n\
                   12:30:1: E1234: nothing\r\n\
                   \r\n\
                   Your code has been rated at 0.00/10\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "warning a b/tide.py:25:0 C0301 Line too long (114/100) [2-2]",
                "error a b/tide.py:9:11 E0602 Undefined variable 'x' [3-3]",
                r"error C:\a\tide.py:1:0 F0001 No module named nix.py [4-4]",
                "info tide.py:1:0 I0021 Useless suppression of 'x' [5-5]",
            ]
        );
    }
}
