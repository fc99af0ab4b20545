//! Java's compiler: `Tide.java:4: error: incompatible types: …`, with the source and its mark below.

pub(super) mod exception;
pub(super) mod maven;

use super::draft::Draft;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Severity};

/// javac 8 and later, alone or within Gradle and Ant.
pub(super) const FORMAT: Format = Format {
    id: "javac",
    triggers: &[".java:", "error: ", "warning: ["],
    programs: &["javac", "gradle", "gradlew", "ant"],
    reader: || Box::<Javac>::default(),
};

/// How many lines a message may have.
const LONGEST: usize = 20;
/// Within how many lines the mark stands below the source.
const MARKED_WITHIN: usize = 3;

#[derive(Debug, Default)]
struct Javac {
    draft: Draft,
    lines: usize,
    /// The source and its mark were shown: lines further in belong to the message.
    marked: bool,
}

impl Dialect for Javac {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !line.begins() {
            return if self.draft.open().is_some() { Next::Line } else { Next::Trigger };
        }
        // Ant writes its own name before each line.
        let text = line.text.strip_prefix("    [javac] ").unwrap_or(line.text);
        if let Some(next) = head(line, text) {
            self.draft.begin(next, found);
            (self.lines, self.marked) = (0, false);
            return Next::Line;
        }
        if self.draft.open().is_some() && self.goes_on(line, text) {
            return Next::Line;
        }
        self.draft.close(found);
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

impl Javac {
    fn goes_on(&mut self, line: &Line<'_>, text: &str) -> bool {
        self.lines += 1;
        if self.marked {
            let belongs = self.lines <= LONGEST && text.starts_with("  ") && !text.trim().is_empty();
            if belongs {
                self.draft.add(line, text.trim_end());
            }
            return belongs;
        }
        self.marked = text.trim() == "^";
        if self.marked
            && let Some(open) = self.draft.open()
        {
            open.log = open.log.to(line.log);
        }
        self.lines <= MARKED_WITHIN
    }
}

/// The line that begins a message.
fn head(line: &Line<'_>, text: &str) -> Option<Diagnostic> {
    let new = |severity, text: &str| {
        let (code, message) = with_code(text);
        Diagnostic::new(severity, message, line.log, FORMAT.id).coded(code)
    };
    if let Some(text) = text.strip_prefix("warning: ") {
        return text.starts_with("[options] ").then(|| new(Severity::Warning, text));
    }
    if let Some(text) = text.strip_prefix("error: ") {
        let own = text == "warnings found and -Werror specified"
            || text.strip_prefix("file not found: ").is_some_and(|file| place::ends_in(file, "java"))
            || text.starts_with("release version ") && text.ends_with(" not supported");
        return own.then(|| new(Severity::Error, text));
    }
    let (place, rest) = place::with_colons(text)?;
    let fits = place::ends_in(&place.file, "java")
        && place.column.is_none()
        && !text.starts_with(char::is_whitespace);
    let (severity, message) = if let Some(message) = rest.strip_prefix("error: ") {
        (Severity::Error, message)
    } else {
        (Severity::Warning, rest.strip_prefix("warning: ")?)
    };
    fits.then(|| new(severity, message).at(place))
}

/// `[deprecation] old() in Tide has been deprecated`: the kind of warning, and the message.
fn with_code(text: &str) -> (&str, &str) {
    let code = text.strip_prefix('[').and_then(|text| text.split_once("] "));
    let word = |code: &str| {
        !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    code.filter(|(code, _)| word(code)).unwrap_or(("", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn compiler() {
        let log = "Tide.java:7: error: cannot find symbol\n        return tides.get(0).heigth;\n                           ^\n  symbol:   variable heigth\n  location: class Tide\ntwo words/LogBook.java:3: warning: [deprecation] old() in Tide has been deprecated\n        Tide.old();\n            ^\nNote: Some messages have been simplified\nC:\\x\\A.java:1: error: ';' expected\n4 errors\n";
        let expected = [
            "error Tide.java:7 cannot find symbol\n  symbol:   variable heigth\n  location: class Tide [1-5]",
            "warning two words/LogBook.java:3 deprecation old() in Tide has been deprecated [6-8]",
            "error C:\\x\\A.java:1 ';' expected [10-10]",
        ];
        assert_eq!(findings(&FORMAT, log), expected);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), expected);
        assert_eq!(
            findings(&FORMAT, "error: file not found: C.java\nUsage: javac"),
            ["error file not found: C.java [1-1]"]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "error: not really, whatever Error.java is called",
            "at A.java:3",
            "A.java:3: note: x",
            "  A.java:3: error: x",
            "warning: [x",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
