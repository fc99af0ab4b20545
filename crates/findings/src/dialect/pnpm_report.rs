//! pnpm's own errors since version 12: `Error: ERR_PNPM_FETCH_404`, and below it the chain of causes.

use super::pnpm_install::repeats;
use super::{Dialect, Format, Line, Next, PendingFindings};
use crate::model::{Diagnostic, LogRange, Severity};

/// Version 12.
pub(super) const FORMAT: Format = Format {
    id: "pnpm_report",
    triggers: &["Error: ERR_PNPM_", "Error:   × "],
    programs: &["pnpm", "pnpx"],
    reader: || Box::<PnpmReport>::default(),
};

/// The longest report, in lines.
const MOST_LINES: usize = 60;

#[derive(Debug, Default)]
struct PnpmReport {
    finding: Option<Diagnostic>,
    lines: usize,
    /// The step that failed; part of the message if no line names the reason.
    title: String,
    /// Why, a line each.
    causes: Vec<String>,
    /// Its advice has begun.
    helped: bool,
    /// The next words begin a paragraph.
    paragraph: bool,
}

impl Dialect for PnpmReport {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if line.begins() && self.finding.is_some() && self.goes_on(text, line.text.starts_with(' '), line.log)
        {
            return Next::Line;
        }
        self.end(found);
        let Some(rest) = text.strip_prefix("Error: ").filter(|_| line.begins()) else { return Next::Trigger };
        let finding = Diagnostic::new(Severity::Error, "", line.log, FORMAT.id);
        if let Some(title) = rest.strip_prefix("  × ") {
            *self = Self { finding: Some(finding), title: title.to_owned(), ..Self::default() };
            return Next::Line;
        }
        let is_code = |code: &str| {
            code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        };
        if rest.starts_with("ERR_PNPM_") && is_code(rest) {
            *self = Self { finding: Some(finding.coded(rest)), ..Self::default() };
            return Next::Line;
        }
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        let Some(mut finding) = self.finding.take() else { return };
        // Without a code others write so, too.
        let certain = finding.code.is_some() || !self.causes.is_empty();
        let again = finding.code.as_deref().is_some_and(|code| repeats(code, &self.title));
        finding.message =
            if self.causes.is_empty() { std::mem::take(&mut self.title) } else { self.causes.join("\n") };
        found
            .diagnostics
            .extend(Some(finding).filter(|finding| certain && !again && !finding.message.is_empty()));
    }
}

impl PnpmReport {
    fn goes_on(&mut self, text: &str, indented: bool, log: LogRange) -> bool {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return false;
        }
        if text.is_empty() {
            self.paragraph = true;
            return indented || self.title.is_empty();
        }
        let Some(rest) = text.strip_prefix("  ") else { return false };
        if let Some(title) = rest.strip_prefix("× ") {
            title.clone_into(&mut self.title);
            self.paragraph = false;
        } else if let Some(cause) = rest.strip_prefix("├─▶ ").or_else(|| rest.strip_prefix("╰─▶ "))
        {
            self.causes.push(cause.to_owned());
            self.paragraph = false;
        } else if self.title.is_empty() {
            return false;
        } else if self.helped || rest.starts_with("help: ") {
            self.helped = true;
            return true;
        } else {
            let wrapped = rest.strip_prefix('│').unwrap_or(rest);
            let indent = if self.causes.is_empty() { " " } else { "   " };
            let wrapped = wrapped.strip_prefix(indent).unwrap_or(wrapped);
            let wrapped = wrapped.strip_prefix(' ').unwrap_or(wrapped);
            let paragraph = std::mem::replace(&mut self.paragraph, wrapped.trim().is_empty());
            add(self.causes.last_mut().unwrap_or(&mut self.title), wrapped, paragraph);
        }
        if let Some(finding) = &mut self.finding {
            finding.log = finding.log.to(log);
        }
        true
    }
}

/// A text goes on: words that were wrapped in the same line, paragraphs and lists in lines of their own.
fn add(text: &mut String, more: &str, paragraph: bool) {
    if more.trim().is_empty() {
        return;
    }
    if paragraph || more.starts_with([' ', '*', '-']) {
        text.push('\n');
    } else if !text.ends_with('-') || text.ends_with(" -") {
        text.push(' ');
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn reports() {
        let log = "Error: \x1b[31mERR_PNPM_FETCH_404\x1b[0m\r\n\
            \r\n\
            \x20 × installing dependencies\r\n\
            \x20 ├─▶ Failed to resolve: GET https://registry.npmjs.org/cuff-\r\n\
            \x20 │   sample: Not Found - 404\r\n\
            \x20 │   \r\n\
            \x20 │   Failed to resolve x\r\n\
            \x20 ╰─▶ GET https://registry.npmjs.org/cuff-sample: Not Found -\r\n\
            \x20     404\r\n\
            \x20 help: cuff-sample is not in the npm registry\r\n\
            \x20       \r\n\
            \x20       No authorization header was set.\r\n\
            \r\n\
            Error: ERR_PNPM_NO_SCRIPT\n\
            \n\
            \x20 × Missing script: now\n\
            \x20 │ here\n\
            \n\
            Error:   × derive workspace root\n\
            \x20 ╰─▶ key must be a string\n\
            \x20     \n\
            \x20       Failure reason:\n\
            \x20     * x\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error ERR_PNPM_FETCH_404 Failed to resolve: GET https://registry.npmjs.org/cuff-sample: Not Found - 404\n\
                 Failed to resolve x\nGET https://registry.npmjs.org/cuff-sample: Not Found - 404 [1-9]",
                "error ERR_PNPM_NO_SCRIPT Missing script: now here [14-17]",
                "error key must be a string\n  Failure reason:\n* x [19-23]",
            ]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "Error: ERR_PNPM_RECURSIVE_FAIL\n\n  × \"pnpm recursive run\" failed in 1 packages\n",
            "Error: ERR_PNPM_FETCH_404\nnot below\n",
            "Error: ERR_PNPM_x\n\n  × y\n",
            "Error:   × of another tool\n",
            "an Error: ERR_PNPM_FETCH_404\n\n  × y\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
        let endless = format!("Error: ERR_PNPM_FETCH_404\n{}  × y\n", "\n".repeat(100));
        assert!(findings(&FORMAT, &endless).is_empty());
    }
}
