//! Errors of a shell. It could not start a program, `sh: 1: tsc: not found`, read its script or open a file,
//! or it lacked a variable, `x.sh: line 3: PORT: which one?`.

use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity, Stream};

/// dash, bash, zsh, and busybox's.
pub(super) const FORMAT: Format = Format {
    id: "shell",
    triggers: &[
        ": not found",
        ": command not found",
        ": unbound variable",
        ": parameter not set",
        "yntax error",
        ": unexpected EOF while ",
        ": cd: ",
        // The message of `${PORT:?…}` can be any text.
        ": line ",
        ".sh:",
        "sh: ",
        "zsh:",
        ": no such file or directory: ",
    ],
    programs: &["sh", "bash", "dash", "zsh", "ash"],
    reader: || Box::new(Shell),
};

#[derive(Debug)]
struct Shell;

impl Dialect for Shell {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            found.diagnostics.extend(complaint(line));
        }
        Next::Trigger
    }
}

/// `SHELL OR SCRIPT: line 3: PROGRAM: command not found`
fn complaint(line: &Line<'_>) -> Option<Diagnostic> {
    let text = line.text.trim_end();
    let (who, rest) = text.split_once(':')?;
    let name = who.rsplit('/').next().unwrap_or(who).trim_start_matches('-');
    let is_shell = matches!(name, "sh" | "bash" | "dash" | "zsh" | "ash");
    let (number, form, rest) = numbered(rest)?;
    let by_name = is_shell || [".sh", ".bash", ".zsh"].iter().any(|end| name.ends_with(end));
    let may_be_script = (who.contains('/') || who.ends_with("sh")) && (by_name || !who.contains(' '));
    if !(is_shell || number.is_some() && may_be_script) {
        return None;
    }
    let is_variable = match form {
        Form::Bash => is_missing(rest),
        Form::Dash => by_name && number.is_some() && is_missing(rest),
        // So does grep write the lines of scripts.
        Form::Zsh => (is_shell || by_name && line.stream != Stream::Out) && is_missing(rest),
    };
    let complains = number.is_some() && (is_complaint(rest) || is_signal(rest))
        || by_name && number.is_some() && !matches!(form, Form::Zsh) && is_parameter(rest);
    let says = is_lost(rest) || is_unset(rest) || is_broken(rest) || is_nowhere(rest) || complains;
    if !(is_variable || says || is_unread(rest)) {
        return None;
    }
    let finding = Diagnostic::new(Severity::Error, rest, line.log, FORMAT.id);
    // If zsh cannot read a file, its message puts the file in the place of the script.
    Some(if is_shell || rest.ends_with(who) {
        finding
    } else {
        finding.at(Location::line(place::file(who)?, number))
    })
}

/// How a shell says in which line it is.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// `x.sh: line 3: …`
    Bash,
    /// `x.sh: 3: …`, or `sh: …` without a line.
    Dash,
    /// `x.sh:3: …` or `x.sh:cd:3: …`
    Zsh,
}

/// The line number if there is one, the form, and the error.
fn numbered(text: &str) -> Option<(Option<usize>, Form, &str)> {
    let (form, text) = match text.strip_prefix(' ') {
        Some(text) => text.strip_prefix("line ").map_or((Form::Dash, text), |text| (Form::Bash, text)),
        None => (Form::Zsh, text),
    };
    let mut number = place::number(text);
    if let (None, Form::Zsh) = (number, form) {
        let (builtin, rest) = text.split_once(':')?;
        number = place::number(rest).filter(|_| !builtin.is_empty() && !builtin.contains(' '));
    }
    match number {
        Some((number, rest)) => Some((Some(number), form, rest.strip_prefix(": ")?)),
        None => Some((None, form, text)),
    }
}

/// `tsc: command not found`
fn is_lost(text: &str) -> bool {
    let program = text.strip_suffix(": command not found").or_else(|| text.strip_suffix(": not found"));
    let program = program.or_else(|| text.strip_prefix("command not found: ")).unwrap_or_default();
    is_word(program.strip_prefix("exec: ").unwrap_or(program))
}

/// `PORT: which one?`, as `${PORT:?which one?}` says it: a variable that others may set, and no level of a log.
fn is_missing(text: &str) -> bool {
    const LEVELS: [&str; 14] = [
        "CRITICAL", "DEBUG", "ERROR", "FAIL", "FATAL", "FIXME", "HINT", "INFO", "NOTE", "NOTICE", "OK",
        "TODO", "TRACE", "WARN",
    ];
    text.split_once(": ").is_some_and(|(name, message)| {
        let is_level = LEVELS.contains(&name) || name == "WARNING";
        let in_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && name.chars().all(in_name)
            && !is_level
            && !message.trim().is_empty()
    })
}

