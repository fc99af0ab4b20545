//! .NET programs that an exception ended: `Unhandled exception. System.InvalidOperationException: no tide`.

use super::dotnet_test::frame;
use super::draft::Draft;
use super::{Dialect, Format, Line, Next, PendingFindings};
use crate::model::{Diagnostic, Severity};

/// Every .NET, the old framework and mono as well.
pub(super) const FORMAT: Format = Format {
    id: "dotnet",
    triggers: &TRIGGERS,
    programs: &["dotnet", "mono"],
    reader: || Box::<Unhandled>::default(),
};

const TRIGGERS: [&str; 2] = ["Unhandled exception. ", "Unhandled Exception: "];
/// How many lines of its stack are followed.
const LONGEST: usize = 500;
/// How many lines its message may have.
const MOST_LINES: usize = 10;
/// The most causes that a message contains.
const MOST_CAUSES: usize = 5;

#[derive(Debug, Default)]
struct Unhandled {
    draft: Draft,
    lines: usize,
    causes: usize,
    stacked: bool,
    /// Lines that are of the message if a stack follows.
    waiting: Vec<String>,
}

impl Dialect for Unhandled {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            if let Some(what) = thrown(line.text) {
                self.draft.begin(Diagnostic::new(Severity::Error, what, line.log, FORMAT.id), found);
                *self = Self { draft: std::mem::take(&mut self.draft), ..Self::default() };
                return Next::Line;
            }
            if self.goes_on(line) {
                return Next::Line;
            }
        }
        self.draft.close(found);
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

impl Unhandled {
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        self.lines += 1;
        let Some(open) = self.draft.open().filter(|_| self.lines <= LONGEST) else { return false };
        let text = line.text.trim_end();
        let cause = text.strip_prefix(" ---> ");
        let stacks = text.starts_with("   at ");
        if stacks || cause.is_some() {
            self.waiting.drain(..).for_each(|text| open.extend(&text, line.log));
        }
        if stacks {
            self.stacked = true;
            if open.place.is_none() {
                open.place = frame(text.trim_start());
            }
        } else if let Some(cause) = cause {
            self.causes += 1;
            if self.causes <= MOST_CAUSES {
                open.extend(&format!("---> {cause}"), line.log);
            }
        } else if !text.starts_with("   --- End of ") {
            if self.stacked || self.waiting.len() == MOST_LINES {
                return false;
            }
            self.waiting.push(text.to_owned());
            return true;
        }
        open.log = open.log.to(line.log);
        true
    }
}

/// The exception and its message, if the line begins with an uncaught exception.
fn thrown(text: &str) -> Option<&str> {
    let what = TRIGGERS.iter().find_map(|trigger| text.strip_prefix(trigger))?.trim_end();
    let name = what.split(':').next().unwrap_or_default();
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '`' | '+' | '[' | ']');
    (name.contains('.') || name.ends_with("Exception")).then_some(what).filter(|_| name.chars().all(in_name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn uncaught_exceptions_are_findings() {
        let log = "Unhandled exception. System.InvalidOperationException: no tide\nwithout a moon\n\
                   \x20---> System.IO.FileNotFoundException: Could not find file '/x/moon.txt'.\n\
                   File name: '/x/moon.txt'\n\
                   \x20  at System.IO.File.ReadAllText(String path)\n\
                   \x20  at Almanac.Moon.Read() in /src/app/Log Book/Moon.cs:line 8\n\
                   \x20  --- End of inner exception stack trace ---\n\
                   \x20  at Program.<Main>$(String[] args) in /src/app/Program.cs:line 5\nAborted (core dumped)\n";
        let expected = "error /src/app/Log Book/Moon.cs:8 System.InvalidOperationException: no tide\nwithout a moon\n\
                        ---> System.IO.FileNotFoundException: Could not find file '/x/moon.txt'.\n\
                        File name: '/x/moon.txt' [1-8]";
        assert_eq!(findings(&FORMAT, log), [expected]);
        assert_eq!(findings(&FORMAT, &log.replace('\n', "\r\n")), [expected]);
        let old = "\nUnhandled Exception: MoonException\nnpm error code 134\n";
        assert_eq!(findings(&FORMAT, old), ["error MoonException [2-2]"]);
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "Unhandled exception. Something went wrong: sorry\n",
            "it says Unhandled exception. System.Exception: x\n",
            "Unhandled Exception: \n",
            "   at Program.Main() in /a.cs:line 3\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
