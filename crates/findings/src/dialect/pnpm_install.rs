//! pnpm's own errors: ` ERR_PNPM_FETCH_404  GET https://…: Not Found - 404`, and ` ERROR ` without a code.
//!
//! A failed script is no finding: its own output has the reason.

use super::{Dialect, Format, Line, Next, PendingFindings};
use crate::model::{Diagnostic, Severity};

/// Versions 6 to 12.
pub(super) const FORMAT: Format = Format {
    id: "pnpm_install",
    triggers: &[
        "ERR_PNPM_",
        "ERROR\u{2009} ",
        " ERROR  ",
        " Unsupported engine",
        " WARN  ",
        "WARN\u{2009} ",
        "[WARN] ",
    ],
    programs: &["pnpm", "pnpx"],
    reader: || Box::<PnpmInstall>::default(),
};

/// The blank that pnpm writes around an error's code.
const THIN: char = '\u{2009}';
/// The most lines that are read behind a head.
const MOST_LINES: usize = 24;
/// Scripts that failed, or some of them did.
const REPEATS: [&str; 4] = [
    "RECURSIVE_RUN_FIRST_FAIL",
    "RECURSIVE_EXEC_FIRST_FAIL",
    "RECURSIVE_FAIL",
    "RECURSIVE_RUN_NO_SCRIPT_FAIL",
];

#[derive(Debug, Default)]
struct PnpmInstall {
    finding: Option<Diagnostic>,
    /// It has a code, or another mark of pnpm itself.
    certain: bool,
    lines: usize,
    /// The next lines are read but left out, until a paragraph that belongs to the error.
    aside: bool,
}

impl Dialect for PnpmInstall {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins()
            && let Some(head) = head(line)
        {
            self.end(found);
            match head {
                PnpmHead::Repeats => return Next::Trigger,
                PnpmHead::Warning(finding) => {
                    found.diagnostics.push(finding);
                    return Next::Trigger;
                }
                PnpmHead::Error(finding, certain) => {
                    *self = Self { finding: Some(finding), certain, lines: 0, aside: false }
                }
            }
            return Next::Line;
        }
        if line.begins() && self.goes_on(line) {
            return Next::Line;
        }
        self.end(found);
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.finding.take().filter(|_| self.certain));
    }
}

impl PnpmInstall {
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(finding) = &mut self.finding else { return false };
        let text = line.text.trim_end();
        self.lines += 1;
        if self.lines > MOST_LINES || text.starts_with(" WARN ") {
            return false;
        }
        if text.starts_with("For help, run: pnpm help") {
            self.certain = true;
            return false;
        }
        let belongs =
            ["This error happened while ", "hint: ", "Failure reason:", "Command \"", "Did you mean "];
        if text.is_empty() {
            self.aside = true;
        } else if belongs.iter().any(|words| text.trim_start().starts_with(words)) || is_tree(text) {
            self.aside = false;
        }
        if !self.aside {
            finding.extend(text, line.log);
        }
        true
    }
}

/// A line that begins something.
#[derive(Debug)]
enum PnpmHead {
    /// The error, and whether only pnpm writes in this form.
    Error(Diagnostic, bool),
    Warning(Diagnostic),
    /// It says no more than that a script failed.
    Repeats,
}

/// The head that begins a line. Its first word is usually between thin blanks.
fn head(line: &Line<'_>) -> Option<PnpmHead> {
    let rest = line.text.strip_prefix([THIN, ' ', '['])?;
    let end = rest.find([THIN, ' ', ']']).unwrap_or(rest.len());
    let (word, message) = rest.split_at(end);
    let message = message.strip_prefix([THIN, ' ', ']']).unwrap_or(message);
    let certain = line.text.starts_with(THIN);
    if !certain && !message.starts_with(' ') {
        return None;
    }
    let message = message.trim();
    let finding = |severity| Diagnostic::new(severity, message, line.log, FORMAT.id);
    if word == "WARN" && is_warning(line.text, message) {
        return Some(PnpmHead::Warning(finding(Severity::Warning)));
    }
    let is_error = word == "ERROR" && !line.text.starts_with('[');
    let is_code = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let code = word.strip_prefix("ERR_PNPM_").filter(|kind| !kind.is_empty() && kind.chars().all(is_code));
    if !is_error && code.is_none() {
        return None;
    }
    if repeats(word, message) || message.is_empty() || (is_error && is_script(message)) {
        return Some(PnpmHead::Repeats);
    }
    let found = finding(Severity::Error).coded(if is_error { "" } else { word });
    Some(PnpmHead::Error(found, certain || code.is_some()))
}

