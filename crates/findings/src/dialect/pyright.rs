//! pyright: `  /a.py:3:5 - error: message (reportRule)`, with reasons that are further in.

use super::draft::Draft;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::text::{rsplit_once, split_once};
use crate::model::{Diagnostic, Severity};

/// Version 1, and basedpyright.
pub(super) const FORMAT: Format = Format {
    id: "pyright",
    triggers: &[" - error: ", " - warning: ", " - information: ", "File or directory \""],
    programs: &["pyright", "basedpyright"],
    reader: || Box::<Pyright>::default(),
};

/// The most lines of one message.
const LONGEST: usize = 100;

#[derive(Debug, Default)]
struct Pyright {
    draft: Draft,
    lines: usize,
}

impl Dialect for Pyright {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        if let Some(next) = head(line, text) {
            self.close(found);
            self.draft.begin(next, found);
            self.lines = 0;
        } else if let Some(reason) = reason(line, text).filter(|_| self.lines < LONGEST) {
            self.lines += 1;
            self.draft.add(line, &reason);
        } else {
            self.close(found);
            if text.starts_with("File or directory \"") && text.ends_with("\" does not exist") {
                found.diagnostics.push(Diagnostic::new(Severity::Error, text, line.log, FORMAT.id));
            }
        }
        if self.draft.open().is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Pyright {
    /// The finding is complete: its rule stands at the very end.
    fn close(&mut self, found: &mut PendingFindings) {
        if let Some(open) = self.draft.open() {
            let message = std::mem::take(&mut open.message);
            let rule = message.strip_suffix(')').and_then(|text| rsplit_once(text, " (report"));
            let is_rule = |rule: &str| rule.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if let Some((before, rule)) = rule.filter(|(_, rule)| is_rule(rule)) {
                open.message = before.to_owned();
                open.code = Some(format!("report{rule}"));
            } else {
                open.message = message;
            }
        }
        self.draft.close(found);
    }
}

/// A line below a head that is further in, where blanks are of the kind that does not break.
fn reason(line: &Line<'_>, text: &str) -> Option<String> {
    let inner = text.strip_prefix("  ").filter(|_| line.begins())?;
    inner.starts_with([' ', '\u{a0}']).then(|| inner.replace('\u{a0}', " "))
}

/// `  /a.py:3:5 - error: message`.
fn head(line: &Line<'_>, text: &str) -> Option<Diagnostic> {
    let (place, rest) = split_once(text, " - ")?;
    let (severity, message) =
        [("error: ", Severity::Error), ("warning: ", Severity::Warning), ("information: ", Severity::Info)]
            .into_iter()
            .find_map(|(word, severity)| Some((severity, rest.strip_prefix(word)?)))?;
    let own = place.strip_prefix("  ").unwrap_or(place);
    let place = place::whole(own).filter(|place| place.column.is_some() && !own.starts_with(' '))?;
    let is_source = [".py", ".pyi", ".ipynb"].iter().any(|end| place.file.ends_with(end));
    (is_source && line.begins()).then(|| Diagnostic::new(severity, message, line.log, FORMAT.id).at(place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn findings_are_read() {
        let log = "/p/a b/tide.py\r\n\
                   \x20 /p/a b/tide.py:6:12 - error: Type \"str\" is not assignable to \"int\"\r\n\
                   \x20 \u{a0}\u{a0}\"Literal['3']\" is not assignable to \"int\"\r\n\
                   \x20     Deeper (reportReturnType)\r\n\
                   \x20 c:\\p\\x.py:1:6 - error: \"(\" was not closed\r\n\
                   \x20 /p/x.py:2:6 - warning: Import \"yaml\" could not be resolved (reportMissingModuleSource)\r\n\
                   \x20 /p/x.py:21:13 - information: Type of \"g(1)\" is \"int\"\r\n\
                   2 errors, 1 warning, 1 information\r\n\
                   File or directory \"/p/nix.py\" does not exist.\r\n\
                   File or directory \"file:///p/nix.py\" does not exist\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /p/a b/tide.py:6:12 reportReturnType Type \"str\" is not assignable to \"int\"\n  \"Literal['3']\" is not assignable to \"int\"\n    Deeper [2-4]",
                r#"error c:\p\x.py:1:6 "(" was not closed [5-5]"#,
                "warning /p/x.py:2:6 reportMissingModuleSource Import \"yaml\" could not be resolved [6-6]",
                "info /p/x.py:21:13 Type of \"g(1)\" is \"int\" [7-7]",
                "error File or directory \"file:///p/nix.py\" does not exist [10-10]",
            ]
        );
    }

    #[test]
    fn nothing_of_it() {
        let log = "12:00:01 - error: a log\nsrc/a.ts:3:5 - error TS2322: x\ntide - error: x\n";
        assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
    }
}
