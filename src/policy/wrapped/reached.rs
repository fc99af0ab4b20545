//! Which commands of a text the words and variables of a call reach.

use super::super::refusal::Refusal;
use super::super::shell::{ShellCommand, commands};
use crate::model::{Reach, shown};

/// The mark in place of a call's words behind a text. Its position is where they end up.
const PLACE: &str = "cuff_words_of_the_call";
/// How often variables are followed that are set from others.
const ROUNDS: usize = 4;

/// A command, and the words of the call that reach it.
#[derive(Debug)]
pub(super) struct Reached {
    pub(super) command: ShellCommand,
    pub(super) words: Vec<String>,
}

/// The commands of a text that words and variables of a call reach.
///
/// # Errors
/// When one of them would be the program of a command.
pub(super) fn reached(
    text: &str,
    reach: Reach,
    words: &[String],
    set: &[(&str, &str)],
) -> Result<Vec<Reached>, Refusal> {
    let appended = reach == Reach::Appended && !words.is_empty();
    let text = if appended { format!("{text} {PLACE}") } else { text.to_owned() };
    let positional = if words.is_empty() { Vec::new() } else { tainted(&text, positions()) };
    let variables: Vec<(Vec<String>, &str)> =
        set.iter().map(|(name, value)| (tainted(&text, vec![(*name).to_owned()]), *value)).collect();
    let mut has_landed = false;
    let mut found = Vec::new();
    for mut command in commands(&text) {
        let mut reaching = Vec::new();
        let is_last = command.words.iter().any(|word| word == PLACE);
        has_landed |= is_last;
        let is_program = command.words.first().is_some_and(|word| word == PLACE);
        if is_program || names_program(&command, &positional) {
            let word = words.first().map_or("", String::as_str);
            return Err(chooses(
                word,
                "a word of the call",
                "leave it out: a call chooses arguments, never the program",
            ));
        }
        command.words.retain(|word| word != PLACE);
        if is_last || command.words.iter().any(|word| mentions(word, &positional)) {
            reaching.extend(words.iter().cloned());
        }
        for (names, value) in &variables {
            if names_program(&command, names) {
                let name = names.first().map_or("", String::as_str);
                let help = "leave it out: the tool's own text runs whatever this variable names";
                return Err(chooses(name, "an environment variable of the call", help));
            }
            if command.words.iter().any(|word| mentions(word, names)) {
                reaching.extend(value.split_whitespace().map(String::from));
            }
        }
        found.push(Reached { command, words: reaching });
    }
    if appended && !has_landed {
        return Err(Refusal::new(
            "Words behind this tool's text would be no arguments of a program",
            "call it without arguments: its text ends with a comment, a redirection or the like",
        ));
    }
    Ok(found)
}

fn chooses(word: &str, what: &str, help: &str) -> Refusal {
    Refusal::new(format!("\"{}\", {what}, would choose the program that runs", shown(word)), help)
}

