//! npm's own errors: the lines that begin with `npm error` (`npm ERR!` before version 10), one finding a
//! block.
//!
//! A failed script is no finding: its own output has the reason.

use super::{Dialect, Format, Line, Next, PendingFindings};
use crate::model::{Diagnostic, LogRange, Severity};

/// Versions 6 to 12.
pub(super) const FORMAT: Format = Format {
    id: "npm_install",
    triggers: &[
        "npm error ",
        "npm ERR! ",
        "npm warn E",
        "npm WARN E",
        "npm warn install-scripts",
        "npm warn deprecated ",
        "npm WARN deprecated ",
    ],
    programs: &["npm", "npx"],
    reader: || Box::<NpmInstall>::default(),
};

/// The most lines of a block that a message contains; the rest is advice.
const MOST_LINES: usize = 16;
/// npm's tags before an error's words, one for each kind of error.
const TAGS: [&str; 16] = [
    "404",
    "JSON.parse",
    "ERESOLVE",
    "EUSAGE",
    "audit",
    "engine",
    "enoent",
    "enogit",
    "gyp",
    "network",
    "nospc",
    "notarget",
    "notsup",
    "peerinvalid",
    "rofs",
    "typeerror",
];
/// npm's tag of the scripts of packages that it did not run.
const BLOCKED: &str = "install-scripts";
/// npm's mark of a package that its author gave up.
const DEPRECATED: &str = "deprecated";
/// Behind these there is nothing but help.
const HELP: [&str; 7] = [
    "A complete log of this run",
    "For a full report see",
    "Clean install a project",
    "To see a list of scripts",
    "Usage:",
    "This is related to npm",
    "If you are behind a proxy",
];

#[derive(Debug, Default)]
struct NpmInstall {
    block: Option<NpmMessage>,
}

/// The lines of one error, or of one warning.
#[derive(Debug)]
struct NpmMessage {
    finding: Diagnostic,
    lines: usize,
    /// The next lines are left out.
    over: bool,
    /// It has a code, or another mark of npm itself.
    certain: bool,
    /// The package whose script failed.
    package: String,
    /// It says no more than that a script of the project failed.
    repeats: bool,
}

impl Dialect for NpmInstall {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let marked = if line.begins() { marked(line.text) } else { None };
        let Some((severity, text)) = marked else {
            self.end(found);
            return Next::Trigger;
        };
        if self.block.as_ref().is_none_or(|block| {
            block.finding.severity != severity || block.over && is_error(text) || is_head(text)
        }) {
            self.end(found);
            let finding = Diagnostic::new(severity, "", line.log, FORMAT.id);
            let package = String::new();
            self.block =
                Some(NpmMessage { finding, lines: 0, over: false, certain: false, package, repeats: false });
        }
        match &mut self.block {
            Some(block) if severity == Severity::Error => block.error(text, line.log),
            Some(block) => block.warning(text, line.log),
            None => {}
        }
        Next::Line
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.block.take().and_then(NpmMessage::finish));
    }
}

impl NpmMessage {
    fn error(&mut self, text: &str, log: LogRange) {
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        match first {
            "code" if !self.certain && is_code(rest) => {
                let is_number = rest.bytes().all(|byte| byte.is_ascii_digit());
                self.finding.code = Some(rest.to_owned()).filter(|_| !is_number);
                self.certain = true;
                self.repeats |= rest == "ELIFECYCLE";
                return;
            }
            "path" if self.certain && self.finding.code.is_none() => text.clone_into(&mut self.package),
            "Lifecycle" if rest.starts_with("script ") => self.repeats = true,
            _ => {}
        }
        if matches!(first, "code" | "errno" | "syscall" | "signal" | "path" | "dest" | "file" | "cwd") {
            return;
        }
        let words = untagged(text);
        self.certain |= words.starts_with(HELP[0]) || words.starts_with("Missing script: ");
        self.over |= HELP.iter().any(|help| words.starts_with(help)) || words.starts_with("    at ");
        if !self.over && !words.trim().is_empty() && self.lines < MOST_LINES {
            self.say(words, log);
        }
    }

    /// Adds a line of a warning to its one-line message, so that different warnings differ.
    fn warning(&mut self, text: &str, log: LogRange) {
        let (first, words) = text.split_once(' ').unwrap_or((text, ""));
        if first == BLOCKED && self.finding.code.is_none() {
            self.certain = true;
            if !words.is_empty() && !words.starts_with("Run `npm ") && self.lines < MOST_LINES {
                self.say(words, log);
            }
            return;
        }
        if first == DEPRECATED && self.finding.code.is_none() && self.lines == 0 {
            self.certain = words.contains('@');
            self.say(text, log);
            return;
        }
        let words = match &self.finding.code {
            None if is_code(first) => {
                self.finding.code = Some(first.to_owned());
                self.certain = true;
                words
            }
            Some(code) if code == first => words,
            Some(_) if text.starts_with("While resolving: ") => text,
            _ => return,
        };
        if self.lines < MOST_LINES {
            let between = if self.lines == 0 { "" } else { " " };
            self.finding.message.push_str(between);
            self.finding.message.push_str(words.trim());
            self.finding.log = self.finding.log.to(log);
            self.lines += 1;
        }
    }

    fn finish(mut self) -> Option<Diagnostic> {
        if !self.package.is_empty() {
            self.finding.extend(&self.package, self.finding.log);
        }
        Some(self.finding).filter(|finding| self.certain && !self.repeats && !finding.message.is_empty())
    }

