//! Rollup and vite up to 7: one error, above the file that it is in, behind `error during build:` or `[!]`.

use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// The errors at the end of a build.
pub(super) const FORMAT: Format = Format {
    id: "vite",
    triggers: &[VITE, ROLLUP],
    programs: &["vite", "rollup", "vite-node", "astro", "nuxt"],
    reader: || Box::<Rollup>::default(),
};

const VITE: &str = "error during build:";
const ROLLUP: &str = "[!] ";
/// The longest message, in lines.
const MOST_LINES: usize = 12;
/// How far its stack is followed, in lines.
const MOST_FRAMES: usize = 30;

#[derive(Debug, Default)]
struct Rollup {
    finding: Option<Diagnostic>,
    lines: usize,
    at: ErrorPart,
}

/// The part of the error that the next line belongs to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ErrorPart {
    #[default]
    Head,
    Message,
    /// The message of sass once more, which named the line.
    Repeated,
    /// The source, and the stack.
    Rest,
}

impl Dialect for Rollup {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if line.begins() && self.goes_on(text, line.log) {
            return Next::Line;
        }
        self.end(found);
        if !line.begins() {
            return Next::Trigger;
        }
        let message = text.strip_prefix(ROLLUP).filter(|message| !message.is_empty());
        if text != VITE && message.is_none() {
            return Next::Trigger;
        }
        *self = Self {
            finding: Some(Diagnostic::new(Severity::Error, "", line.log, FORMAT.id)),
            ..Self::default()
        };
        if let Some(message) = message {
            self.say(message, line.log);
        }
        Next::Line
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.finding.take().filter(|finding| !finding.message.is_empty()));
    }
}

impl Rollup {
    fn goes_on(&mut self, text: &str, log: LogRange) -> bool {
        let Some(finding) = &mut self.finding else { return false };
        self.lines += 1;
        if let Some(frame) = frame::at(text).filter(|_| self.at != ErrorPart::Head) {
            finding.place = finding.place.take().or(frame.own());
            self.at = ErrorPart::Rest;
            return finding.place.is_none() && self.lines < MOST_FRAMES;
        }
        let placed =
            text.strip_prefix("file: ").map(|at| at.split_once(" (").map_or(at, |(at, _)| at)).or(Some(text));
        match self.at {
            // Other dialects read the listed errors.
            ErrorPart::Head if text.is_empty() || text.contains("failed with ") => false,
            ErrorPart::Head => {
                self.say(text, log);
                true
            }
            ErrorPart::Message if text.is_empty() => {
                self.at = ErrorPart::Rest;
                finding.place.is_none()
            }
            ErrorPart::Message
                if let Some(at) = placed.filter(|_| text.starts_with("file: ")).and_then(located) =>
            {
                let has_line = finding.place.as_ref().is_some_and(|place| place.line.is_some());
                let is_known = has_line && at.line.is_none();
                if is_known {
                    self.at = ErrorPart::Repeated;
                } else {
                    finding.place = Some(at);
                }
                finding.log = finding.log.to(log);
                is_known
            }
            ErrorPart::Message
                if let Some(at) = in_blank_parentheses(text).filter(|(_, rest)| rest.is_empty()) =>
            {
                finding.place = Some(at.0);
                finding.log = finding.log.to(log);
                false
            }
            ErrorPart::Message if text.starts_with("https://") => true,
            ErrorPart::Message
                if finding.place.is_none() && finding.message.contains(&format!("\"{text}\"")) =>
            {
                finding.place = place::file(text).map(Location::file);
                finding.log = finding.log.to(log);
                true
            }
            ErrorPart::Message if let Some(at) = of_sass(text) => {
                finding.place = Some(at);
                finding.log = finding.log.to(log);
                true
            }
            ErrorPart::Message => {
                finding.extend(text, log);
                self.lines < MOST_LINES
            }
            ErrorPart::Repeated => {
                finding.log = finding.log.to(log);
                self.lines < MOST_FRAMES
            }
            ErrorPart::Rest => text.is_empty() || text.starts_with(' ') || place::number(text).is_some(),
        }
    }

    /// The first line of the message, which may begin with its place.
    fn say(&mut self, text: &str, log: LogRange) {
        let Some(finding) = &mut self.finding else { return };
        let text =
            text.strip_prefix("RollupError: ").or_else(|| text.strip_prefix("Error: ")).unwrap_or(text);
        let at_place = in_blank_parentheses(text).filter(|(_, rest)| !rest.is_empty());
        let message = if let Some((at, message)) = at_place {
            finding.place = Some(at);
            message
        } else {
            finding.place = importer(text).and_then(place::file).map(Location::file);
            text
        };
        message.clone_into(&mut finding.message);
        finding.log = finding.log.to(log);
        self.at = ErrorPart::Message;
    }
}

