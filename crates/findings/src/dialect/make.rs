//! GNU make's own errors: `Makefile:3: *** missing separator.  Stop.`. The output of its recipes belongs to
//! other dialects.
//!
//! `make: *** [Makefile:4: all] Error 2` says only that a command failed. The command has mostly printed the
//! reason; if not, this line is the only finding.

use super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::path::base;
use crate::model::{Diagnostic, Location, Severity};

/// Version 3.81 and later.
pub(super) const FORMAT: Format = Format {
    id: "make",
    triggers: &[
        ": *** ",
        ": warning: overriding ",
        ": warning: ignoring old ",
        ": warning:  Clock skew",
        " dependency dropped.",
    ],
    programs: &["make", "gmake"],
    reader: || Box::<Make>::default(),
};

/// make's words for the signals that end a command.
const SIGNALS: [&str; 11] = [
    "Aborted",
    "Broken pipe",
    "Bus error",
    "Floating point exception",
    "Hangup",
    "Illegal instruction",
    "Interrupt",
    "Killed",
    "Quit",
    "Segmentation fault",
    "Terminated",
];

/// The words by which make reports a recipe that was ended together with it. They are a signal's name, or the
/// exit code of a shell that was ended by one.
const ENDS: [&str; 7] =
    ["Interrupt", "Terminated", "Killed", "Hangup", "Error 130", "Error 137", "Error 143"];

/// A finding that says only that the tool was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// A failure, which nothing else explains.
    Failure,
    /// An error that comes with such a failure.
    Complaint,
}

/// Whether a finding says only that the tool was ended: `[Makefile:2: serve] Interrupt`, and `wait: No child processes.`, since
/// its children were ended with it. Of all dialects make alone says so, in any language.
pub fn interruption(found: &Diagnostic) -> Option<Interruption> {
    if found.severity != Severity::Error || found.dialect != FORMAT.id {
        return None;
    }
    let first = found.message.lines().next().unwrap_or_default();
    let failed = first.strip_prefix('[').and_then(|rest| rest.rsplit_once("] "));
    match failed {
        Some((_, how)) if ENDS.contains(&how) => Some(Interruption::Failure),
        _ if first.starts_with("wait: ") => Some(Interruption::Complaint),
        _ => None,
    }
}

/// Whether make says in it only that a recipe failed: `[a.o] Error 1`.
pub fn is_target_failure(found: &Diagnostic) -> bool {
    found.dialect == FORMAT.id && target(found).is_some()
}

/// Whether the target of such a failure is made of this file, as `a.o` and `out/a.c.o` are of `src/a.c`.
pub fn is_made_of(failure: &Diagnostic, file: &str) -> bool {
    fn stem(name: &str) -> Option<&str> {
        name.rsplit_once('.').map(|(stem, _)| stem)
    }
    let Some(target) = target(failure).map(base) else { return false };
    let file = base(file);
    stem(target).is_some_and(|made| made == file || stem(file) == Some(made))
}

fn target(failure: &Diagnostic) -> Option<&str> {
    let first = failure.message.lines().next()?;
    first.strip_prefix('[').and_then(|rest| rest.rsplit_once("] ")).map(|(target, _)| target)
}

#[derive(Debug, Default)]
struct Make {
    /// How deep within other makes the last one failed: those around it fail because of it.
    depth: usize,
    /// The end of the last failure: lines before it explain no other.
    since: u64,
}

impl Dialect for Make {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            if let Some((who, complaint)) = line.text.split_once(": *** ") {
                self.complaint(line, who, complaint, found);
            } else {
                found.diagnostics.extend(warning(line));
            }
        }
        Next::Trigger
    }
}

impl Make {
    fn complaint(&mut self, line: &Line<'_>, who: &str, complaint: &str, found: &mut PendingFindings) {
        let made = program(who);
        if let Some(depth) = made
            && let Some((target, place)) = failed(complaint)
        {
            let inner_failed = depth < self.depth;
            self.depth = depth;
            let since = std::mem::replace(&mut self.since, line.log.end);
            if !inner_failed {
                let failure = Diagnostic { place, ..error(line, &target) };
                let failure = with_shell(failure, line);
                found.consequences.push(Consequence { failure, since, is_heading: false });
            }
            return;
        }
        let Some(message) = stopped(complaint) else { return };
        let place = match made {
            Some(_) => missing(message).and_then(|missing| wanted_at(&line.before(), missing)),
            None => match place_of(who) {
                Some(place) => Some(place),
                None => return,
            },
        };
        self.depth = made.unwrap_or(self.depth.max(1));
        self.since = line.log.end;
        found.diagnostics.push(Diagnostic { place, ..error(line, message) });
    }
}

