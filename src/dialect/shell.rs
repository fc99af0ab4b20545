//! Programs that a shell could not start: `sh: 1: tsc: not found`, `./build.sh: line 3: tsc: command not found`.

use super::{Dialect, Format, Found, Line, Next, place};
use crate::model::{Diagnostic, Location, Severity};

/// dash, bash, zsh, and busybox's.
pub(super) const FORMAT: Format = Format {
    id: "shell",
    signs: &[": not found", ": command not found"],
    programs: &["sh", "bash", "dash", "zsh", "ash"],
    reader: || Box::new(Shell),
};

#[derive(Debug)]
struct Shell;

impl Dialect for Shell {
    fn read(&mut self, line: &Line<'_>, found: &mut Found) -> Next {
        if line.begins() {
            found.diagnostics.extend(lost(line));
        }
        Next::Sign
    }
}

/// `SHELL OR SCRIPT: line 3: PROGRAM: command not found`
fn lost(line: &Line<'_>) -> Option<Diagnostic> {
    let text = line.text.trim_end();
    let (who, rest) = text.split_once(':')?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let is_shell = matches!(
        who.rsplit('/').next().unwrap_or(who).trim_start_matches('-'),
        "sh" | "bash" | "dash" | "zsh" | "ash"
    );
    let (number, rest) = match place::number(rest.strip_prefix("line ").unwrap_or(rest)) {
        Some((number, rest)) => (Some(number), rest.strip_prefix(": ")?),
        None => (None, rest),
    };
    let program = rest.strip_suffix(": command not found").or_else(|| rest.strip_suffix(": not found"));
    let program = program.or_else(|| rest.strip_prefix("command not found: "))?;
    let is_word = !program.is_empty()
        && !program.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | '\''));
    let in_script = number.is_some() && (who.contains('/') || who.ends_with("sh")) && !who.contains(' ');
    let told = Diagnostic::new(Severity::Error, rest, line.log, FORMAT.id);
    if !is_word || !(is_shell || in_script) {
        return None;
    }
    Some(if is_shell {
        told
    } else {
        told.at(Location { file: place::file(who)?, line: number, column: None })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::told;

    #[test]
    fn each_shell() {
        for (text, expected) in [
            ("sh: 1: tsc: not found", "error tsc: not found [1-1]"),
            ("/bin/sh: 1: tsc: not found", "error tsc: not found [1-1]"),
            ("sh: tsc: not found", "error tsc: not found [1-1]"),
            ("bash: line 1: tsc: command not found", "error tsc: command not found [1-1]"),
            (
                "./bin/build.sh: line 3: tsc: command not found\r",
                "error ./bin/build.sh:3 tsc: command not found [1-1]",
            ),
            ("bin/build: 3: tsc: not found", "error bin/build:3 tsc: not found [1-1]"),
            ("zsh:1: command not found: tsc", "error command not found: tsc [1-1]"),
        ] {
            assert_eq!(told(&FORMAT, text), [expected]);
        }
    }

    #[test]
    fn what_is_none() {
        for text in [
            "GET /x: not found",
            "error: 404: page: not found",
            "it says sh: 1: tsc: not found",
            "sh: a b: not found",
            "left-pad: not found",
            "a.c:3: x: not found",
        ] {
            assert!(told(&FORMAT, text).is_empty(), "{text}");
        }
    }
}
