//! Yarn's own errors: `error Couldn't find package "x"` of version 1,
//! `➤ YN0035: │ x@npm:1: Package not found` since 2.
//!
//! A failed script is no finding: its own output has the reason.

use super::{Dialect, Format, Line, Next, PendingFindings};
use crate::model::{Diagnostic, Severity};

/// Versions 1 to 4.
pub(super) const FORMAT: Format = Format {
    id: "yarn_install",
    triggers: TRIGGERS,
    programs: &["yarn", "yarnpkg"],
    reader: || Box::<YarnInstall>::default(),
};

/// Beginnings of messages of version 1, then parts of them, then triggers of newer versions.
const TRIGGERS: &[&str] = &[
    "error Couldn't find ",
    "error Command \"",
    "error Your lockfile needs to be updated",
    "error An unexpected error occurred: ",
    "error Found incompatible module",
    "error Received malformed response",
    "error Received invalid response",
    "error Missing list of packages",
    "error Integrity check failed",
    "error Incorrect integrity",
    "error Failed to ",
    "error Outdated lockfile",
    "error No lockfile in this directory",
    "error Package \"",
    "error SyntaxError: ",
    "error Can't add ",
    ": The engine \"",
    ": Command failed.",
    "➤ YN",
    "Usage Error: ",
    "Internal Error: ",
    "Syntax Error: ",
];
/// The number of beginnings of version 1.
const BEGINNINGS: usize = 16;
/// The numbers of messages that are errors.
const ERRORS: &[u16] = &[
    1, 9, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 30, 33, 34, 35, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 51, 52, 53, 54, 55, 56, 57, 58, 62, 63, 64, 66, 67, 75, 78, 79, 80, 81, 82,
    83, 84,
];
/// How far a message is followed, in lines.
const MOST_LINES: usize = 12;

#[derive(Debug, Default)]
struct YarnInstall {
    finding: Option<Diagnostic>,
    after: FollowingLines,
    lines: usize,
}

/// The lines that may follow an error.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum FollowingLines {
    /// More lines with its number, further in.
    #[default]
    Numbered,
    /// The output of a package's script.
    Script,
    /// How the command is used, or a stack: only then it is yarn's.
    Proof,
}

impl Dialect for YarnInstall {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if line.begins() && self.goes_on(text, line, found) {
            return Next::Line;
        }
        self.end(found);
        let head =
            if line.begins() { first(text).or_else(|| numbered(text)).or_else(|| named(text)) } else { None };
        let Some((code, message, after)) = head else { return Next::Trigger };
        self.finding = Some(Diagnostic::new(Severity::Error, message, line.log, FORMAT.id).coded(code));
        (self.after, self.lines) = (after.unwrap_or_default(), 0);
        if after.is_none() {
            self.end(found);
            return Next::Trigger;
        }
        Next::Line
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.finding.take().filter(|_| self.after != FollowingLines::Proof));
    }
}

impl YarnInstall {
    fn goes_on(&mut self, text: &str, line: &Line<'_>, found: &mut PendingFindings) -> bool {
        let Some(finding) = &mut self.finding else { return false };
        self.lines += 1;
        if self.lines > MOST_LINES {
            return false;
        }
        match self.after {
            FollowingLines::Numbered => {
                let Some((code, message)) = number(text) else { return false };
                let more = finding.code.as_deref() == Some(code) && message.starts_with("  ");
                if more && !message.trim_start().starts_with("at ") {
                    finding.extend(message, line.log);
                }
                more
            }
            FollowingLines::Script => {
                let more = !text.is_empty() && !text.starts_with("info ") && !text.starts_with("error ");
                if more {
                    finding.extend(text, line.log);
                }
                more
            }
            FollowingLines::Proof => {
                let proof = text.starts_with("$ yarn") || (text.starts_with("    at ") && self.lines == 1);
                if proof {
                    found.diagnostics.extend(self.finding.take());
                }
                !proof
            }
        }
    }
}

type YarnHead<'t> = (&'t str, &'t str, Option<FollowingLines>);

/// `error Couldn't find package "x" on the "npm" registry.`
fn first(text: &str) -> Option<YarnHead<'_>> {
    let message = text.strip_prefix("error ")?;
    if message.ends_with(": Command failed.") && message.contains(['/', '\\']) {
        return Some(("", message, Some(FollowingLines::Script)));
    }
    let known = TRIGGERS[..BEGINNINGS].iter().any(|trigger| text.starts_with(trigger));
    let named = !text.starts_with(TRIGGERS[1]) || message.contains("\" not found");
    let engine =
        message.contains(TRIGGERS[BEGINNINGS]) && message.contains(" is incompatible with this module.");
    ((known && named) || engine).then_some(("", message, None))
}

