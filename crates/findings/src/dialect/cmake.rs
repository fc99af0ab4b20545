//! The errors of `cmake` itself, `CMake Error at CMakeLists.txt:3 (find_package):`, and of ninja,
//! `ninja: error: …`.

use super::draft::Draft;
use super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::text::rsplit_once;
use crate::model::{Diagnostic, Location, Severity};

/// `cmake` 3 and 4, ninja 1.
pub(super) const FORMAT: Format = Format {
    id: "cmake",
    triggers: &["CMake Error", "CMake Warning", "CMake Deprecation Warning", "ninja: "],
    programs: &["cmake", "ccmake", "ninja"],
    reader: || Box::<CMake>::default(),
};

/// How many lines a message may have.
const LONGEST: usize = 60;

#[derive(Debug, Default)]
struct CMake {
    draft: Draft,
    lines: usize,
    /// The first paragraph is the message; later ones explain it.
    has_message: bool,
}

impl Dialect for CMake {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() && self.goes_on(line) {
            return Next::Line;
        }
        self.draft.close(found);
        if !line.begins() {
            return Next::Trigger;
        }
        if let Some(next) = head(line) {
            (self.lines, self.has_message) = (0, false);
            self.draft.begin(next, found);
            return Next::Line;
        }
        if line.text == "ninja: build stopped: subcommand failed." {
            let failure =
                Diagnostic::new(Severity::Error, "build stopped: subcommand failed.", line.log, FORMAT.id);
            found.consequences.push(Consequence { failure, since: 0 });
        }
        found.diagnostics.extend(ninja(line));
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

impl CMake {
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(open) = self.draft.open() else { return false };
        self.lines += 1;
        let text = line.text.trim();
        let stack = line.text == "Call Stack (most recent call first):";
        if self.lines > LONGEST || !(text.is_empty() || stack || line.text.starts_with("  ")) {
            return false;
        }
        if text.is_empty() || stack {
            self.has_message |= stack || !open.message.is_empty();
            return true;
        }
        open.log = open.log.to(line.log);
        if !self.has_message {
            if !open.message.is_empty() {
                open.message.push(' ');
            }
            open.message.push_str(text);
        }
        true
    }
}

/// `CMake Error at CMakeLists.txt:3 (find_package):`, `CMake Error in lib/CMakeLists.txt:`, `CMake Error: …`.
fn head(line: &Line<'_>) -> Option<Diagnostic> {
    let rest = line.text.strip_prefix("CMake ")?;
    let kinds = [
        ("Error", Severity::Error),
        ("Warning", Severity::Warning),
        ("Deprecation Warning", Severity::Warning),
    ];
    let (severity, rest) =
        kinds.into_iter().find_map(|(word, severity)| Some((severity, rest.strip_prefix(word)?)))?;
    let rest = rest.strip_prefix(" (dev)").unwrap_or(rest);
    let new = |message: &str| Diagnostic::new(severity, message, line.log, FORMAT.id);
    if let Some(message) = rest.strip_prefix(": ") {
        return (!message.trim().is_empty()).then(|| new(message));
    }
    let at = rest.strip_suffix(':')?;
    if let Some(file) = at.strip_prefix(" in ") {
        let file = place::file(file)?;
        return Some(new("").at(Location::file(file)));
    }
    let at = at.strip_prefix(" at ")?;
    let at = rsplit_once(at, " (").map_or(at, |(at, _)| at);
    Some(new("").at(place::whole(at).filter(|place| place.column.is_none())?))
}

/// `ninja: error: loading 'build.ninja': No such file or directory`.
fn ninja(line: &Line<'_>) -> Option<Diagnostic> {
    let rest = line.text.strip_prefix("ninja: ")?;
    let kinds =
        [("error: ", Severity::Error), ("fatal: ", Severity::Error), ("warning: ", Severity::Warning)];
    let (severity, message) =
        kinds.into_iter().find_map(|(word, severity)| Some((severity, rest.strip_prefix(word)?)))?;
    (!message.is_empty()).then(|| Diagnostic::new(severity, message, line.log, FORMAT.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn configuring() {
        let log = "-- Detecting C compile features - done\nCMake Error at CMakeLists.txt:3 (find_package):\n  By not providing \"FindNope.cmake\" in CMAKE_MODULE_PATH this project has\n  asked CMake to find a package.\n\n  Could not find it.\nCall Stack (most recent call first):\n  a/CMakeLists.txt:5 (include)\n\n\n-- Configuring incomplete, errors occurred!\nCMake Warning (dev) in CMakeLists.txt:\n  No project() command is present.\nThis warning is for project developers.\nCMake Error: The source directory \"/x\" does not exist.\nSpecify --help for usage.\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error CMakeLists.txt:3 By not providing \"FindNope.cmake\" in CMAKE_MODULE_PATH this project has asked CMake to find a package. [2-8]",
                "warning CMakeLists.txt No project() command is present. [12-13]",
                "error The source directory \"/x\" does not exist. [15-15]",
            ]
        );
    }

    #[test]
    fn building() {
        assert_eq!(
            findings(
                &FORMAT,
                "ninja: Entering directory `build'\nninja: error: loading 'build.ninja': No such file or directory"
            ),
            ["error loading 'build.ninja': No such file or directory [2-2]"]
        );
        assert_eq!(
            findings(&FORMAT, "ninja: build stopped: subcommand failed."),
            ["error build stopped: subcommand failed. [1-1]"]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "CMake Error",
            "CMake Errors: 3",
            "CMake Error at noon:",
            "ninja: no work to do.",
            "a ninja: error: x",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}: {:?}", findings(&FORMAT, log));
        }
    }
}
