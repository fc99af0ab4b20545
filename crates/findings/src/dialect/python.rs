//! Python itself: uncaught exceptions, syntax errors, warnings, and scripts that it cannot find.

use super::traceback::{self, Traceback};
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::path::base;
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// Versions 3.8 to 3.14. Test runners that report more have dialects of their own.
pub(super) const FORMAT: Format = Format {
    id: "python",
    triggers: &[
        "Traceback (most recent call last):",
        "The above exception was the direct cause of the following exception:",
        "During handling of the above exception, another exception occurred:",
        "  File \"",
        "Warning: ",
        ": can't open file '",
        ": No module named ",
    ],
    programs: &["python", "python3", "pypy", "pypy3"],
    reader: || Box::<Python>::default(),
};

/// The most lines of source between the place of a syntax error and its message.
const LINES_OF_SYNTAX: usize = 8;
/// The most lines of a traceback before its exception.
const LONGEST: usize = 10_000;
/// How many lines of a message are kept, its first one included.
const MESSAGE: usize = 8;
/// How many lines may stand between an exception and the word that joins it to the next.
const BETWEEN: u64 = 200;

#[derive(Debug, Default)]
struct Python {
    traceback: Traceback,
    log: LogRange,
    lines: usize,
    /// Raised only to be passed over: `Exception ignored in: …`.
    ignored: bool,
    /// The exception; the next traceback may be about the same one.
    raised: Option<Diagnostic>,
    /// The causes of that exception, for the end of its message.
    causes: String,
    /// The message may go on, for so many lines.
    message: usize,
    /// Another traceback is about the same.
    chained: bool,
    /// A syntax error's place, where no traceback is above it.
    syntax: Option<(Location, LogRange, usize)>,
}

impl Dialect for Python {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !line.begins() {
            return self.next();
        }
        if self.message > 0 {
            self.go_on(line);
        }
        // The parts of a group may end with the next traceback.
        let is_next = self.raised.is_some() && line.text.trim_end() == FORMAT.triggers[0];
        let was_open = self.traceback.is_open() && !is_next;
        if self.traceback.read(line.text) {
            self.syntax = None;
            self.within(line, was_open, found);
        } else if traceback::is_chain(line.text) {
            let near = |raised: &Diagnostic| line.log.start_line - raised.log.end_line <= BETWEEN;
            self.chained = self.raised.as_ref().is_some_and(near);
        } else if !self.syntax(line, found) {
            found.diagnostics.extend(warning(line).or_else(|| no_script(line)));
        }
        self.next()
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.release());
    }
}

impl Python {
    /// Takes the exception, with its causes.
    fn release(&mut self) -> Option<Diagnostic> {
        let mut raised = self.raised.take()?;
        raised.message.push_str(&std::mem::take(&mut self.causes));
        Some(raised)
    }

    fn next(&self) -> Next {
        let waits = self.traceback.is_open() || self.syntax.is_some() || self.message > 0;
        if waits { Next::Line } else { Next::Trigger }
    }

    /// A line of a traceback.
    fn within(&mut self, line: &Line<'_>, was_open: bool, found: &mut PendingFindings) {
        let begins =
            !was_open || line.text.trim_start_matches([' ', '+']).starts_with("Exception Group Traceback");
        if begins && !was_open {
            self.lines = 0;
            self.message = 0;
            self.ignored = line.before().starts_with("Exception ignored ");
            let before = self.release();
            if self.chained {
                self.log = before.map_or(line.log, |raised| raised.log);
            } else {
                found.diagnostics.extend(before);
                self.log = line.log;
            }
            self.chained = false;
        }
        self.lines += 1;
        self.log = self.log.to(line.log);
        if let Some(raised) = self.traceback.raised() {
            let severity = if self.ignored { Severity::Warning } else { Severity::Error };
            let mut raised = Diagnostic::new(severity, raised, self.log, FORMAT.id);
            raised.place = self.traceback.place().cloned();
            self.causes = self.traceback.causes().render("");
            self.raised = Some(raised);
            self.message = if self.traceback.is_open() { 0 } else { MESSAGE - 1 };
        } else if self.lines > LONGEST {
            self.traceback = Traceback::default();
        }
    }

