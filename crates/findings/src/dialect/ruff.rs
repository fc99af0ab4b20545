//! ruff, in full and concise, and flake8, whose lines ruff's concise ones are: `a.py:1:8: F401 [*] message`.

use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::text::split_once;
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// ruff 0.1 and later, flake8 3 and later, pycodestyle.
pub(super) const FORMAT: Format = Format {
    id: "ruff",
    triggers: &[
        "--> ",
        ".py:0",
        ".py:1",
        ".py:2",
        ".py:3",
        ".py:4",
        ".py:5",
        ".py:6",
        ".py:7",
        ".py:8",
        ".py:9",
        ".pyi:0",
        ".pyi:1",
        ".pyi:2",
        ".pyi:3",
        ".pyi:4",
        ".pyi:5",
        ".pyi:6",
        ".pyi:7",
        ".pyi:8",
        ".pyi:9",
        ".ipynb:0",
        ".ipynb:1",
        ".ipynb:2",
        ".ipynb:3",
        ".ipynb:4",
        ".ipynb:5",
        ".ipynb:6",
        ".ipynb:7",
        ".ipynb:8",
        ".ipynb:9",
        ".toml:0",
        ".toml:1",
        ".toml:2",
        ".toml:3",
        ".toml:4",
        ".toml:5",
        ".toml:6",
        ".toml:7",
        ".toml:8",
        ".toml:9",
        "Would reformat: ",
        "error: Failed to parse ",
    ],
    programs: &["ruff", "flake8", "pycodestyle", "pyflakes"],
    reader: || Box::<Ruff>::default(),
};

/// The most lines of the sources below one finding.
const LONGEST: usize = 2000;

#[derive(Debug, Default)]
struct Ruff {
    /// The line that may be the head of a finding with its place in the next one.
    head: Option<(String, LogRange)>,
    /// Lines of the sources below a finding, until a blank one.
    within: Option<usize>,
}

impl Dialect for Ruff {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        let head = self.head.take();
        if !line.begins() {
            return Next::Trigger;
        }
        if let Some(place) = text.trim_start().strip_prefix("--> ") {
            let (head, log) = head.unwrap_or_else(|| (line.before().into_owned(), line.log));
            if let Some(finding) = full(&head, place, log.to(line.log)) {
                found.diagnostics.push(finding);
                self.within = Some(0);
                return Next::Line;
            }
        } else if let Some(lines) = self.within.take() {
            if text.is_empty() {
                // The next one may begin.
                self.head = Some((String::new(), line.log));
                return Next::Line;
            }
            if lines < LONGEST && is_source(text) {
                self.within = Some(lines + 1);
                return Next::Line;
            }
        } else if head.is_some_and(|(head, _)| head.is_empty()) && coded(text).is_some() {
            self.head = Some((text.to_owned(), line.log));
            return Next::Line;
        }
        found.diagnostics.extend(concise(line, text).or_else(|| unformatted(line, text)));
        Next::Trigger
    }
}

/// `F401 [*] message` and `a.py:1:8`.
fn full(head: &str, place: &str, log: LogRange) -> Option<Diagnostic> {
    let (code, message) = coded(head)?;
    let place = place::whole(place).filter(|place| is_file(&place.file) && place.column.is_some())?;
    Some(Diagnostic::new(Severity::Error, message, log, FORMAT.id).coded(code).at(place))
}

/// `a.py:1:8: F401 [*] message`.
fn concise(line: &Line<'_>, text: &str) -> Option<Diagnostic> {
    let (place, rest) = place::with_colons(text)?;
    let (code, message) = coded(rest)?;
    let fits = is_file(&place.file) && place.column.is_some() && !place.file.starts_with(' ');
    fits.then(|| Diagnostic::new(Severity::Error, message, line.log, FORMAT.id).coded(code).at(place))
}

/// `Would reformat: a.py`, and files that could not be read for that.
fn unformatted(line: &Line<'_>, text: &str) -> Option<Diagnostic> {
    let error = |message: &str| Diagnostic::new(Severity::Error, message, line.log, FORMAT.id);
    if let Some(file) = text.strip_prefix("Would reformat: ") {
        let finding = error("File would be reformatted").coded("unformatted");
        return place::file(file).filter(|file| is_file(file)).map(|file| finding.at(Location::file(file)));
    }
    let (place, message) = place::with_colons(text.strip_prefix("error: Failed to parse ")?)?;
    is_file(&place.file).then(|| error(message).at(place))
}