/// `➤ YN0035: │ x@npm:^1.0.0: Package not found`
fn numbered(text: &str) -> Option<YarnHead<'_>> {
    let (code, message) = number(text)?;
    let is_error = code.get(2..)?.parse().is_ok_and(|number| ERRORS.contains(&number));
    // Changes to the lock file have the same number.
    let is_change = code == "YN0028" && !message.starts_with("The ");
    let tells = is_error && !is_change && !message.trim().is_empty() && !message.starts_with(' ');
    tells.then_some((code, message, Some(FollowingLines::Numbered)))
}

/// The code, and the message without the lines of the tree.
fn number(text: &str) -> Option<(&str, &str)> {
    let (code, rest) = text.strip_prefix("➤ ")?.split_once(':')?;
    let digits = code.strip_prefix("YN")?;
    let is_code = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let message =
        rest.strip_prefix(['│', '·', '┌', '└']).map_or(rest, |rest| rest.strip_prefix(' ').unwrap_or(rest));
    is_code.then_some((code, message))
}

/// `Usage Error: Couldn't find a script named "x".`
fn named(text: &str) -> Option<YarnHead<'_>> {
    let message = ["Usage Error: ", "Internal Error: ", "Syntax Error: ", "Unknown Syntax Error: "]
        .into_iter()
        .find_map(|kind| text.strip_prefix(kind))?;
    let sure = [
        "This project is configured to use ",
        "The nearest package directory ",
        "Couldn't find a script named ",
    ];
    let after =
        if sure.iter().any(|words| message.starts_with(words)) { None } else { Some(FollowingLines::Proof) };
    (!message.is_empty()).then_some(("", message, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn the_first_version() {
        let log = "error Couldn't find package \"x\" on the \"npm\" registry.\r\n\
            \x1b[31merror\x1b[39m Command \"nowhere\" not found.\r\n\
            error a@1.0.0: The engine \"node\" is incompatible with this module. Expected version \">=99\". Got \"20\"\r\n\
            error Found incompatible module.\r\n\
            error /p/node_modules/x: Command failed.\r\n\
            Exit code: 1\r\n\
            Command: node install.js\r\n\
            info Visit https://yarnpkg.com/ for documentation\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error Couldn't find package \"x\" on the \"npm\" registry. [1-1]",
                "error Command \"nowhere\" not found. [2-2]",
                "error a@1.0.0: The engine \"node\" is incompatible with this module. Expected version \">=99\". Got \"20\" [3-3]",
                "error Found incompatible module. [4-4]",
                "error /p/node_modules/x: Command failed.\nExit code: 1\nCommand: node install.js [5-7]",
            ]
        );
    }

    #[test]
    fn newer_versions() {
        let log = "➤ YN0050: The --frozen-lockfile option is deprecated\n\
            ➤ YN0000: ┌ Resolution step\n\
            ➤ YN0035: │ x@npm:^1.0.0: Package not found\n\
            ➤ YN0035: │   Response Code: 404 (Not Found)\n\
            ➤ YN0028: │ -    left-pad: \"npm:1.3.0\"\n\
            ➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.\n\
            ➤ YN0001: │ Error: broken\n\
            ➤ YN0001: │     at f (/x/yarn.js:1:2)\n\
            ➤ YN0000: · Failed with errors in 0s 77ms\n\
            Usage Error: No package found\n\
            \n\
            $ yarn add [--json] ...\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error YN0035 x@npm:^1.0.0: Package not found\n  Response Code: 404 (Not Found) [3-4]",
                "error YN0028 The lockfile would have been modified by this install, which is explicitly forbidden. [6-6]",
                "error YN0001 Error: broken [7-7]",
                "error No package found [10-10]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "error Command failed with exit code 1.\n",
            "error Command \"tsc\" is slow\n",
            "an error Couldn't find it\n",
            "➤ YN0013: │ x@npm:1 can't be found in the cache\n➤ YN1: x\n➤ YN0035\n",
            "Usage Error: of another tool\n\n$ other\n",
            "error it: Command failed.\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