fn positions() -> Vec<String> {
    ["@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map(String::from).to_vec()
}

/// These variables, and those that a text sets from them: `args=("$@")`, `for file in "$@"`.
fn tainted(text: &str, mut names: Vec<String>) -> Vec<String> {
    for _ in 0..ROUNDS {
        let before = names.len();
        for line in text.lines().flat_map(|line| line.split([';', '&', '|'])) {
            let line = line.trim_start().trim_start_matches(['@', '-', '+']);
            let line = ["export ", "local ", "readonly ", "declare ", "do ", "then ", "{ "]
                .into_iter()
                .fold(line, |line, word| line.strip_prefix(word).unwrap_or(line));
            let (name, value) = match (line.strip_prefix("for "), line.split_once('=')) {
                (Some(rest), _) => rest.split_once(" in ").unwrap_or((rest, "$@")),
                (None, Some((name, value))) => (name, value),
                (None, None) => continue,
            };
            let name = name.trim().trim_end_matches([':', '+', '?', ' ']);
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if is_name && !names.iter().any(|known| known == name) && mentions(value, &names) {
                names.push(name.to_owned());
            }
        }
        if names.len() == before {
            break;
        }
    }
    names
}

/// Whether the program of a command is one of these variables.
fn names_program(command: &ShellCommand, names: &[String]) -> bool {
    command.words.first().is_some_and(|word| word.starts_with(['$', '`']) && mentions(word, names))
}

/// Whether a word puts in one of these variables: `$X`, `${X:-y}`, and make's `$(X)`.
fn mentions(word: &str, names: &[String]) -> bool {
    let mut rest = word;
    while let Some(at) = rest.find('$') {
        rest = &rest[at + 1..];
        let inner = rest.trim_start_matches(['$', '{', '(', '#', '!', '"']);
        let is_named = |name: &String| {
            inner.strip_prefix(name.as_str()).is_some_and(|behind| {
                let is_sign = !name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
                is_sign || !behind.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
            })
        };
        // Functions of make have names inside: `$(addprefix -D,$(X))` goes on with the next sign.
        if names.iter().any(is_named) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, reach: Reach, words: &[&str], set: &[(&str, &str)]) -> String {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        match reached(text, reach, &words, set) {
            Ok(found) => found
                .iter()
                .filter(|reached| !reached.words.is_empty())
                .map(|reached| format!("{}<{}", reached.command.words.join(" "), reached.words.join(" ")))
                .collect::<Vec<_>>()
                .join(" ; "),
            Err(refusal) => refusal.message,
        }
    }

    #[test]
    fn words_reach_the_last_command_and_those_that_name_them() {
        for (text, expected) in [
            ("eslint .", "eslint .<-c x"),
            ("tsc && vitest run", "vitest run<-c x"),
            ("npx eslint", "eslint<-c x"),
            ("f() { node \"$@\"; }; f", "node $@<-c x ; f<-c x"),
            ("sh -c 'eslint \"$1\"' --", "eslint $1<-c x ; sh -c eslint \"$1\" --<-c x"),
            ("a $(b)", "a $(b)<-c x"),
            ("node server.js &", "\"-c\", a word of the call, would choose the program that runs"),
            ("tsc;", "\"-c\", a word of the call, would choose the program that runs"),
            ("cross-env A=b", "\"-c\", a word of the call, would choose the program that runs"),
            ("npx", "\"-c\", a word of the call, would choose the program that runs"),
            ("", "\"-c\", a word of the call, would choose the program that runs"),
            ("jest # all", "Words behind this tool's text would be no arguments of a program"),
            ("jest >", "Words behind this tool's text would be no arguments of a program"),
        ] {
            assert_eq!(shown(text, Reach::Appended, &["-c", "x"], &[]), expected, "{text}");
        }
        for (text, expected) in [
            ("eslint .", ""),
            ("eslint \"$@\"", "eslint $@<-c x"),
            ("args=(\"$@\")\neslint \"${args[@]}\"", "eslint ${args[@]}<-c x"),
            ("for f in \"$@\"; do tar cf x \"$f\"; done", "tar cf x $f<-c x"),
            ("for f; do tar cf x $f; done", "tar cf x $f<-c x"),
            ("local x=${1:-y}; git log \"--$x\"", "local x=${1:-y}<-c x ; git log --$x<-c x"),
            ("\"$1\" x", "\"-c\", a word of the call, would choose the program that runs"),
            ("exec \"$@\"", "\"-c\", a word of the call, would choose the program that runs"),
        ] {
            assert_eq!(shown(text, Reach::Named, &["-c", "x"], &[]), expected, "{text}");
        }
        assert_eq!(shown("eslint .", Reach::Nothing, &[], &[]), "");
    }

    #[test]
    fn variables_reach_the_commands_that_put_them_in() {
        let of = |text: &str| shown(text, Reach::Nothing, &[], &[("ARGS", "-c evil.js"), ("TOOL", "evil")]);
        for (text, expected) in [
            ("eslint $(ARGS) .", "eslint $(ARGS) .<-c evil.js"),
            ("eslint ${ARGS:-x}", "eslint ${ARGS:-x}<-c evil.js"),
            ("eslint $$ARGS", "eslint $ARGS<-c evil.js"),
            ("eslint $ARGSX", ""),
            ("X=$ARGS; eslint $X", "eslint $X<-c evil.js"),
            (
                "$(TOOL) .",
                "\"TOOL\", an environment variable of the call, would choose the program that runs",
            ),
            (
                "cd x && ${TOOL:-eslint} .",
                "\"TOOL\", an environment variable of the call, would choose the program that runs",
            ),
            ("echo TOOL", ""),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
