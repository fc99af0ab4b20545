//! Programs in Java that an exception ended: `Exception in thread "main" java.lang.IllegalStateException: no tide`.

use super::super::draft::Draft;
use super::super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity};

/// Every Java.
pub(in super::super) const FORMAT: Format = Format {
    id: "java",
    triggers: &["Exception in thread \""],
    programs: &["java"],
    reader: || Box::<Exception>::default(),
};

/// The most lines that are followed, and the most causes that a message contains.
const LONGEST: usize = 500;
const MOST_CAUSES: usize = 5;
/// The most lines of a message behind its first.
const MOST_MORE: usize = 5;

#[derive(Debug, Default)]
struct Exception {
    draft: Draft,
    lines: usize,
    causes: usize,
    /// More lines of the message, until a call proves that they are.
    more: Vec<String>,
    /// A call was read.
    called: bool,
}

impl Dialect for Exception {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins()
            && let Some((_, what)) =
                line.text.strip_prefix("Exception in thread \"").and_then(|text| text.split_once("\" "))
            && is_class(what.split(':').next().unwrap_or_default())
        {
            self.draft.begin(Diagnostic::new(Severity::Error, what, line.log, FORMAT.id), found);
            (self.lines, self.causes, self.called) = (0, 0, false);
            self.more.clear();
            return Next::Line;
        }
        if line.begins() && self.goes_on(line) {
            return Next::Line;
        }
        self.draft.close(found);
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

impl Exception {
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        self.lines += 1;
        let Some(open) = self.draft.open().filter(|_| self.lines <= LONGEST) else { return false };
        let text = line.text.trim_start();
        if let Some(call) = text.strip_prefix("at ").filter(|_| line.text.starts_with('\t')) {
            self.called = true;
            for more in self.more.drain(..) {
                open.extend(&more, line.log);
            }
            if self.causes == 0 && open.place.is_none() {
                open.place = called(call);
            }
        } else if text.starts_with("Caused by: ") && self.causes < MOST_CAUSES {
            self.causes += 1;
            open.extend(text, line.log);
        } else if !self.called && self.causes == 0 && self.more.len() < MOST_MORE {
            self.more.push(line.text.trim_end().to_owned());
            return true;
        } else if !(text.starts_with("... ")
            || text.starts_with("Suppressed: ")
            || text.starts_with("Caused by: "))
        {
            return false;
        }
        open.log = open.log.to(line.log);
        true
    }
}

/// `java.lang.IllegalStateException`.
fn is_class(text: &str) -> bool {
    let name = text.rsplit('.').next().unwrap_or_default();
    name.starts_with(char::is_uppercase)
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '$' | '_'))
}

/// The place of a call in the user's own code, `org.example.Tide.high(Tide.java:3)`: files lie in folders by the names of
/// packages.
pub(super) fn called(call: &str) -> Option<Location> {
    let (function, file) = call.split_once('(')?;
    // `app//` and `java.base/` name loaders and modules.
    let function = function.rsplit('/').next()?;
    let place = place::whole(file.strip_suffix(')')?).filter(|place| place.column.is_none())?;
    let system = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    if system.iter().any(|begin| function.starts_with(begin)) {
        return None;
    }
    let (class, _) = function.rsplit_once('.')?;
    let folder = class
        .rsplit_once('.')
        .map_or_else(String::new, |(package, _)| format!("{}/", package.replace('.', "/")));
    Some(Location { file: format!("{folder}{}", place.file), ..place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn programs() {
        let log = "Exception in thread \"main\" java.lang.IllegalStateException: no tide\n\tat java.base/java.util.List.get(List.java:3)\n\tat org.example.Main$1.main(Main.java:10)\nCaused by: java.lang.Error: deep\n\tat Main.high(Main.java:3)\n\t... 1 more\nbye\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error org/example/Main.java:10 java.lang.IllegalStateException: no tide\nCaused by: java.lang.Error: deep [1-6]"
            ]
        );
    }

    #[test]
    fn a_message_of_two_lines() {
        let log = "Exception in thread \"main\" java.lang.Error: outer\nsecond\n\tat M.main(M.java:1)\nbye\n";
        assert_eq!(findings(&FORMAT, log), ["error M.java:1 java.lang.Error: outer\nsecond [1-3]"]);
        let alone = log.replace("\tat M.main(M.java:1)\n", "");
        assert_eq!(findings(&FORMAT, &alone), ["error java.lang.Error: outer [1-1]"]);
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in
            ["Exception in thread \"main\" was caught", "java.lang.Error: x\n\tat Main.high(Main.java:3)"]
        {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
