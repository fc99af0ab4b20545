//! Rows below a file's own line, as eslint and stylelint print them for people:
//!
//! ```text
//! /home/me/src/tide.js
//!   2:7   error    'first' is never reassigned  prefer-const
//! ```

use std::mem::take;

use super::{Dialect, Format, Line, LinePart, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// Rows of eslint, and those of tools that print as it does.
pub(super) const ESLINT: Format = Format {
    id: "eslint_stylish",
    triggers: &["  error  ", "  warning  "],
    programs: &["eslint", "eslint_d"],
    reader: || {
        Box::new(Stylish::of(ESLINT.id, &[("error", Severity::Error), ("warning", Severity::Warning)]))
    },
};

/// Those of stylelint, with symbols instead of words.
pub(super) const STYLELINT: Format = Format {
    id: "stylelint",
    triggers: &["  ✖  ", "  ×  ", "  ⚠  ", "  ‼  ", "  ℹ  "],
    programs: &["stylelint"],
    reader: || Box::new(Stylish::of(STYLELINT.id, SYMBOLS)),
};

const SYMBOLS: Words = &[
    ("✖", Severity::Error),
    ("×", Severity::Error),
    ("⚠", Severity::Warning),
    ("‼", Severity::Warning),
    ("ℹ", Severity::Info),
];

type Words = &'static [(&'static str, Severity)];

/// How far a message goes on without its rule, in lines.
const MOST_LINES: usize = 60;
/// The most lines of its first paragraph.
const MOST_OF_PARAGRAPH: usize = 12;
/// How much of it is held, in bytes.
const MOST_HELD: usize = 16 * 1024;
/// How far in a message goes on that was wrapped.
const WRAPPED: &str = "       ";

#[derive(Debug)]
struct Stylish {
    dialect: &'static str,
    words: Words,
    file: Option<String>,
    /// The last row; its message may continue.
    row: Option<Diagnostic>,
    /// Its rule may stand at the end of a later line.
    ruleless: bool,
    later: Vec<(String, LogRange)>,
    /// Lines since the last blank one, where there was one since the last row.
    since_blank: Option<usize>,
}

impl Dialect for Stylish {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() && self.begin(line, found) {
            return Next::Line;
        }
        if self.row.is_some() && line.part == LinePart::Whole && self.goes_on(line) {
            return Next::Line;
        }
        self.end(found);
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.row.take());
        self.later.clear();
    }
}

impl Stylish {
    fn of(dialect: &'static str, words: Words) -> Self {
        let later = Vec::new();
        Self { dialect, words, file: None, row: None, ruleless: false, later, since_blank: None }
    }

    /// Begins with a row.
    fn begin(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        let Some((severity, at, message)) = self.row(line.text) else { return false };
        if self.row.is_none() || self.since_blank == Some(1) {
            self.file = header(&line.before());
        }
        let (message, rule) = apart(message);
        let mut next = Diagnostic::new(severity, message, line.log, self.dialect).coded(rule);
        match &self.file {
            Some(file) => next.place = Some(Location { file: file.clone(), ..at }),
            // Nothing else says that this is a row.
            None if rule.is_empty() && !message.starts_with("Parsing error: ") => return false,
            None => {}
        }
        self.end(found);
        (self.ruleless, self.since_blank) = (rule.is_empty(), None);
        self.row = Some(next);
        true
    }

    /// `  2:7   error    message  rule`
    fn row<'t>(&self, text: &'t str) -> Option<(Severity, Location, &'t str)> {
        let (number, rest) = place::number(text.strip_prefix("  ")?.trim_start())?;
        let (column, rest) = place::number(rest.strip_prefix(':')?)?;
        let rest = rest.strip_prefix("  ")?.trim_start();
        let (severity, message) = self.words.iter().find_map(|(word, severity)| {
            let message = rest.strip_prefix(word)?.strip_prefix("  ")?;
            Some((*severity, message.trim()))
        })?;
        let at = place::counted(String::new(), number, column);
        (!message.is_empty()).then_some((severity, at, message))
    }

    /// Whether this may belong to the row before it, or to the file after it.
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(row) = &mut self.row else { return false };
        let text = line.text.trim_end();
        let blank = text.is_empty();
        let first = blank && self.since_blank.is_none();
        self.since_blank = if blank { Some(0) } else { self.since_blank.map(|lines| lines + 1) };
        if !self.ruleless {
            if self.since_blank.is_none() && text.starts_with(WRAPPED) {
                row.extend(text.trim_start(), line.log);
                return true;
            }
            // A blank line, and the file of the next rows.
            return blank || (self.since_blank == Some(1) && header(text).is_some());
        }
        self.later.push((text.to_owned(), line.log));
        let (_, rule) = apart(text);
        let ends = rule.contains('/');
        if ends {
            (self.ruleless, self.since_blank) = (false, None);
            row.code = Some(rule.to_owned());
        }
        if (first && self.later.len() <= MOST_OF_PARAGRAPH) || ends {
            let last = self.later.len() - 1;
            for (place, (text, log)) in take(&mut self.later).into_iter().enumerate() {
                row.extend(if ends && place == last { apart(&text).0 } else { &text }, log);
            }
        }
        let held: usize = self.later.iter().map(|(text, _)| text.len()).sum();
        ends || (self.later.len() < MOST_LINES && held < MOST_HELD && !is_summary(text))
    }
}

