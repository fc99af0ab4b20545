//! Prettier: `[warn] src/a.js` for a file that it would write otherwise, `[error] src/b.js: SyntaxError: … (1:11)`.

use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::text::{base, find};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// `prettier --check`.
pub(super) const FORMAT: Format = Format {
    id: "prettier",
    triggers: &["[warn] ", "[error] "],
    programs: &["prettier"],
    reader: || Box::<Prettier>::default(),
};

/// prettier's words for a file that it would change.
const ISSUES: &str = "Code style issues found";
/// Endings of files that it writes.
const ENDINGS: &[&str] = &[
    "astro",
    "cjs",
    "css",
    "cts",
    "gql",
    "graphql",
    "handlebars",
    "hbs",
    "htm",
    "html",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsx",
    "less",
    "markdown",
    "md",
    "mdx",
    "mjs",
    "mts",
    "pcss",
    "postcss",
    "scss",
    "svelte",
    "svg",
    "toml",
    "ts",
    "tsx",
    "vue",
    "webmanifest",
    "xml",
    "yaml",
    "yml",
];

#[derive(Debug, Default)]
struct Prettier {
    /// A name with blanks, which may be a sentence.
    held: Option<Diagnostic>,
    /// The line before was prettier's without doubt.
    sure: bool,
}

impl Dialect for Prettier {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        let sure = self.sure || line.before().trim_end() == "Checking formatting...";
        self.sure = false;
        if line.begins()
            && let Some(name) = text.strip_prefix("[warn] ")
        {
            self.sure = name.starts_with(ISSUES) || (is_file(name) && !name.contains(' '));
            if sure || self.sure {
                found.diagnostics.extend(self.held.take());
            }
            self.held = None;
            if is_file(name) {
                let finding = Diagnostic::new(Severity::Warning, ISSUES, line.log, FORMAT.id);
                let finding = finding.at(Location::file(name));
                if sure || self.sure {
                    self.sure = true;
                    found.diagnostics.push(finding);
                } else {
                    self.held = Some(finding);
                }
            }
            return if self.sure || self.held.is_some() { Next::Line } else { Next::Trigger };
        }
        self.held = None;
        if line.begins()
            && let Some(message) = text.strip_prefix("[error] ")
        {
            found.diagnostics.extend(error(message, line.log));
        }
        Next::Trigger
    }
}

/// Whether this is the name of a file that prettier knows.
fn is_file(name: &str) -> bool {
    let base = base(name);
    let plain = !name.contains([':', '"', '\'']) || name.get(1..3) == Some(":\\");
    match base.rsplit_once('.') {
        Some(("", rest)) => plain && rest.ends_with("rc"),
        Some((_, ending)) => {
            plain && (ENDINGS.contains(&ending) || (base.starts_with('.') && base.contains("rc.")))
        }
        None => false,
    }
}

/// `src/b.js: SyntaxError: Unexpected token (1:11)`, or an error of the call.
fn error(message: &str, log: LogRange) -> Option<Diagnostic> {
    let error = |message: &str| Diagnostic::new(Severity::Error, message, log, FORMAT.id);
    let known = [
        "No files matching the pattern",
        "No parser could be inferred for",
        "Invalid configuration ",
        "Cannot find package 'prettier",
        "Couldn't resolve parser ",
        "No matching files. Patterns: ",
    ];
    if known.iter().any(|words| message.starts_with(words)) {
        return Some(error(message));
    }
    let at = find(message, "Error: ")?;
    let name = message[..at].rfind(": ")?;
    let is_class = message[name + 2..at].chars().all(|c| c.is_ascii_alphabetic());
    let (words, rest) = message[name + 2..].rsplit_once(" (")?;
    let (line, rest) = place::number(rest)?;
    let (column, rest) = place::number(rest.strip_prefix(':')?)?;
    let file = place::file(&message[..name]).filter(|_| is_class && rest == ")")?;
    Some(error(words).at(Location::at(file, line, column)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn files() {
        let log = "Checking formatting...\r\n\
            [warn] two words/c d.js\r\n\
            [\x1b[33mwarn\x1b[39m] C:\\a\\b.json\r\n\
            [warn] .prettierrc\r\n\
            [warn] e f.md\r\n\
            [error] two words/log book.js: SyntaxError: Unexpected token (1:11)\r\n\
            [error] > 1 | const a = ;\r\n\
            [error]     |           ^\r\n\
            [warn] Code style issues found in 4 files. Run Prettier with --write to fix.\r\n\
            [error] No files matching the pattern were found: \"nope\".\r\n";
        let files = ["two words/c d.js", "C:\\a\\b.json", ".prettierrc", "e f.md"];
        let mut expected: Vec<String> = (2..)
            .zip(files)
            .map(|(line, file)| format!("warning {file} Code style issues found [{line}-{line}]"))
            .collect();
        expected.push("error two words/log book.js:1:11 SyntaxError: Unexpected token [6-6]".into());
        expected.push("error No files matching the pattern were found: \"nope\". [10-10]".into());
        assert_eq!(findings(&FORMAT, log), expected);
    }

    #[test]
    fn a_name_with_blanks_above_others() {
        let log = "[warn] a b.js\n[warn] c.js\n[warn] cannot read d/e.json\n";
        assert_eq!(
            findings(&FORMAT, log)[..2],
            ["warning a b.js Code style issues found [1-1]", "warning c.js Code style issues found [2-2]"]
        );
        assert!(
            findings(&FORMAT, "[warn] cannot read d/e.json\nx\n[warn] Code style issues found\n").is_empty()
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n",
            "[warn] connection lost to 10.0.0.1\n",
            "[warn] see: a.js\n",
            "see [warn] a.js\n",
            "[error] it failed (1:11)\n",
            "[error] a.js: no Error: here (1:11)\n",
            "[error] é: Error: (1:11\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
