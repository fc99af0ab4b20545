//! esbuild: `✘ [ERROR] Unexpected ";"` above its place, and `src/a.ts:3:10: ERROR: …` as other tools pass it on.

use std::mem::replace;

use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::text::{rsplit_once, split_once};
use crate::model::{Diagnostic, LogRange, Severity};

/// The program, and tools that build with it: tsup, vite up to 7.
pub(super) const FORMAT: Format = Format {
    id: "esbuild",
    triggers: &[" [ERROR] ", " [WARNING] ", "Build failed with ", "Transform failed with "],
    programs: &["esbuild", "tsup", "vite"],
    reader: || Box::<Esbuild>::default(),
};

#[derive(Debug, Default)]
struct Esbuild {
    /// Its place may follow, below a blank line.
    finding: Option<Diagnostic>,
    /// That blank line was there.
    blank: bool,
    /// The lines of a list follow.
    listed: bool,
}

impl Dialect for Esbuild {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if let Some(finding) = &mut self.finding {
            if text.is_empty() && !replace(&mut self.blank, true) {
                return Next::Line;
            }
            let at = text.strip_prefix("    ").and_then(|at| at.strip_suffix(':')).and_then(place::whole);
            if let Some(at) = at.filter(|at| at.column.is_some()) {
                finding.place = Some(at);
                finding.log = finding.log.to(line.log);
            }
            self.end(found);
        }
        if !line.begins() {
            return Next::Trigger;
        }
        if self.listed {
            self.listed = listed(text, line.log).map(|finding| found.diagnostics.push(finding)).is_some();
        }
        if let Some(finding) = head(text, line.log) {
            (self.finding, self.blank) = (Some(finding), false);
        }
        self.listed |= ["Build failed with ", "Transform failed with "]
            .iter()
            .any(|words| text.split_once(words).is_some_and(|(_, count)| is_count(count)));
        if self.listed || self.finding.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.finding.take());
    }
}

/// `2 errors:`
fn is_count(text: &str) -> bool {
    place::number(text).is_some_and(|(_, rest)| rest.starts_with(" error") && rest.ends_with(':'))
}

/// `▲ [WARNING] message [code]`
fn head(text: &str, log: LogRange) -> Option<Diagnostic> {
    let (mark, rest) = split_once(text, " [")?;
    let (severity, message) = split_once(rest, "] ")?;
    let severity = match (mark, severity) {
        ("✘" | "X" | "x" | "×", "ERROR") => Severity::Error,
        ("▲" | "!", "WARNING") => Severity::Warning,
        _ => return None,
    };
    let in_code = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let coded = message.strip_suffix(']').and_then(|message| rsplit_once(message, " ["));
    let (message, code) = coded.filter(|(_, code)| code.chars().all(in_code)).unwrap_or((message, ""));
    Some(Diagnostic::new(severity, message, log, FORMAT.id).coded(code))
}

/// `src/a.ts:3:10: ERROR: message`, or without the place.
fn listed(text: &str, log: LogRange) -> Option<Diagnostic> {
    let (at, rest) = place::with_colons(text).map_or((None, text), |(at, rest)| (Some(at), rest));
    let message = rest.strip_prefix("ERROR: ").or_else(|| rest.strip_prefix("error: "))?;
    Some(Diagnostic { place: at, ..Diagnostic::new(Severity::Error, message, log, FORMAT.id) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn for_people() {
        let log = "▲ [WARNING] Comparison with NaN [equals-nan]\r\n\
            \r\n\
            \x20   src/a b.ts:2:9:\r\n\
            \x20     2 │ if (tide === NaN) console.log(\" [ERROR] not really\");\r\n\
            \x1b[31m✘ \x1b[41;31m[\x1b[41;97mERROR\x1b[41;31m]\x1b[0m \x1b[1mCould not resolve \"nope.ts\"\x1b[0m\r\n\
            \r\n\
            1 error\r\n\
            X [ERROR] No loader [plugin x y]\n\n\
            \x20   C:\\a\\b.ts:1:0:\n\
            X [ERROR] Last";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "warning src/a b.ts:2:9 equals-nan Comparison with NaN [1-3]",
                "error Could not resolve \"nope.ts\" [5-5]",
                "error C:\\a\\b.ts:1:0 No loader [plugin x y] [8-10]",
                "error Last [11-11]",
            ]
        );
    }

    #[test]
    fn passed_on() {
        let log = "Error: Build failed with 2 errors:\n\
            src/a.ts:3:10: ERROR: Unexpected \";\"\n\
            error: Must use \"outdir\"\n\
            src/b.ts:3:10: ERROR: not in the list any more?\n\
            \x20   at failureErrorWithLog (/p/node_modules/esbuild/lib/main.js:1:2)\n\
            2024-01-01 12:30:01: ERROR: a log\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error src/a.ts:3:10 Unexpected \";\" [2-2]",
                "error Must use \"outdir\" [3-3]",
                "error src/b.ts:3:10 not in the list any more? [4-4]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in
            ["12:30 [ERROR] no\n", "[ERROR] no\n", "Build failed with an exception\na.ts:1:2: ERROR: x\n"]
        {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