/// The message and its rule, which blanks set apart; without a rule all is message.
fn apart(text: &str) -> (&str, &str) {
    let in_rule = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '/' | '-' | '_' | '.');
    match text.rsplit_once("  ") {
        Some((message, rule)) if !rule.is_empty() && rule.chars().all(in_rule) => (message.trim_end(), rule),
        _ => (text, ""),
    }
}

/// The line that the rows of a file stand below.
fn header(text: &str) -> Option<String> {
    let text = text.trim_end();
    let is_name = text.contains(['/', '\\', '.', '<']) && !text.starts_with(char::is_whitespace);
    (is_name && !is_summary(text)).then(|| place::file(text)).flatten()
}

/// `✖ 3 problems (1 error, 2 warnings)`
fn is_summary(text: &str) -> bool {
    text.contains(" problem") && (text.contains(" error") || text.contains(" warning"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn rows_below_their_files() {
        let log = "\r\n\
            C:\\a b\\tide.js\r\n\
            \x20  2:7   error    'first' is  wrong                prefer-const\r\n\
            \x20 13:20  warning  Expected '===' and instead saw '=='  @x/eqeqeq\r\n\
            \r\n\
            <text>\r\n\
            \x20 0:0  error  Parsing error: nothing\r\n\
            \r\n\
            ✖ 3 problems (2 errors, 1 warning)\r\n\
            \x20 1 error and 0 warnings potentially fixable with the `--fix` option.\r\n";
        assert_eq!(
            findings(&ESLINT, log),
            [
                "error C:\\a b\\tide.js:2:7 prefer-const 'first' is  wrong [3-3]",
                "warning C:\\a b\\tide.js:13:20 @x/eqeqeq Expected '===' and instead saw '==' [4-4]",
                "error <text> Parsing error: nothing [7-8]",
            ]
        );
    }

    #[test]
    fn messages_of_many_lines() {
        let log = "/a/page.tsx\n\
            \x20 12:5  error    Error: Calling setState within an effect\n\
            \n\
            Effects are intended to synchronize.\n\
            \n\
            /a/page.tsx:12:5\n\
            \x20 10 |\n\
            > 12 |     setX()\n\
            \x20    |     ^^^^ Avoid calling it\n\
            \x20 13 |   }                     react-hooks/set-state-in-effect\n\
            \x20 20:1  warning  Short       no-console\n\
            \n\
            /a/other.ts\n\
            \x20 0:0  error  Parsing error: ESLint was configured to run on `other.ts`\n\
            However, that TSConfig does not include this file. Either:\n\
            - Change ESLint's list of included files\n\
            \n\
            /a/third.ts\n\
            \x20 1:1  error  Last  no-undef\n";
        assert_eq!(
            findings(&ESLINT, log),
            [
                "error /a/page.tsx:12:5 react-hooks/set-state-in-effect Error: Calling setState within an effect\n\n\
                 Effects are intended to synchronize.\n\n/a/page.tsx:12:5\n  10 |\n> 12 |     setX()\n     |     ^^^^ \
                 Avoid calling it\n  13 |   } [2-10]",
                "warning /a/page.tsx:20:1 no-console Short [11-11]",
                "error /a/other.ts Parsing error: ESLint was configured to run on `other.ts`\nHowever, that TSConfig does \
                 not include this file. Either:\n- Change ESLint's list of included files [14-17]",
                "error /a/third.ts:1:1 no-undef Last [19-19]",
            ]
        );
    }

    #[test]
    fn other_lines_between() {
        let log = "/a/b.js\n\
            \x20 1:1  error  One  no-one\n\
            Killed\n\
            \x20 2:2  error  Two  no-two\n\
            \x20 3:3  error  Parsing error: x\n\
            npm error Lifecycle script `lint` failed with error:\n\
            npm error code 1\n";
        assert_eq!(
            findings(&ESLINT, log),
            ["error /a/b.js:1:1 no-one One [2-2]", "error no-two Two [4-4]", "error Parsing error: x [5-5]"]
        );
    }

    #[test]
    fn later_lines_are_not_held_for_ever() {
        for line in
            ["x\n".to_owned(), format!("{}\n", "x".repeat(60_000)), format!("{}\n", "x".repeat(600_000))]
        {
            let log = format!("/a.js\n  3:3  error  Parsing error: x\n{}\n", line.repeat(40));
            assert_eq!(findings(&ESLINT, &log), ["error /a.js:3:3 Parsing error: x [2-2]"]);
        }
    }

    #[test]
    fn symbols() {
        let log = "\nsrc/a.css\n\
            \x20 1:12  ✖  Invalid hex color \"#ff\" which is a long      color-no-invalid-hex\n\
            \x20          message that was wrapped\n\
            \x20 1:17  ⚠   Unknown property \"colr\"  property-no-unknown\n\
            \n\
            ✖ 2 problems (1 error, 1 warning)\n";
        assert_eq!(
            findings(&STYLELINT, log),
            [
                "error src/a.css:1:12 color-no-invalid-hex Invalid hex color \"#ff\" which is a long\nmessage that was wrapped [3-4]",
                "warning src/a.css:1:17 property-no-unknown Unknown property \"colr\" [5-5]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "12:30:01  error  cannot listen\n",
            "log\n  12:30  error  cannot listen\n",
            "a.js\n  12:30  error: no  row\n",
            "a.js\n  error  no  row\n",
            "  1:2  errors  no row  x\n",
            "test\n\n  1:2  error  \n",
        ] {
            assert!(findings(&ESLINT, log).is_empty(), "{log}");
        }
    }
}