/// The rule and the message: `F401 [*] message`, `invalid-syntax: message`.
fn coded(text: &str) -> Option<(&str, &str)> {
    let (code, message) = text.trim_end().split_once(' ')?;
    let code = match code.strip_suffix(':') {
        // A single word could be any tool's.
        Some(name) if matches!(name, "SyntaxError" | "unformatted") || is_name(name) => name,
        None if is_code(code) => code,
        _ => return None,
    };
    let message = message.trim_start();
    let message = message.strip_prefix("[*] ").unwrap_or(message);
    (!message.is_empty()).then_some((code, message))
}

/// `unused-import`.
fn is_name(name: &str) -> bool {
    name.contains('-')
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// `F401`, `PLR0913`.
fn is_code(code: &str) -> bool {
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = code.len() - letters;
    (1..=8).contains(&letters)
        && (3..=4).contains(&digits)
        && code.bytes().skip(letters).all(|byte| byte.is_ascii_digit())
}

/// Lines of source, of changes to it, and of help.
fn is_source(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['|', '-', '+', '.', '=', '^', ':'])
        || text.starts_with(|c: char| c.is_ascii_digit())
        || ["help: ", "note: ", "info: "].iter().any(|word| text.starts_with(word))
}

fn is_file(file: &str) -> bool {
    let file = split_once(file, ".ipynb:cell").map_or(file, |(_, _)| ".ipynb");
    [".py", ".pyi", ".pyw", ".pyx", ".ipynb", ".toml", ".md"].iter().any(|end| file.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn in_full() {
        let log = "F401 [*] `os` imported but unused\r\n\
                   \x20--> a b/tide.py:1:8\r\n\
                   \x20 |\r\n\
                   1 | import os, sys\r\n\
                   \x20 |        ^^\r\n\
                   \x20 |\r\n\
                   help: Remove unused import\r\n\
                   \r\n\
                   invalid-syntax: Expected a parameter\r\n\
                   \x20 --> C:\\a\\broken.py:12:7\r\n\
                   \x20  |\r\n\
                   \r\n\
                   missing-copyright-notice: Missing copyright notice at top of file\r\n\
                   --> nb.ipynb:cell 1:1:1\r\n\
                   \r\n\
                   Found 3 errors.\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error a b/tide.py:1:8 F401 `os` imported but unused [2-2]",
                r"error C:\a\broken.py:12:7 invalid-syntax Expected a parameter [9-10]",
                "error nb.ipynb:cell 1:1:1 missing-copyright-notice Missing copyright notice at top of file [13-14]",
            ]
        );
    }

    #[test]
    fn concise() {
        let log = "./tide.py:25:80: E501 line too long (114 > 79 characters)\n\
                   a b/tide.py:1:1: I001 [*] Import block is un-sorted\n\
                   old.py:1:7: SyntaxError: Expected ')'\n\
                   nix.py:0:1: E902 FileNotFoundError: [Errno 2] No such file or directory: 'nix.py'\n\
                   Would reformat: a b/tide.py\n\
                   error: Failed to parse broken.py:1:7: Expected a parameter\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error ./tide.py:25:80 E501 line too long (114 > 79 characters) [1-1]",
                "error a b/tide.py:1:1 I001 Import block is un-sorted [2-2]",
                "error old.py:1:7 SyntaxError Expected ')' [3-3]",
                "error nix.py:0:1 E902 FileNotFoundError: [Errno 2] No such file or directory: 'nix.py' [4-4]",
                "error a b/tide.py unformatted File would be reformatted [5-5]",
                "error broken.py:1:7 Expected a parameter [6-6]",
            ]
        );
    }

    #[test]
    fn nothing_of_it() {
        let log = "warning: unused import: `x`\n\
                   \x20--> src/main.rs:1:5\n\
                   error: oh\n\
                   \x20--> tide.py:1:5\n\
                   tide.py:3:5: error: x\n\
                   tide.py:3:5: C0114: Missing module docstring (missing-module-docstring)\n\
                   tide.py:3: E501 no column\n\
                   tide.c:3:5: E501 no Python\n\
                   Would reformat: the disk\n\
                   \x20 File \"tide.py\", line 3\n";
        assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
    }
}