/// The file in `Rollup failed to resolve import "lodash" from "/p/main.ts".`
fn importer(text: &str) -> Option<&str> {
    let (_, import) = text.split_once("failed to resolve import \"")?;
    import.split_once("\" from \"")?.1.split('"').next()
}

/// `src/main.js (1:9): rest`, or nothing behind the parentheses.
fn in_blank_parentheses(text: &str) -> Option<(Location, &str)> {
    let (file, rest) = text.split_once(" (")?;
    let (line, rest) = place::number(rest)?;
    let (column, rest) = place::number(rest.strip_prefix(':')?)?;
    let rest = rest.strip_prefix(')')?;
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(": ")? };
    Some((Location::at(place::file(file)?, line, column), rest))
}

/// `/p/src/main.js:1:9`, or without a place in it.
fn located(text: &str) -> Option<Location> {
    place::whole(text).or_else(|| place::file(text).map(Location::file))
}

/// `  src/tide.scss 2:10  root stylesheet`
pub(super) fn of_sass(text: &str) -> Option<Location> {
    let (at, _) = text.trim_end().strip_prefix("  ")?.split_once("  ")?;
    let (file, at) = at.rsplit_once(' ')?;
    place::whole(&format!("{file}:{at}")).filter(|place| place.column.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn vite() {
        for (rest, expected) in [
            (
                "src/main.js (1:9): \"moon\" is not exported by \"src/moon.js\".\nfile: /p/src/main.js:1:9\n\n1: x\n",
                "error /p/src/main.js:1:9 \"moon\" is not exported by \"src/moon.js\". [1-3]",
            ),
            (
                "Could not resolve \"./x\" from \"a b.js\"\nfile: /p/a b.js\n    at f (/p/c.js:1:2)\n",
                "error /p/a b.js Could not resolve \"./x\" from \"a b.js\" [1-3]",
            ),
            (
                "[vite]: Rollup failed to resolve import \"x\" from \"/p/main.js\".\nThis is likely\n    at f (file:///p/node_modules/vite/x.js:1:2)\n",
                "error /p/main.js [vite]: Rollup failed to resolve import \"x\" from \"/p/main.js\".\nThis is likely [1-3]",
            ),
            (
                "[vite:css] [postcss] odd\nmore\nfile: /p/a.css:2:1 (/p/index.html)\n",
                "error /p/a.css:2:1 [vite:css] [postcss] odd\nmore [1-4]",
            ),
            (
                "Error: boom\n    at g (/p/node_modules/x.js:1:2)\n    at file:///p/vite.config.js:3:9\n",
                "error /p/vite.config.js:3:9 boom [1-2]",
            ),
            (
                "Could not resolve entry module \"index.html\".",
                "error Could not resolve entry module \"index.html\". [1-2]",
            ),
        ] {
            let log = format!("error during build:\n{rest}");
            assert_eq!(findings(&FORMAT, &log), [expected]);
            assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), [expected]);
        }
    }

    #[test]
    fn rollup() {
        let log = "src/main.js → dist/bundle.js...\n\
            [!] RollupError: Unexpected token\n\
            https://rollupjs.org/x\n\
            src/main.js (2:9)\n\
            1: x\n";
        assert_eq!(findings(&FORMAT, log), ["error src/main.js:2:9 Unexpected token [2-4]"]);
    }

    /// Recorded: rollup 4, `rollup src/i.js`.
    #[test]
    fn a_file_without_a_place() {
        let log = "[!] RollupError: Could not resolve \"./nope\" from \"src/i.js\"\nsrc/i.js\n\
                   \x20   at getRollupError (/p/node_modules/rollup/dist/shared/parseAst.js:326:41)\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error src/i.js Could not resolve \"./nope\" from \"src/i.js\" [1-2]"]
        );
    }

    #[test]
    fn errors_of_other_dialects_are_left_to_them() {
        for log in [
            "error during build:\nBuild failed with 1 error:\n\n[X] y\n",
            "error during build:\n[vite:build-html] Transform failed with 1 error:\na.ts:1:2: ERROR: x\n",
            "there was an error during build:\nx\n",
            "see [!] important\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
