//! What a shell could not do: start a program, `sh: 1: tsc: not found`, read its script, or enter a folder.

use super::{Dialect, Format, Found, Line, Next, place};
use crate::model::{Diagnostic, Location, Severity};

/// dash, bash, zsh, and busybox's.
pub(super) const FORMAT: Format = Format {
    id: "shell",
    signs: &[
        ": not found",
        ": command not found",
        ": unbound variable",
        ": parameter not set",
        "yntax error",
        ": unexpected EOF while ",
        ":cd:",
        ": cd: ",
    ],
    programs: &["sh", "bash", "dash", "zsh", "ash"],
    reader: || Box::new(Shell),
};

#[derive(Debug)]
struct Shell;

impl Dialect for Shell {
    fn read(&mut self, line: &Line<'_>, found: &mut Found) -> Next {
        if line.begins() {
            found.diagnostics.extend(complaint(line));
        }
        Next::Sign
    }
}

/// `SHELL OR SCRIPT: line 3: PROGRAM: command not found`
fn complaint(line: &Line<'_>) -> Option<Diagnostic> {
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
    let in_script = number.is_some() && (who.contains('/') || who.ends_with("sh")) && !who.contains(' ');
    let told = Diagnostic::new(Severity::Error, rest, line.log, FORMAT.id);
    if !(is_shell || in_script) || !(is_lost(rest) || is_unset(rest) || is_broken(rest) || is_nowhere(rest)) {
        return None;
    }
    Some(if is_shell {
        told
    } else {
        told.at(Location { file: place::file(who)?, line: number, column: None })
    })
}

/// `tsc: command not found`
fn is_lost(text: &str) -> bool {
    let program = text.strip_suffix(": command not found").or_else(|| text.strip_suffix(": not found"));
    let program = program.or_else(|| text.strip_prefix("command not found: ")).unwrap_or_default();
    !program.is_empty() && !program.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | '\''))
}

/// `TIDE: unbound variable`
fn is_unset(text: &str) -> bool {
    let name = [": unbound variable", ": parameter not set"].iter().find_map(|end| text.strip_suffix(end));
    name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '[' | ']'))
    })
}

/// ``syntax error near unexpected token `fi'``, `Syntax error: end of file unexpected (expecting "fi")`
fn is_broken(text: &str) -> bool {
    let text = text.strip_prefix("-c: line ").and_then(place::number).map_or(text, |(_, rest)| rest);
    let begins = [
        "syntax error: unexpected end of file",
        "syntax error near unexpected token ",
        "unexpected EOF while looking for matching ",
    ];
    let dash = text.strip_prefix("Syntax error: ").is_some_and(|rest| {
        rest.contains(" unexpected") || rest.contains("Unterminated ") || rest.starts_with("Bad ")
    });
    dash || begins.iter().any(|begin| text.trim_start_matches([':', ' ']).starts_with(begin))
}

/// `cd: can't cd to x`, `cd: x: No such file or directory`
fn is_nowhere(text: &str) -> bool {
    text.strip_prefix("cd: ").is_some_and(|what| {
        let ends = [": No such file or directory", ": Not a directory", ": Permission denied"];
        what.starts_with("can't cd to ") || ends.iter().any(|end| what.ends_with(end))
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
            (
                "scripts/x.sh: line 5: TIDE: unbound variable",
                "error scripts/x.sh:5 TIDE: unbound variable [1-1]",
            ),
            (
                "scripts/x.sh: 5: TIDE: parameter not set",
                "error scripts/x.sh:5 TIDE: parameter not set [1-1]",
            ),
            ("sh: 1: TIDE: parameter not set", "error TIDE: parameter not set [1-1]"),
            (
                "scripts/x.sh: line 4: syntax error: unexpected end of file",
                "error scripts/x.sh:4 syntax error: unexpected end of file [1-1]",
            ),
            (
                "scripts/x.sh: line 2: syntax error near unexpected token `fi'",
                "error scripts/x.sh:2 syntax error near unexpected token `fi' [1-1]",
            ),
            (
                "scripts/x.sh: line 1: unexpected EOF while looking for matching `\"'",
                "error scripts/x.sh:1 unexpected EOF while looking for matching `\"' [1-1]",
            ),
            (
                "scripts/x.sh: 4: Syntax error: end of file unexpected (expecting \"fi\")",
                "error scripts/x.sh:4 Syntax error: end of file unexpected (expecting \"fi\") [1-1]",
            ),
            (
                "bash: -c: line 2: syntax error: unexpected end of file",
                "error -c: line 2: syntax error: unexpected end of file [1-1]",
            ),
            ("sh: 1: cd: can't cd to nowhere", "error cd: can't cd to nowhere [1-1]"),
            (
                "./bin/cd.sh: line 2: cd: nowhere: No such file or directory",
                "error ./bin/cd.sh:2 cd: nowhere: No such file or directory [1-1]",
            ),
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
            "app: 3: TIDE: parameter not set",
            "src/a.sh: line 3: it says: unbound variable",
            "src/a.y:3: syntax error near x",
            "note: Syntax error: x unexpected",
            "bash: line 3: cd: x",
            "bash: -c: line 9: é",
            "bash: -c: line 9",
        ] {
            assert!(told(&FORMAT, text).is_empty(), "{text}");
        }
    }
}
