//! eslint itself failing: no configuration, a wrong one, nothing to lint, wrong options.

use super::thrown::is_error;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, LogRange, Severity};

/// eslint's failures on standard error, printed instead of findings.
pub(super) const FORMAT: Format = Format {
    id: "eslint",
    triggers: &[OOPS, OPTION, FORMATTER],
    programs: &["eslint", "eslint_d"],
    reader: || Box::<Eslint>::default(),
};

const OOPS: &str = "Oops! Something went wrong! :(";
const OPTION: &str = "Invalid option '-";
const FORMATTER: &str = "There was a problem loading formatter: ";
/// How far its words are followed, in lines.
const MOST_LINES: usize = 40;

#[derive(Debug, Default)]
struct Eslint {
    failure: Option<EslintFailure>,
}

/// A failure while it is read.
#[derive(Debug)]
struct EslintFailure {
    finding: Diagnostic,
    /// Lines since it began.
    lines: usize,
    at: FailurePart,
}

/// The part of a failure that the next line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailurePart {
    /// Before its message.
    Head,
    /// In the lines of a file that could not be read, before its message.
    Source,
    /// In its message.
    Message,
    /// Behind a paragraph of it.
    Gap,
    /// In its stack.
    Stack,
}

impl Dialect for Eslint {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if line.begins() && text == OOPS {
            self.end(found);
            let finding = Diagnostic::new(Severity::Error, "", line.log, FORMAT.id);
            self.failure = Some(EslintFailure { finding, lines: 0, at: FailurePart::Head });
            return Next::Line;
        }
        if let Some(failure) = &mut self.failure {
            if line.begins() && failure.goes_on(text, line.log).is_some() {
                return Next::Line;
            }
            self.end(found);
        }
        if line.begins() && text.starts_with(FORMATTER) {
            let finding = Diagnostic::new(Severity::Error, text, line.log, FORMAT.id);
            self.failure = Some(EslintFailure { finding, lines: 0, at: FailurePart::Message });
            return Next::Line;
        }
        if line.begins() && is_option(text) {
            found.diagnostics.push(Diagnostic::new(Severity::Error, text, line.log, FORMAT.id));
        }
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        let finding = self.failure.take().map(|failure| failure.finding);
        found.diagnostics.extend(finding.filter(|finding| !finding.message.is_empty()));
    }
}

impl EslintFailure {
    /// `None` when the line does not belong to it.
    fn goes_on(&mut self, text: &str, log: LogRange) -> Option<()> {
        self.lines += 1;
        let frame = frame::at(text).filter(|_| self.at != FailurePart::Head);
        match self.at {
            _ if self.lines > MOST_LINES => return None,
            _ if let Some(frame) = frame => {
                self.at = FailurePart::Stack;
                self.finding.log = self.finding.log.to(log);
                self.finding.place = self.finding.place.take().or(frame.own());
            }
            FailurePart::Head if text.is_empty() || text.starts_with("ESLint: ") => {}
            // For a file that cannot be parsed, node's message begins with the place.
            FailurePart::Head if let Some(place) = place::whole(text) => {
                (self.finding.place, self.at) = (Some(place), FailurePart::Source);
            }
            FailurePart::Head => self.say(text, log),
            FailurePart::Source if is_error(text) => self.say(text, log),
            FailurePart::Source => {}
            FailurePart::Message if text.is_empty() => self.at = FailurePart::Gap,
            FailurePart::Message => self.finding.extend(text, log),
            FailurePart::Gap if self.finding.message.ends_with(':') => {
                self.finding.extend(text, log);
                self.at = FailurePart::Message;
            }
            FailurePart::Gap | FailurePart::Stack => return None,
        }
        Some(())
    }

    fn say(&mut self, text: &str, log: LogRange) {
        text.clone_into(&mut self.finding.message);
        self.finding.log = self.finding.log.to(log);
        self.at = FailurePart::Message;
    }
}

/// Whether a line is an option error: `Invalid option '--bogus' - perhaps you meant '-o'?`
fn is_option(text: &str) -> bool {
    text.strip_prefix(OPTION)
        .is_some_and(|rest| rest.contains("' - perhaps you meant '") || rest.ends_with('\''))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    fn oops(rest: &str) -> String {
        format!("\nOops! Something went wrong! :(\n\nESLint: 9.39.1\n\n{rest}")
    }

    #[test]
    fn failures() {
        for (rest, expected) in [
            (
                "ESLint couldn't find an eslint.config.(js|mjs|cjs) file.\n\nFrom ESLint v9.0.0, …\nIf you are\n",
                "error ESLint couldn't find an eslint.config.(js|mjs|cjs) file. [2-6]",
            ),
            (
                "Error: boom\nmore\n    at file:///p/eslint.config.mjs?mtime=17:1:30\n    at file:///p/eslint.config.mjs?mtime=17:1:55\nnpm error code 2\n",
                "error /p/eslint.config.mjs:1:30 Error: boom\nmore [2-9]",
            ),
            (
                "/p/eslint.config.js:3\n}\n^\n\nSyntaxError: Unexpected token '}'\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n",
                "error /p/eslint.config.js:3 SyntaxError: Unexpected token '}' [2-11]",
            ),
            (
                "Failed to read JSON file at /p/.eslintrc.json:\n\nCannot read config file: /p/.eslintrc.json\nError: Expected\n\n    at x (node:a:1:2)\n",
                "error Failed to read JSON file at /p/.eslintrc.json:\nCannot read config file: /p/.eslintrc.json\nError: Expected [2-11]",
            ),
            (
                "No files matching the pattern \"nope\" were found.\nPlease check for typing mistakes in the pattern.",
                "error No files matching the pattern \"nope\" were found.\nPlease check for typing mistakes in the pattern. [2-7]",
            ),
        ] {
            assert_eq!(findings(&FORMAT, &oops(rest)), [expected]);
            assert_eq!(findings(&FORMAT, &oops(rest).replace('\n', "\r\n")), [expected]);
        }
    }

    #[test]
    fn options() {
        let log = "Invalid option '--bogus' - perhaps you meant '-o'?\nYou're using eslint.config.js\nInvalid option '-x\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error Invalid option '--bogus' - perhaps you meant '-o'? [1-1]"]
        );
    }

    #[test]
    fn a_formatter_that_is_not_there() {
        let log = "There was a problem loading formatter: /p/none.js\nError: Cannot find module '/p/none.js' imported from /p/node_modules/eslint/lib/eslint.js\n";
        assert_eq!(findings(&FORMAT, log), [format!("error {} [1-2]", log.trim_end())]);
    }

    #[test]
    fn nothing_said() {
        assert!(findings(&FORMAT, &oops("")).is_empty());
        let log = oops(&"\n".repeat(50)) + "TypeError: somebody else's\n";
        assert!(findings(&FORMAT, &log).is_empty());
        assert!(findings(&FORMAT, "it prints Oops! Something went wrong! :(\nTypeError: x\n").is_empty());
    }
}