/// `x.env: No such file or directory`, `cannot open x.env: No such file`, zsh's `no such file or directory: x.env`
fn is_unread(text: &str) -> bool {
    let bash = ["No such file or directory", "Permission denied", "Is a directory"];
    let dash = ["No such file", "Directory nonexistent", "Permission denied"];
    let zsh = [
        "no such file or directory: ",
        "permission denied: ",
        "no matches found: ",
        "can't open input file: ",
    ];
    let file = text.strip_prefix(".: ").unwrap_or(text);
    match file.strip_prefix("cannot open ").or_else(|| file.strip_prefix("cannot create ")) {
        Some(file) => dash.iter().any(|end| file.strip_suffix(end).is_some_and(|file| file.ends_with(": "))),
        None => {
            zsh.iter().any(|begin| file.strip_prefix(begin).is_some_and(|file| !file.is_empty()))
                || file.rsplit_once(": ").is_some_and(|(file, end)| bash.contains(&end) && is_word(file))
        }
    }
}

/// Whether a text may be a file that a script names, and is no sentence of a program.
fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | '\'' | '`'))
}

/// `TIDE: unbound variable`
fn is_unset(text: &str) -> bool {
    let ends = [
        ": unbound variable",
        ": parameter not set",
        ": parameter null or not set",
        ": parameter not set or null",
    ];
    let name = ends.iter().find_map(|end| text.strip_suffix(end));
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
    let zsh = text.starts_with("parse error near `");
    dash || zsh || begins.iter().any(|begin| text.trim_start_matches([':', ' ']).starts_with(begin))
}

/// `[: a: integer expression expected`, `set: Illegal option -o pipefail`, `1/0: division by 0 (error token is "0")`: the words
/// that bash and dash have for their builtins and expansions.
fn is_complaint(text: &str) -> bool {
    const WORDS: [&str; 30] = [
        "Bad substitution",
        "Illegal number: ",
        "Illegal option ",
        "ambiguous redirect",
        "argument expected",
        "arithmetic syntax error",
        "bad array subscript",
        "bad substitution",
        "binary operator expected",
        "can only `return' from a function",
        "can't shift that many",
        "cannot overwrite existing file",
        "closing paren expected",
        "conditional binary operator expected",
        "division by 0 (error token is ",
        "expression recursion level exceeded",
        "integer expression expected",
        "invalid option",
        "is read only",
        "missing `]'",
        "not a valid identifier",
        "numeric argument required",
        "readonly variable",
        "shift count out of range",
        "syntax error in expression",
        "syntax error: operand expected",
        "too many arguments",
        "unary operator expected",
        "unexpected operator",
        "value too great for base",
    ];
    let is_said = |said: &str| WORDS.iter().any(|words| said.starts_with(words));
    text.match_indices(": ").any(|(at, colon)| is_said(&text[at + colon.len()..]))
}

/// `12 Segmentation fault      ./x`: a program that a signal ended.
fn is_signal(text: &str) -> bool {
    const SIGNALS: [&str; 6] = [
        "Aborted",
        "Bus error",
        "Floating point exception",
        "Illegal instruction",
        "Killed",
        "Segmentation fault",
    ];
    let ended = place::number(text.trim_start()).and_then(|(_, rest)| rest.strip_prefix(' '));
    ended.is_some_and(|rest| SIGNALS.iter().any(|signal| rest.trim_start().starts_with(signal)))
}

