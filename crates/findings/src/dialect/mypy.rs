//! mypy: `a.py:3: error: …  [code]`, with or without columns, its notes, and its output for people.

use super::draft::Draft;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// Versions 0.900 to 2, and those that print the same: dmypy, zuban.
pub(super) const FORMAT: Format = Format {
    id: "mypy",
    triggers: &[": error: ", ": note: ", "mypy: can't read file '", "Can't find package '"],
    programs: &["mypy", "dmypy", "zuban"],
    reader: || Box::<Mypy>::default(),
};

/// How many lines a message is broken into at most where it is printed for people.
const BROKEN_INTO: usize = 6;
/// How many lines of one finding's notes are kept.
const NOTES: usize = 20;

#[derive(Debug, Default)]
struct Mypy {
    draft: Draft,
    /// The rest of a message that may have been broken into lines: the text so far, and its place in the log.
    rest: Option<(String, LogRange, usize)>,
    notes: usize,
}

impl Dialect for Mypy {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !line.begins() {
            return self.next();
        }
        let text = line.text.trim_end();
        if let Some((place, severity, message)) = head(text) {
            if severity == Severity::Info {
                self.note(&place, message, line, found);
            } else {
                let (message, code) = coded(message);
                let next = Diagnostic::new(severity, message, line.log, FORMAT.id).coded(code);
                self.draft.begin(next.at(place), found);
                (self.notes, self.rest) = (0, code.is_empty().then(|| (String::new(), line.log, 0)));
            }
        } else if let Some(what) = without_file(text) {
            self.close(found);
            found.diagnostics.push(Diagnostic::new(Severity::Error, what, line.log, FORMAT.id));
        } else if !self.goes_on(text, line) {
            self.close(found);
        }
        self.next()
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Mypy {
    fn next(&mut self) -> Next {
        if self.draft.open().is_some() { Next::Line } else { Next::Trigger }
    }

    fn close(&mut self, found: &mut PendingFindings) {
        self.rest = None;
        self.draft.close(found);
    }

    /// A note belongs to the finding above it that is at the same place; others are not counted by mypy either.
    fn note(&mut self, place: &Location, note: &str, line: &Line<'_>, found: &mut PendingFindings) {
        let of = self.draft.open().and_then(|open| open.place.as_ref());
        if of.is_none_or(|of| (&of.file, of.line) != (&place.file, place.line)) {
            self.close(found);
        } else if self.notes < NOTES {
            self.notes += 1;
            self.rest = None;
            self.draft.add(line, &format!("note: {note}"));
        }
    }

    /// The rest of a message, or the line of the sources that it is about.
    fn goes_on(&mut self, text: &str, line: &Line<'_>) -> bool {
        let Some(open) = self.draft.open() else { return false };
        let is_source = text.starts_with("    ");
        let Some((mut rest, log, lines)) = self.rest.take() else { return is_source };
        if is_source {
            // The printed source shows that the message ended above it.
            if lines > 0 {
                take_rest(open, &rest, log);
            }
            return true;
        }
        if text.is_empty()
            || text.starts_with([' ', '\t'])
            || text.starts_with("Found ")
            || lines == BROKEN_INTO
        {
            return false;
        }
        // Two blanks are before the code, also where it has a line of its own.
        rest.push_str(if text.starts_with('[') { "  " } else { " " });
        rest.push_str(text);
        if coded(&rest).1.is_empty() {
            self.rest = Some((rest, log.to(line.log), lines + 1));
        } else {
            take_rest(open, &rest, log.to(line.log));
        }
        true
    }
}

/// Adds the rest of a broken message, with the code at its end.
fn take_rest(open: &mut Diagnostic, rest: &str, log: LogRange) {
    open.message.push_str(rest);
    let message = std::mem::take(&mut open.message);
    let (message, code) = coded(&message);
    message.clone_into(&mut open.message);
    open.code = Some(code.to_owned()).filter(|code| !code.is_empty());
    open.log = open.log.to(log);
}

/// `a.py:3:5: error: message`, `a.py: error: message`.
fn head(text: &str) -> Option<(Location, Severity, &str)> {
    let (place, rest) = if let Some((place, rest)) = place::with_colons(text) {
        (place, without_end(rest))
    } else {
        let (file, _) = text.split_once(": error: ")?;
        (Location::file(place::file(file)?), &text[file.len() + 2..])
    };
    let is_source = [".py", ".pyi", ".pyx", ".ipynb"].iter().any(|end| place.file.ends_with(end));
    let (severity, message) =
        [("error: ", Severity::Error), ("note: ", Severity::Info), ("warning: ", Severity::Warning)]
            .into_iter()
            .find_map(|(word, severity)| Some((severity, rest.strip_prefix(word)?)))?;
    (is_source && !place.file.starts_with(' ')).then_some((place, severity, message))
}

/// Without `4:12: `, which says where a finding ends.
fn without_end(text: &str) -> &str {
    let rest = |text| place::number(text)?.1.strip_prefix(':');
    rest(text).and_then(|text| rest(text).map(str::trim_start)).unwrap_or(text)
}

/// A message, and the code behind it: `message  [code]`.
fn coded(message: &str) -> (&str, &str) {
    let is_code = |code: &&str| {
        !code.is_empty()
            && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let found = message.trim_end().strip_suffix(']').and_then(|text| text.rsplit_once("  ["));
    found
        .filter(|(_, code)| is_code(code))
        .map_or((message.trim_end(), ""), |(message, code)| (message.trim_end(), code))
}

/// Errors of the call itself.
fn without_file(text: &str) -> Option<&str> {
    if let Some(what) = text.strip_prefix("mypy: ") {
        let what = what.strip_prefix("error: ").unwrap_or(what);
        return (what != text && !what.is_empty()).then_some(what);
    }
    (text.starts_with("Can't find package '") && text.ends_with('\'')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn with_notes() {
        let log = "a b/tide.py:2: error: Library stubs not installed for \"yaml\"  [import-untyped]\r\n\
                   a b/tide.py:2: note: Hint: \"pip install types-PyYAML\"\r\n\
                   a b/tide.py:9: note: Revealed type is \"int\"\r\n\
                   C:\\a\\log.pyi:6:12:6:14: error: Incompatible [x] value\r\n\
                   nix.py: error: Cannot read file: No such file or directory\r\n\
                   mypy: error: unrecognized arguments: --foo\r\n\
                   Found 3 errors in 1 file (checked 1 source file)\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error a b/tide.py:2 import-untyped Library stubs not installed for \"yaml\"\nnote: Hint: \"pip install types-PyYAML\" [1-2]",
                r"error C:\a\log.pyi:6:12 Incompatible [x] value [4-4]",
                "error nix.py Cannot read file: No such file or directory [5-5]",
                "error unrecognized arguments: --foo [6-6]",
            ]
        );
    }

    #[test]
    fn for_people() {
        let log = "tide.py:6: error: Incompatible return value type (got \"str\", \n\
                   expected \"int\") \n\
                   [return-value]\n\
                   \x20       return \"3\"\n\
                   \x20              ^~~\n\
                   tide.py:7: note: Elsewhere\n\
                   tide.py:14:3: error: Return type \"str\" of \"m\" incompatible with return type\n\
                   \"int\" in supertype \"A\"\n\
                   \x20       def m(self) -> str: return \"\"\n\
                   tide.py:15: error: No code\n\
                   other words that follow\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error tide.py:6 return-value Incompatible return value type (got \"str\", expected \"int\") [1-3]",
                "error tide.py:14:3 Return type \"str\" of \"m\" incompatible with return type \"int\" in supertype \"A\" [7-8]",
                "error tide.py:15 No code [10-10]",
            ]
        );
    }

    #[test]
    fn nothing_of_it() {
        let log = "tide.c:2:3: error: expected ';'\n\
                   ERROR: tide.py: error in a test\n\
                   2024-01-01 12:00:01: error: tide.py\n\
                   see tide.py: error handling\n\
                   tide.py:3: warn: x\n\
                   Can't find package 'x' in the index\n";
        assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
    }
}
