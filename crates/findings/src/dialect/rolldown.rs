//! Rolldown and vite since 8: `[MISSING_EXPORT] "moon" is not exported`, above a frame that begins with its place.

use super::rollup::of_sass;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// The errors at the end of a build, and its warnings.
pub(super) const FORMAT: Format = Format {
    id: "rolldown",
    triggers: &[FAILED[0], FAILED[1], FRAME],
    programs: &["vite", "rolldown", "tsdown"],
    reader: || Box::<Rolldown>::default(),
};

const FAILED: [&str; 2] = ["Build failed with ", "Transform failed with "];
const FRAME: &str = "╭─[ ";
/// How far the next error is looked for, in lines.
const FAR: usize = 60;
/// The longest message, in lines.
const MOST_LINES: usize = 8;

#[derive(Debug, Default)]
struct Rolldown {
    finding: Option<Diagnostic>,
    /// Errors of the list that have not been read.
    left: usize,
    /// Lines since the last one was complete.
    lines: usize,
    /// The message of the last one comes once more.
    repeats: bool,
}

impl Dialect for Rolldown {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if !line.begins() {
            return if self.left > 0 { Next::Line } else { Next::Trigger };
        }
        if let Some(count) = count(text) {
            self.end(found);
            (self.left, self.lines) = (count, 0);
        } else if self.left > 0 {
            self.listed(text, line.log, found);
        } else if let Some(at) = text.trim_start().strip_prefix(FRAME)
            && let Some(finding) = coded(line.before().trim_end(), Severity::Warning, line.log)
        {
            found.diagnostics.push(Diagnostic { place: framed(at), ..finding });
        }
        if self.left > 0 { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.finding.take());
    }
}

impl Rolldown {
    /// A line of a list of errors.
    fn listed(&mut self, text: &str, log: LogRange, found: &mut PendingFindings) {
        self.lines += 1;
        if self.finding.as_ref().is_some_and(|finding| is_repeated(text, finding)) {
            (self.repeats, self.lines) = (true, 0);
        } else if let Some(finding) = coded(text, Severity::Error, log) {
            self.complete(found);
            self.finding = (self.left > 0).then_some(finding);
            self.lines = 0;
            return;
        }
        let Some(finding) = &mut self.finding else {
            let in_frame =
                text.is_empty() || text.starts_with([' ', '│', '─', '╯']) && !text.starts_with("    at ");
            let over = self.lines > FAR || !in_frame;
            self.left = if over { 0 } else { self.left };
            return;
        };
        if let Some(at) = text.trim_start().strip_prefix(FRAME) {
            finding.place = framed(at);
            finding.log = finding.log.to(log);
            self.complete(found);
        } else if text.is_empty() || text.starts_with("    at ") || self.lines > MOST_LINES {
            self.complete(found);
        } else {
            if let Some(at) = of_sass(text) {
                finding.place = Some(within(finding.place.take(), at));
            }
            if self.repeats {
                finding.log = finding.log.to(log);
            } else {
                finding.extend(text, log);
            }
        }
    }

    fn complete(&mut self, found: &mut PendingFindings) {
        if self.finding.is_some() {
            self.left -= 1;
        }
        self.end(found);
        (self.lines, self.repeats) = (0, false);
    }
}

/// `Build failed with 2 errors:`, or one file of it.
fn count(text: &str) -> Option<usize> {
    let (_, count) = FAILED.iter().find_map(|words| text.split_once(words))?;
    let (count, rest) = place::number(count)?;
    (rest.starts_with(" error") && rest.ends_with(':')).then_some(count)
}

/// `[CODE] message`, or `[plugin] message` with the plugin for a part of the message.
fn coded(text: &str, severity: Severity, log: LogRange) -> Option<Diagnostic> {
    let (code, message) = text.strip_prefix('[')?.split_once("] ")?;
    let is_code = code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let message = message.strip_prefix("Error: ").unwrap_or(message);
    let is_plugin = !code.is_empty() && !code.contains(['[', '"']) && code.len() < 80;
    if is_code && !code.is_empty() {
        return Some(Diagnostic::new(severity, message, log, FORMAT.id).coded(code));
    }
    // Only a list makes sure that it is no log's own tag.
    let file =
        Some(message).filter(|message| message.starts_with('/')).and_then(place::file).map(Location::file);
    (is_plugin && severity == Severity::Error)
        .then(|| Diagnostic { place: file, ..Diagnostic::new(severity, text, log, FORMAT.id) })
}