/// Whether pnpm itself warns. In brackets other programs do as well, so that only its own sentences count.
fn is_warning(line: &str, message: &str) -> bool {
    const OWN: [&str; 6] = [
        "Unsupported engine",
        "deprecated ",
        "Local package.json exists",
        "Issues with peer dependencies",
        "Failed to create bin",
        "The field \"",
    ];
    let is_own = OWN.iter().any(|own| message.starts_with(own))
        || message.contains(" deprecated subdependencies found");
    if line.starts_with('[') { is_own } else { !message.is_empty() }
}

/// Whether an error says no more than that scripts failed.
pub(super) fn repeats(code: &str, message: &str) -> bool {
    let kind = code.strip_prefix("ERR_PNPM_").unwrap_or_default();
    REPEATS.contains(&kind) && !message.ends_with("not found")
}

/// ``a@1.0.0 test: `node test.js` ``
fn is_script(message: &str) -> bool {
    let script = message.split_once(": `").map(|(script, _)| script);
    script.and_then(|script| script.split_once(' ')).is_some_and(|(package, _)| package.contains('@'))
}

/// `└─┬ react-dom 18.2.0`
fn is_tree(text: &str) -> bool {
    text.starts_with(['└', '├', '│']) || text.contains("✕ ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn errors() {
        let log = "\x1b[41m\x1b[30m\u{2009}ERR_PNPM_OUTDATED_LOCKFILE\u{2009}\x1b[39m\x1b[49m \x1b[31mCannot install\x1b[39m\r\n\
            \r\n\
            Note that in CI environments this setting is true by default.\r\n\
            \r\n\
            \x20 Failure reason:\r\n\
            \x20 specifiers don't match:\r\n\
            * left-pad (lockfile: 1.3.0, manifest: 1.2.0)\r\n\
            \r\n\
            \x20ERR_PNPM_PEER_DEP_ISSUES  Unmet peer dependencies\r\n\
            \r\n\
            .\r\n\
            └─┬ react-dom 18.2.0\r\n\
            \x20 └── ✕ unmet peer react@^18.2.0: found 19.0.0\r\n\
            \u{2009}WARN\u{2009} Unsupported engine: wanted: {\"node\":\">=99\"}\r\n\
            [ERR_PNPM_NO_SCRIPT] Missing script: x\r\n\
            [WARN] Unsupported engine for /p: wanted: {}\r\n\
            \x20ERROR  Unknown option: 'bogus'\r\n\
            For help, run: pnpm help install\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error ERR_PNPM_OUTDATED_LOCKFILE Cannot install\n  Failure reason:\n  specifiers don't match:\n* left-pad \
                 (lockfile: 1.3.0, manifest: 1.2.0) [1-7]",
                "error ERR_PNPM_PEER_DEP_ISSUES Unmet peer dependencies\n└─┬ react-dom 18.2.0\n  └── ✕ unmet peer \
                 react@^18.2.0: found 19.0.0 [9-13]",
                "warning Unsupported engine: wanted: {\"node\":\">=99\"} [14-14]",
                "error ERR_PNPM_NO_SCRIPT Missing script: x [15-15]",
                "warning Unsupported engine for /p: wanted: {} [16-16]",
                "error Unknown option: 'bogus' [17-17]",
            ]
        );
    }

    #[test]
    fn warnings_of_pnpm_are_findings() {
        let log = "\u{2009}WARN\u{2009} deprecated a@1.0.0: use b\n\
            \x20WARN   Local package.json exists, but node_modules missing\n\
            \x20WARN  1 deprecated subdependencies found: c@1.0.0\n\
            [WARN] deprecated d@1.0.0\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "warning deprecated a@1.0.0: use b [1-1]",
                "warning Local package.json exists, but node_modules missing [2-2]",
                "warning 1 deprecated subdependencies found: c@1.0.0 [3-3]",
                "warning deprecated d@1.0.0 [4-4]",
            ]
        );
    }

    #[test]
    fn scripts_that_failed_are_none() {
        let log = " ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  a@1.0.0 test: `node test.js`\n\
            Exit status 1\n\
            \x20ERR_PNPM_RECURSIVE_FAIL  \n\
            \u{2009}ERROR\u{2009} a@1.0.0 test: `node test.js`\n\
            Exit status 1\n\
            \x20ELIFECYCLE  Command failed with exit code 1.\n\
            [ERR_PNPM_RECURSIVE_FAIL] a\n\
            [ELIFECYCLE] Command failed with exit code 1.\n\
            [ERROR] a log of a server\n\
            [WARN] a log of a server\n\
            \x20WARN a log of a server\n\
            the code ERR_PNPM_FETCH_404  is not here\n\
            \x20ERROR  a log of a server\n";
        assert!(findings(&FORMAT, log).is_empty());
        assert_eq!(
            findings(&FORMAT, " ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command \"nowhere\" not found\n"),
            ["error ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL Command \"nowhere\" not found [1-1]"]
        );
    }
}