/// `1: need a name`, as `${1:?need a name}` says it.
fn is_parameter(text: &str) -> bool {
    let parameter = place::number(text).and_then(|(_, rest)| rest.strip_prefix(": "));
    parameter.is_some_and(|message| message.starts_with(char::is_alphabetic))
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
    use crate::dialect::trial::{findings, findings_on};

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
            (
                "my app/x.sh: line 3: tsc: command not found",
                "error my app/x.sh:3 tsc: command not found [1-1]",
            ),
            ("my app/x.sh: 3: tsc: not found", "error my app/x.sh:3 tsc: not found [1-1]"),
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
            assert_eq!(findings(&FORMAT, text), [expected]);
        }
    }

    #[test]
    fn missing_variables_are_findings() {
        for (text, expected) in [
            ("bin/up.sh: line 3: PORT: which one?", "error bin/up.sh:3 PORT: which one? [1-1]"),
            ("./bin/up: line 3: PORT: which one?", "error ./bin/up:3 PORT: which one? [1-1]"),
            ("up.sh: 3: PORT: which one?", "error up.sh:3 PORT: which one? [1-1]"),
            ("zsh:1: PORT: which one?", "error PORT: which one? [1-1]"),
            ("bash: line 1: port: parameter null or not set", "error port: parameter null or not set [1-1]"),
            (
                "up.sh: 1: PORT: parameter not set or null",
                "error up.sh:1 PORT: parameter not set or null [1-1]",
            ),
            ("up.sh:3: command not found: tsc", "error up.sh:3 command not found: tsc [1-1]"),
            ("up.sh:3: no matches found: *.x", "error up.sh:3 no matches found: *.x [1-1]"),
            (
                "up.sh:cd:3: no such file or directory: /x",
                "error up.sh:3 no such file or directory: /x [1-1]",
            ),
            ("up.sh:3: parse error near `\\n'", "error up.sh:3 parse error near `\\n' [1-1]"),
            (
                "./x.env:.:2: no such file or directory: ./x.env",
                "error no such file or directory: ./x.env [1-1]",
            ),
            ("zsh: can't open input file: x.sh", "error can't open input file: x.sh [1-1]"),
            ("zsh: no such file or directory: ./x", "error no such file or directory: ./x [1-1]"),
            (
                "up.sh: line 2: x.env: No such file or directory",
                "error up.sh:2 x.env: No such file or directory [1-1]",
            ),
            ("bash: x.sh: No such file or directory", "error x.sh: No such file or directory [1-1]"),
            (
                "up.sh: 2: .: cannot open x.env: No such file",
                "error up.sh:2 .: cannot open x.env: No such file [1-1]",
            ),
            (
                "up.sh: 2: cannot create /x/y: Directory nonexistent",
                "error up.sh:2 cannot create /x/y: Directory nonexistent [1-1]",
            ),
            ("up.sh: line 2: ./x: Permission denied", "error up.sh:2 ./x: Permission denied [1-1]"),
            ("up.sh: 1: exec: nix: not found", "error up.sh:1 exec: nix: not found [1-1]"),
        ] {
            assert_eq!(findings(&FORMAT, text), [expected]);
        }
    }

    #[test]
    fn builtins_and_expansions_are_findings() {
        for text in [
            "run.sh: line 3: [: a: integer expression expected",
            "run.sh: 3: [: Illegal number: a",
            "n.sh: line 3: 1: need a name",
            "o.sh: line 3: ${y!}: bad substitution",
            "p.sh: line 3: 1/0: division by 0 (error token is \"0\")",
            "n.sh: 3: set: Illegal option -o pipefail",
            "run.sh: line 3: [: ==: unary operator expected",
            "run.sh: line 3: gone: readonly variable",
            "run.sh: line 3: export: `a-b': not a valid identifier",
            "run.sh: line 3: shift: 4: shift count out of range",
            "run.sh: line 3: cd: too many arguments",
            "./bin/run: line 3:    12 Segmentation fault      ./x",
        ] {
            let (file, _) = text.split_once(": ").unwrap();
            let (_, message) = text.split_once("3: ").unwrap();
            assert_eq!(findings(&FORMAT, text), [format!("error {file}:3 {message} [1-1]")]);
        }
    }

    #[test]
    fn a_line_of_grep_on_standard_error_is_a_finding() {
        let lines = findings_on(Stream::Err, &FORMAT, "up.sh:3: PORT: which one?\n");
        assert_eq!(lines, ["error up.sh:3 PORT: which one? [1-1]"]);
    }

    #[test]
    fn other_output_is_no_finding() {
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
            "up.sh:3: TIDE: as grep prints it",
            "up.sh: line 12: INFO: it begins",
            "up.sh: line 12: it has too many arguments",
            "up.sh: line 12: 12 boats",
            "bash: it says: too many arguments",
            "up.sh: line 12: warning: here-document delimited by end-of-file (wanted `EOF')",
            "refresh: 3: TIMEOUT: none",
            "up.sh:3:5: note: Double quote to prevent globbing. [SC2086]",
            "a.rs: line 3: PORT: x",
            "see my/notes: line 3: tsc: command not found",
            "bash: it says: No such file or directory",
            "git push: x: Permission denied",
            "up.sh: 3: PORT:",
            "up.sh::3: é",
            "bash: -c: line 9: é",
            "bash: -c: line 9",
        ] {
            assert!(findings(&FORMAT, text).is_empty(), "{text}");
        }
    }
}