/// `[sass] Undefined variable.`: a plugin's error is the cause of others that say the same.
fn is_repeated(text: &str, finding: &Diagnostic) -> bool {
    let text = text.strip_prefix("Error: ").unwrap_or(text);
    let is_one = !text.is_empty() && !text.starts_with([' ', '│']) && finding.code.is_none();
    is_one && finding.message.lines().skip(1).any(|said| said.ends_with(text))
}

/// The place that the compiler of the file names, perhaps from another folder.
fn within(file: Option<Location>, at: Location) -> Location {
    match file {
        Some(whole) if whole.file.ends_with(&format!("/{}", at.file)) => Location { file: whole.file, ..at },
        _ => at,
    }
}

/// `src/main.js:1:10 ]`
fn framed(at: &str) -> Option<Location> {
    place::whole(at.trim_end_matches([']', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn tsdown_says_that_each_is_an_error() {
        let log = " ERROR  Error: Build failed with 1 error:\n\n\
            \x1b[31m[UNRESOLVED_IMPORT] Error:\x1b[0m Could not resolve './nope' in a.ts\n\
            \x20  ╭─[ a.ts:1:17 ]\n   │\n 1 │ import { x } from './nope';\n───╯\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error a.ts:1:17 UNRESOLVED_IMPORT Could not resolve './nope' in a.ts [3-4]"]
        );
    }

    #[test]
    fn a_list_of_errors() {
        let log = "error during build:\r\n\
            Build failed with 3 errors:\r\n\
            \r\n\
            \x1b[31m[UNRESOLVED_IMPORT] \x1b[0mCould not resolve './x' in a b.ts\r\n\
            \x20  \x1b[38;5;246m╭\x1b[0m\x1b[38;5;246m─\x1b[0m\x1b[38;5;246m[\x1b[0m a b.ts:2:15 \x1b[38;5;246m]\x1b[0m\r\n\
            \x20  │\r\n\
            \x202 │ import b from \"[X] y\";\r\n\
            ───╯\r\n\
            \r\n\
            [plugin vite:css] odd\r\n\
            more\r\n\
            \r\n\
            [PARSE_ERROR] Unexpected token\r\n\
            \x20  ╭─[ src/moon.js:2:10 ]\r\n\
            [NOT_ONE] of them\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error a b.ts:2:15 UNRESOLVED_IMPORT Could not resolve './x' in a b.ts [4-5]",
                "error [plugin vite:css] odd\nmore [10-11]",
                "error src/moon.js:2:10 PARSE_ERROR Unexpected token [13-14]",
            ]
        );
    }

    /// Recorded: vite 8, `vite build` with sass.
    #[test]
    fn an_error_of_a_plugin_and_its_causes_are_one() {
        let source =
            "  ╷\n1 │ a { color: $nope; }\n  │            ^^^^^\n  ╵\n  s.scss 1:12  root stylesheet\n";
        let log = format!(
            "error during build:\nBuild failed with 1 error:\n\n[plugin vite:css] /p/bu/s.scss\n\
             Error: [sass] Undefined variable.\n{source}[sass] Undefined variable.\n{source}\
             Error: Undefined variable.\n{source}    at f (/p/node_modules/sass/sass.dart.js:2353:47)\n"
        );
        let found = crate::dialect::trial::all_findings(&log);
        let message = format!(
            "[plugin vite:css] /p/bu/s.scss\nError: [sass] Undefined variable.\n{}",
            source.trim_end()
        );
        assert_eq!(found, [format!("error /p/bu/s.scss:1:12 {message} [4-22]")]);
    }

    #[test]
    fn warnings() {
        let log = "[EVAL] Use of direct `eval`\n\
            \x20  ╭─[ src/main.ts:3:11 ]\n\
            [server] started\n\
            \x20  ╭─[ src/main.ts:3:11 ]\n";
        assert_eq!(findings(&FORMAT, log), ["warning src/main.ts:3:11 EVAL Use of direct `eval` [2-2]"]);
    }

    #[test]
    fn a_list_without_its_errors() {
        let log = "Build failed with 2 errors:\n    at f (a.js:1:2)\n[TAG] no error\n";
        assert!(findings(&FORMAT, log).is_empty());
        let log = format!("Build failed with 99999999999999 errors:\n{}[TAG] no error\n", "\n".repeat(100));
        assert!(findings(&FORMAT, &log).is_empty());
        let log = "Error: Build failed with 2 errors:\nsrc/a.ts:3:10: ERROR: x\n[warn] of somebody else\n";
        assert!(findings(&FORMAT, log).is_empty());
    }
}