    /// A message goes on with lines that are indented.
    fn go_on(&mut self, line: &Line<'_>) {
        let goes_on = line.text.starts_with(' ') && !line.text.trim().is_empty();
        let frame = traceback::frame(line.text).is_some() || line.text.contains("Traceback (most");
        match &mut self.raised {
            Some(raised) if goes_on && !frame => {
                raised.extend(line.text.trim_end(), line.log);
                self.message -= 1;
            }
            _ => self.message = 0,
        }
    }

    /// `  File "a.py", line 3` without a traceback, and the error some lines below.
    fn syntax(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        if let Some(place) = line.text.strip_prefix("  File \"").and_then(|_| traceback::frame(line.text)) {
            let is_frame = line.text.contains("\", line ") && line.text.contains(", in ");
            self.syntax = (!is_frame).then_some((place, line.log, LINES_OF_SYNTAX));
            return true;
        }
        let Some((place, log, left)) = self.syntax.take() else { return false };
        let names = ["SyntaxError", "IndentationError", "TabError"];
        if names.iter().any(|name| line.text.strip_prefix(name).is_some_and(|rest| rest.starts_with(": "))) {
            let finding =
                Diagnostic::new(Severity::Error, line.text.trim_end(), log.to(line.log), FORMAT.id).at(place);
            found.diagnostics.push(finding);
            return true;
        }
        let goes_on = line.text.starts_with("  ") && left > 0;
        self.syntax = goes_on.then(|| (place, log, left - 1));
        goes_on
    }
}

/// `a.py:4: UserWarning: old`.
fn warning(line: &Line<'_>) -> Option<Diagnostic> {
    if line.text.starts_with(' ') {
        return None;
    }
    let (place, rest) = place::with_colons(line.text)?;
    let (category, _) = rest.split_once(": ")?;
    let is_category = category.ends_with("Warning") && traceback::raised(category).is_some();
    let is_source = place.column.is_none()
        && (place.file.starts_with('<') || place.file.rsplit_once('.').is_some_and(|(_, end)| end == "py"));
    (is_category && is_source)
        .then(|| Diagnostic::new(Severity::Warning, rest.trim_end(), line.log, FORMAT.id).at(place))
}

