//! Bun's own errors: unavailable packages, missing scripts, files that it cannot read or that threw.
//!
//! A failed script is no finding: its own output has the reason.

use super::thrown::is_error;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, Severity};

/// Version 1.
pub(super) const FORMAT: Format = Format {
    id: "bun_install",
    triggers: &["error: ", "Error: "],
    programs: &["bun", "bunx"],
    reader: || Box::<BunInstall>::default(),
};

/// Beginnings of messages that only bun writes.
const BEGINNINGS: [&str; 14] = [
    "Script not found \"",
    "Module not found \"",
    "No version matching \"",
    "lockfile had changes, but lockfile is frozen",
    "Could not resolve: \"",
    "Workspace dependency \"",
    "Workspace not found \"",
    "Integrity check failed",
    "could not determine executable to run for package",
    "No package.json was found",
    "Failed to install ",
    "Missing lockfile",
    "missing lockfile",
    "Duplicate package path",
];
/// How far an error is followed until its package is known, in lines.
const MOST_LINES: usize = 60;

#[derive(Debug, Default)]
struct BunInstall {
    /// An error below its source.
    thrown: Option<Diagnostic>,
    lines: usize,
    /// Its stack has begun.
    stacked: bool,
}

impl Dialect for BunInstall {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if line.begins() && self.goes_on(text, line, found) {
            return Next::Line;
        }
        self.thrown = None;
        if !line.begins() {
            return Next::Trigger;
        }
        if let Some(finding) = text.strip_prefix("error: ").and_then(|message| known(message, line)) {
            found.diagnostics.push(finding);
            return Next::Trigger;
        }
        let Some(message) = thrown(text).filter(|_| line.before().trim() == "^") else {
            return Next::Trigger;
        };
        *self = Self {
            thrown: Some(Diagnostic::new(Severity::Error, message, line.log, FORMAT.id)),
            ..Self::default()
        };
        Next::Line
    }
}

impl BunInstall {
    fn goes_on(&mut self, text: &str, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        let Some(finding) = &mut self.thrown else { return false };
        self.lines += 1;
        // A file that it cannot read has no stack but this.
        if let Some(at) = text.strip_prefix("    at ").filter(|at| self.lines == 1 && !at.starts_with(' ')) {
            finding.place = place::whole(at);
            finding.log = finding.log.to(line.log);
            found.diagnostics.extend(self.thrown.take().filter(|finding| finding.place.is_some()));
            return false;
        }
        if text.starts_with("Bun v") && self.stacked {
            found.diagnostics.extend(self.thrown.take());
            return false;
        }
        if self.lines > MOST_LINES || text.starts_with("(fail) ") {
            return false;
        }
        if let Some(frame) = frame::at(text) {
            self.stacked = true;
            finding.place = finding.place.take().or(frame.own());
            finding.log = finding.log.to(line.log);
        } else if !self.stacked && !text.is_empty() {
            finding.extend(text, line.log);
        }
        true
    }
}

/// An error that only bun writes.
fn known(message: &str, line: &Line<'_>) -> Option<Diagnostic> {
    let finding = Diagnostic::new(Severity::Error, message, line.log, FORMAT.id);
    if let Some(rest) = message.strip_prefix("Cannot find ") {
        let (_, from) = rest.rsplit_once(" from '")?;
        return Some(finding.at(Location::file(place::file(from.strip_suffix('\'')?)?)));
    }
    let is_known = BEGINNINGS.iter().any(|beginning| message.starts_with(beginning))
        || message.ends_with(" failed to resolve")
        || (message.starts_with("GET http")
            && message.rsplit_once(" - ").is_some_and(|(_, code)| is_number(code)))
        || message.contains(" downloading package manifest ")
        || message.contains(" downloading tarball ")
        || (message.contains(" script from \"") && message.contains("\" exited with "));
    is_known.then_some(finding)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The error that stands below its source: bun writes its own name of it in small letters, without a class.
fn thrown(text: &str) -> Option<&str> {
    text.strip_prefix("error: ").or_else(|| is_error(text).then_some(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn messages_that_only_bun_writes_are_findings() {
        let log = "error: GET https://registry.npmjs.org/x - 404\r\n\
            \x1b[31merror\x1b[0m\x1b[2m:\x1b[0m x@^1.0.0 failed to resolve\r\n\
            error: script \"build\" exited with code 1\r\n\
            error: not really\r\n\
            error: Cannot find module './nowhere' from '/p/a b.ts'\r\n\
            error: postinstall script from \"x\" exited with 1\r\n\
            error: could not compile `x` (lib) due to 1 previous error\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error GET https://registry.npmjs.org/x - 404 [1-1]",
                "error x@^1.0.0 failed to resolve [2-2]",
                "error /p/a b.ts Cannot find module './nowhere' from '/p/a b.ts' [5-5]",
                "error postinstall script from \"x\" exited with 1 [6-6]",
            ]
        );
    }

    #[test]
    fn below_the_source() {
        let log = "1 | const a = ;\n\
            \x20             ^\n\
            error: Unexpected ;\n\
            \x20   at /p/a b.ts:1:11\n\
            3 | throw new TypeError(\"no tide\\nwithout\");\n\
            \x20         ^\n\
            TypeError: no tide\n\
            without\n\
            \x20     at f (/p/node_modules/x/y.js:1:2)\n\
            \x20     at /p/a.ts:3:7\n\
            \n\
            Bun v1.4.5 (Linux x64)\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /p/a b.ts:1:11 Unexpected ; [3-4]",
                "error /p/a.ts:3:7 TypeError: no tide\nwithout [7-10]"
            ]
        );
    }

    #[test]
    fn failing_tests_are_others() {
        let log = "5 |     expect(3).toBe(4);\n\
            \x20                 ^\n\
            error: expect(received).toBe(expected)\n\
            \n\
            Expected: 4\n\
            Received: 3\n\
            \n\
            \x20     at <anonymous> (/p/tide.test.ts:5:15)\n\
            (fail) tide > is high [0.15ms]\n\
            error: Bun v1 is old\n\
            Bun v1.4.5 (Linux x64)\n";
        assert!(findings(&FORMAT, log).is_empty());
    }
}
