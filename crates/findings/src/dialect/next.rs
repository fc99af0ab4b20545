//! `next build` and `next lint`: a file's own line, `./app/page.tsx:4:9`, above its errors.
//!
//! The output of TypeScript since version 16 is the compiler's own format.

use super::source::is_source;
use super::thrown::is_error;
use super::{Dialect, Format, Line, Next, PendingFindings, frame, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// Versions 12 to 16, with webpack and with Turbopack.
pub(super) const FORMAT: Format = Format {
    id: "next",
    triggers: &[
        COMPILE,
        "ompiled with warnings",
        TURBOPACK,
        ENCOUNTERED,
        PRERENDER,
        OCCURRED,
        "  Error: ",
        "  Warning: ",
    ],
    programs: &["next"],
    reader: || Box::<NextBuild>::default(),
};

const COMPILE: &str = "Failed to compile.";
const TURBOPACK: &str = "Turbopack build failed with ";
const ENCOUNTERED: &str = "Turbopack build encountered ";
const PRERENDER: &str = "Error occurred prerendering page ";
const OCCURRED: &str = "> Build error occurred";
/// How far the next file is looked for, in lines.
const FAR: usize = 60;
/// The longest message, in lines.
const MOST_LINES: usize = 8;

#[derive(Debug, Default)]
struct NextBuild {
    /// Files with errors, or with warnings, follow.
    listing: Option<Severity>,
    /// The line of a file, above its errors.
    file: Option<Location>,
    open: Option<OpenFinding>,
    /// Lines since the last finding, or since the last line of a file.
    lines: usize,
}

/// A finding that may go on.
#[derive(Debug)]
struct OpenFinding {
    found: Diagnostic,
    kind: NextErrorKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextErrorKind {
    /// Its message goes on to the next blank line.
    Message,
    /// Of the compiler in Rust, which draws a frame below it: there is its place.
    Framed,
    /// A page that threw: its error and the stack follow.
    Page,
    /// An error of the build as a whole.
    Build,
}

impl Dialect for NextBuild {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if !line.begins() {
            self.end(found);
            return Next::Trigger;
        }
        if !self.goes_on(text, line.log) {
            self.end(found);
            self.begin(text, line, found);
        }
        if self.listing.is_some() || self.open.is_some() || self.file.is_some() {
            Next::Line
        } else {
            Next::Trigger
        }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        let finding = self.open.take().map(|finding| finding.found);
        found.diagnostics.extend(finding.filter(|finding| !finding.message.is_empty()));
    }
}

impl NextBuild {
    fn begin(&mut self, text: &str, line: &Line<'_>, found: &mut PendingFindings) {
        self.lines += 1;
        if let Some((severity, at, message, rule)) = row(text) {
            if self.file.is_none() {
                self.file = header(&line.before());
            }
            if let Some(file) = &self.file {
                let at = Location { file: file.file.clone(), ..at };
                found
                    .diagnostics
                    .push(Diagnostic::new(severity, message, line.log, FORMAT.id).coded(rule).at(at));
                self.lines = 0;
            }
        } else if let Some(severity) = listing(text) {
            (self.listing, self.file, self.lines) = (Some(severity), None, 0);
        } else if text.starts_with(PRERENDER) {
            let page = text.split_once(". Read more: ").map_or(text, |(page, _)| page);
            self.open(page, Severity::Error, None, line.log, NextErrorKind::Page);
        } else if text.trim_start() == OCCURRED {
            self.open("", Severity::Error, None, line.log, NextErrorKind::Build);
        } else if let Some(severity) = self.listing {
            self.listed(text, severity, line.log);
        } else {
            self.file = None;
        }
    }

    /// A line of a list of files.
    fn listed(&mut self, text: &str, severity: Severity, log: LogRange) {
        if is_over(text) || text.starts_with("    at ") || self.lines > FAR {
            (self.listing, self.file) = (None, None);
        } else if text.is_empty() {
            self.file = None;
        } else if let Some(at) = header(text) {
            (self.file, self.lines) = (Some(at), 0);
        } else if let Some(at) = self.file.take_if(|_| !text.starts_with("https://")) {
            let (kind, message) = match framed(text) {
                Some(message) => (NextErrorKind::Framed, message),
                None => (NextErrorKind::Message, unnamed(text)),
            };
            self.open(message, severity, Some(at), log, kind);
        } else if let (None, Some(message)) = (&self.file, framed(text)) {
            // Another one of the same file, which is known by its frame.
            self.open(message, severity, None, log, NextErrorKind::Framed);
        }
    }

    fn open(
        &mut self,
        message: &str,
        severity: Severity,
        place: Option<Location>,
        log: LogRange,
        kind: NextErrorKind,
    ) {
        let found = Diagnostic { place, ..Diagnostic::new(severity, message, log, FORMAT.id) };
        self.open = Some(OpenFinding { found, kind });
        self.lines = 0;
    }

    /// Whether a line belongs to the last finding.
    fn goes_on(&mut self, text: &str, log: LogRange) -> bool {
        let Some(OpenFinding { found, kind }) = &mut self.open else { return false };
        self.lines += 1;
        match *kind {
            NextErrorKind::Message => {
                let more =
                    !text.is_empty() && !is_source(text) && header(text).is_none() && self.lines < MOST_LINES;
                if more {
                    found.extend(text.trim_start(), log);
                }
                more
            }
            NextErrorKind::Framed => {
                if let Some(at) = frame_head(text) {
                    found.place = Some(at);
                    found.log = found.log.to(log);
                    *kind = NextErrorKind::Message;
                    self.lines = MOST_LINES;
                    return true;
                }
                let rest = text.trim_start().trim_start_matches(['|', '│']).trim();
                if !rest.is_empty() {
                    found.extend(rest, log);
                }
                self.lines < MOST_LINES && framed(text).is_none() && header(text).is_none()
            }
            NextErrorKind::Page => {
                if let Some(frame) = frame::at(text) {
                    let own =
                        frame.own().filter(|at| !at.file.contains(".next/") && !at.file.contains(".next\\"));
                    found.place = own;
                    found.log = found.log.to(log);
                    return found.place.is_none() && self.lines < FAR;
                }
                let more =
                    self.lines < MOST_LINES && found.message.lines().count() == self.lines && is_error(text);
                if more {
                    found.extend(text, log);
                }
                more
            }
            NextErrorKind::Build => {
                let error = text
                    .strip_prefix('[')
                    .and_then(|text| text.split_once(']'))
                    .map_or(text, |(error, _)| error);
                if listing(text).is_some() || !is_error(error) {
                    return false;
                }
                unnamed(error).clone_into(&mut found.message);
                found.log = found.log.to(log);
                *kind = NextErrorKind::Message;
                self.lines = MOST_LINES;
                true
            }
        }
    }
}

/// A line that a list of files stands below.
fn listing(text: &str) -> Option<Severity> {
    let text = text.trim_start();
    let counted = |words: &str, what: &str| {
        let count = text.split_once(words).and_then(|(_, count)| place::number(count));
        count.is_some_and(|(_, rest)| rest.starts_with(what) && rest.ends_with(':'))
    };
    if text == COMPILE || counted(TURBOPACK, " error") {
        return Some(Severity::Error);
    }
    let warned = text.trim_start_matches(['⚠', '!', ' ']);
    let warns = matches!(warned, "Compiled with warnings" | "Compiled with warnings.")
        || counted(ENCOUNTERED, " warning");
    warns.then_some(Severity::Warning)
}

/// Behind these no file follows.
fn is_over(text: &str) -> bool {
    let text = text.trim_start();
    ["> Build failed because", "info  - Need to disable", "Next.js build worker exited", "✓ ", "○ "]
        .iter()
        .any(|words| text.starts_with(words))
}

/// `./app/page.tsx:4:9`, or without a place in it.
fn header(text: &str) -> Option<Location> {
    let name = text.trim_end().strip_prefix("./")?;
    let at = place::whole(name).or_else(|| place::file(name).map(Location::file))?;
    let (_, ending) = at.file.rsplit_once('.')?;
    let is_ending = !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_ending.then_some(at)
}

/// `2:17  Error: Unexpected any.  @typescript-eslint/no-explicit-any`
fn row(text: &str) -> Option<(Severity, Location, &str, &str)> {
    let (line, rest) = place::number(text)?;
    let (column, rest) = place::number(rest.strip_prefix(':')?)?;
    let rest = rest.strip_prefix("  ")?;
    let (severity, message) = match rest.split_once(": ")? {
        ("Error", message) => (Severity::Error, message),
        ("Warning", message) => (Severity::Warning, message),
        _ => return None,
    };
    let (message, rule) = match message.rsplit_once("  ") {
        Some((message, rule)) if !rule.contains(' ') => (message.trim_end(), rule),
        _ => (message, ""),
    };
    Some((severity, Location::at(String::new(), line, column), message, rule))
}

/// `Error:   x Expression expected`, and the next ones of the same file without their `Error:`.
fn framed(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("Error: ").unwrap_or(text).strip_prefix("  ")?;
    ["x ", "× ", "⨯ ", "! ", "⚠ "].into_iter().find_map(|mark| rest.strip_prefix(mark)).map(str::trim)
}

/// `   ,-[/p/app/page.tsx:2:1]`
fn frame_head(text: &str) -> Option<Location> {
    let text = text.trim_start();
    place::whole(text.strip_prefix(",-[").or_else(|| text.strip_prefix("╭─["))?.strip_suffix(']')?)
}

/// A message without the word that it is an error.
fn unnamed(text: &str) -> &str {
    ["Type error: ", "Error: "].into_iter().find_map(|name| text.strip_prefix(name)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn with_webpack() {
        let log = "Failed to compile.\r\n\
            \r\n\
            ./app/a b.tsx\r\n\
            Module not found: Can't resolve './x'\r\n\
            \r\n\
            https://nextjs.org/docs/messages/module-not-found\r\n\
            \r\n\
            ./app/page.tsx\r\n\
            Error:   \x1b[31mx\x1b[0m Expression expected\r\n\
            \x20  ,-[\x1b[36;1;4mC:\\p\\page.tsx\x1b[0m:1:1]\r\n\
            \x201 | x\r\n\
            \x20  `----\r\n\
            \x20 x Unterminated\r\n\
            \x20  ,-[/p/page.tsx:2:3]\r\n\
            \r\n\
            Import trace for requested module:\r\n\
            ./app/page.tsx\r\n\
            ./app/other.tsx\r\n\
            \r\n\
            > Build failed because of webpack errors\r\n\
            ./app/page.tsx\r\n\
            not of next\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error app/a b.tsx Module not found: Can't resolve './x' [4-4]",
                "error C:\\p\\page.tsx:1:1 Expression expected [9-10]",
                "error /p/page.tsx:2:3 Unterminated [13-14]",
            ]
        );
    }

    #[test]
    fn types_and_rows() {
        let log = "Failed to compile.\n\
            \n\
            ./app/page.tsx:4:9\n\
            Type error: Type 'number' is not assignable.\n\
            \x20 Because.\n\
            \n\
            > 4 |   const height\n\
            Next.js build worker exited with code: 1 and signal: null\n\
            ./pages/a.js\n\
            1:7  Warning: 'q' is never used.  no-unused-vars\n\
            2:52  Error: Parsing error: x\n\
            \n\
            info  - Need to disable some ESLint rules?\n\
            3:1  Error: below no file  x\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error app/page.tsx:4:9 Type 'number' is not assignable.\nBecause. [4-5]",
                "warning pages/a.js:1:7 no-unused-vars 'q' is never used. [10-10]",
                "error pages/a.js:2:52 Parsing error: x [11-11]",
            ]
        );
    }

    #[test]
    fn with_turbopack() {
        let log = "> Build error occurred\n\
            Error: Turbopack build failed with 1 error:\n\
            ./app/page.tsx:1:10\n\
            Error: You're importing a module\n\
            \x20   Learn more: https://nextjs.org\n\
            > 1 | import x\n\
            \n\
            Ecmascript file had an error\n\
            \n\
            \x20   at ignore-listed frames\n\
            ./app/page.tsx:1:10\n\
            Error: not of next\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error app/page.tsx:1:10 You're importing a module\nLearn more: https://nextjs.org [4-5]"]
        );
    }

    #[test]
    fn pages() {
        let log = "Error occurred prerendering page \"/\". Read more: https://nextjs.org/x\n\
            Error: boom\n\
            \x20   at d (.next/server/app/page.js:2:8229)\n\
            \x20   at <unknown> (app/page.tsx:2:44)\n\
            > 2 | x\n\
            Export encountered an error on /page: /, exiting the build.\n\
            > Build error occurred\n\
            [Error: Failed to collect page data for /a] {\n\
            \x20 type: 'Error'\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error app/page.tsx:2:44 Error occurred prerendering page \"/\"\nError: boom [1-4]",
                "error Failed to collect page data for /a [7-8]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        let far = format!("Failed to compile.\n{}./a.js\nx\n", "\n".repeat(100));
        for log in [
            "./a.js\nType error: not really\n",
            "it says Failed to compile.\n\n./a.js\nx\n",
            "12:30  Error: no\n",
            "log.js\n12:30  Error: no\n",
            "> Build error occurred\n\nx\n",
            "Failed to compile.\n\n./a.js\n\n./b.js\n",
            "Failed to compile.\n\nImport trace:\n./a.js\n./b.js\n\nwarn - of something else\n",
            &far,
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