/// `/usr/bin/python3: can't open file '/x/a.py': …`, `python3: No module named a`.
fn no_script(line: &Line<'_>) -> Option<Diagnostic> {
    let text = line.text.trim_end();
    let (program, what) = text.split_once(": ")?;
    let name = base(program);
    let is_python = name.starts_with("python") || name.starts_with("pypy");
    let is_script = what.starts_with("can't open file '") && what.contains("': [Errno ");
    let is_module = what
        .strip_prefix("No module named ")
        .is_some_and(|module| !module.is_empty() && !module.trim_end_matches('.').contains([' ', '(']))
        || what.starts_with("No module named ") && what.contains("; '");
    (is_python && (is_script || is_module))
        .then(|| Diagnostic::new(Severity::Error, what, line.log, FORMAT.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn a_group_ends_with_the_next_traceback() {
        let log = "  + Exception Group Traceback (most recent call last):\n  |   File \"/p/g.py\", line 1, in <module>\n\
                   \x20 |     raise ExceptionGroup(\"eg\", [ValueError(1)])\n  | ExceptionGroup: eg (1 sub-exception)\n\
                   \x20 +-+---------------- 1 ----------------\n    | ValueError: 1\n    +------------------------------------\n\
                   Traceback (most recent call last):\n  File \"/p/h.py\", line 5, in <module>\n    f()\nKeyError: 'async'\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /p/g.py:1 ExceptionGroup: eg (1 sub-exception)\n  ValueError: 1 [1-7]",
                "error /p/h.py:5 KeyError: 'async' [8-11]",
            ]
        );
    }

    #[test]
    fn a_chain_is_one() {
        let log = "Starting\n\
                   Traceback (most recent call last):\n\
                   \x20 File \"/a/tide.py\", line 3, in g\n\
                   \x20   f()\n\
                   \x20   ~^^\n\
                   ValueError: first\n\
                   with a second line\n\
                   \n\
                   The above exception was the direct cause of the following exception:\n\
                   \n\
                   Traceback (most recent call last):\n\
                   \x20 File \"/a/tide.py\", line 9, in <module>\n\
                   \x20   g()\n\
                   \x20 File \"/usr/lib/python3.12/json/decoder.py\", line 353, in raw_decode\n\
                   \x20 [Previous line repeated 996 more times]\n\
                   json.decoder.JSONDecodeError: Expecting value: line 1\n\
                   \x20 more of it\n\
                   Traceback (most recent call last):\n\
                   \x20 File \"<stdin>\", line 1, in <module>\n\
                   KeyError\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /a/tide.py:9 json.decoder.JSONDecodeError: Expecting value: line 1\n  more of it\n\
                 caused by ValueError: first (/a/tide.py:3) [2-17]",
                "error KeyError [18-20]",
            ]
        );
    }

    #[test]
    fn syntax() {
        let log = "  File \"C:\\work\\c d.py\", line 1\r\n\
                   \x20   def x(:\r\n\
                   \x20         ^\r\n\
                   SyntaxError: invalid syntax\r\n\
                   Traceback (most recent call last):\n\
                   \x20 File \"/a/d.py\", line 1, in <module>\n\
                   \x20   import c\n\
                   \x20 File \"/a/c.py\", line 2\n\
                   \x20   x\n\
                   IndentationError: unexpected indent\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                r"error C:\work\c d.py:1 SyntaxError: invalid syntax [1-4]",
                "error /a/c.py:2 IndentationError: unexpected indent [5-10]",
            ]
        );
    }

    #[test]
    fn groups_and_what_was_ignored() {
        let log = "  + Exception Group Traceback (most recent call last):\n\
                   \x20 |   File \"/a/e.py\", line 4, in <module>\n\
                   \x20 |     f()\n\
                   \x20 | ExceptionGroup: two (2 sub-exceptions)\n\
                   \x20 +-+---------------- 1 ----------------\n\
                   \x20   | Traceback (most recent call last):\n\
                   \x20   |   File \"/a/e.py\", line 2, in f\n\
                   \x20   | KeyError: 1\n\
                   \x20   +---------------- 2 ----------------\n\
                   \x20   | TypeError: b\n\
                   \x20   +------------------------------------\n\
                   Exception ignored in: <function D.__del__ at 0x7f>\n\
                   Traceback (most recent call last):\n\
                   \x20 File \"/a/i.py\", line 5, in __del__\n\
                   ValueError: in del\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /a/e.py:4 ExceptionGroup: two (2 sub-exceptions)\n  KeyError: 1\n  TypeError: b [1-11]",
                "warning /a/i.py:5 ValueError: in del [13-15]",
            ]
        );
    }

    #[test]
    fn warnings_and_missing_scripts() {
        let log = "/a b/old.py:4: DeprecationWarning: f is old: use g\n\
                   \x20 f()\n\
                   /usr/bin/python3.12: can't open file '/a/nix.py': [Errno 2] No such file or directory\n\
                   python: No module named pytest\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "warning /a b/old.py:4 DeprecationWarning: f is old: use g [1-1]",
                "error can't open file '/a/nix.py': [Errno 2] No such file or directory [3-3]",
                "error No module named pytest [4-4]",
            ]
        );
    }

    #[test]
    fn nothing_of_it() {
        let log = "Traceback (most recent call last):\n\
                   that is all\n\
                   ERROR:root:Traceback (most recent call last): x\n\
                   \x20   Traceback (most recent call last):\n\
                   \x20     File \"a.py\", line 1, in f\n\
                   \x20   ValueError: in a document\n\
                   Warning: a thing\n\
                   (node:12) Warning: x\n\
                   src/a.c:3: Warning: x\n\
                   helper: No module named here\n\
                   \x20 File \"notes.txt\", line 3 of a poem\n\
                   SyntaxError: somewhere\n";
        assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
    }
}