fn error(line: &Line<'_>, message: &str) -> Diagnostic {
    Diagnostic::new(Severity::Error, message, line.log, FORMAT.id)
}

/// `make`, `make[2]`, `/usr/bin/gmake`: how deep it runs within other makes.
fn program(text: &str) -> Option<usize> {
    let (name, depth) = match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((name, depth)) => (name, depth.parse().ok()?),
        None => (text, 0),
    };
    let name = base(name);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    (name.ends_with("make") && !name.contains(' ')).then_some(depth)
}

/// `Makefile:3`.
fn place_of(text: &str) -> Option<Location> {
    let place = place::whole(text)?;
    place.column.is_none().then_some(place)
}

/// `[Makefile:4: all] Error 2` and `[all] Killed`, in any language: the target and its end, and the place.
fn failed(text: &str) -> Option<(String, Option<Location>)> {
    let (rule, how) = text.strip_prefix('[')?.split_once("] ")?;
    let (place, target) = match rule.split_once(": ").and_then(|(place, rest)| Some((place_of(place)?, rest)))
    {
        Some((place, target)) => (Some(place), target),
        None => (None, rule),
    };
    let word = how.strip_suffix(" (core dumped)").unwrap_or(how);
    let numbered = word.rsplit_once(' ').is_some_and(|(word, number)| {
        !word.contains(' ') && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    (numbered || SIGNALS.contains(&word)).then(|| (format!("[{target}] {how}"), place))
}

/// The error that ends make, `….  Stop.` in any language, or that it skips under `-k`.
fn stopped(text: &str) -> Option<&str> {
    if let Some((message, stop)) = text.rsplit_once(".  ")
        && stop.ends_with(['.', '。'])
        && !stop.contains(' ')
    {
        return text.get(..=message.len());
    }
    missing(text).map(|_| text)
}

/// The file of `No rule to make target 'FILE', needed by 'TARGET'.`
fn missing(text: &str) -> Option<&str> {
    let quoted = text.strip_prefix("No rule to make target ")?.strip_suffix(['.'])?;
    let name = quoted.split_once(", needed by ").map_or(quoted, |(name, _)| name);
    name.strip_prefix(['\'', '`'])?.strip_suffix('\'')
}

/// The place that includes a missing file: `Makefile:1: FILE: No such file or directory`.
fn wanted_at(before: &str, missing: &str) -> Option<Location> {
    let (place, rest) = place::with_colons(before)?;
    (place.column.is_none() && rest.split_once(": ")?.0 == missing).then_some(place)
}

/// Adds the message of the shell or of make about a missing command.
fn with_shell(mut failure: Diagnostic, line: &Line<'_>) -> Diagnostic {
    let before = line.before();
    let said = ["not found", "No such file or directory", "Permission denied"];
    if said.iter().any(|said| before.ends_with(said)) {
        failure.extend(before.trim(), line.log);
    }
    failure
}

/// make's own warnings.
fn warning(line: &Line<'_>) -> Option<Diagnostic> {
    let warning =
        |message: &str| Diagnostic::new(Severity::Warning, message.trim_start(), line.log, FORMAT.id);
    if let Some((place, rest)) = place::with_colons(line.text) {
        let message = rest.strip_prefix("warning: ")?;
        let overrides = ["overriding recipe for target", "overriding commands for target"];
        let fits = place.column.is_none() && overrides.iter().any(|begin| message.starts_with(begin));
        return fits.then(|| warning(message).at(place));
    }
    let (who, message) = line.text.split_once(": ")?;
    program(who)?;
    let circular = message.starts_with("Circular ") && message.ends_with(" dependency dropped.");
    let skewed = message.strip_prefix("warning: ").filter(|text| text.trim_start().starts_with("Clock skew"));
    if circular { Some(warning(message)) } else { skewed.map(warning) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn its_own() {
        for (log, expected) in [
            (
                "make: *** No rule to make target 'x', needed by 'all'.  Stop.",
                "error No rule to make target 'x', needed by 'all'. [1-1]",
            ),
            (
                "make: *** No rule to make target 'a.q', needed by 'a.o'.",
                "error No rule to make target 'a.q', needed by 'a.o'. [1-1]",
            ),
            ("Makefile:2: *** missing separator.  Stop.\r", "error Makefile:2 missing separator. [1-1]"),
            (r"C:\a b\Makefile:2: *** stop here.  Stop.", r"error C:\a b\Makefile:2 stop here. [1-1]"),
            (
                "make: *** No targets specified and no makefile found.  Stop.",
                "error No targets specified and no makefile found. [1-1]",
            ),
            (
                "make: *** Keine Regel, um „x“ zu erstellen.  Schluss.",
                "error Keine Regel, um „x“ zu erstellen. [1-1]",
            ),
            (
                "mingw32-make[1]: *** sub: No such file or directory.  Stop.",
                "error sub: No such file or directory. [1-1]",
            ),
            (
                "make: Circular a <- b dependency dropped.",
                "warning Circular a <- b dependency dropped. [1-1]",
            ),
            (
                "Makefile:4: warning: overriding recipe for target 'all'\nMakefile:2: warning: ignoring old recipe for target 'all'",
                "warning Makefile:4 overriding recipe for target 'all' [1-1]",
            ),
            (
                "Makefile:1: nowhere.mk: No such file or directory\nmake: *** No rule to make target 'nowhere.mk'.  Stop.",
                "error Makefile:1 No rule to make target 'nowhere.mk'. [2-2]",
            ),
        ] {
            assert_eq!(findings(&FORMAT, log), [expected], "{log}");
        }
    }

    #[test]
    fn silent_failures_are_findings() {
        for (log, expected) in [
            ("make: *** [Makefile:4: storm] Error 3", vec!["error Makefile:4 [storm] Error 3 [1-1]"]),
            ("make: *** [all] Fehler 1", vec!["error [all] Fehler 1 [1-1]"]),
            (
                "gmake: *** [Makefile:2: all] Segmentation fault (core dumped)",
                vec!["error Makefile:2 [all] Segmentation fault (core dumped) [1-1]"],
            ),
            (
                "make[2]: *** [Makefile:2: a] Error 1\nmake[1]: *** [Makefile:3: b] Error 2\nmake: *** [Makefile:4: c] Error 2",
                vec!["error Makefile:2 [a] Error 1 [1-1]"],
            ),
            (
                "make: *** [Makefile:3: a] Error 1\nmake: *** [Makefile:5: b] Error 3\n",
                vec!["error Makefile:3 [a] Error 1 [1-1]", "error Makefile:5 [b] Error 3 [2-2]"],
            ),
            (
                "make[1]: *** No rule to make target 'x'.  Stop.\nmake: *** [Makefile:2: all] Error 2",
                vec!["error No rule to make target 'x'. [1-1]"],
            ),
            (
                "make: nosuchcmd: No such file or directory\nmake: *** [Makefile:2: all] Error 127",
                vec!["error Makefile:2 [all] Error 127\nmake: nosuchcmd: No such file or directory [2-2]"],
            ),
        ] {
            assert_eq!(findings(&FORMAT, log), expected, "{log}");
        }
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "make: *** [Makefile:3: all] Error 2 is what you will not see",
            "make: [Makefile:2: all] Error 2 (ignored)",
            "make: *** Waiting for unfinished jobs....",
            "make: *** No rule to make target",
            "make: *** Deleting file 'a.o'",
            "make: Target 'all' not remade because of errors.",
            "cake: *** [Makefile:4: storm] Error 3",
            "we make: *** [all] Error 3",
            "- a: *** bold.  Stop.",
            "a.c:3: warning: overriding",
            ": *** ",
            "make: *** [",
            "make: *** [é] é 1x",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}: {:?}", findings(&FORMAT, log));
        }
    }
}
