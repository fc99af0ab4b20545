//! Biome: a place and a rule in front of a long bar, `src/a.js:5:1 lint/style/useConst ━━━━`, and the message
//! below it.

use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, LogRange, Severity};

/// Versions 1 and 2: check, lint, format, and ci.
pub(super) const FORMAT: Format =
    Format {
        id: "biome", triggers: &["━━━━"], programs: &["biome"], reader: || Box::<Biome>::default()
    };

/// The most lines between the bar and the message.
const FAR: usize = 4;
/// The longest message, in lines.
const MOST_LINES: usize = 6;

#[derive(Debug, Default)]
struct Biome {
    finding: Option<Diagnostic>,
    lines: usize,
}

impl Dialect for Biome {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if line.begins()
            && let Some(finding) = head(text, line.log)
        {
            self.end(found);
            *self = Self { finding: Some(finding), lines: 0 };
            return Next::Line;
        }
        if line.begins() && self.goes_on(text, line.log) {
            return Next::Line;
        }
        self.end(found);
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.finding.take().filter(|finding| !finding.message.is_empty()));
    }
}

impl Biome {
    fn goes_on(&mut self, text: &str, log: LogRange) -> bool {
        let Some(finding) = &mut self.finding else { return false };
        self.lines += 1;
        if finding.message.is_empty() {
            if let Some((severity, message)) = marked(text) {
                finding.severity = severity;
                message.clone_into(&mut finding.message);
                finding.log = finding.log.to(log);
                self.lines = 0;
                return true;
            }
            return text.is_empty() && self.lines < FAR;
        }
        let more = text.starts_with("    ") && self.lines < MOST_LINES;
        if more {
            finding.extend(text.trim_start(), log);
        }
        more
    }
}

/// `src/a.js:5:1 lint/style/useConst  FIXABLE  ━━━━`, or only the failed command.
fn head(text: &str, log: LogRange) -> Option<Diagnostic> {
    let text = text.strip_suffix("━━━━")?.trim_end_matches('━').trim_end();
    let text = ["FIXABLE", "INTERNAL", "FATAL", "DEPRECATED"]
        .iter()
        .fold(text, |text, tag| text.strip_suffix(tag).unwrap_or(text).trim_end());
    let (at, rule) = text.rsplit_once(' ').unwrap_or(("", text));
    let is_rule = !rule.is_empty()
        && rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_'));
    // The summary of a failed command repeats earlier findings.
    if !is_rule || (at.is_empty() && matches!(rule, "check" | "lint" | "format" | "ci")) {
        return None;
    }
    let at = at.trim();
    let place = place::whole(at).or_else(|| place::file(at).map(Location::file));
    Some(Diagnostic { place, ..Diagnostic::new(Severity::Error, "", log, FORMAT.id).coded(rule) })
}

/// `  × Using == may be unsafe`
fn marked(text: &str) -> Option<(Severity, &str)> {
    let rest = text.strip_prefix("  ")?;
    let (mark, message) = rest.split_once(' ')?;
    let severity = match mark {
        "×" | "✖" => Severity::Error,
        "!" | "⚠" => Severity::Warning,
        "i" | "ℹ" => Severity::Info,
        _ => return None,
    };
    Some((severity, message.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn below_the_bar() {
        let log = "two words/a.js:5:1 lint/style/useConst  FIXABLE  ━━━━━━━━\r\n\
            \r\n\
            \x20 ! This let declares a variable.\r\n\
            \x20 \r\n\
            \x20 > 5 │ let unused = 1;\r\n\
            \x20 i 'unused' is never reassigned.\r\n\
            C:\\a\\b.js format ━━━━━━━━\r\n\
            \r\n\
            \x20 × Formatter would have printed the following content:\r\n\
            \r\n\
            nope fs/cantRead ━━━━━━━━\n\
            \n\
            \x20 ✖ Cannot read file.\n\
            \x20   \n\
            \x20   Caused by:\n\
            \x20     No such file\n\
            \x20 × Biome can't read the following file\n\
            Found 2 errors.\n\
            check ━━━━━━━━\n\
            \n\
            \x20 × Some errors were emitted while running checks.\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "warning two words/a.js:5:1 lint/style/useConst This let declares a variable. [1-3]",
                "error C:\\a\\b.js format Formatter would have printed the following content: [7-9]",
                "error nope fs/cantRead Cannot read file. [11-13]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "a.js lint ━━━━\n\nx\n  × y\n",
            "━━━━━━━━\n\n  × y\n",
            "a ? ━━━━\n\n  × y\n",
            "━━━━ a lint\n\n  × y\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