    fn say(&mut self, words: &str, log: LogRange) {
        self.lines += 1;
        if self.finding.message.is_empty() {
            words.trim().clone_into(&mut self.finding.message);
        } else {
            self.finding.extend(words.trim_end(), log);
        }
        self.finding.log = self.finding.log.to(log);
    }
}

/// A line of npm: its severity, and its words.
fn marked(text: &str) -> Option<(Severity, &str)> {
    const MARKS: [(&str, Severity); 4] = [
        ("npm error", Severity::Error),
        ("npm ERR!", Severity::Error),
        ("npm warn", Severity::Warning),
        ("npm WARN", Severity::Warning),
    ];
    let (severity, rest) =
        MARKS.into_iter().find_map(|(mark, severity)| Some((severity, text.strip_prefix(mark)?)))?;
    if rest.is_empty() {
        Some((severity, rest))
    } else {
        Some((severity, rest.strip_prefix(' ')?.trim_end()))
    }
}

/// Whether a line begins another one, rather than to go on with the last.
fn is_head(text: &str) -> bool {
    text.starts_with("Lifecycle script ")
        || text.starts_with("EBADENGINE Unsupported engine")
        || text.starts_with("ERESOLVE overriding ")
        || text.starts_with("deprecated ")
        || text.strip_prefix(BLOCKED).is_some_and(|rest| rest.contains(" had install scripts blocked"))
}

/// Whether a line is the first one of an error, of which nothing but help may stand before.
fn is_error(text: &str) -> bool {
    text.strip_prefix("code ").is_some_and(is_code) || text.starts_with("Missing script: ")
}

/// `E404`, `ECONNREFUSED`, or the number that a script ended with.
fn is_code(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// A line without npm's tag.
fn untagged(text: &str) -> &str {
    match text.split_once(' ') {
        Some((tag, words)) if TAGS.contains(&tag) => words,
        _ if TAGS.contains(&text) => "",
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    /// Recorded: npm 10, one command after the other.
    #[test]
    fn blocks_without_a_line_between_them() {
        let log = "npm error Missing script: \"nope\"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n\
                   npm error A complete log of this run can be found in: /l/1.log\nnpm error code EJSONPARSE\n\
                   npm error JSON.parse Failed to parse JSON data.\nnpm error A complete log of this run can be found in: /l/2.log\n\
                   npm error Missing script: \"b\"\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error Missing script: \"nope\" [1-1]",
                "error EJSONPARSE Failed to parse JSON data. [6-7]",
                "error Missing script: \"b\" [9-9]",
            ]
        );
    }

    #[test]
    fn one_a_block() {
        let log = "npm error code E404\r\n\
            npm error 404 Not Found - GET https://registry.npmjs.org/x\r\n\
            npm error 404\r\n\
            npm error 404  'x@1' is not in this registry.\r\n\
            npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log\r\n\
            ok\r\n\
            npm ERR! Missing script: \"biuld\"\r\n\
            npm ERR!\r\n\
            npm ERR! Did you mean this?\r\n\
            npm ERR!   npm run build\r\n\
            npm ERR!\r\n\
            npm ERR! To see a list of scripts, run:\r\n\
            npm ERR!   npm run\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error E404 Not Found - GET https://registry.npmjs.org/x\n 'x@1' is not in this registry. [1-4]",
                "error Missing script: \"biuld\"\nDid you mean this?\n  npm run build [7-10]",
            ]
        );
    }

    #[test]
    fn of_scripts_only_those_of_packages() {
        let log = "npm error code 7\n\
            npm error path /p/node_modules/local\n\
            npm error command failed\n\
            npm error command sh -c exit 7\n\
            npm error A complete log of this run can be found in: x\n\
            npm error Lifecycle script `test` failed with error:\n\
            npm error code 1\n\
            npm error path /p/packages/a\n\
            npm error command failed\n\
            \n\
            npm ERR! code ELIFECYCLE\n\
            npm ERR! errno 1\n\
            npm ERR! a@1.0.0 build: `tsc`\n\
            npm ERR! Exit status 1\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error command failed\ncommand sh -c exit 7\npath /p/node_modules/local [1-4]"]
        );
    }

    #[test]
    fn warnings_with_a_code() {
        let log = "npm warn EBADENGINE Unsupported engine {\n\
            npm warn EBADENGINE   package: 'a@1.0.0',\n\
            npm warn EBADENGINE }\n\
            npm WARN EBADENGINE Unsupported engine {\n\
            npm WARN EBADENGINE   package: 'b@1.0.0',\n\
            npm WARN EBADENGINE }\n\
            npm warn install-scripts 1 package had install scripts blocked because of x:\n\
            npm warn install-scripts   local@1.0.0 (postinstall: exit 7)\n\
            npm warn install-scripts\n\
            npm warn install-scripts Run `npm install-scripts ls` to review.\n\
            npm warn deprecated har-validator@5.1.5: this library is no longer supported\n\
            npm WARN deprecated @scope/a@1.0.0: use b\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "warning EBADENGINE Unsupported engine { package: 'a@1.0.0', } [1-3]",
                "warning EBADENGINE Unsupported engine { package: 'b@1.0.0', } [4-6]",
                "warning 1 package had install scripts blocked because of x:\n  local@1.0.0 (postinstall: exit 7) [7-8]",
                "warning deprecated har-validator@5.1.5: this library is no longer supported [11-11]",
                "warning deprecated @scope/a@1.0.0: use b [12-12]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "npm error code E404 is not here\n",
            "npm error is a word\nnpm error too\n",
            "npm errors\nnpm error\n",
            "x npm error code E404\n",
            "npm error code E404\n",
            "npm warn Everything is fine\nnpm warn E\n",
            "npm warn deprecated is a word\n",
            "  npm warn deprecated a@1.0.0: x\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
